"""A YAML file that says how a file becomes cases -> a Mapping, or all that is wrong with it.

In: `FILE.map.yaml` beside a user's file, or a profile. Out: a Mapping. Problems name the line and
the field.
"""

from __future__ import annotations

from pathlib import Path

from justeval.casefiles.mapping import (
    KEEP,
    OURS,
    UNIT_NAMES,
    Flag,
    Mapping,
    RowRule,
    Rule,
    checked_meaning,
)
from justeval.errors import CaseFileError, LabelPackError, Problem, UsageError
from justeval.labels.located import Located, Path_, read_located

_FIELDS = {"profile", "title", "source", "note", "columns", "rows", "keep", "template", "values"}
_RULE_FIELDS = {"column", "value", "numbered", "codes", "unit", "units", "join", "flags"}
_FLAG_FIELDS = {"column", "is", "above", "without_term", "means"}
_TERMS = ("true_months", "true_penalty")


def read_map_file(path: Path) -> Mapping:
    """Reads and checks a mapping. Raises CaseFileError with every problem found."""
    try:
        located = read_located(path, "a mapping needs `columns:`")
    except LabelPackError as error:
        raise CaseFileError(error.problems) from error
    reader = _Reader(located)
    mapping = reader.mapping()
    if reader.problems:
        raise CaseFileError(reader.problems)
    return mapping


