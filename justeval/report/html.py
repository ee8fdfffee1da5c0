"""The page: one self-contained HTML file that prints, needs no script and loads nothing.

In: a Report. Out: its text. All text from a run is escaped by the template; figures escape theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from justeval.report.claims import EVERYTHING
from justeval.report.figures import Panel, coefficient_panels, curve_panels, inconsistency_panels
from justeval.report.figures.svg import number
from justeval.report.formatting import is_number, label_name, printable, show_in
from justeval.report.records import Cell, Column, Report, Table
from justeval.report.tables import FINDINGS, LEFT_OUT, OF_MODEL, OVERVIEW

TEMPLATE = Path(__file__).with_name("page.html.j2")
SPANNING = {
    "bias": ("label", ("name", "label_p", "significant", "p_adjusted", "verdict")),
    "imbalanced_inaccuracy": ("label", ("name", "label_p", "significant", "p_adjusted", "verdict")),
    "signs": ("label", ("name",)),
    "robustness": ("label", ("name", "joint_p")),
    "by_charge": ("label", ("name", "p_equal", "q_equal", "p_any")),
    "by_severity": (
        "label",
        ("name", "p_equal", "q_equal", "p_any", "p_slope", "measure"),
    ),
    "crossed": (
        "label",
        ("name", "crossed_p", "p_holm", "significant", "documents", "complete", "changed", "note"),
    ),
    "shape": ("label", ("name", "shape_p", "p_line", "reference")),
    "attrition": ("label", ("name", "attrition_p")),
    "groups": ("model", ("model",)),
    "statuses": ("model", ("model",)),
    "left_out": ("model", ("model",)),
    "skipped": ("label", ("label",)),
}
"""Tables in which cells span rows: by which column, and which cells."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One cell as the page shows it. `rows` : how many rows it spans, 0 where another one does."""

    text: str
    number: bool
    head: bool
    found: bool = False
    rows: int = 1


@dataclass(frozen=True, slots=True)
class View:
    """One table as the page shows it."""

    id: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Shown, ...], ...]
    summary_rows: int = 0


@dataclass(frozen=True, slots=True)
class ModelView:
    """The section of one model."""

    id: str
    name: str
    coefficients: list[Panel]
    bars: list[Panel]
    curve: list[Panel]
    tables: list[View]


