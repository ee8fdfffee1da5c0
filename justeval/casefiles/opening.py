"""A file of any format -> a Source: by its suffix, else by its first bytes.

In: a path and what the user says of it. Out: a Source, whose batches all have text cells.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from justeval.casefiles.delimited import open_delimited
from justeval.casefiles.encodings import named_encoding
from justeval.casefiles.json_files import open_json
from justeval.casefiles.parquet_files import open_parquet
from justeval.casefiles.records import Batch, NotPlainError, OtherBeginningError, Problems, Source
from justeval.casefiles.workbooks import open_workbook
from justeval.errors import CaseFileError, UsageError

DELIMITED = (".csv", ".tsv", ".tab", ".txt")
JSON = (".jsonl", ".ndjson", ".json")
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
FORMATS = (*DELIMITED, *JSON, *WORKBOOKS, ".parquet")
_JSON_START = re.compile(rb'\[?\s*\{\s*"[^"]*"\s*:')
_NAMED_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a user says of a file; empty where it is to be found out."""

    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""


def open_source(path: Path, options: ReadOptions | None = None, whole: bool = False) -> Source:
    """A file, open for reading. `whole` looks at all of its bytes for the encoding.

    Raises UsageError where an option does not fit, CaseFileError where the file cannot be read.
    """
    told = options or ReadOptions()
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no plain file" if path.exists() else ""
        raise CaseFileError(f"{path}: is {what}" if what else f"{path}: no such file")
    kind = path.suffix.lower()
    if kind not in FORMATS:
        shown = kind or "a file without a suffix"
        raise CaseFileError(f"{path}: cannot read {shown}; use {', '.join(FORMATS)}")
    _check_options(told, kind)
    try:
        return _open(path, kind, told, whole)
    except OSError as error:
        raise CaseFileError(f"{path}: cannot be read ({error.strerror or error})") from error


def _check_options(told: ReadOptions, kind: str) -> None:
    if told.sheet and kind not in WORKBOOKS:
        raise UsageError(f"--sheet is for workbooks, not for {kind}")
    if told.delimiter and kind not in DELIMITED:
        raise UsageError(f"--delimiter is for delimited text, not for {kind}")
    if told.encoding and kind not in (*DELIMITED, *JSON):
        raise UsageError(f"--encoding is for text, not for {kind}")
    if len(_delimiter(told)) > 1:
        raise UsageError(f"--delimiter {told.delimiter!r}: one character, or tab")


def _delimiter(told: ReadOptions) -> str:
    return _NAMED_DELIMITERS.get(told.delimiter.lower(), told.delimiter)


def _open(path: Path, kind: str, told: ReadOptions, whole: bool) -> Source:
    with path.open("rb") as stream:
        head = stream.read(64)
    if not head:
        raise CaseFileError(f"{path}: the file is empty")
    if kind in WORKBOOKS:
        return open_workbook(path, told.sheet)
    if kind == ".parquet":
        return open_parquet(path)
    other = _other_kind(head, kind)
    if other:
        raise CaseFileError(f"{path}: is {other}")
    encoding = named_encoding(told.encoding, path) if told.encoding else None
    if kind in JSON:
        return open_json(path, encoding, whole)
    return open_delimited(path, encoding, _delimiter(told), whole)


def _other_kind(head: bytes, kind: str) -> str:
    """What a file that is called text is by its first bytes, and what to do; empty if text."""
    for mark, what in ((b"PK\x03\x04", "a workbook (.xlsx)"), (b"PAR1", "Parquet (.parquet)")):
        if head.startswith(mark):
            return f"{what} by its bytes; rename it so"
    start = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html", b"<?xml")):
        return "a web page or XML by its bytes; perhaps an error message in place of the file"
    if kind in DELIMITED and _JSON_START.match(start):
        return "JSON by its bytes; rename it .json"
    return ""


def read_batches(source: Source, columns: Sequence[str], problems: Problems) -> Iterator[Batch]:
    """All rows the careful way, where a source was opened with `whole`."""
    for fault in source.faults:
        problems.add(fault.place, fault.message)
    try:
        yield from source.batches(columns, problems, False)
    except OtherBeginningError as error:
        path, name = source.info.path, source.info.encoding
        raise CaseFileError(f"{path}: not {name} text throughout; name another") from error


__all__ = ["FORMATS", "NotPlainError", "ReadOptions", "open_source", "read_batches"]
