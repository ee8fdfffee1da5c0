"""Hostile names are text everywhere, and a report is written whole or not at all."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from justeval.errors import JustevalError, UsageError
from justeval.report import FORMATS, ReportContext, show_analysis, write_report
from justeval.report.csv_files import guarded
from justeval.report.figures.coefficients import coefficient_scale

TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "h4", "ul",
    "li", "nav", "a", "main", "dl", "div", "dt", "dd", "p", "section", "table", "thead", "tbody",
    "tr", "th", "td", "small", "strong", "figure", "figcaption", "svg", "desc", "g", "text",
    "tspan", "line", "circle", "polygon", "rect", "details", "summary",
}  # fmt: skip


class Elements(HTMLParser):
    """All tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.extend((name, value or "") for name, value in attrs)


@pytest.fixture(scope="module")
def page(example, tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("page") / "r.html"
    write_report(example.analysis, path, "html", example.context)
    return path.read_text(encoding="utf-8")


def test_no_name_becomes_an_element_of_the_page(page):
    found = Elements()
    found.feed(page)
    assert found.tags <= TAGS
    assert "&lt;script&gt;alert(" in page
    assert not [name for name, _ in found.attributes if name.startswith("on")]


def test_the_page_loads_nothing(page):
    found = Elements()
    found.feed(page)
    links = [value for name, value in found.attributes if name in ("href", "src", "xlink:href")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_links_of_the_page_lead_somewhere_and_ids_are_unique(page):
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    for named in re.findall(r'aria-labelledby="([^"]+)"', page):
        assert set(named.split()) <= set(ids)


def test_figures_are_sound_xml_with_title_and_description(page):
    figures = re.findall(r"<svg .*?</svg>", page, flags=re.DOTALL)
    assert len(figures) >= 8
    for figure in figures:
        svg = ElementTree.fromstring(figure)
        assert svg.get("role") == "img"
        assert [child.tag for child in svg][:2] == ["title", "desc"]
        assert all(child.text for child in list(svg)[:2])


def test_significance_has_a_shape_in_the_figures(make_example, tmp_path):
    example = make_example()
    path = tmp_path / "r.html"
    write_report(example.analysis, path, "html", example.context)
    text = path.read_text(encoding="utf-8")
    significant = [
        value
        for model in example.analysis["models"]
        for label in model["labels"]
        for value in label["bias"]["values"]
        if label["bias"]["significant"] and value["coef"] is not None
    ]
    assert significant
    assert text.count('<polygon class="point found"') == len(significant)


def test_every_effect_and_every_usual_interval_lies_on_the_scale(make_example):
    bias = make_example().report.table("bias")
    scale = coefficient_scale(bias)
    names = ("coef", "ci_low", "ci_high")
    shown = [cell for name in names for cell in bias.column(name) if cell is not None]
    assert all(scale.holds(cell) for cell in shown)
    assert 0.0 in scale.ticks
    wide = replace(bias, rows=(*bias.rows, _with(bias, bias.rows[0], ci_high=50.0)))
    assert coefficient_scale(wide).high < 4 * scale.high


def _with(table, row, **cells):
    """The row with other cells."""
    changed = list(row)
    for name, cell in cells.items():
        changed[table.place(name)] = cell
    return tuple(changed)


def test_markdown_has_no_html_and_no_link(example, tmp_path):
    (path,) = write_report(example.analysis, tmp_path / "r.md", "md", example.context)
    text = path.read_text(encoding="utf-8")
    assert "<" not in text
    assert not re.search(r"(?<!\\)[\[\]`]", text)


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "\n=1", " =1", "＝1", "\r1"])
def test_text_that_looks_like_a_formula_gets_an_apostrophe(text):
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "male", "1", "a=b", "log(value)"])
def test_other_text_stays_as_it_is(text):
    assert guarded(text) == text


def test_no_cell_of_the_csv_files_begins_a_formula_but_numbers(example, tmp_path):
    for path in write_report(example.analysis, tmp_path, "csv", example.context):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                for cell in row:
                    if cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
                        float(cell)


def test_the_terminal_gets_no_control_character(example):
    shown = show_analysis(example.analysis, example.context)
    assert not [c for c in shown if c < " " and c != "\n"]


def test_a_format_that_does_not_exist_is_named(example, tmp_path):
    with pytest.raises(UsageError, match="no format 'pdf': the formats are html, md, csv"):
        write_report(example.analysis, tmp_path / "r.pdf", "pdf", example.context)


def test_a_path_of_the_wrong_sort_is_refused(example, tmp_path):
    file = tmp_path / "file"
    file.write_text("kept")
    with pytest.raises(UsageError, match="csv writes a folder"):
        write_report(example.analysis, file, "csv", example.context)
    with pytest.raises(UsageError, match="html writes one file"):
        write_report(example.analysis, tmp_path, "html", example.context)
    assert file.read_text() == "kept"


@pytest.mark.parametrize("format", FORMATS)
def test_a_place_that_takes_nothing_is_one_clear_line(example, tmp_path, format):
    (tmp_path / "file").write_text("")
    with pytest.raises(JustevalError, match=r"cannot be written .*; choose another --out") as error:
        write_report(example.analysis, tmp_path / "file" / "r", format, example.context)
    assert "\n" not in str(error.value)


def test_stata_files_need_predictions(example, tmp_path):
    with pytest.raises(UsageError, match="need the predictions"):
        write_report(example.analysis, tmp_path / "s", "stata", ReportContext())
    assert not (tmp_path / "s").exists()


def test_a_report_leaves_no_partial_file(example, tmp_path):
    write_report(example.analysis, tmp_path / "deep" / "r.html", "html", example.context)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["r.html"]


def test_reports_are_imported_without_the_heavy_libraries():
    heavy = ("pandas", "xlsxwriter", "jinja2", "numpy", "scipy", "pyarrow")
    code = f"import justeval.report, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
