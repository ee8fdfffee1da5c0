"""The counterfactual texts of one case: a sentence inserted, or marked spans exchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from justeval.cases import Case
from justeval.labels import Label, Value
from justeval.variants.records import Skipped, Variant

JOINT = "\n"
"""What stands between the label's sentence and the facts."""


def variant_id(text: str) -> str:
    """The content hash of a text, 24 hexadecimal digits; equal texts have equal ids."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def bare(case: Case) -> Variant:
    """The case without any label's sentence: asked for accuracy, nobody's reference."""
    return Variant(variant_id(case.facts), case.case_id, None, None, False, case.facts, 0, 0)


def inserted(case: Case, label: Label) -> list[Variant]:
    """One text a value, its sentence at the same place in each."""
    versions = []
    facts, opening = case.facts, label.place == "opening"
    for value in label.values:
        sentence = value.sentence[case.language]
        if opening:
            text, start = f"{sentence}{JOINT}{facts}", 0
        else:
            text, start = f"{facts}{JOINT}{sentence}", len(facts) + len(JOINT)
        versions.append(_variant(case, label, value, text, start, start + len(sentence)))
    return versions


def exchanged(case: Case, label: Label) -> list[Variant] | Skipped:
    """One text a value, every marked span in that value's form; a reason where a form is unclear.

    A span is read by the label's rows of forms: the row that holds the marked word says what
    stands there for each value. A word that two rows hold with different partners (English "her"
    is "him" or "his") is not guessed.
    """
    spans = case.spans[label.id]
    rows = label.forms.get(case.language, ())
    chosen = []
    for start, end in spans:
        word = case.facts[start:end]
        row = _row_of(word, rows)
        if row is None:
            reason = f"the marked {word!r} at {start} has no single row of forms in the label"
            return Skipped(case.case_id, label.id, "form", reason)
        chosen.append(row)
    return [_exchanged(case, label, value, spans, chosen) for value in label.values]


def _row_of(word: str, rows: Sequence[Mapping[str, str]]) -> Mapping[str, str] | None:
    capital = word[:1].isupper()
    hits = [row for row in rows if word.casefold() in (form.casefold() for form in row.values())]
    if not hits or any(dict(row) != dict(hits[0]) for row in hits[1:]):
        return None
    if not capital:
        return hits[0]
    return {value: form[:1].upper() + form[1:] for value, form in hits[0].items()}


def _exchanged(
    case: Case,
    label: Label,
    value: Value,
    spans: Sequence[tuple[int, int]],
    rows: Sequence[Mapping[str, str]],
) -> Variant:
    pieces, at = [], 0
    for (start, end), row in zip(spans, rows, strict=True):
        pieces += [case.facts[at:start], row[value.id]]
        at = end
    tail = case.facts[at:]
    text = "".join(pieces) + tail
    return _variant(case, label, value, text, spans[0][0], len(text) - len(tail))


def _variant(case: Case, label: Label, value: Value, text: str, start: int, end: int) -> Variant:
    is_reference = value.id == label.reference
    return Variant(
        variant_id(text), case.case_id, label.id, value.id, is_reference, text, start, end
    )