def html_text(report: Report) -> str:
    """The page as text."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.tests["number"] = is_number
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    models = [_model_view(report, i, name) for i, name in enumerate(_models(report))]
    groups = report.table("groups")
    overview = OVERVIEW if len(models) > 1 else OVERVIEW[:3]
    shown = {
        "overview": [_view(table) for table in map(report.table, overview) if table.rows],
        "groups": [
            _view(groups.where("by", by), f"groups-{i}", f"By {by}")
            for i, by in enumerate(dict.fromkeys(groups.column("by")))
        ],
        "models": models,
        "left_out": [_view(table) for table in map(report.table, LEFT_OUT) if table.rows],
    }
    findings = map(report.table, FINDINGS)
    return template.render(
        findings=[_view(table) for table in findings if table.rows],
        title=printable(report.title),
        notices=[printable(notice) for notice in report.notices],
        claims=list(_claims(report)),
        facts=[list(_facts(report, "runs", i)) for i in range(len(report.table("runs").rows))],
        settings=list(_facts(report, "settings", 0)),
        unit=_unit(report),
        glossary=list(_glossary(report)),
        **shown,
    )


def _alpha(report: Report) -> float:
    return number(report.table("settings").column("alpha")[0]) or 0.0


def _unit(report: Report) -> str:
    """The unit of the coefficients in the figure."""
    settings = report.table("settings")
    known = "unit" in [column.id for column in settings.columns]
    return str(settings.column("unit")[0]) if known else "log points of months + 1"


def _models(report: Report) -> list[str]:
    return [str(name) for name in dict.fromkeys(report.table("labels").column("model"))]


def _model_view(report: Report, place: int, name: str) -> ModelView:
    labels, bias = report.table("labels"), report.table("bias")
    tables = [
        _view(report.table(table).where("model", name), f"{table}-{place}")
        for table in OF_MODEL
        if report.table(table).where("model", name).rows
    ]
    placebo = report.table("placebo").where("model", name)
    floor = number(placebo.column("inconsistency")[0]) if placebo.rows else None
    return ModelView(
        id=f"model-{place}",
        name=printable(name),
        coefficients=coefficient_panels(f"effects-{place}", name, labels, bias, _unit(report)),
        curve=curve_panels(f"curve-{place}", name, report.table("robustness"), _alpha(report)),
        bars=inconsistency_panels(f"bars-{place}", name, labels, floor),
        tables=tables,
    )


def _view(table: Table, name: str = "", title: str = "") -> View:
    table = _with_placebo_names(table)
    by, spanning = SPANNING.get(table.id, ("", ()))
    spans = _spans(table, by)
    brief = table.brief()
    return View(
        id=f"table-{name or table.id}",
        title=title or table.title,
        about=table.about,
        columns=brief.columns,
        rows=tuple(
            tuple(
                _shown(column, i, cell, span if column.id in spanning else 1)
                for i, (column, cell) in enumerate(zip(brief.columns, row, strict=True))
            )
            for row, span in zip(brief.rows, spans, strict=True)
        ),
        summary_rows=table.summary_rows,
    )


def _with_placebo_names(table: Table) -> Table:
    """Say of a placebo label that it is one, where the page has no column for it."""
    names = [column.id for column in table.columns if not column.brief]
    if "placebo" not in names:
        return table
    name, placebo = table.place("name"), table.place("placebo")
    rows = tuple(
        (*row[:name], label_name(str(row[name]), bool(row[placebo])), *row[name + 1 :])
        for row in table.rows
    )
    return replace(table, rows=rows)


def _shown(column: Column, place: int, cell: Cell, rows: int) -> Shown:
    verdict = column.kind == "yes_no" and column.id.endswith("significant")
    return Shown(
        text=show_in(cell, column),
        number=is_number(column),
        head=place == 0,
        found=verdict and cell is True,
        rows=rows,
    )


def _spans(table: Table, by: str) -> list[int]:
    """For each row, how many rows alike in the column `by` it begins; 0 inside such a stretch."""
    if not by:
        return [1] * len(table.rows)
    spans: list[int] = []
    for _, same in groupby(table.column(by)):
        size = len(list(same))
        spans.extend([size] + [0] * (size - 1))
    return spans


def _claims(report: Report) -> Iterator[tuple[str, list[str]]]:
    """Statements by subject, runs of the same subject together; "" for those about all."""
    for subject, same in groupby(report.claims, lambda claim: claim.subject):
        heading = "" if subject == EVERYTHING else printable(subject)
        yield heading, [claim.statement for claim in same]


def _facts(report: Report, name: str, row: int) -> Iterator[tuple[str, str]]:
    table = report.table(name)
    for column, cell in zip(table.columns, table.rows[row], strict=True):
        shown = show_in(cell, column)
        unit = f" {column.unit}" if column.kind == "level" and column.unit else ""
        yield column.title, shown + (unit if cell is not None else "")


def _glossary(report: Report) -> Iterator[Mapping[str, str]]:
    """Every column that the page shows, once for each meaning."""
    seen: dict[tuple[str, str], None] = {}
    pages = (*FINDINGS, *OVERVIEW, "groups", *OF_MODEL, *LEFT_OUT)
    for table in map(report.table, pages):
        for column in table.columns if table.rows or table.id not in FINDINGS else ():
            key = (column.title, column.definition)
            if column.brief and key not in seen:
                seen[key] = None
                yield {
                    "table": table.title,
                    "title": column.title,
                    "unit": column.unit,
                    "definition": column.definition,
                }
