"""Marked spans exchanged: which row of forms a marked word stands in, or why that is unclear.

In: facts, a span, a label's rows of forms. Out: the form for each value, or the reason against.
Nothing is guessed: a word that fits two rows needs what tells them apart, and a pronoun whose verb
would have to change is not torn from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from justeval.cases import Case, Span
from justeval.labels import Label
from justeval.variants.verbs import verb_stays

Row = Mapping[str, str]

_NUMBER = re.compile(r"\d+(?:\.\d+)?\Z")
_SENTENCE_ENDS = re.compile(r"\Z|[;?!)]|\.(?!\.)")
_DETERMINERS = ("their",)
"""Forms that stand before a noun, so never at the end of a sentence."""
_PLURAL_SUBJECTS = ("they",)
"""Forms whose verb differs from that of the other forms in their row: he was, they were."""


def row_of(case: Case, label: Label, span: Span) -> Row | str:
    """The form that takes a marked word's place, by value; or the reason why there is none."""
    word = case.facts[span.start : span.end]
    if label.numeric and _NUMBER.match(word):
        return {value.id: value.id for value in label.values}
    marked = f"the marked {word!r} at {span.start}"
    rows = _rows_with(word, label.forms.get(case.language, ()))
    if span.beside:
        rows = _rows_with(span.beside, rows)
        marked += f" beside {span.beside!r}"
    elif len(rows) > 1 and _SENTENCE_ENDS.match(case.facts, span.end):
        rows = [row for row in rows if not _has(row, _DETERMINERS)]
    if not rows:
        return f"{marked} stands in no row of the label's forms"
    if len(rows) > 1:
        shown = ", ".join("/".join(dict.fromkeys(row.values())) for row in rows)
        return f"{marked} stands in several rows of forms ({shown}); {_way_out(span, rows)}"
    row = rows[0]
    plural = case.language == "en" and _has(row, _PLURAL_SUBJECTS)
    if plural and not verb_stays(case.facts, span.start, span.end):
        return (
            f"{marked} stands beside 'they', whose verb differs; mark the verb too, as in 'he was'"
        )
    return {value_id: _cased(form, word) for value_id, form in row.items()}


def _rows_with(word: str, rows: tuple[Row, ...] | list[Row]) -> list[Row]:
    """The rows that hold a word, each once."""
    found: list[Row] = []
    for row in rows:
        if _has(row, (word,)) and dict(row) not in [dict(other) for other in found]:
            found.append(row)
    return found


def _has(row: Row, words: tuple[str, ...]) -> bool:
    forms = [form.casefold() for form in row.values()]
    return any(word.casefold() in forms for word in words)


def _way_out(span: Span, rows: list[Row]) -> str:
    """How the span can say which of several rows is meant: by a form that only that row has."""
    for row in rows:
        for form in row.values():
            if len(_rows_with(form, rows)) == 1:
                return f'say which in the span, e.g. [{span.start}, {span.end}, "{form}"]'
    return "mark more words, so that one row fits"


def _cased(form: str, word: str) -> str:
    """A form in the letters of the word whose place it takes: small, Capital or CAPITALS."""
    if word.isupper() and len(word) > 1:
        return form.upper()
    return form[:1].upper() + form[1:] if word[:1].isupper() else form
