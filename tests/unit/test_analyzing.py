"""The whole analysis: findings first, and what the flagged replies would change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.analyzing import analysis_of, variants_of, without_rows
from justeval.evidence import Evidence
from justeval.report import show_analysis, show_findings
from justeval.schema import PREDICTIONS, VARIANTS

OPTIONS = AnalysisOptions(draws=199)


def predictions(documents=40):
    rng = np.random.default_rng(0)
    rows = []
    for document in range(documents):
        base = float(rng.integers(12, 120))
        for value in ("a", "b"):
            rows += [
                {
                    "run_id": "r",
                    "model": "m",
                    "case_id": f"c{document}",
                    "label": "x",
                    "value": value,
                    "is_reference": value == "a",
                    "repetition": 0,
                    "position": 2 * document + int(rng.integers(0, 2)),
                    "status": "ok",
                    "penalty": "fixed_term",
                    "months": base + float(rng.integers(-2, 3)),
                }
            ]
    return pa.Table.from_pylist(rows, schema=PREDICTIONS)


def test_clean_data_has_no_finding_and_no_heading():
    table = predictions()
    evidence = Evidence("t", table, {}, 300.0)
    document = analysis_of(evidence, OPTIONS)
    assert document["findings"] == []
    assert "without_flagged" not in document
    assert show_findings(document) == ""
    assert show_analysis(document).startswith("Model")
    plain = as_json(analyze(table, {}, OPTIONS))
    assert {name: document[name] for name in plain} == plain


def test_without_flagged_is_the_whole_analysis_where_nothing_is_flagged():
    document = analysis_of(Evidence("t", predictions(), {}, 300.0), OPTIONS, exclude_flagged=True)
    block = document["without_flagged"]
    assert block["replies"] == 0
    assert (block["summary"], block["models"]) == (document["summary"], document["models"])


def test_rows_are_left_out_by_their_place():
    table = predictions(3)
    left = without_rows(table, np.array([0, 5]))
    assert left.equals(table.slice(1, 4))


def test_texts_are_read_where_all_runs_have_them(tmp_path: Path):
    empty = VARIANTS.empty_table()
    pq.write_table(empty, tmp_path / "one.parquet")
    there, missing = tmp_path / "one.parquet", tmp_path / "two.parquet"
    evidence = Evidence("t", predictions(2), {}, 300.0, variants=(there,))
    assert variants_of(evidence).equals(empty)
    both = Evidence("t", predictions(2), {}, 300.0, variants=(there, missing))
    assert variants_of(both) is None
    assert variants_of(Evidence("t", predictions(2), {}, 300.0)) is None
