"""The jackknife against running every regression again, and the cases in which it cannot run."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyfixest
import pytest

from justeval.errors import EstimationError
from justeval.estimate import Design, estimate
from justeval.estimate.jackknife import jackknife, leave_out, most_influential


def design_of(seed, documents=14, values=3, missing=0.1, cluster=None):
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), values)
    value = np.tile(np.arange(values), documents)
    keep = rng.random(document.size) > missing
    document, value = document[keep], value[keep]
    y = rng.normal(size=documents)[document] + rng.normal(size=value.size)
    x = (value[:, None] == np.arange(1, values)).astype(float)
    names = tuple(f"v{k}" for k in range(1, values))
    codes = None if cluster is None else cluster(document)
    return Design(y, x, document, names, "v0", codes)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cluster", [None, lambda document: document // 3])
def test_equals_every_regression_run_again(seed, cluster):
    design = design_of(seed, cluster=cluster)
    found = jackknife(design)
    own = design.document if design.cluster is None else design.cluster
    again = []
    for code in found.clusters:
        documents = np.unique(design.document[own == code])
        again.append(estimate(leave_out(design, documents)).coef)
    assert found.without == pytest.approx(np.array(again), rel=1e-8, abs=1e-10)
    moved = found.coef - np.array(again)
    size = len(again)
    assert found.covariance == pytest.approx((size - 1) / size * moved.T @ moved, rel=1e-8)
    assert found.coef == pytest.approx(estimate(design).coef)


def test_two_values_give_the_textbook_jackknife_of_a_mean():
    # differences 1, 2, 3, 6: mean 3; the jackknife variance of a mean is s^2 / n = (14/3) / 4
    differences = np.array([1.0, 2.0, 3.0, 6.0])
    y = np.concatenate([np.zeros(4), differences])
    x = np.repeat([0.0, 1.0], 4)[:, None]
    found = jackknife(Design(y, x, np.tile(np.arange(4), 2), ("b",), "a"))
    assert found.covariance[0, 0] == pytest.approx(14 / 3 / 4)
    assert found.without[:, 0] == pytest.approx([11 / 3, 10 / 3, 3.0, 2.0])
    assert most_influential(found, 0, 2).tolist() == [3]


def test_pyfixest_agrees():
    design = design_of(9, missing=0.0)
    data = pd.DataFrame(design.x, columns=["v1", "v2"])
    data["y"], data["document"] = design.y, design.document
    fit = pyfixest.feols(
        "y ~ v1 + v2 | document",
        data=data,
        vcov={"CRV3": "document"},
        ssc=pyfixest.ssc(k_adj=False, G_adj=False),
    )
    # with its factor switched off, the (G-1)/G of the jackknife is lacking
    expected = np.asarray(fit._vcov) * 13 / 14
    assert jackknife(design).covariance == pytest.approx(expected, rel=1e-7)


def test_a_value_that_one_document_holds_up_is_named():
    y = np.array([0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 5.0])
    document = np.repeat(np.arange(4), 2)
    value = np.array([0, 1, 0, 1, 0, 1, 0, 2])
    x = (value[:, None] == [1, 2]).astype(float)
    found = jackknife(Design(y, x, document, ("b", "c"), "a"))
    assert found.alone == 1
    assert np.isnan(found.without[3]).all()
    assert np.isfinite(found.se[0])


def test_documents_split_between_clusters_are_refused():
    design = design_of(1)
    split = Design(
        design.y, design.x, design.document, design.names, "v0", np.arange(design.y.size) % 5
    )
    with pytest.raises(EstimationError, match="two clusters"):
        jackknife(split)
    with pytest.raises(EstimationError, match="one cluster only"):
        jackknife(leave_out(design, np.arange(1, 14)))
