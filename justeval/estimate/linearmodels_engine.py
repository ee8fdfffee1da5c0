"""The engine linearmodels: the same regression by a third absorber, as a second witness.

In: the raw rows of a Design. Out: a RawFit, absorbed and clustered by linearmodels without its
small-sample factors (`inference` applies ours to every engine).
"""

from __future__ import annotations

import warnings

import numpy as np

from justeval.estimate.grouping import group_rows
from justeval.estimate.records import Design, RawFit, Variance
from justeval.estimate.within import estimable_columns, scatter_fit


def fit(design: Design, variance: Variance = "cluster") -> RawFit:
    """Fit with `linearmodels.iv.absorbing.AbsorbingLS` and return its raw sandwich.

    Columns that cannot be estimated are left out before: this library stops at a singular matrix.
    Documents with one row stay in; absorbed, they add nothing to coefficients or sandwich. A
    single cluster, with which it stops too, is fitted by rows: no error is inferred from it.
    """
    import pandas as pd

    grouping = group_rows(design)
    estimated = estimable_columns(design)
    if not estimated.any():
        return scatter_fit(grouping, estimated, np.zeros(0), np.zeros((0, 0)))
    cluster = design.document if design.cluster is None else design.cluster
    with warnings.catch_warnings():
        pandas_4 = getattr(pd.errors, "Pandas4Warning", None)
        if pandas_4 is not None:
            warnings.simplefilter("ignore", pandas_4)
        from linearmodels.iv.absorbing import AbsorbingLS

        model = AbsorbingLS(
            pd.Series(design.y, name="y"),
            pd.DataFrame(design.x[:, estimated]),
            absorb=pd.DataFrame({"document": pd.Categorical(design.document)}),
        )
        if variance == "cluster" and np.unique(cluster).size > 1:
            result = model.fit(cov_type="clustered", debiased=False, clusters=cluster)
        else:
            result = model.fit(cov_type="robust", debiased=False)
    return scatter_fit(
        grouping, estimated, result.params.to_numpy(), np.asarray(result.cov, dtype=np.float64)
    )
