"""A first mapping, proposed from the names and the contents of a file's columns.

In: a Source. Out: rules that the names alone make sure, and advice for what they do not. A column
is taken by its name; what only its contents suggest is told, never taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from justeval.casefiles.mapping import Columns, Rule
from justeval.casefiles.records import Source, name_shown
from justeval.errors import UsageError

NAMES: dict[str, tuple[str, ...]] = {
    "case_id": (
        "case_id", "caseid", "case id", "id", "case_no", "case no", "case number", "case_number",
        "docket", "docket_number", "docket number", "case_participant_id", "usscidn", "案号",
        "案件编号", "案件号", "编号",
    ),
    "facts": (
        "facts", "fact", "case_facts", "facts of the case", "statement of facts", "case facts",
        "fact_description", "案情", "案情陈述", "事实", "案件事实", "犯罪事实", "事实描述",
    ),
    "language": ("language", "lang", "语言"),
    "charge": (
        "charge", "charges", "offense", "offence", "offense_title", "accusation", "crime",
        "罪名", "案由",
    ),
    "jurisdiction": ("jurisdiction", "法域"),
    "filed_year": ("filed_year", "year_filed", "filing_year", "filed", "date_filed", "立案年份"),
    "true_months": (
        "true_months", "months", "sentence_months", "term_months", "prison_months",
        "sentence (months)", "term (months)", "刑期（月）", "刑期(月)", "刑期_月",
    ),
    "true_penalty": ("true_penalty", "penalty", "penalty_kind", "刑罚类型"),
    "spans": ("spans",),
}  # fmt: skip
"""Names that leave no doubt, matched without regard to case. A term's name must say its unit."""
_YEARS = ("true_years", "years", "sentence_years", "term_years", "刑期（年）", "刑期(年)")
_DAYS = ("true_days", "days", "sentence_days", "term_days")
_MAYBE_TERMS = ("sentence", "term", "sentence_length", "刑期", "commitment_term", "senttot")
_VERSIONS = ("ID", "changed_label", "label_value", "prompt")
_PROSE = 80
"""Characters on average from which a column looks like facts."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Rules taken from names, and advice: our name, the option that would map it, and why."""

    rules: dict[str, Rule] = field(default_factory=dict)
    advice: tuple[str, ...] = ()


def propose(source: Source, profiles: Sequence[str] = ()) -> Proposal:
    """Looks at names first, then at the first rows; `profiles` are those that fit the file."""
    columns = Columns(source.info.columns)
    rules: dict[str, Rule] = {}
    for ours, names in NAMES.items():
        found = _find(columns, names)
        if found is not None:
            rules[ours] = Rule(columns=(found,))
    for unit, names in (("years", _YEARS), ("days", _DAYS)):
        found = _find(columns, names)
        if found is not None and "true_months" not in rules:
            rules["true_months"] = Rule(columns=(found,), unit=unit)
    if set(_VERSIONS) <= set(columns.names):
        told = "these are ready-made versions: justeval import versions FILE --out prompts.jsonl"
        return Proposal(rules, (told,))
    fitting = [f"--profile {name} (it has the columns)" for name in profiles]
    return Proposal(rules, (*fitting, *_advice(source, columns, rules)))


def _find(columns: Columns, names: tuple[str, ...]) -> str | None:
    try:
        return columns.first_of(names)
    except UsageError:  # two columns differ by case alone: no proposal
        return None


def _advice(source: Source, columns: Columns, rules: dict[str, Rule]) -> list[str]:
    """What the contents suggest for names that are missing."""
    told = []
    taken = {name for rule in rules.values() for name in rule.columns}
    if "facts" not in rules:
        longest = _longest_text(source, taken)
        if longest is not None:
            told.append(f"--map facts={name_shown(longest)} (its texts are the longest)")
    if "case_id" not in rules:
        unique = _first_unique(source, taken)
        if unique is not None:
            told.append(
                f"--map case_id={name_shown(unique)} (no value stands twice in the first rows)"
            )
    if "true_months" not in rules:
        found = _find(columns, _MAYBE_TERMS)
        if found is not None:
            how = "with --unit months, years, days or a column"
            told.append(f"--map true_months={name_shown(found)} {how}")
    return told


def _longest_text(source: Source, taken: set[str]) -> str | None:
    lengths = {
        name: sum(len(row.get(name) or "") for row in source.sample) / len(source.sample)
        for name in source.info.columns
        if source.sample and name not in taken
    }
    best = max(lengths, key=lambda name: lengths[name], default=None)
    return best if best is not None and lengths[best] >= _PROSE else None


def _first_unique(source: Source, taken: set[str]) -> str | None:
    for name in source.info.columns[:50]:
        cells = [row.get(name) or "" for row in source.sample]
        short = all(0 < len(cell) <= 80 for cell in cells)
        if name not in taken and len(cells) > 1 and short and len(set(cells)) == len(cells):
            return name
    return None
