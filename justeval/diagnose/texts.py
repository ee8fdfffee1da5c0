"""Versions whose texts differ in more than the label: read from the variants of a run.

In: a table in the shape of schema.VARIANTS. Out: Faults, one a version whose text is empty, cut,
in another language, different outside the edited span, or the same for two values. No chance is
involved: the versions of a document must agree outside the span, and with the bare case where it
was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import pyarrow as pa

from justeval.cases import detect_language
from justeval.diagnose.records import (
    DUPLICATE,
    TEXT_CUT,
    TEXT_DIFFERS,
    TEXT_EMPTY,
    TEXT_LANGUAGE,
)

COLUMNS = ("case_id", "label", "value", "text", "edit_start", "edit_end")
CUT_BELOW = 0.7
"""Without spans: a text shorter than this share of the longest of its document is cut."""

BATCH = 4_000

LOOKED_AT = 400
"""Characters from the middle of a text by which its language is told."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the text of one version. `value` is None where no version is the odd
    one out: two texts that differ, and no bare case to say which of them is right."""

    kind: str
    case_id: str
    label: str
    value: str | None


@dataclass(frozen=True, slots=True)
class _Version:
    case_id: str
    label: str | None
    value: str | None
    text: str
    start: int | None
    end: int | None

    @property
    def outside(self) -> tuple[str, str] | None:
        """The text before and after the edited span; None where no span is known."""
        if self.start is None or self.end is None:
            return None
        return self.text[: self.start], self.text[self.end :]


def text_faults(variants: pa.Table) -> list[Fault]:
    """All versions with a faulty text; versions asked elsewhere (no text) are not looked at."""
    faults: list[Fault] = []
    for case_id, versions in groupby(_sorted(variants), key=lambda version: version.case_id):
        faults += _faults_of_case(case_id, list(versions))
    return faults


def _sorted(variants: pa.Table) -> Iterator[_Version]:
    """Versions with a text, case by case; a batch of texts in memory at a time."""
    names = variants.select(["case_id", "label"])
    rows = names.append_column("row", pa.array(range(variants.num_rows), pa.int64()))
    order = rows.sort_by([(name, "ascending") for name in ("case_id", "label", "row")])["row"]
    columns = variants.select(list(COLUMNS))
    for start in range(0, variants.num_rows, BATCH):
        batch = columns.take(order.slice(start, BATCH))
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if cells[3] is not None:
                yield _Version(*cells)


def _faults_of_case(case_id: str, versions: Sequence[_Version]) -> Iterator[Fault]:
    bare = next((version.text for version in versions if version.label is None), None)
    labelled = [version for version in versions if version.label is not None]
    facts = _joined(("", bare)) if bare is not None else _usual_facts(labelled)
    language = _usual_language([bare] if bare else [version.text for version in labelled])
    for label, group in groupby(labelled, key=lambda version: version.label):
        sound = []
        for version in group:
            kind = _own_fault(version, language, facts)
            if kind:
                yield Fault(kind, case_id, str(label), version.value)
            else:
                sound.append(version)
        if len({version.text for version in sound}) < len({version.value for version in sound}):
            yield Fault(DUPLICATE, case_id, str(label), None)
        yield from _differing(case_id, str(label), sound, facts)


def _own_fault(version: _Version, language: str, facts: str | None) -> str:
    """What can be said of a text by itself; one that holds the facts is in their language."""
    if not version.text.strip():
        return TEXT_EMPTY
    if version.outside is not None and _joined(version.outside) == facts:
        return ""
    return TEXT_LANGUAGE if _language(version.text) != language else ""


def _differing(
    case_id: str, label: str, versions: Sequence[_Version], facts: str | None
) -> Iterator[Fault]:
    """Versions that do not agree with the others of their label outside the edited span."""
    if any(version.outside is None for version in versions):
        longest = max((len(version.text) for version in versions), default=0)
        for version in versions:
            if len(version.text) < CUT_BELOW * longest:
                yield Fault(TEXT_CUT, case_id, label, version.value)
        return
    outside = [version.outside or ("", "") for version in versions]
    if len(set(outside)) < 2:
        return
    right = _right_one(outside, facts)
    for version, parts in zip(versions, outside, strict=True):
        if right is None:
            yield Fault(TEXT_DIFFERS, case_id, label, None)
            return
        if parts != right:
            cut = _is_part(parts, right)
            yield Fault(TEXT_CUT if cut else TEXT_DIFFERS, case_id, label, version.value)


def _right_one(outside: Sequence[tuple[str, str]], facts: str | None) -> tuple[str, str] | None:
    """What stands outside the span where nothing is wrong: the facts, else what most have."""
    for parts in outside:
        if facts is not None and _joined(parts) == facts:
            return parts
    (most, times), *rest = Counter(outside).most_common()
    return None if rest and rest[0][1] == times else most


def _is_part(parts: tuple[str, str], whole: tuple[str, str]) -> bool:
    """Whether a text is the right one with a piece missing at the end or at the beginning."""
    text, right = _joined(parts), _joined(whole)
    return len(text) < len(right) and (right.startswith(text) or right.endswith(text))


def _usual_facts(versions: Sequence[_Version]) -> str | None:
    """What most versions of a case have outside their spans, if most agree."""
    counts = Counter(_joined(v.outside) for v in versions if v.outside is not None)
    if not counts:
        return None
    facts, times = counts.most_common(1)[0]
    return facts if 2 * times > sum(counts.values()) else None


def _joined(parts: tuple[str, str]) -> str:
    return "".join(parts).strip("\n")


def _usual_language(texts: Sequence[str]) -> str:
    counts = Counter(_language(text) for text in texts if text.strip())
    return counts.most_common(1)[0][0] if counts else ""


def _language(text: str) -> str:
    middle = max(0, (len(text) - LOOKED_AT) // 2)
    return detect_language(text[middle : middle + LOOKED_AT])