class _Reader:
    """Walks one file once, collecting problems instead of stopping at the first."""

    def __init__(self, located: Located) -> None:
        self.located = located
        self.problems: list[Problem] = []

    def wrong(self, where: Path_, message: str) -> None:
        self.problems.append(Problem(self.located.place(where), message))

    def mapping(self) -> Mapping:
        data = self.located.data
        if not isinstance(data, dict):
            self.wrong((), "must be a mapping with `columns:`")
            return Mapping({})
        self.known(data, (), _FIELDS)
        columns = data.get("columns")
        if not isinstance(columns, dict) or not columns:
            self.wrong(("columns",), "must be a mapping such as `case_id: ID`")
            columns = {}
        self.known(columns, ("columns",), set(OURS))
        return Mapping(
            rules={name: self.rule(name, columns[name]) for name in columns if name in OURS},
            rows=self.rows(data.get("rows")),
            keep=self.texts(data, (), "keep") if "keep" in data else None,
            template=self.text(data, (), "template"),
            values={
                column: self.codes(words, ("values", column), meanings=False)
                for column, words in self.inner(data, (), "values").items()
            },
            name=self.text(data, (), "profile") or self.located.file.name,
            title=self.text(data, (), "title"),
            source=self.text(data, (), "source"),
        )

    def known(self, data: dict[str, object], at: Path_, allowed: set[str]) -> None:
        for name in data:
            if name not in allowed:
                self.wrong((*at, name), f"unknown; known are {', '.join(sorted(allowed))}")

    def rule(self, name: str, data: object) -> Rule:
        at: Path_ = ("columns", name)
        if isinstance(data, str | list):
            data = {"column": data}
        if not isinstance(data, dict):
            self.wrong(at, "must be a column's name, or a mapping with `column:` or `value:`")
            return Rule()
        self.known(data, at, _RULE_FIELDS)
        unit, unit_column, units = self.unit(data, at)
        rule = Rule(
            columns=self.texts(data, at, "column"),
            value=self.text(data, at, "value"),
            numbered=self.text(data, at, "numbered"),
            codes=self.codes(data.get("codes"), (*at, "codes"), meanings=name in _TERMS),
            unit=unit,
            unit_column=unit_column,
            units=units,
            join=self.text(data, at, "join"),
            flags=self.flags(data, at),
        )
        if not (rule.columns or rule.value or rule.numbered or rule.flags):
            self.wrong(at, "needs `column:`, `value:` or `numbered:`")
        if rule.numbered and "{number}" not in rule.numbered:
            self.wrong((*at, "numbered"), "must contain {number}, e.g. cail-{number}")
        return rule

    def unit(self, data: dict[str, object], at: Path_) -> tuple[str, str, dict[str, str]]:
        """A unit for all rows, or a column that says it with the meaning of its words."""
        unit = self.text(data, at, "unit")
        units = self.codes(data.get("units"), (*at, "units"), meanings=False)
        for word, meaning in units.items():
            if meaning not in UNIT_NAMES:
                self.meaning(meaning, (*at, "units", word), f"one of {', '.join(UNIT_NAMES)}, or ")
        if unit in UNIT_NAMES or not unit:
            return unit, "", units
        return "", unit, units

    def meaning(self, meaning: str, at: Path_, also: str = "") -> None:
        try:
            checked_meaning(meaning, "it")
        except UsageError as error:
            self.wrong(at, f"{meaning!r}: {also}{error}")

    def codes(self, data: object, at: Path_, *, meanings: bool) -> dict[str, str]:
        """Cells and what they mean; numbers may stand without quotes."""
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.wrong(at, "must be a mapping from a code to what it means")
            return {}
        found: dict[str, str] = {}
        for code, meaning in data.items():
            if isinstance(meaning, bool) or not isinstance(meaning, str | int | float):
                self.wrong((*at, code), f"{meaning!r}: put words such as no, yes, on in quotes")
                continue
            found[str(code)] = str(meaning)
            if meanings:
                self.meaning(str(meaning), (*at, code))
        return found

    def flags(self, data: dict[str, object], at: Path_) -> tuple[Flag, ...]:
        items = data.get("flags") or []
        if not isinstance(items, list):
            self.wrong((*at, "flags"), "must be a list")
            return ()
        return tuple(
            flag
            for i, item in enumerate(items)
            if (flag := self.flag(item, (*at, "flags", i))) is not None
        )

    def flag(self, item: object, at: Path_) -> Flag | None:
        if not isinstance(item, dict):
            self.wrong(at, "a flag is a mapping with `column:`, `is:` and `means:`")
            return None
        self.known(item, at, _FLAG_FIELDS)
        column, means = self.text(item, at, "column"), self.text(item, at, "means")
        above = item.get("above")
        if not column:
            self.wrong((*at, "column"), "missing")
        self.meaning(means, (*at, "means"))
        if above is not None and (isinstance(above, bool) or not isinstance(above, int | float)):
            self.wrong((*at, "above"), f"{above!r} is no number")
            above = None
        equals = item.get("is", "")
        return Flag(
            column=column,
            means=means,
            equals=str(equals).lower() if isinstance(equals, bool) else str(equals),
            above=None if above is None else float(above),
            without_term=item.get("without_term") is True,
        )

    def rows(self, data: object) -> RowRule:
        if data is None:
            return RowRule()
        if not isinstance(data, dict):
            self.wrong(("rows",), "must be a mapping with `where:` and `keep:`")
            return RowRule()
        self.known(data, ("rows",), {"where", "keep"})
        keep = self.text(data, ("rows",), "keep") or "one"
        if keep not in KEEP:
            self.wrong(("rows", "keep"), f"{keep!r} is none of {', '.join(KEEP)}")
        where = self.inner(data, ("rows",), "where")
        return RowRule(
            {column: self.texts(where, ("rows", "where"), column) for column in where}, keep
        )

    def inner(self, data: dict[str, object], at: Path_, name: str) -> dict[str, object]:
        value = data.get(name) or {}
        if not isinstance(value, dict):
            self.wrong((*at, name), "must be a mapping")
            return {}
        return value

    def text(self, data: dict[str, object], at: Path_, name: str) -> str:
        value = data.get(name)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self.wrong((*at, name), f"{value!r}: must be text; put it in quotes")
            return ""
        return str(value)

    def texts(self, data: dict[str, object], at: Path_, name: str) -> tuple[str, ...]:
        value = data.get(name)
        items = value if isinstance(value, list) else [] if value is None else [value]
        words = [str(x).lower() if isinstance(x, bool) else x for x in items]
        if not all(isinstance(x, str | int | float) for x in words):
            self.wrong((*at, name), "must be text, or a list of texts")
            return ()
        return tuple(str(x) for x in words)
