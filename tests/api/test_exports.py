"""Exports hold the numbers of the API, whatever the format."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import openpyxl
import pyarrow.parquet as pq
import pytest

from justeval.runs import RunFolder, predictions_of
from tests.api.serving import Served


def content(served: Served, run: str, format: str, **query: object) -> bytes:
    """An export, held to what every export must be."""
    answer = served.client.get(f"/runs/{run}/exports/{format}", params=query)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="justeval-{run}')
    again = served.client.get(
        f"/runs/{run}/exports/{format}",
        params=query,  # type: ignore[arg-type]
        headers={"if-none-match": answer.headers["etag"]},
    )
    assert again.status_code == 304
    return answer.content


def test_all_formats_carry_the_same_estimates(served: Served, run: str) -> None:
    items = served.get(f"/runs/{run}/results/values", limit=500)["items"]
    wanted = {
        (row["model"], row["label"], row["value"]): row["coef"]
        for row in items
        if row["outcome"] == "bias"
    }
    archive = zipfile.ZipFile(io.BytesIO(content(served, run, "csv")))
    (name,) = [name for name in archive.namelist() if name == "bias.csv"]
    rows = list(csv.DictReader(io.StringIO(archive.read(name).decode())))
    found = {(r["model"], r["label"], r["value"]): float(r["coef"]) for r in rows if r["coef"]}
    assert found == {key: coef for key, coef in wanted.items() if coef is not None}

    book = openpyxl.load_workbook(io.BytesIO(content(served, run, "xlsx")))
    assert "bias" in book.sheetnames
    analysis = json.loads(content(served, run, "json"))
    assert analysis["models"] == served.get(f"/runs/{run}/results")["models"]
    page = content(served, run, "html").decode()
    assert page.startswith("<!doctype html>") or "<html" in page
    assert b"simulated-planted" in content(served, run, "md")


def test_parquet_holds_every_prediction(served: Served, run: str) -> None:
    table = pq.read_table(io.BytesIO(content(served, run, "parquet")))
    assert table.equals(predictions_of(RunFolder(served.data / "runs" / run / "run")))


def test_options_hold_for_exports_too(served: Served, run: str) -> None:
    analysis = json.loads(content(served, run, "json", alpha=0.1, as_published=True))
    assert analysis["settings"]["as_published"] is True
    assert analysis["settings"]["alpha"] == 0.1


def test_a_comparison_is_exported(served: Served, run: str) -> None:
    answer = served.client.get("/comparisons/exports/json", params={"run": run})
    assert answer.status_code == 200
    assert "justeval-" in answer.headers["content-disposition"]


@pytest.mark.parametrize("format", ["exe", "..%2Fjson", "JSON"])
def test_other_formats_do_not_exist(served: Served, run: str, format: str) -> None:
    answer = served.client.get(f"/runs/{run}/exports/{format}")
    assert answer.status_code in (404, 422)
