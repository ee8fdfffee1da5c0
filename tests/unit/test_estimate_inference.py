"""Small-sample conventions against closed forms, scipy.stats and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from justeval.errors import UsageError
from justeval.estimate import Design, estimate, wald


def paired(differences, base=10.0):
    """Two values a document: y is base at the reference, base + difference at the other value."""
    differences = np.asarray(differences, dtype=float)
    documents = np.arange(differences.size)
    y = np.concatenate([np.full(differences.size, base), base + differences])
    x = np.repeat([0.0, 1.0], differences.size)[:, None]
    return Design(y, x, np.tile(documents, 2), ("b",), "a")


def several_values(rng, documents=30, values=4, missing=0.2, clusters=None, moving=1.0):
    """Unbalanced rows of several values; `clusters` clusters that split documents."""
    document = np.repeat(np.arange(documents), values)
    value = np.tile(np.arange(values), documents)
    keep = rng.random(document.size) > missing
    document, value = document[keep], value[keep]
    y = rng.normal(size=documents)[document] + moving * rng.normal(size=document.size)
    x = (value[:, None] == np.arange(1, values)).astype(float)
    cluster = None if clusters is None else rng.integers(0, clusters, document.size)
    names = tuple(f"v{k}" for k in range(1, values))
    return Design(y, x, document, names, "v0", cluster)


def dummy_regression(design, **options):
    """Witness: statsmodels' least squares with one dummy a document, documents with one row out."""
    document = np.unique(design.document, return_inverse=True)[1]
    rows = np.bincount(document)[document] > 1
    document = np.unique(document[rows], return_inverse=True)[1]
    dummies = (document[:, None] == np.arange(document.max() + 1)).astype(float)
    model = sm.OLS(design.y[rows], np.column_stack([design.x[rows], dummies]))
    k = design.x.shape[1]
    if "cluster" in options:
        options = {"cov_type": "cluster", "cov_kwds": {"groups": options["cluster"][rows]}}
    fit = model.fit(**options)
    return fit.params[:k], fit.cov_params()[:k, :k], model.exog.shape


def test_two_values_are_the_paired_t_test_but_for_the_factor():
    # mean 2, sd^2 = ((1-2)^2 + (2-2)^2 + (3-2)^2) / 2 = 1, so the paired t test has se^2 = 1/3;
    # CRV1 multiplies by (N-1)/(N-K-1) = 5/4
    found = estimate(paired([1, 2, 3]))
    assert found.coef[0] == pytest.approx(2.0, rel=1e-14)
    assert found.se[0] == pytest.approx(math.sqrt(1 / 3 * 5 / 4), rel=1e-14)
    assert found.t[0] == pytest.approx(2 / math.sqrt(5 / 12), rel=1e-14)
    assert found.p_values[0] == pytest.approx(2 * stats.t.sf(2 / math.sqrt(5 / 12), 2), rel=1e-12)
    half = stats.t.ppf(0.975, 2) * math.sqrt(5 / 12)
    assert found.ci_low[0] == pytest.approx(2 - half, rel=1e-12)
    assert found.ci_high[0] == pytest.approx(2 + half, rel=1e-12)
    assert (found.n, found.documents, found.clusters) == (6, 3, 3)


def test_the_tail_keeps_its_digits():
    # with 2 (1 - cdf) this p would be 0
    found = estimate(paired(np.tile([1.0, 1.1], 100)))
    assert 0 < found.p_values[0] < 1e-200


