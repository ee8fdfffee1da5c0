"""All exports of one analysis carry the same numbers, cell by cell."""

from __future__ import annotations

import csv
import json
import math
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from justeval.report import write_report
from justeval.report.csv_files import cell_text
from justeval.report.formatting import label_name, show_in
from justeval.report.markdown import escaped
from justeval.report.records import Table
from justeval.report.xlsx import heading

PER_MODEL = (
    "labels", "bias", "imbalanced_inaccuracy", "shape", "crossed", "signs", "attrition",
    "repetitions", "robustness", "by_charge", "by_severity",
)  # fmt: skip
OVERVIEW = (
    "models", "placebo", "floor", "pooled", "statuses", "left_out", "skipped_by_kind", "skipped",
)  # fmt: skip


class Tables(HTMLParser):
    """Tables of a page by name: the text of their cells, cells that span rows repeated."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: dict[str, list[str]] = {}
        self.rows: dict[str, list[list[str]]] = {}
        self._name = ""
        self._open: dict[int, tuple[int, str]] = {}
        self._span = 0
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "table":
            self._name = str(given["data-table"]).removeprefix("table-")
            self.columns[self._name], self.rows[self._name], self._open = [], [], {}
        elif tag == "tr" and self.columns[self._name]:
            self.rows[self._name].append([])
            self._fill()
        elif tag == "th" and "data-column" in given:
            self.columns[self._name].append(str(given["data-column"]))
        elif tag in ("td", "th"):
            self._span, self._text = int(given.get("rowspan") or 1), []

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._text is not None:
            row = self.rows[self._name][-1]
            if self._span > 1:
                self._open[len(row)] = (self._span - 1, "".join(self._text))
            row.append("".join(self._text))
            self._text = None
            self._fill()

    def _fill(self) -> None:
        row = self.rows[self._name][-1]
        while len(row) in self._open:
            left, text = self._open.pop(len(row))
            if left > 1:
                self._open[len(row)] = (left - 1, text)
            row.append(text)


def test_every_table_holds_what_the_json_holds(example):
    """The witness is the document itself, walked without the tables' code."""
    analysis, report = example.analysis, example.report
    for model, row in zip(analysis["models"], _dicts(report.table("models")), strict=False):
        for name in (
            "inconsistency",
            "mae_months",
            "readable",
            "documents",
            "inconsistency_ci_low",
        ):
            assert row[name] == model[name]
        assert row["bias_binomial_p"] == model["bias"]["binomial_p"]
        assert row["inaccuracy_significant"] == model["imbalanced_inaccuracy"]["labels_significant"]
        unreadable = 1 - model["readable"] / model["replies"]
        assert row["unreadable_share"] == pytest.approx(unreadable, rel=1e-12)
    summary = _dicts(report.table("models"))[-1]
    assert summary["inconsistency"] == analysis["summary"]["inconsistency_mean"]
    assert summary["bias_tested"] == analysis["summary"]["bias"]["labels_tested"]
    levels = {(r["model"], r["outcome"], r["alpha"]): r for r in _dicts(report.table("levels"))}
    for model in analysis["models"]:
        for level, counts in model["bias"]["by_alpha"].items():
            row = levels[model["model"], "bias", float(level)]
            assert row["binomial_p"] == counts["binomial_p"]


@pytest.mark.parametrize("outcome", ["bias", "imbalanced_inaccuracy"])
def test_every_value_stands_in_its_table_with_the_numbers_of_the_json(example, outcome):
    rows = {
        (row["model"], row["label"], row["value"]): row
        for row in _dicts(example.report.table(outcome))
    }
    expected = 0
    for model in example.analysis["models"]:
        for label in model["labels"]:
            fit = label[outcome]
            for value in fit["values"] or [{"value": None}]:
                row = rows[model["model"], label["label"], value["value"]]
                assert row["label_p"] == fit["p_verdict"]
                assert row["note"] == fit["note"]
                assert {name: row.get(name) for name in value} == value
                if outcome == "bias" and value["value"] == "log(value)":
                    change = 100 * ((45 / 25) ** value["coef"] - 1)
                    assert row["change_percent"] == pytest.approx(change, rel=1e-12)
                elif outcome == "bias" and value["value"] is not None:
                    change = 100 * (math.exp(value["coef"]) - 1)
                    assert row["change_percent"] == pytest.approx(change, rel=1e-12)
                expected += 1
    assert len(rows) == expected


def test_csv_holds_every_cell_at_full_precision(example, tmp_path):
    write_report(example.analysis, tmp_path, "csv", example.context)
    for table in example.report.tables:
        with (tmp_path / f"{table.id}.csv").open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert header == [column.id for column in table.columns]
        assert rows == [[cell_text(cell) for cell in row] for row in table.rows]
        for row, cells in zip(rows, table.rows, strict=True):
            for text, cell in zip(row, cells, strict=True):
                if isinstance(cell, float):
                    assert float(text) == cell


