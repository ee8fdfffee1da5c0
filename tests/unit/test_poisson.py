"""Poisson with document effects against statsmodels' GLM with dummies, and the closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from justeval.errors import EstimationError
from justeval.estimate import Design
from justeval.estimate.poisson import fit_poisson, ratio_of_sums


def months_design(seed, documents=25, values=3, missing=0.15, zeros=0.1):
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), values)
    value = np.tile(np.arange(values), documents)
    keep = rng.random(document.size) > missing
    document, value = document[keep], value[keep]
    base = rng.integers(3, 90, documents)[document] * (1 + 0.1 * value)
    y = np.round(base * np.exp(0.3 * rng.normal(size=value.size)))
    y[rng.random(y.size) < zeros] = 0.0
    return by_value(y, document, value)


def by_value(y, document, value, cluster=None):
    k = int(max(value))
    x = (np.asarray(value)[:, None] == np.arange(1, k + 1)).astype(float)
    names = tuple(f"v{i}" for i in range(1, k + 1))
    return Design(np.asarray(y, float), x, np.asarray(document), names, "v0", cluster)


def dummies_glm(design):
    """statsmodels' GLM over documents with at least two rows and a positive sum."""
    codes = np.unique(design.document, return_inverse=True)[1]
    keep = (np.bincount(codes)[codes] > 1) & (np.bincount(codes, weights=design.y)[codes] > 0)
    codes = np.unique(codes[keep], return_inverse=True)[1]
    dummies = (codes[:, None] == np.arange(codes.max() + 1)).astype(float)
    model = sm.GLM(
        design.y[keep], np.column_stack([design.x[keep], dummies]), family=sm.families.Poisson()
    )
    fit = model.fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}, tol=1e-14
    )
    k = design.x.shape[1]
    return fit.params[:k], fit.cov_params()[:k, :k], keep.sum(), codes.max() + 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("values", [2, 3, 5])
def test_equals_a_glm_with_document_dummies(seed, values):
    design = months_design(seed, values=values)
    coef, covariance, n, documents = dummies_glm(design)
    found = fit_poisson(design)
    k = values - 1
    factor = documents / (documents - 1) * (n - 1) / (n - k - 1)
    assert (found.n, found.documents, found.clusters) == (n, documents, documents)
    assert found.coef == pytest.approx(coef, rel=1e-7, abs=1e-9)
    assert found.covariance == pytest.approx(covariance * factor, rel=1e-6, abs=1e-12)
    expected = 2 * stats.t.sf(np.abs(found.coef / found.se), documents - 1)
    assert found.p_values == pytest.approx(expected, rel=1e-9)


def test_two_values_have_a_closed_form():
    # sums 10 + 0 + 12 = 22 and 20 + 6 + 18 = 44: the ratio is 2 whatever the documents' levels
    design = by_value([10, 20, 0, 6, 12, 18], [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1])
    found = fit_poisson(design)
    assert found.ratio[0] == pytest.approx(2.0, rel=1e-12)
    assert ratio_of_sums(design.y, design.x[:, 0] == 1, design.document) == 2.0
    # the score of a document is (y1 - pi Y), pi = 2/3, H = sum Y pi (1 - pi)
    totals, at_value = np.array([30, 6, 30]), np.array([20, 6, 18])
    scores = at_value - totals * 2 / 3
    error = math.sqrt((scores**2).sum()) / (totals.sum() * 2 / 9)
    assert found.se[0] == pytest.approx(error * math.sqrt(3 / 2 * 5 / 4), rel=1e-9)


def test_the_unit_does_not_matter():
    design = months_design(7)
    in_years = Design(design.y / 12, design.x, design.document, design.names, design.reference)
    assert fit_poisson(in_years).coef == pytest.approx(fit_poisson(design).coef, rel=1e-9)
    assert fit_poisson(in_years).se == pytest.approx(fit_poisson(design).se, rel=1e-8)


def test_documents_without_months_drop_out_and_are_counted():
    design = by_value([0, 0, 6, 12, 24, 24, 5], [0, 0, 1, 1, 2, 2, 3], [0, 1, 0, 1, 0, 1, 0])
    found = fit_poisson(design)
    assert (found.all_zero_documents, found.singletons_dropped, found.documents) == (1, 1, 2)
    assert found.ratio[0] == pytest.approx(36 / 30)


def test_a_value_with_only_zeros_is_separated_and_the_others_stay():
    y = [6, 12, 0, 24, 30, 0, 8, 8, 0]
    design = by_value(y, np.repeat([0, 1, 2], 3), np.tile([0, 1, 2], 3))
    found = fit_poisson(design)
    assert found.separated == ("v2",)
    assert math.isnan(found.coef[1])
    assert found.ratio[0] == pytest.approx(50 / 38)
    assert found.rank == 1


def test_a_reference_with_only_zeros_leaves_nothing_to_compare_with():
    found = fit_poisson(by_value([0, 5, 0, 7], [0, 0, 1, 1], [0, 1, 0, 1]))
    assert found.separated == ("v1",)
    assert np.isnan(found.coef).all()
    assert (found.rank, found.p) == (0, None)


def test_values_that_take_everything_together_are_separated():
    # wherever v1 or v2 stand beside the reference, the reference has 0
    y = [0, 5, 0, 7, 3, 4, 0, 2]
    design = by_value(y, [0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 2, 1, 2, 0, 1])
    assert fit_poisson(design).separated == ("v1", "v2")


def test_a_numeric_label():
    rng = np.random.default_rng(5)
    document, age = np.repeat(np.arange(30), 3), np.tile([25.0, 45.0, 65.0], 30)
    y = np.round(rng.integers(5, 60, 30)[document] * (age / 25) ** 0.3 + rng.integers(0, 5, 90))
    design = Design(y, np.log(age)[:, None], document, ("log(value)",), "")
    coef, _, _, _ = dummies_glm(design)
    assert fit_poisson(design).coef == pytest.approx(coef, rel=1e-8)
    upward = Design(np.where(age == 65, y, 0.0), design.x, document, design.names, "")
    assert fit_poisson(upward).separated == ("log(value)",)


def test_no_variation_has_no_error():
    found = fit_poisson(by_value([24.0] * 20, np.repeat(np.arange(10), 2), np.tile([0, 1], 10)))
    assert (found.coef[0], found.se[0]) == (0.0, 0.0)
    assert found.p is None


def test_a_negative_outcome_is_refused():
    with pytest.raises(EstimationError, match="must be 0 or more"):
        fit_poisson(by_value([1, -1], [0, 0], [0, 1]))
