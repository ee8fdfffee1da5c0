"""CRV3 of an analysis against the cluster-by-cluster jackknife, pyfixest, and a plain loop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyfixest
import pytest

from justeval.estimate import Design, estimate
from justeval.estimate.jackknife import jackknife, leave_out
from justeval.inference import leave_one_out
from justeval.inference.scores import null_scores


def design_of(seed, values=3, missing=0.1, documents=14, numeric=False):
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), values)
    value = np.tile(np.arange(values), documents)
    keep = rng.random(document.size) >= missing
    document, value = document[keep], value[keep]
    y = rng.normal(size=documents)[document] + rng.normal(size=value.size)
    x = np.log(20.0 + 15.0 * value)[:, None] if numeric else value[:, None] == np.arange(1, values)
    names = ("log(value)",) if numeric else tuple(f"v{k}" for k in range(1, values))
    return Design(y, x.astype(float), document + 5, names, "v0")


def found_of(design):
    return leave_one_out(null_scores(design), estimate(design))


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize(("values", "numeric"), [(2, False), (3, False), (5, False), (4, True)])
def test_equals_the_jackknife_cluster_by_cluster(values, numeric, missing):
    design = design_of(values, values, missing, numeric=numeric)
    found, plain = found_of(design), jackknife(design)
    assert found.se == pytest.approx(plain.se, rel=1e-9)
    assert found.p_values == pytest.approx(plain.p_values, rel=1e-8)
    for k in range(plain.coef.size):
        pull = plain.influence[:, k] * np.sign(plain.coef[k])
        first = int(np.nanargmax(pull))
        assert found.cluster[k] == plain.clusters[first]
        assert found.without[k] == pytest.approx(plain.without[first, k], rel=1e-8)


def test_equals_a_loop_of_regressions():
    design = design_of(1, values=4, missing=0.2)
    whole = estimate(design)
    coefs = np.array(
        [estimate(leave_out(design, np.array([code]))).coef for code in demeaned_codes(design)]
    )
    moved = whole.coef - coefs
    g = len(coefs)
    assert found_of(design).se == pytest.approx(np.sqrt((g - 1) / g * (moved**2).sum(0)), rel=1e-9)


def demeaned_codes(design):
    codes, rows = np.unique(design.document, return_counts=True)
    return codes[rows > 1]


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_equals_pyfixest(missing):
    """Witness: pyfixest's CRV3, which scales by (G-1)/G without the factor of CRV1."""
    design = design_of(3, values=3, missing=missing, documents=30)
    kept = np.isin(design.document, demeaned_codes(design))
    data = pd.DataFrame(design.x[kept], columns=["v1", "v2"])
    data["y"], data["document"] = design.y[kept], design.document[kept]
    fit = pyfixest.feols(
        "y ~ v1 + v2 + C(document)",
        data=data,
        vcov={"CRV3": "document"},
        ssc=pyfixest.ssc(k_adj=False, G_adj=False),
    )
    # with its factor switched off, the (G-1)/G of the jackknife is lacking
    g = np.unique(data["document"]).size
    theirs = np.sqrt(np.diagonal(fit._vcov)[1:3] * (g - 1) / g)
    assert found_of(design).se == pytest.approx(theirs, rel=1e-7)


def test_where_all_documents_hold_all_values_it_is_crv1_scaled():
    design = design_of(4, values=3, missing=0.0)
    whole = estimate(design)
    n, k = design.y.size, 2
    assert found_of(design).se == pytest.approx(
        whole.se * np.sqrt((n - k - 1) / (n - 1)), rel=1e-12
    )


def test_a_document_that_alone_holds_a_value_up_is_left_out_of_the_error():
    y = np.array([0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 5.0])
    value = np.array([0, 1, 0, 1, 0, 1, 0, 2])
    x = (value[:, None] == [1, 2]).astype(float)
    design = Design(y, x, np.repeat(np.arange(4), 2), ("b", "c"), "a")
    found = found_of(design)
    # without document 3 there is no value c; differences 1, 2, 3 leave s^2 / n = 1 / 3
    assert found.se[0] == pytest.approx(np.sqrt(1 / 3))
    assert np.isnan(found.se[1])
    assert found.cluster.tolist() == [2, -1]
    assert found.without[0] == pytest.approx(1.5)


def test_one_value_of_several_that_never_moves_has_no_error():
    design = design_of(6, values=3, missing=0.0)
    y = design.y.copy()
    y[design.x[:, 1] == 1] = y[(design.x == 0).all(axis=1)]
    found = found_of(replace(design, y=y))
    assert np.isnan(found.se).tolist() == [False, True]
    assert np.isnan(found.p_values).tolist() == [False, True]