def test_xlsx_holds_every_cell_and_no_formula(example, tmp_path):
    (path,) = write_report(example.analysis, tmp_path / "r.xlsx", "xlsx", example.context)
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == [table.id for table in example.report.tables]
    for table in example.report.tables:
        sheet = book[table.id]
        assert sheet.freeze_panes == "B2"
        header, *rows = sheet.iter_rows()
        assert [cell.value for cell in header] == [heading(c) for c in table.columns]
        assert len(rows) == len(table.rows)
        for cells, row in zip(rows, table.rows, strict=True):
            for cell, value in zip(cells, row, strict=True):
                if isinstance(value, float):  # a workbook holds 16 digits
                    assert cell.value == pytest.approx(value, rel=1e-15, abs=0)
                else:
                    assert cell.value == value
            assert all(cell.data_type != "f" and cell.hyperlink is None for cell in cells)


def test_html_shows_every_number_as_all_others_do(example, tmp_path):
    (path,) = write_report(example.analysis, tmp_path / "r.html", "html", example.context)
    page = Tables()
    page.feed(path.read_text(encoding="utf-8"))
    expected = {name: example.report.table(name) for name in OVERVIEW}
    groups = example.report.table("groups")
    for i, by in enumerate(dict.fromkeys(groups.column("by"))):
        expected[f"groups-{i}"] = groups.where("by", by)
    for i, model in enumerate(example.analysis["models"]):
        for name in PER_MODEL:
            expected[f"{name}-{i}"] = example.report.table(name).where("model", model["model"])
    assert list(page.rows) and set(page.rows) == {n for n, t in expected.items() if t.rows}
    for name, table in expected.items():
        if table.rows:
            brief = table.brief()
            assert page.columns[name] == [column.id for column in brief.columns]
            assert page.rows[name] == [_as_shown(table, row) for row in _dicts(table)]


def test_markdown_shows_every_number_as_all_others_do(example, tmp_path):
    (path,) = write_report(example.analysis, tmp_path / "r.md", "md", example.context)
    lines = path.read_text(encoding="utf-8").splitlines()
    for name in (*OVERVIEW, *PER_MODEL):
        table = example.report.table(name)
        for model in _models_of(table, name):
            part = table if model is None else table.where("model", model)
            kept = [
                i for i, c in enumerate(part.columns) if c.brief or c.id in ("placebo", "label")
            ]
            for row in part.rows:
                cells = [escaped(show_in(row[i], part.columns[i])) for i in kept]
                assert "| " + " | ".join(cells) + " |" in lines


def test_json_is_the_analysis_with_the_words_of_the_report(example, tmp_path):
    (path,) = write_report(example.analysis, tmp_path / "r.json", "json", example.context)
    document = json.loads(path.read_text(encoding="utf-8"))
    words = document.pop("report")
    assert document == example.analysis
    assert words["notices"] == list(example.report.notices)


def test_stata_results_hold_every_number(example, tmp_path):
    write_report(example.analysis, tmp_path, "stata", example.context)
    for name in ("models", "labels", "bias", "imbalanced_inaccuracy"):
        table = example.report.table(name)
        frame = pd.read_stata(tmp_path / f"results_{name}.dta")
        assert list(frame.columns) == [column.id for column in table.columns]
        for place, column in enumerate(table.columns):
            cells = table.column(column.id)
            read = frame.iloc[:, place].tolist()
            if column.kind == "text":
                assert read == [cell or "" for cell in cells]
            else:
                assert [None if math.isnan(x) else x for x in read] == cells


def _dicts(table: Table) -> list[dict[str, Any]]:
    names = [column.id for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _as_shown(table: Table, row: dict[str, Any]) -> list[str]:
    brief = table.brief().columns
    hidden = "placebo" in row and "placebo" not in [c.id for c in brief]
    if hidden:
        row = {**row, "name": label_name(row["name"], row["placebo"])}
    return [show_in(row[column.id], column) for column in brief]


def _models_of(table: Table, name: str) -> list[Any]:
    return list(dict.fromkeys(table.column("model"))) if name in PER_MODEL else [None]


def test_a_folder_of_csv_is_replaced_file_by_file(example, tmp_path):
    (tmp_path / "mine.txt").write_text("kept")
    first = write_report(example.analysis, tmp_path, "csv", example.context)
    second = write_report(example.analysis, tmp_path, "csv", example.context)
    assert first == second
    assert {p.name for p in tmp_path.iterdir()} == {"mine.txt", *(Path(p).name for p in first)}
