"""Eight specifications of one label, by all three engines, against base R.

Witness: `expected_defendant_ethnicity.json`, R 4.2 with CRV1 G/(G-1) * (N-1)/(N-K-1) and t(G-1).
Tolerances: 1e-9 relative for coefficient and standard error (double precision over 2,000 rows),
1e-5 for p, which R took from another incomplete beta function.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from justeval.estimate import ENGINES, Design, build_sample, estimate, label_design

SPECIFICATIONS = (
    "log_months",
    "months",
    "absolute_error",
    "log_months_cluster_charge",
    "log_months_filed_2014_on",
    "log_months_without_minority_first_documents",
    "absolute_error_without_minority_first_documents",
    "log_months_minority_first_documents_only",
)


def minority_first(table: pa.Table) -> np.ndarray:
    """Which rows belong to a document whose minority version stands first in the file."""
    minority = pc.equal(table["value"], "少数民族").to_numpy()
    case, position = table["case_id"].to_numpy(), table["position"].to_numpy()
    first = {}
    for at in np.argsort(position):
        first.setdefault(case[at], minority[at])
    return np.array([first[name] for name in case])


def rows_of(specification: str, table: pa.Table) -> pa.Table:
    if "minority_first" in specification:
        flipped = minority_first(table)
        return table.filter(pa.array(flipped if specification.endswith("only") else ~flipped))
    if specification.endswith("2014_on"):  # rows without a year stay in
        year = table["filed_year"]
        return table.filter(pc.or_(pc.is_null(year), pc.greater_equal(year, 2014).fill_null(False)))
    if specification.endswith("charge"):
        return table.filter(pc.is_valid(table["case_charge"]))
    return table


def design_of(specification: str, table: pa.Table) -> Design:
    table = rows_of(specification, table)
    sample = build_sample(table)
    cells = sample.cells
    outcome = next(
        name for name in ("absolute_error", "log_months", "months") if name in specification
    )
    cluster = None
    if specification.endswith("charge"):
        charge_of = dict(
            zip(table["case_id"].to_pylist(), table["case_charge"].to_pylist(), strict=True)
        )
        charges = np.array([charge_of[sample.documents[code]] for code in cells.document])
        cluster = np.unique(charges, return_inverse=True)[1]
    design = label_design(
        outcome=getattr(cells, outcome),
        document=cells.document,
        value=cells.value,
        names=sample.values,
        reference=int(sample.reference[0]),
        cluster=cluster,
    )
    assert isinstance(design, Design)
    return design


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("specification", SPECIFICATIONS)
def test_every_engine_gives_the_published_regression(specification, engine, ethnicity, oracle):
    expected = oracle("expected_defendant_ethnicity.json")["results"][specification]
    found = estimate(design_of(specification, ethnicity), engine)
    assert found.names == ("少数民族",)
    assert found.reference == "汉族"
    assert found.coef[0] == pytest.approx(expected["coef"], rel=1e-9)
    assert found.se[0] == pytest.approx(expected["se"], rel=1e-9)
    assert found.t[0] == pytest.approx(expected["t"], rel=1e-8)
    assert found.p_values[0] == pytest.approx(expected["p"], rel=1e-5)
    assert [found.ci_low[0], found.ci_high[0]] == pytest.approx(expected["ci95"], rel=1e-8)
    assert (found.n, found.documents, found.clusters) == (
        expected["n"],
        expected["documents"],
        expected["clusters"],
    )


def test_the_main_sample_has_2072_rows_after_8_single_documents(ethnicity):
    sample = build_sample(ethnicity)
    assert sample.cells.months.size == 2080
    found = estimate(design_of("log_months", ethnicity))
    assert (found.n, found.singletons_dropped) == (2072, 8)


def test_189_of_1076_documents_change(ethnicity_without_bounds, oracle):
    expected = oracle("expected_defendant_ethnicity.json")["results"]
    compared = build_sample(ethnicity_without_bounds).comparisons_of(0)
    assert compared.changed.size == expected["documents_with_numeric_reply"] == 1076
    assert compared.changed.sum() == expected["inconsistent_documents"] == 189


def test_bounds_on_terms_change_no_regression(ethnicity, ethnicity_without_bounds):
    """Detention of 15 to 150 months is out of range and in no main sample either way."""
    bounded, published = build_sample(ethnicity), build_sample(ethnicity_without_bounds)
    assert bounded.cells.months.tolist() == published.cells.months.tolist()
    compared = bounded.comparisons_of(0)
    assert compared.changed.sum() == 189
    assert compared.changed.size <= 1076
