"""A table of predictions made elsewhere -> predictions.

In: a CSV, JSONL or Parquet file, its columns by name or by `--map ours=theirs`. Out: an Arrow
table in the shape of schema.PREDICTIONS. The raw fields of a reply (guilty, penalty, months as
text) and raw replies are read by the same code as everywhere; nothing is guessed away.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from justeval.casefiles.mapping import Columns
from justeval.casefiles.records import row_of
from justeval.casefiles.rows import file_rows
from justeval.cases.rows import Row
from justeval.errors import CaseFileError, Problem, TableError, UsageError
from justeval.labels import Label
from justeval.replies import read_fields, read_reply
from justeval.schema import PREDICTIONS, READABLE, STATUSES, Prediction

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?\Z")
FIELDS = ("guilty", "penalty", "months", "probability", "decision", "charge")
"""The raw fields of a reply that a table may hold."""
MAPPABLE = (
    *dict.fromkeys(
        (
            *PREDICTIONS.names,
            "error",
            "reference",
        )
    ),
)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table's columns are to be understood.

    `mapping` gives for our names theirs; `label`, `reference` and `model` stand for columns that
    the table does not have. `bounded=False` reads terms as published, without bounds.
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    label: str | None = None
    reference: str | None = None
    model: str | None = None
    bounded: bool = True


def read_table(path: Path, labels: Mapping[str, Label], options: TableOptions) -> pa.Table:
    """The predictions in a table.

    Raises UsageError where a mapping names no column, TableError with every row that cannot be
    used.
    """
    unknown = [name for name in options.mapping if name not in MAPPABLE]
    if unknown:
        shown = ", ".join(f"{name}=…" for name in unknown)
        raise UsageError(f"--map {shown}: known names are {', '.join(MAPPABLE)}")
    reader = _Reader(path, labels, options)
    try:
        for row in file_rows(path):
            reader.take(row)
    except CaseFileError as error:
        raise TableError(error.problems) from error
    reader.check_values()
    if reader.problems:
        raise TableError(sorted(reader.problems, key=row_of))
    if not reader.rows:
        raise TableError(f"{path}: no rows in it")
    return pa.Table.from_pylist(_with_references(reader, path), PREDICTIONS)


class _Reader:
    """Takes rows one by one; collects what is wrong with them."""

    def __init__(self, path: Path, labels: Mapping[str, Label], options: TableOptions) -> None:
        self.path = path
        self.labels = labels
        self.options = options
        self.problems: list[Problem] = []
        self.rows: list[dict[str, object]] = []
        self._asked: Counter[tuple[object, ...]] = Counter()
        self._columns: dict[str, str] | None = None
        self._lacking = False
        self._values: dict[str, dict[str, str]] = {}

    def take(self, row: Row) -> None:
        if row.problem:
            self.problems.append(Problem(row.place, row.problem))
            return
        if self._columns is None:
            self._columns = self._found(row)
            self._check_columns(row)
        if self._lacking:
            return
        cells = {ours: self._cell(row, ours) for ours in MAPPABLE}
        case_id, value = self._column("case_id"), self._column("value")
        if (cells["case_id"], cells["value"]) == (case_id, value):
            self.problems.append(Problem(row.place, "names the columns again; remove the row"))
            return
        if cells["value"] is not None:
            seen = self._values.setdefault(str(cells["label"] or self.options.label), {})
            seen.setdefault(str(cells["value"]), f"{row.place}, column {value}")
        if cells["case_id"] is None:
            self.problems.append(Problem(f"{row.place}, column {case_id}", "empty"))
            return
        self.rows.append(self._prediction(row, cells))

    def check_values(self) -> None:
        """Notes every label that has one value only, with the first row of it."""
        for label, seen in self._values.items():
            if len(seen) == 1:
                told = f"label {label!r} has 1 value; a comparison needs at least 2"
                place = next(iter(seen.values()))
                self.problems.append(Problem(place, f"{told}. Add a value or remove the label."))

    def _found(self, row: Row) -> dict[str, str]:
        """The file's names for ours, matched without regard to case.

        Raises UsageError where a mapping names no column.
        """
        columns = Columns(tuple(row.cells))
        found = {}
        for ours in MAPPABLE:
            theirs = columns.find(self.options.mapping.get(ours, ours))
            if theirs is not None:
                found[ours] = theirs
        lost = {n: t for n, t in self.options.mapping.items() if n not in found}
        if lost:
            shown = ", ".join(f"{ours}={theirs}" for ours, theirs in lost.items())
            raise UsageError(
                f"--map {shown}: {self.path} has no such column; it has {columns.shown()}"
            )
        return found

    def _check_columns(self, row: Row) -> None:
        has = ", ".join(list(row.cells)[:12])
        for name in ("case_id", "value"):
            if self._column(name) not in row.cells:
                self._lacks(name, f"name it with --map {name}=COLUMN; the file has {has}")
        if self.options.label is None and self._column("label") not in row.cells:
            self._lacks("label", "name it with --map label=COLUMN, or give --label NAME")
        if not any(self._column(n) in row.cells for n in ("reply", "months", "probability")):
            self._lacks("months", "a reply, months or probability is needed; use --map")

    def _lacks(self, name: str, advice: str) -> None:
        self._lacking = True
        self.problems.append(Problem(f"{self.path}, column {name}", f"missing; {advice}"))

    def _column(self, ours: str) -> str:
        """The file's name for one of ours; our own where the file has none."""
        return (self._columns or {}).get(ours, ours)

    def _cell(self, row: Row, ours: str) -> object:
        cell = row.cells.get(self._column(ours))
        return None if isinstance(cell, str) and not cell.strip() else cell

    def _prediction(self, row: Row, cells: dict[str, object]) -> dict[str, object]:
        label = _text(cells["label"]) or self.options.label
        value = _text(cells["value"])
        model = _text(cells["model"]) or self.options.model or self.path.stem
        case_id = _text(cells["case_id"])
        asked = (model, case_id, label if value is not None else None, value)
        repetition = self._whole(row, cells, "repetition")
        read = self._read(row, cells)
        prediction: dict[str, object] = {name: cells.get(name) for name in ("reply",)}
        prediction |= {name: getattr(read, name) for name in Prediction.__dataclass_fields__}
        prediction |= {
            "run_id": self.path.name,
            "model": model,
            "case_id": case_id,
            "label": asked[2],
            "value": value,
            "is_reference": _flag(cells["is_reference"]),
            "reference": _text(cells["reference"]),
            "repetition": self._asked[asked] if repetition is None else repetition,
            "position": self._whole(row, cells, "position"),
            "filed_year": self._whole(row, cells, "filed_year"),
            "true_months": self._number(row, cells, "true_months"),
            "cost_usd": self._number(row, cells, "cost_usd"),
            "case_charge": _text(cells["case_charge"]),
            "reply": _text(cells["reply"]) or self._fields_as_reply(row, cells),
            "finish_reason": _text(cells["finish_reason"]),
            "served_by": _text(cells["served_by"]),
            "model_version": _text(cells["model_version"]),
        }
        self._asked[asked] += 1
        return prediction

    def _read(self, row: Row, cells: dict[str, object]) -> Prediction:
        """The reading of one row: an error, our own status, the raw fields, or the raw reply."""
        if cells["error"] is not None:
            return Prediction("provider_error", str(cells["error"]))
        status = _text(cells["status"])
        if status is not None:
            return self._already_read(row, cells, status)
        fields = {n: cells[n] for n in FIELDS if self._column(n) in row.cells}
        if "months" in fields or "probability" in fields:
            return read_fields(fields, bounded=self.options.bounded)
        reason = _text(cells["finish_reason"]) or "stop"
        return read_reply(_text(cells["reply"]), reason, bounded=self.options.bounded)

    def _fields_as_reply(self, row: Row, cells: dict[str, object]) -> str | None:
        """The raw fields as the JSON object that they come from; None where all are blank."""
        fields = {name: _plain(cells[name]) for name in FIELDS if self._column(name) in row.cells}
        if all(value is None for value in fields.values()):
            return None
        return json.dumps(fields, ensure_ascii=False)

    def _already_read(self, row: Row, cells: dict[str, object], status: str) -> Prediction:
        if status not in STATUSES:
            message = f"{status!r} is none of {', '.join(STATUSES)}"
            place = f"{row.place}, column {self._column('status')}"
            self.problems.append(Problem(place, message))
        carried = Prediction(
            status=status,
            reason=_text(cells["reason"]) or "",
            guilty=None if cells["guilty"] is None else _flag(cells["guilty"]),
            penalty=_text(cells["penalty"]),
            months=self._number(row, cells, "months"),
            probability=self._number(row, cells, "probability"),
            decision=_text(cells["decision"]),
            charge=_text(cells["charge"]),
        )
        return carried if status in READABLE else replace(carried, months=None, probability=None)

    def _number(self, row: Row, cells: dict[str, object], name: str) -> float | None:
        cell = cells[name]
        if cell is None:
            return None
        try:
            number = float(str(cell))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            message = f"{str(cell)[:40]!r} is no number; leave it empty where unknown"
            self.problems.append(Problem(f"{row.place}, column {self._column(name)}", message))
            return None
        return number

    def _whole(self, row: Row, cells: dict[str, object], name: str) -> int | None:
        number = self._number(row, cells, name)
        return None if number is None else int(number)


