"""Spans proposed for a person to accept: where facts may state a label's factor.

In: cases and labels with forms. Out: proposals, one a word, to be accepted or not; and, from an
edited list, the cases with the spans that were accepted. Nothing is decided here: whether `he` is
the defendant or the victim, a person says. Facts are never rewritten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from justeval.cases import Case
from justeval.errors import CaseFileError, Problem
from justeval.labels import Label

_NOT_PRONOUNS = re.compile(r"其他|他人|他国|他乡|他杀|他处|吉他|他们|她们|维他|排他|利他|他用")
"""Chinese words that hold a pronoun's sign and are none."""
_AROUND = 30
_LATIN = re.compile(r"[A-Za-z]")
FIELDS = ("case_id", "label", "start", "end", "word", "accept")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One word of a case's facts that stands in a label's forms.

    `rows` are the rows of forms that it stands in, each as text; where there are several,
    `beside` must say which, by a form that only that row has.
    """

    case_id: str
    label: str
    start: int
    end: int
    word: str
    rows: tuple[str, ...]
    context: str

    def as_json(self) -> dict[str, object]:
        """A line to edit: `accept` is null until a person says true or false."""
        line: dict[str, object] = {
            "case_id": self.case_id,
            "label": self.label,
            "start": self.start,
            "end": self.end,
            "word": self.word,
            "context": self.context,
            "rows": list(self.rows),
            "accept": None,
        }
        if len(self.rows) > 1:
            line["beside"] = None
        return line


def propose_spans(cases: Sequence[Case], labels: Sequence[Label]) -> Iterator[Proposal]:
    """Every word of a label's forms in the facts, longest forms first, none inside another."""
    finders: dict[tuple[str, str], re.Pattern[str] | None] = {}
    for case in cases:
        for label in labels:
            key = (label.id, case.language)
            if key not in finders:
                finders[key] = _finder(label, case.language)
            finder = finders[key]
            if finder is not None and label.id not in case.spans:
                yield from _in_case(case, label, finder)


def _finder(label: Label, language: str) -> re.Pattern[str] | None:
    """One pattern for all forms of a label in one language."""
    forms = {form for row in label.forms.get(language, ()) for form in row.values() if form}
    if not forms:
        return None
    ordered = sorted(forms, key=len, reverse=True)
    parts = [
        rf"(?<!\w){re.escape(form)}(?!\w)" if _LATIN.search(form) else re.escape(form)
        for form in ordered
    ]
    return re.compile("|".join(parts), re.I)


def _in_case(case: Case, label: Label, finder: re.Pattern[str]) -> Iterator[Proposal]:
    none = [match.span() for match in _NOT_PRONOUNS.finditer(case.facts)]
    for match in finder.finditer(case.facts):
        start, end = match.span()
        if any(low <= start < high for low, high in none):
            continue
        rows = tuple(
            "/".join(dict.fromkeys(row.values()))
            for row in label.forms[case.language]
            if match[0].casefold() in (form.casefold() for form in row.values())
        )
        before, after = case.facts[max(0, start - _AROUND) : start], case.facts[end:]
        context = f"{before}[[{match[0]}]]{after[:_AROUND]}"
        yield Proposal(
            case.case_id, label.id, start, end, match[0], tuple(dict.fromkeys(rows)), context
        )


@dataclass(frozen=True, slots=True)
class Accepted:
    """Spans by case and label, and how many lines were accepted, refused and left open."""

    spans: Mapping[str, Mapping[str, list[list[object]]]]
    accepted: int
    refused: int
    open: int


def read_accepted(path: Path, cases: Sequence[Case]) -> Accepted:
    """Reads an edited list of proposals.

    Raises CaseFileError with every line that is damaged, or whose word does not stand where the
    line says it does.
    """
    facts = {case.case_id: case.facts for case in cases}
    problems: list[Problem] = []
    spans: dict[str, dict[str, list[list[object]]]] = {}
    counts = {True: 0, False: 0, None: 0}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CaseFileError(f"{path}: cannot be read ({error})") from error
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        line, fault = _line(text, facts)
        if fault:
            problems.append(Problem(f"{path} line {number}", fault))
            continue
        accept = line["accept"] if isinstance(line["accept"], bool) else None
        counts[accept] += 1
        if accept:
            span: list[object] = [line["start"], line["end"]]
            if line.get("beside"):
                span.append(line["beside"])
            by_label = spans.setdefault(str(line["case_id"]), {})
            by_label.setdefault(str(line["label"]), []).append(span)
    if problems:
        raise CaseFileError(problems)
    return Accepted(spans, counts[True], counts[False], counts[None])


def _line(text: str, facts: Mapping[str, str]) -> tuple[dict[str, object], str]:
    """One line and what is wrong with it."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        return {}, f"no valid JSON ({error})"
    if not isinstance(line, dict) or any(name not in line for name in FIELDS):
        return {}, f"needs {', '.join(FIELDS)}; change `accept` and `beside` alone"
    case_id, start, end = line["case_id"], line["start"], line["end"]
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in (start, end))
    if case_id not in facts:
        return {}, f"case {case_id!r} is not in the file of cases"
    if not whole or facts[case_id][start:end] != line["word"] or not 0 <= start < end:
        return {}, f"{line['word']!r} does not stand at {start} in the facts of {case_id}"
    if line["accept"] not in (True, False, None):
        return {}, f"accept is {line['accept']!r}; say true, false or null"
    rows = line.get("rows")
    several = isinstance(rows, list) and len(rows) > 1
    if line["accept"] and several and not line.get("beside"):
        return {}, (
            f"{line['word']!r} stands in several rows ({', '.join(map(str, rows or ()))}); say in "
            "`beside` a form that only the right one has"
        )
    return line, ""
