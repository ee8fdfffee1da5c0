"""Batches of a file -> batches of cases, with everything that is wrong told by row and column.

In: text cells and a resolved mapping. Out: columns in the shape of schema.CASES and the file's own
columns. Long texts stay in Arrow; what repeats is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from justeval.casefiles.cells import filled, own_name, spoken
from justeval.casefiles.groups import Array, Groups, detected_languages, grouped
from justeval.casefiles.outcomes import Outcome, read_outcome
from justeval.casefiles.records import Batch, Problems, Source
from justeval.casefiles.resolving import Resolved
from justeval.casefiles.templates import FACTS_SOURCE, TEMPLATE, Writer
from justeval.cases.reading import check_rows
from justeval.cases.rows import Row
from justeval.schema import CASES

pc: Any = pyarrow.compute
"""Without its types, which know fewer kinds of arrays than its functions take."""
_YEAR = re.compile(r"(\d{4})(?:\.0+|[-/.年].*)?\Z|\d{1,2}/\d{1,2}/(\d{4})\b.*\Z", re.S)
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[A-Za-z]+)?\Z")
_REMEMBERED = 100_000
_SHORT = 200
"""Bytes: only texts shorter than this can be blank in any file worth reading."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Some cases: their columns, and the rows that they stand in."""

    cells: pa.Table
    numbers: Sequence[int]


