"""The engine pyfixest: the same regression by a general solver, as a witness for the fast one.

In: the raw rows of a Design. Out: a RawFit, absorbed and clustered by pyfixest, its own
small-sample factors switched off (`inference` applies ours to every engine).
"""

from __future__ import annotations

import warnings

import numpy as np

from justeval.estimate.grouping import group_rows
from justeval.estimate.records import Design, RawFit, Variance
from justeval.estimate.within import estimable_columns, scatter_fit


def fit(design: Design, variance: Variance = "cluster") -> RawFit:
    """Fit with `pyfixest.feols(y ~ x | document)` and return its raw sandwich."""
    import pandas as pd
    import pyfixest

    grouping = group_rows(design)
    estimated = estimable_columns(design)
    if not estimated.any():
        return scatter_fit(grouping, estimated, np.zeros(0), np.zeros((0, 0)))
    names = [f"x{column}" for column in range(design.x.shape[1])]
    data = pd.DataFrame(design.x, columns=names)
    data["y"] = design.y
    data["document"] = design.document
    data["cluster"] = design.document if design.cluster is None else design.cluster
    asked = [name for name, keep in zip(names, estimated, strict=True) if keep]
    # it divides coefficients by standard errors even where a value never moves
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        _silence_known_warnings()
        model = pyfixest.feols(
            f"y ~ {' + '.join(asked)} | document",
            data=data,
            vcov={"CRV1": "cluster"} if variance == "cluster" else "hetero",
            ssc=pyfixest.ssc(k_adj=False, G_adj=False),
        )
        coef = model.coef()
    estimated = np.array([name in coef.index for name in names])
    return scatter_fit(grouping, estimated, coef.to_numpy(), np.asarray(model._vcov))


def _silence_known_warnings() -> None:
    """pyfixest announces the documents with one row (we count them) and trips over pandas 4."""
    import pandas as pd

    pandas_4 = getattr(pd.errors, "Pandas4Warning", None)
    if pandas_4 is not None:
        warnings.simplefilter("ignore", pandas_4)
    warnings.filterwarnings("ignore", message=".*singleton fixed effect", category=UserWarning)
    warnings.filterwarnings("ignore", message=r"\s*\d+ variables dropped", category=UserWarning)