def _with_references(reader: _Reader, path: Path) -> list[dict[str, object]]:
    """Marks the rows of each label's reference value.

    Raises UsageError where no reference is known, TableError where it does not occur.
    """
    values: dict[str, list[str]] = {}
    marked: set[object] = set()
    for row in reader.rows:
        label, value = row["label"], row["value"]
        if isinstance(label, str) and isinstance(value, str):
            values.setdefault(label, [])
            if value not in values[label]:
                values[label].append(value)
        if row["is_reference"]:
            marked.add(label)
    for label, found in values.items():
        known = reader.labels.get(label)
        if label in marked or (known is not None and known.numeric):
            continue
        reference = _reference_of(reader, label, found, path)
        for row in reader.rows:
            row["is_reference"] = row["is_reference"] or (
                row["label"] == label and row["value"] == reference
            )
    return reader.rows


def _reference_of(reader: _Reader, label: str, found: list[str], path: Path) -> str:
    stated = [row["reference"] for row in reader.rows if row["label"] == label and row["reference"]]
    reference = str(stated[0]) if stated else reader.options.reference
    if reference is None:
        reference = _registered_reference(reader.labels.get(label), found)
    if reference is None:
        raise UsageError(
            f"{path}: no reference value for {label}; give --reference with one of "
            f"{', '.join(found[:8])}"
        )
    if reference not in found:
        raise TableError(
            f"{path}: the reference {reference!r} does not occur in {label}; "
            f"its values are {', '.join(found[:8])}"
        )
    return reference


def _registered_reference(label: Label | None, found: list[str]) -> str | None:
    if label is None:
        return None
    value = label.value(label.reference)
    names = (value.id, *value.name.values())
    return next((text for text in found if text in names), None)


def _plain(cell: object) -> object:
    """A cell as JSON has it: a plain number as a number."""
    text = str(cell).strip() if isinstance(cell, str) else ""
    return json.loads(text) if _JSON_NUMBER.match(text) else cell


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _flag(cell: object) -> bool:
    return cell is True or str(cell).strip().lower() in ("true", "1", "yes")
