"""Cells of a workbook that its reader gives as empty and that are not: errors and open formulas.

In: an XLSX file and the name of a sheet. Out: the text of those cells by place. An error (#N/A) is
what a person sees in the cell; a formula that no spreadsheet has computed yet is its own text.
"""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CHUNK = 1 << 22
_ERROR = re.compile(
    rb'<c\b([^>]*\bt="e"[^>]*)>\s*(?:<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*)?<v>([^<]*)</v>'
)
_OPEN_FORMULA = re.compile(
    rb"<c\b([^>]*[^>/])>\s*<f\b(?:[^>]*/>|[^>]*>([^<]*)</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')


@dataclass(frozen=True, slots=True)
class HiddenCell:
    """One cell: its place, counted from 0, what stands in it, and whether it is a formula."""

    row: int
    column: int
    text: str
    formula: bool


def hidden_cells(path: Path, sheet: str) -> Iterator[HiddenCell]:
    """The cells of a sheet that are errors or open formulas; none where the file is no XLSX."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            part = _part(archive, sheet)
            if part is not None:
                yield from _cells(archive, part)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, OSError, NotImplementedError):
        return  # whether the workbook is sound, its reader has said


def _part(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """The name of the part that holds a sheet."""
    names = set(archive.namelist())
    if "xl/workbook.xml" not in names or "xl/_rels/workbook.xml.rels" not in names:
        return None
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    ids = {item.get("name"): item.get(_ID) for item in book.iter(f"{_MAIN}sheet")}
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {link.get("Id"): link.get("Target") or "" for link in links}
    target = targets.get(ids.get(sheet), "")
    part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return part if part in names else None


def _cells(archive: zipfile.ZipFile, part: str) -> Iterator[HiddenCell]:
    rest = b""
    with archive.open(part) as stream:
        while chunk := stream.read(_CHUNK):
            whole, mark, rest = (rest + chunk).rpartition(b"</row>")
            yield from _in(whole + mark)
    yield from _in(rest)


def _in(data: bytes) -> Iterator[HiddenCell]:
    """The cells of a piece of XML that holds whole rows."""
    if b't="e"' in data:
        for match in _ERROR.finditer(data):
            yield from _cell(match[1], match[2], formula=False)
    if b"<f" in data:
        for match in _OPEN_FORMULA.finditer(data):
            if b't="str"' not in match[1]:
                yield from _cell(match[1], b"=" + (match[2] or b""), formula=True)


def _cell(attributes: bytes, text: bytes, *, formula: bool) -> Iterator[HiddenCell]:
    place = _PLACE.search(attributes)
    if place is None:
        return
    column = 0
    for letter in place[1]:
        column = 26 * column + letter - 64
    shown = html.unescape(text.decode("utf-8", "replace"))
    yield HiddenCell(int(place[2]) - 1, column - 1, shown, formula)