@pytest.mark.parametrize("seed", range(5))
def test_nested_clusters_against_document_dummies(seed):
    design = several_values(np.random.default_rng(seed))
    coef, covariance, (n, columns) = dummy_regression(design, cluster=design.document)
    found = estimate(design)
    # statsmodels counts every dummy; nested document effects count as one
    factor = (n - columns) / (n - 3 - 1)
    assert found.coef == pytest.approx(coef, rel=1e-10)
    assert found.covariance == pytest.approx(covariance * factor, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_clusters_that_split_documents_count_every_document(seed):
    design = several_values(np.random.default_rng(seed), clusters=12)
    coef, covariance, _ = dummy_regression(design, cluster=design.cluster)
    found = estimate(design)
    assert found.clusters == 12
    assert found.coef == pytest.approx(coef, rel=1e-10)
    assert found.covariance == pytest.approx(covariance, rel=1e-9)
    assert found.p_values == pytest.approx(2 * stats.t.sf(np.abs(found.t), 11), rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_robust_errors_count_every_document(seed):
    design = several_values(np.random.default_rng(seed))
    coef, covariance, (n, columns) = dummy_regression(design, cov_type="HC1")
    found = estimate(design, variance="robust")
    assert found.coef == pytest.approx(coef, rel=1e-10)
    assert found.covariance == pytest.approx(covariance, rel=1e-9)
    assert found.p_values == pytest.approx(2 * stats.t.sf(np.abs(found.t), n - columns), rel=1e-10)


def test_joint_test_in_both_forms():
    found = estimate(several_values(np.random.default_rng(1), documents=12, values=4))
    w = found.coef @ np.linalg.solve(found.covariance, found.coef)
    g, k = found.clusters, 3
    assert found.rank == k
    assert found.f == pytest.approx(w / k, rel=1e-10)
    assert found.p == pytest.approx(stats.f.sf(w / k, k, g - 1), rel=1e-10)
    assert found.p_small == pytest.approx(
        stats.f.sf(w * (g - k) / (k * (g - 1)), k, g - k), rel=1e-10
    )
    assert found.p_small > found.p


def test_one_value_has_one_test():
    found = estimate(several_values(np.random.default_rng(2), values=2))
    assert found.p == pytest.approx(found.p_values[0], rel=1e-12)
    assert found.p_small == pytest.approx(found.p_values[0], rel=1e-12)


def test_a_value_that_never_moves_leaves_the_joint_test_to_the_others():
    rng = np.random.default_rng(3)
    documents = np.arange(20)
    y = rng.normal(size=20)
    still, moves = y.copy(), y + rng.normal(size=20)
    value = np.repeat([0, 1, 2], 20)
    design = Design(
        np.concatenate([y, still, moves]),
        (value[:, None] == [1, 2]).astype(float),
        np.tile(documents, 3),
        ("still", "moves"),
        "reference",
    )
    found = estimate(design)
    assert found.coef[0] == 0.0
    assert found.se[0] == 0.0
    assert math.isnan(found.t[0])
    assert math.isnan(found.p_values[0])
    assert math.isnan(found.ci_low[0])
    assert found.rank == 1
    assert found.p == pytest.approx(found.p_values[1], rel=1e-10)


def test_two_values_that_always_agree_are_one_direction():
    rng = np.random.default_rng(4)
    y, moved = rng.normal(size=25), rng.normal(size=25)
    value = np.repeat([0, 1, 2], 25)
    x = (value[:, None] == [1, 2]).astype(float)
    design = Design(
        np.concatenate([y, moved, moved]), x, np.tile(np.arange(25), 3), ("b", "c"), "a"
    )
    found = estimate(design)
    assert found.rank == 1
    assert found.f == pytest.approx(found.t[0] ** 2, rel=1e-9)


def test_a_model_that_always_says_24_has_no_variation():
    found = estimate(paired(np.zeros(40), base=math.log(25)))
    assert found.coef[0] == 0.0
    assert found.se[0] == 0.0
    assert math.isnan(found.p_values[0])
    assert (found.rank, found.f, found.p, found.p_small) == (0, None, None, None)


def test_one_effect_in_every_document_has_the_p_of_its_signs():
    # 40 documents, each 12 months longer: no variance; 2 of 2^40 sign patterns are as extreme
    found = estimate(paired(np.full(40, 12.0)))
    assert found.coef[0] == pytest.approx(12.0)
    assert found.se[0] == 0.0
    assert found.t[0] == math.inf
    assert found.p_values[0] == found.p == found.p_small == 2.0**-39
    assert math.isnan(found.ci_low[0])


def test_a_value_seen_in_one_document_proves_nothing():
    # documents 0 to 9 hold the reference and b, document 10 the reference and c
    y = np.concatenate([np.zeros(10), np.random.default_rng(0).normal(size=10), [0.0, 5.0]])
    document = np.concatenate([np.arange(10), np.arange(10), [10, 10]])
    value = np.concatenate([np.zeros(10, int), np.ones(10, int), [0, 2]])
    x = (value[:, None] == [1, 2]).astype(float)
    found = estimate(Design(y, x, document, ("b", "c"), "a"))
    assert (found.coef[1], found.se[1], found.p_values[1]) == (5.0, 0.0, 1.0)


def test_a_certain_difference_between_two_values_is_seen_in_the_joint_test():
    coef, covariance = np.array([1.0, 1.5]), np.ones((2, 2))
    assert wald(coef, covariance, 30.0).p == 0.0
    assert wald(np.array([1.0, 1.0]), covariance, 30.0).f == pytest.approx(1.0)
    rng = np.random.default_rng(6)
    y, b = rng.normal(size=20), rng.normal(size=20)
    x = (np.repeat([0, 1, 2], 20)[:, None] == [1, 2]).astype(float)
    found = estimate(
        Design(np.concatenate([y, b, b + 1.0]), x, np.tile(np.arange(20), 3), ("b", "c"), "a")
    )
    assert found.p == 2.0**-19


def test_more_values_than_clusters():
    # scores sum to zero over clusters, so 3 clusters carry at most 2 directions
    found = estimate(several_values(np.random.default_rng(5), documents=3, values=5, missing=0.0))
    assert found.rank == 2
    assert 0 < found.p_small < 1


def test_one_document_has_an_effect_and_no_error():
    found = estimate(paired([3.0]))
    assert found.coef[0] == 3.0
    assert math.isnan(found.se[0])
    assert math.isnan(found.p_values[0])
    assert found.p is None


def test_no_rows():
    empty = Design(np.zeros(0), np.zeros((0, 2)), np.zeros(0, dtype=int), ("b", "c"), "a")
    found = estimate(empty)
    assert found.n == found.documents == found.clusters == 0
    assert np.isnan(found.coef).all()
    assert found.p is None


def test_unknown_engine():
    with pytest.raises(UsageError, match="no engine 'stata': the engines are within, pyfixest"):
        estimate(paired([1, 2, 3]), "stata")
