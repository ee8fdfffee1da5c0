"""The counterfactual texts of one case: a sentence inserted, or marked spans exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from justeval.cases import Case
from justeval.labels import Label, Value
from justeval.variants.forms import Row, row_of
from justeval.variants.records import Skipped, Variant

JOINT = "\n"
"""What stands between the label's sentence and the facts."""

_ENCODING = ("utf-8", "surrogatepass")
_DIGEST_BYTES = 12


def variant_id(text: str) -> str:
    """The content hash of a text, 24 hexadecimal digits; equal texts have equal ids."""
    return blake2b(text.encode(*_ENCODING), digest_size=_DIGEST_BYTES).hexdigest()


def bare(case: Case) -> Variant:
    """The case without any label's sentence: asked for accuracy, nobody's reference."""
    return Variant(variant_id(case.facts), case.case_id, None, None, False, case.facts, 0, 0)


class Insertions:
    """The texts of one case with a sentence before or after the facts.

    The facts are encoded once, and hashed once for all texts that begin with them.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.before = case.facts + JOINT
        self.after = JOINT + case.facts
        self.after_bytes = self.after.encode(*_ENCODING)
        self.before_hash = blake2b(self.before.encode(*_ENCODING), digest_size=_DIGEST_BYTES)

    def of(self, label: Label) -> list[Variant]:
        """One text a value, its sentence at the same place in each."""
        case_id, language = self.case.case_id, self.case.language
        insert = self._opening if label.place == "opening" else self._closing
        versions = []
        for value in label.values:
            hashed, text, start, end = insert(value.sentence[language])
            is_reference = value.id == label.reference
            versions.append(
                Variant(hashed, case_id, label.id, value.id, is_reference, text, start, end)
            )
        return versions

    def _opening(self, sentence: str) -> tuple[str, str, int, int]:
        """Hash, text, and where in it the sentence stands."""
        data = sentence.encode(*_ENCODING) + self.after_bytes
        hashed = blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()
        return hashed, sentence + self.after, 0, len(sentence)

    def _closing(self, sentence: str) -> tuple[str, str, int, int]:
        hashed = self.before_hash.copy()
        hashed.update(sentence.encode(*_ENCODING))
        text = self.before + sentence
        return hashed.hexdigest(), text, len(self.before), len(text)


def exchanged(case: Case, label: Label) -> list[Variant] | Skipped:
    """One text a value, every marked span in that value's form; a reason where one is unclear."""
    rows: list[Row] = []
    for span in case.spans[label.id]:
        row = row_of(case, label, span)
        if isinstance(row, str):
            return Skipped(case.case_id, label.id, "form", row)
        rows.append(row)
    return [_exchanged(case, label, value, rows) for value in label.values]


def _exchanged(case: Case, label: Label, value: Value, rows: Sequence[Row]) -> Variant:
    spans = case.spans[label.id]
    pieces, at = [], 0
    for span, row in zip(spans, rows, strict=True):
        pieces += [case.facts[at : span.start], row[value.id]]
        at = span.end
    tail = case.facts[at:]
    text = "".join(pieces) + tail
    return Variant(
        variant_id(text),
        case.case_id,
        label.id,
        value.id,
        value.id == label.reference,
        text,
        spans[0].start,
        len(text) - len(tail),
    )
