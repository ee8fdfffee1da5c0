"""Text that means harm, in every field that takes text: it comes back as text and nothing else.

A page that shows it is tested in a browser (tests/browser); here are the service's answers and the
files that it exports.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import openpyxl
import pytest

from tests.api.serving import REPLY, Served

HTML = "<img src=x onerror=alert(1)><script>alert(2)</script>"
FORMULAS = ("=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "＝1+1")
CONTROL = "a\x1b[2Jb\x07c\x85d\u202ee"
FACTS = "The defendant took a bicycle from the yard of a neighbor. {}"


def pack(label: str, text: str) -> str:
    """A pack whose every text is this one."""
    values = [{"id": f"{v}", "name": {"en": f"{text} {v}"}, "sentence": {"en": f"{text} is {v}."}}
              for v in ("blue", "red")]  # fmt: skip
    about = {"id": label, "name": {"en": text}, "actor": text, "category": "procedure",
             "demographic": False, "reference": "blue",
             "source": text, "values": values}  # fmt: skip
    return json.dumps(
        {"pack": text[:40], "title": text, "source": text, "languages": ["en"], "labels": [about]}
    )


def finished(served: Served, text: str) -> str:
    """A finished run in which every text that a caller can choose is this one."""
    own = served.ask("POST", "/packs", 201, content=pack("harm", text))["id"]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["case_id", "facts", "charge", text])
    writer.writerows([f"{text} {i}", FACTS.format(f"{text} {i}"), text, text] for i in range(3))
    dataset = served.ask(
        "POST", "/datasets", 201, params={"filename": "harm.csv"}, content=out.getvalue().encode()
    )
    assert dataset["state"] == "ready", dataset
    served.ask("PUT", f"/datasets/{dataset['id']}/mapping", 200, json={"title": text})
    lines = served.exported(dataset=dataset["id"], labels=[f"{own}:harm"])
    replies = [{**line, "reply": f"{text} {REPLY}"} for line in lines]
    return str(served.imported(replies, model=text, name=text)["id"])


@pytest.fixture(scope="module")
def html(served: Served) -> str:
    """A finished run of HTML."""
    return finished(served, HTML)


def paths(run: str) -> Iterator[str]:
    """Everything that tells of a run."""
    yield from ("/runs", "/datasets", "/packs", "/labels")
    for part in ("", "/results", "/results/models", "/results/labels", "/results/values",
                 "/findings", "/manifest", "/documents?label=harm"):  # fmt: skip
        yield f"/runs/{run}{part}"
    yield f"/comparisons?run={run}"


def test_html_comes_back_as_json_that_no_browser_takes_for_a_page(
    served: Served, html: str
) -> None:
    seen = 0
    for path in paths(html):
        answer = served.client.get(path, params=None if "?" in path else {"limit": 500})
        assert answer.status_code == 200, (path, answer.text)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        seen += HTML in json.dumps(answer.json(), ensure_ascii=False)
    assert seen >= 9
    row = served.get(f"/runs/{html}/documents", label="harm")["items"][0]
    document = served.get(f"/runs/{html}/documents/{row['id']}", label="harm")
    assert HTML in document["versions"][0]["replies"][0]["reply"]


class Tags(HTMLParser):
    """The tags of a page, and the values of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_html_is_text_in_the_exported_page(served: Served, html: str) -> None:
    answer = served.client.get(f"/runs/{html}/exports/html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "alert(1)" in answer.text
    found = Tags()
    found.feed(answer.text)
    assert not found.tags & {"img", "script", "iframe"}
    assert not [name for name in found.attributes if name.startswith("on")]
    assert (
        "script-src" not in answer.text or "unsafe" not in answer.headers["content-security-policy"]
    )


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_text_in_every_table(served: Served, text: str) -> None:
    run = finished(served, text)
    for path in (f"/runs/{run}/documents?label=harm&format=csv",
                 f"/runs/{run}/results/models?format=csv",
                 f"/runs/{run}/results/labels?format=csv",
                 f"/runs/{run}/results/values?format=csv",
                 f"/runs/{run}/results/inconsistency?format=csv",
                 f"/comparisons/models?run={run}&format=csv"):  # fmt: skip
        harmless(served.client.get(path).text, text)
    archive = zipfile.ZipFile(io.BytesIO(served.client.get(f"/runs/{run}/exports/csv").content))
    tables = [archive.read(name).decode() for name in archive.namelist() if ".csv" in name]
    assert sum(harmless(table, text) for table in tables) > 3
    content = served.client.get(f"/runs/{run}/exports/xlsx").content
    cells = [
        cell
        for sheet in openpyxl.load_workbook(io.BytesIO(content))
        for row in sheet.iter_rows()
        for cell in row
    ]
    assert "f" not in {cell.data_type for cell in cells}
    assert not any(cell.hyperlink for cell in cells)
    assert any(str(cell.value).strip() == text.strip() for cell in cells)


def harmless(table: str, text: str) -> int:
    """How many cells hold the text; none of them is a formula to a spreadsheet."""
    cells = [cell for row in csv.reader(io.StringIO(table)) for cell in row]
    bare = [cell for cell in cells if cell.lstrip().startswith(text.strip()[0])]
    assert not [cell for cell in bare if not _is_number(cell)], bare
    return sum(text.strip() in cell for cell in cells)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_control_characters_reach_no_terminal_and_no_table(served: Served) -> None:
    """Names of files lose them; texts keep them, escaped as JSON has it."""
    for text in (CONTROL, "a\u0000b"):
        answer = served.client.post("/packs/check", content=pack("harm", text))
        assert answer.status_code == 200, answer.text
        assert no_control(answer.text)
    named: dict[str, Any] = {"dataset": CONTROL, "labels": [], "models": [{"kind": "simulated"}]}
    refused = served.client.post("/runs", json=named)
    assert refused.status_code == 404
    assert no_control(refused.text)
    rows = f"case_id,facts\nc1\x1b[2J,{FACTS.format(CONTROL)}\nc2,{FACTS.format(1)}\n"
    uploaded = served.client.post(
        "/datasets", params={"filename": f"{CONTROL}.csv"}, content=rows.encode()
    )
    assert uploaded.status_code == 201, uploaded.text
    assert uploaded.json()["filename"] == "a[2Jbcde.csv"
    dataset = uploaded.json()["id"]
    for part in ("", "/problems", "/preview", "/cases"):
        assert no_control(served.client.get(f"/datasets/{dataset}{part}").text), part


def no_control(text: str) -> bool:
    """Whether a text is free of what moves a cursor, clears a screen or rings a bell."""
    return not any(ord(character) < 32 for character in text)
