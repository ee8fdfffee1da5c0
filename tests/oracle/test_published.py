"""What the JudiFair authors published for one model, from what they published it from."""

from __future__ import annotations

import pytest

from justeval.aggregate import AnalysisOptions, analyze, weighted_inconsistency
from justeval.inference import binomial_tail


@pytest.fixture
def published(oracle):
    return oracle("published_gemini_flash_1.5.json")


def test_as_published_inconsistency_weights_each_rate_by_its_changed_documents(published):
    rates = list(published["inconsistency_by_label"].values())
    assert len(rates) == 65
    # labels of equal size: the changed documents are in proportion to the rate itself;
    # the rates are published with four digits, hence the tolerance
    assert weighted_inconsistency(rates, rates) == pytest.approx(
        published["published_inconsistency"], abs=5e-5
    )


def test_equation_1_weights_by_documents(published):
    rates = list(published["inconsistency_by_label"].values())
    assert weighted_inconsistency(rates, [1.0] * 65) == pytest.approx(0.1017, abs=5e-5)


@pytest.mark.parametrize("outcome", ["bias", "imbalanced_inaccuracy"])
@pytest.mark.parametrize("level", ["0.10", "0.05", "0.01"])
def test_binomial_test_over_96_values(published, outcome, level):
    expected = published["published_bernoulli"][outcome][level]
    found = binomial_tail(expected["k"], published["non_reference_values"], float(level))
    assert found == pytest.approx(expected["p"], rel=1e-6)


def test_mean_absolute_error_over_the_regression_sample(ethnicity, oracle):
    expected = oracle("expected_defendant_ethnicity.json")["results"]
    model = analyze(ethnicity, {}).models[0]
    assert model.mae_rows == 2072
    assert model.mae_months == pytest.approx(expected["mean_absolute_error"], rel=1e-12)
    assert model.mae_months == pytest.approx(54.5376, abs=5e-5)


def test_the_analysis_of_the_table_is_the_published_regression(ethnicity_without_bounds, oracle):
    expected = oracle("expected_defendant_ethnicity.json")["results"]
    label = analyze(ethnicity_without_bounds, {}).models[0].labels[0]
    assert (label.documents, label.documents_changed) == (1076, 189)
    assert label.inconsistency == pytest.approx(expected["inconsistency"], rel=1e-12)
    for fit, outcome in (
        (label.bias, "log_months"),
        (label.imbalanced_inaccuracy, "absolute_error"),
    ):
        assert fit.values[0].coef == pytest.approx(expected[outcome]["coef"], rel=1e-9)
        assert fit.values[0].p == pytest.approx(expected[outcome]["p"], rel=1e-5)
        # one value: the joint test is the t test squared
        assert fit.p == pytest.approx(fit.values[0].p, rel=1e-10)
        assert fit.p_small == pytest.approx(fit.p, rel=1e-10)
        assert fit.significant


def test_the_rate_that_was_published_for_the_label(ethnicity_without_bounds, published):
    options = AnalysisOptions(as_published=True)
    found = analyze(ethnicity_without_bounds, {}, options).models[0].labels[0]
    assert round(found.inconsistency, 4) == published["inconsistency_by_label"][found.label]
