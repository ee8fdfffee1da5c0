"""A mapping and a file's columns -> which columns are read, and what becomes of each.

In: a Mapping, the columns that a file has. Out: a Resolved mapping in which every name is the
file's own. Every name that the file lacks is told at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from justeval.casefiles.mapping import Columns, Flag, Mapping, Rule
from justeval.casefiles.records import SourceInfo, name_shown
from justeval.casefiles.templates import template_columns
from justeval.errors import Problem

KEPT_AT_MOST = 64
"""A file with more columns keeps of its own only those that are asked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A rule whose columns are the file's names; `column` is None where it needs none."""

    rule: Rule
    column: str | None = None
    unit_column: str | None = None
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """What is read of a file. `read` are the columns in the order of the batches; `own` are those
    kept, `template` has the file's names for the names in a template. `missing` tells every column
    that the file lacks; with any, rows can be checked but are no cases."""

    mapping: Mapping
    rules: dict[str, Found]
    own: tuple[str, ...]
    where: dict[str, tuple[str, ...]]
    template: dict[str, str]
    read: tuple[str, ...]
    missing: tuple[Problem, ...] = ()

    def shown(self) -> list[tuple[str, str]]:
        """Pairs of our name and where it comes from, for people."""
        pairs = []
        for ours, found in self.rules.items():
            rule = found.rule
            theirs = found.column or ""
            if rule.value:
                theirs = f"{rule.value!r} for all"
            elif rule.numbered:
                theirs = f"{rule.numbered} by the row"
            unit = found.unit_column and f"in {found.unit_column}"
            told = [unit or rule.unit]
            told += [f"{code} = {meaning}" for code, meaning in list(rule.codes.items())[:4]]
            told += ["…"] if len(rule.codes) > 4 else []
            told += [f"{flag.column} = {flag.means}" for flag in found.flags]
            extra = ", ".join(text for text in told if text)
            pairs.append((ours, f"{theirs} ({extra})" if extra and theirs else theirs or extra))
        if self.mapping.template and "facts" not in self.rules:
            pairs.append(("facts", "a template of columns"))
        return pairs


def resolve(mapping: Mapping, info: SourceInfo) -> Resolved:
    """Finds every column that a mapping names; `missing` has every one that the file lacks.

    Raises UsageError where a name is ambiguous.
    """
    finding = _Finding(mapping, info)
    rules = {
        ours: found
        for ours, rule in mapping.rules.items()
        if (found := finding.rule(ours, rule)) is not None
    }
    where = {
        column: values
        for name, values in mapping.rows.where.items()
        if (column := finding.column(name, "rows: where")) is not None
    }
    named = template_columns(mapping.template) if "facts" not in mapping.rules else ()
    template = {
        name: column for name in named if (column := finding.column(name, "template")) is not None
    }
    own = finding.own(rules)
    finding.check_needed()
    used = [x for f in rules.values() for x in (f.column, f.unit_column) if x]
    used += [flag.column for f in rules.values() for flag in f.flags]
    read = tuple(dict.fromkeys([*used, *where, *template.values(), *own]))
    return Resolved(mapping, rules, own, where, template, read, tuple(finding.problems))


class _Finding:
    """Finds columns by name; notes those that are missing."""

    def __init__(self, mapping: Mapping, info: SourceInfo) -> None:
        self.mapping = mapping
        self.path = info.path
        self.unnamed = frozenset(info.unnamed)
        self.columns = Columns(info.columns)
        self.problems: list[Problem] = []

    def lacks(self, what: str, *names: str) -> None:
        told = f"missing ({what}); the file has {self.columns.shown()}"
        shown = " or ".join(map(name_shown, names))
        self.problems.append(Problem(f"{self.path}, column {shown}", told))

    def column(self, name: str, what: str) -> str | None:
        """The file's name of a column, or None and a problem."""
        found = self.columns.find(name)
        if found is None:
            self.lacks(what, name)
        return found

    def rule(self, ours: str, rule: Rule) -> Found | None:
        """A rule with the file's names, or None and problems."""
        column = self.columns.first_of(rule.columns)
        if rule.columns and column is None:
            self.lacks(ours, *rule.columns)
            return None
        unit_column = None
        if rule.unit_column:
            unit_column = self.column(rule.unit_column, f"the unit of {ours}")
        flags = tuple(
            replace(flag, column=found)
            for flag in rule.flags
            if (found := self.column(flag.column, f"a flag of {ours}")) is not None
        )
        return Found(rule, column, unit_column, flags)

    def own(self, rules: dict[str, Found]) -> tuple[str, ...]:
        """The file's own columns that are kept: those asked for, or all others if it is narrow."""
        names = self.columns.names
        if self.mapping.keep is not None:
            found = [self.column(name, "keep") for name in self.mapping.keep]
            return tuple(dict.fromkeys(name for name in found if name is not None))
        if len(names) > KEPT_AT_MOST:
            return ()
        mapped = {found.column for found in rules.values() if _unchanged(found.rule)}
        mapped |= {name for name in rules if name == rules[name].column}
        return tuple(name for name in names if name not in mapped and name not in self.unnamed)

    def check_needed(self) -> None:
        """Every case needs an id and facts."""
        for name in ("case_id", "facts"):
            written = name == "facts" and self.mapping.template
            if name not in self.mapping.rules and not written:
                told = f"say which column it is: --map {name}=COLUMN"
                has = f"the file has {self.columns.shown()}"
                place = f"{self.path}, column {name}"
                self.problems.append(Problem(place, f"missing; {told}; {has}"))


def _unchanged(rule: Rule) -> bool:
    """Whether cells are taken as they stand, so that nothing is lost if they are not kept."""
    changes = (rule.codes, rule.join, rule.unit_column, rule.flags)
    return not any(changes) and rule.unit in ("", "months")
