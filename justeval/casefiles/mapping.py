"""Which of a file's columns means what: ours, theirs, units and codes.

In: `--map ours=theirs`, a small YAML beside the file, or a profile. Out: a Mapping. Names of
columns are matched without regard to case, and exactly where two differ by case alone.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from justeval.casefiles.records import name_shown
from justeval.errors import UsageError
from justeval.schema import CASES, PENALTIES

OURS = (*CASES.names, "spans")
"""The names that a column of a file can be mapped to."""
UNKNOWN = "unknown"
MEANINGS = (*PENALTIES, UNKNOWN)
"""What a code can mean, beside a number of months."""
KEEP = ("one", "first", "last", "longest")
"""Which row counts where several belong to a case; `one` allows no second row."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A column that states a penalty by itself: `life_imprisonment` is true.

    `above` is a bound for a number; `without_term` restricts it to rows with a term of 0 or none.
    """

    column: str
    means: str
    equals: str = ""
    above: float | None = None
    without_term: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """Where one of our columns comes from.

    `columns` are alternatives: the first that the file has. `value` is one value for all rows.
    `numbered` makes an id from the row's number. `codes` translates cells: to text, or for a term
    to months or a penalty. `unit` is years, months, weeks or days, or empty; `unit_column` says
    it row by row in the words of `units`. `join` puts a list's items together.
    """

    columns: tuple[str, ...] = ()
    value: str = ""
    numbered: str = ""
    codes: MappingOf[str, str] = field(default_factory=dict)
    unit: str = ""
    unit_column: str = ""
    units: MappingOf[str, str] = field(default_factory=dict)
    join: str = ""
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class RowRule:
    """Which rows count. `where` names values that a column must have; `keep` as in KEEP."""

    where: MappingOf[str, tuple[str, ...]] = field(default_factory=dict)
    keep: str = "one"


@dataclass(frozen=True, slots=True)
class Mapping:
    """How a file becomes cases.

    `keep` are columns of the file's own to keep; None keeps all of a narrow file. `template`
    writes facts from columns, `values` are the words for codes in it.
    """

    rules: MappingOf[str, Rule]
    rows: RowRule = field(default_factory=RowRule)
    keep: tuple[str, ...] | None = None
    template: str = ""
    values: MappingOf[str, MappingOf[str, str]] = field(default_factory=dict)
    name: str = ""
    title: str = ""
    source: str = ""

    def with_rules(self, rules: MappingOf[str, Rule]) -> Mapping:
        """The mapping with some rules put in the place of its own."""
        return replace(self, rules={**self.rules, **rules})


def mapping_of_pairs(
    pairs: MappingOf[str, str], unit: str = "", codes: MappingOf[str, str] | None = None
) -> dict[str, Rule]:
    """The rules that `--map`, `--unit` and `--code` state. Raises UsageError for unknown names."""
    unknown = [ours for ours in pairs if ours not in OURS]
    if unknown:
        shown = ", ".join(f"{name}=…" for name in unknown)
        raise UsageError(f"--map {shown}: known names are {', '.join(OURS)}")
    rules = {ours: Rule(columns=(theirs,)) for ours, theirs in pairs.items()}
    if unit or codes:
        if "true_months" not in rules:
            raise UsageError("--unit and --code are about the term: give --map true_months=COLUMN")
        told: dict[str, str] = {
            code: checked_meaning(meaning, f"--code {code}={meaning}")
            for code, meaning in (codes or {}).items()
        }
        known = unit in UNIT_NAMES
        rules["true_months"] = replace(
            rules["true_months"],
            codes=told,
            unit=unit if known else "",
            unit_column="" if known else unit,
        )
    return rules


UNIT_NAMES = ("years", "months", "weeks", "days")


def checked_meaning(meaning: str, place: str) -> str:
    """A code's meaning: a penalty, `unknown`, or months. Raises UsageError for anything else."""
    if meaning in MEANINGS:
        return meaning
    try:
        months = float(meaning)
    except ValueError:
        months = -1.0
    if not 0 <= months < 10_000:
        raise UsageError(f"{place}: means months, or one of {', '.join(MEANINGS)}")
    return meaning


class Columns:
    """A file's columns, found by name without regard to case."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._folded: dict[str, list[str]] = {}
        for name in names:
            self._folded.setdefault(_folded(name), []).append(name)

    def find(self, name: str) -> str | None:
        """The file's name of a column, or None. Raises UsageError where two differ by case."""
        if name in self.names:
            return name
        found = self._folded.get(_folded(name), [])
        if len(found) > 1:
            raise UsageError(
                f"column {name_shown(name)!r} could be {' or '.join(map(repr, found))}; write it "
                "as the file does"
            )
        return found[0] if found else None

    def first_of(self, names: Sequence[str]) -> str | None:
        """The first of several names that the file has."""
        for name in names:
            found = self.find(name)
            if found is not None:
                return found
        return None

    def shown(self, most: int = 12) -> str:
        """The names for a message, a few of many."""
        rest = len(self.names) - most
        return ", ".join(map(name_shown, self.names[:most])) + (
            f" and {rest:,} more" if rest > 0 else ""
        )


def _folded(name: str) -> str:
    return name.strip().casefold()