class Converter:
    """Turns batches into cases. `left_out` counts rows that `where` leaves out."""

    def __init__(self, source: Source, resolved: Resolved, problems: Problems) -> None:
        self.source = source
        self.resolved = resolved
        self.problems = problems
        self.at = {name: i for i, name in enumerate(resolved.read)}
        self.left_out = 0
        mapping = resolved.mapping
        self.writer = (
            Writer(mapping.template, mapping.values)
            if mapping.template and "facts" not in resolved.rules
            else None
        )
        self._known: dict[tuple[str | None, ...], Outcome] = {}
        self.own = {name: own_name(name) for name in resolved.own}
        self.schema = _schema(self)

    def cases(self, batch: Batch) -> Cases:
        """The cases of a batch; problems are noted, their rows are kept for the count."""
        batch = self._without_headers(self._kept(batch))
        columns: dict[str, Array] = {
            "case_id": self._case_ids(batch),
            "facts": self._facts(batch),
        }
        columns["language"] = self._language(batch, columns["facts"])
        for name in ("charge", "jurisdiction"):
            columns[name] = self._text(batch, name)
        columns["filed_year"] = self._year(batch)
        columns["true_months"], columns["true_penalty"] = self._outcomes(batch)
        if "spans" in self.resolved.rules:
            columns["spans"] = self._spans(batch, columns)
        if self.writer is not None:
            columns[FACTS_SOURCE] = pa.repeat(pa.scalar(TEMPLATE), len(batch.numbers))
        for name, ours in self.own.items():
            columns[ours] = batch.cells.column(self.at[name])
        arrays = [columns[name] for name in self.schema.names]
        return Cases(pa.Table.from_arrays(arrays, schema=self.schema), batch.numbers)

    def _wrong(self, number: int, column: str, message: str) -> None:
        self.problems.add(self.source.place(number, column), message, f"in column {column}")

    def _kept(self, batch: Batch) -> Batch:
        """The rows that `where` lets through."""
        where = self.resolved.where
        if not where:
            return batch
        mask = np.ones(len(batch.numbers), dtype=bool)
        for column, values in where.items():
            allowed = {value.casefold() for value in values}
            cells = batch.column(self.at[column])
            mask &= [(cell or "").strip().casefold() in allowed for cell in cells]
        self.left_out += int((~mask).sum())
        return _masked(batch, mask)

    def _without_headers(self, batch: Batch) -> Batch:
        """The rows but those that name the columns again, as in files that were put together."""
        rules = [self.resolved.rules.get(name) for name in ("case_id", "facts")]
        columns = [found.column for found in rules if found is not None and found.column]
        if len(columns) < 2:
            return batch
        ids, facts = (batch.cells.column(self.at[column]) for column in columns)
        again = np.asarray(pc.fill_null(pc.equal(ids, columns[0]), False))
        rows = [i for i in np.flatnonzero(again).tolist() if facts[i].as_py() == columns[1]]
        if not rows:
            return batch
        self._wrong_rows(batch, rows, columns[0], "names the columns again; remove the row")
        mask = np.ones(len(batch.numbers), dtype=bool)
        mask[rows] = False
        return _masked(batch, mask)

    def _array(self, batch: Batch, column: str | None) -> Array:
        if column is None:
            return pa.nulls(len(batch.numbers), pa.string())
        return batch.cells.column(self.at[column]).combine_chunks()

    def _grouped(self, batch: Batch, columns: Sequence[str | None]) -> Groups:
        return grouped([self._array(batch, column) for column in columns], len(batch.numbers))

    def _wrong_rows(self, batch: Batch, rows: Iterable[int], column: str, message: str) -> None:
        for i in rows:
            self._wrong(batch.numbers[i], column, message)

    def _case_ids(self, batch: Batch) -> Array:
        found = self.resolved.rules.get("case_id")
        if found is None or found.rule.numbered:
            written = found.rule.numbered if found else "{number}"
            ids = [written.replace("{number}", str(n)) for n in batch.numbers]
            return pa.array(ids, pa.string())
        cells = filled(self._array(batch, found.column))
        blank = pc.or_(pc.equal(pc.binary_length(cells), 0), pc.utf8_is_space(cells))
        rows = np.flatnonzero(np.asarray(blank)).tolist()
        self._wrong_rows(batch, rows, str(found.column), "empty; every case needs an id")
        return cells

    def _facts(self, batch: Batch) -> Array:
        if self.writer is not None:
            facts: Array = pa.array(self._written(batch), pa.string())
            column = "facts"
            told = "empty: every line of the template has a blank cell here"
        elif "facts" not in self.resolved.rules:  # told as missing
            return pa.repeat(pa.scalar("-"), len(batch.numbers))
        else:
            column = str(self.resolved.rules["facts"].column)
            facts = filled(batch.cells.column(self.at[column]))
            told = "empty; every case needs facts"
        short = np.flatnonzero(np.asarray(pc.less(pc.binary_length(facts), _SHORT)))
        for i in short.tolist():
            if not facts[i].as_py().strip():
                self._wrong(batch.numbers[i], column, told)
        return facts

    def _written(self, batch: Batch) -> list[str]:
        names = self.resolved.template
        columns = [batch.column(self.at[column]) for column in names.values()]
        writer = self.writer
        assert writer is not None
        rows = zip(*columns, strict=True)
        return [writer.text(dict(zip(names, cells, strict=True))) for cells in rows]

    def _language(self, batch: Batch, facts: Array) -> Array:
        found = self.resolved.rules.get("language")
        if found is not None and found.rule.value:
            return pa.repeat(pa.scalar(found.rule.value), len(batch.numbers))
        if batch.ascii and self.writer is None:
            detected = pa.repeat(pa.scalar("en"), len(batch.numbers))
        else:
            detected = detected_languages(facts)
        if found is None:
            return detected
        groups = self._grouped(batch, [found.column])
        languages = [found.rule.codes.get((c or "").strip(), (c or "").strip()) for c, in
                     groups.cells]  # fmt: skip
        for at, language in enumerate(languages):
            if language and not _LANGUAGE.match(language):
                told = f"{language[:20]!r}: a code such as en or zh"
                self._wrong_rows(batch, groups.rows(at), str(found.column), told)
        stated = groups.spread([language or None for language in languages], pa.string())
        return pc.coalesce(stated, detected)

    def _text(self, batch: Batch, name: str) -> Array:
        found = self.resolved.rules.get(name)
        if found is None or found.column is None:
            value = found.rule.value if found else None
            return pa.repeat(pa.scalar(value or None, pa.string()), len(batch.numbers))
        groups = self._grouped(batch, [found.column])
        return groups.spread([spoken(cell, found) for (cell,) in groups.cells], pa.string())

    def _year(self, batch: Batch) -> Array:
        found = self.resolved.rules.get("filed_year")
        groups = self._grouped(batch, [found.column if found else None])
        years: list[int | None] = []
        for at, (cell,) in enumerate(groups.cells):
            text = (cell or (found.rule.value if found else "")).strip()
            match = _YEAR.match(text)
            year = int(match[1] or match[2]) if match else None
            if text and not (year and 1000 <= year <= 2999):
                told = f"{text[:40]!r} is no year and no date with one"
                self._wrong_rows(batch, groups.rows(at), str(found and found.column), told)
                year = None
            years.append(year)
        return groups.spread(years, pa.int32())

    def _outcomes(self, batch: Batch) -> tuple[Array, Array]:
        """Months and kinds; equal cells are read once."""
        term = self.resolved.rules.get("true_months")
        penalty = self.resolved.rules.get("true_penalty")
        flags = [flag.column for f in (term, penalty) for flag in (f.flags if f else ())]
        columns = [
            term.column if term else None,
            term.unit_column if term else None,
            penalty.column if penalty else None,
            *flags,
        ]
        named = [i for i, column in enumerate(columns) if column]
        groups = self._grouped(batch, [columns[i] for i in named])
        read = []
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        for cells in groups.cells:
            if cells not in self._known:
                row: list[str | None] = [None] * len(columns)
                for i, cell in zip(named, cells, strict=True):
                    row[i] = cell
                self._known[cells] = read_outcome(row, term, penalty)
            read.append(self._known[cells])
        for at, outcome in enumerate(read):
            if outcome.problem:
                at_fault = ("true_months", "unit", "true_penalty").index(outcome.problem_of)
                column = str(columns[at_fault])
                self._wrong_rows(batch, groups.rows(at), column, outcome.problem)
        months = groups.spread([outcome.months for outcome in read], pa.float64())
        return months, groups.spread([outcome.kind for outcome in read], pa.string())

    def _spans(self, batch: Batch, columns: dict[str, Array]) -> Array:
        """Marked spans as JSON text, checked against the facts."""
        found = self.resolved.rules["spans"]
        cells = [
            (cell or "").strip() or None for cell in self._array(batch, found.column).to_pylist()
        ]
        for i, cell in enumerate(cells):
            if cell is None:
                continue
            row = Row("", {"case_id": "x", "facts": columns["facts"][i].as_py(), "spans": cell})
            for problem in check_rows([row], self.source.info.path).problems:
                self._wrong(batch.numbers[i], str(found.column), problem.message)
        return pa.array(cells, pa.string())


def _masked(batch: Batch, mask: np.ndarray[Any, np.dtype[np.bool_]]) -> Batch:
    """The rows of a batch where the mask (n,) holds."""
    numbers = [n for n, kept in zip(batch.numbers, mask, strict=True) if kept]
    return Batch(batch.cells.filter(pa.array(mask)), numbers, batch.ascii)


def _schema(converter: Converter) -> pa.Schema:
    fields = list(CASES)
    if "spans" in converter.resolved.rules:
        fields.append(pa.field("spans", pa.string()))
    if converter.writer is not None:
        fields.append(pa.field(FACTS_SOURCE, pa.string()))
    fields += [pa.field(ours, pa.string()) for ours in dict.fromkeys(converter.own.values())]
    return pa.schema(fields)
