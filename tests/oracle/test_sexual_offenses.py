"""The authors' own Stata run, from the verbatim replies of a few documents.

Witness: `expected_defendant_sex_sexual_offences.json`, published by the JudiFair authors.
"""

from __future__ import annotations

import pytest

from justeval.estimate import ENGINES, build_sample, estimate, label_design


@pytest.mark.parametrize("engine", ENGINES)
def test_statas_p_values_to_eight_digits(engine, sexual_offenses, oracle):
    expected = oracle("expected_defendant_sex_sexual_offences.json")["published"]
    sample = build_sample(sexual_offenses)
    design = label_design(
        outcome=sample.cells.months,
        document=sample.cells.document,
        value=sample.cells.value,
        names=sample.values,
        reference=int(sample.reference[0]),
    )
    found = estimate(design, engine)
    assert found.names == ("女", "非二元性别")
    assert (found.n, found.documents) == (expected["n"], expected["documents"]) == (20, 7)
    assert found.coef == pytest.approx(expected["coef"], rel=1e-12)
    assert found.p_values == pytest.approx(expected["p"], rel=5e-9)


def test_unreadable_replies_are_missing_and_not_zero(sexual_offenses):
    sample = build_sample(sexual_offenses)
    assert sample.cells.months.size == 20
    assert (sample.cells.months > 0).all()
    assert sample.left_out[0, 1:].sum() == 7  # PROHIBITED_CONTENT
