"""The check that the versions of a case differ in the label alone."""

from __future__ import annotations

from collections.abc import Sequence

from justeval.cases import Case, detect_language
from justeval.labels import Label
from justeval.variants.records import Variant
from justeval.variants.texts import JOINT


def fault_of(case: Case, versions: Sequence[Variant]) -> str:
    """What is wrong with the versions of one case and label; empty where nothing is.

    Outside the edited span all texts are identical; taken together with a span that only adds,
    what is outside is the whole of the facts; the texts of two values differ; one is the
    reference.
    """
    first = versions[0]
    start, tail = first.edit_start, len(first.text) - first.edit_end
    head_text, tail_text = first.text[:start], first.text[first.edit_end :]
    edited, references = set(), 0
    for version in versions:
        text, edit_start, edit_end = version.text, version.edit_start, version.edit_end
        same_ends = text.startswith(head_text) and text.endswith(tail_text)
        if not same_ends or edit_start != start or len(text) - edit_end != tail:
            return f"{version.value!r} differs outside the edited span"
        edited.add(text[start:edit_end])
        references += version.is_reference
    if len(edited) != len(versions):
        return "two values have the same text"
    if references != 1:
        return "not exactly one version is the reference"
    spans = case.spans.get(first.label or "")
    if spans:
        outside = (case.facts[: spans[0].start], case.facts[spans[-1].end :])
        whole = (head_text, tail_text) == outside
        return "" if whole else "the facts outside the marked spans are not whole"
    whole = head_text + tail_text in (case.facts + JOINT, JOINT + case.facts)
    return "" if whole else "the facts are not whole"


def language_fault(label: Label, language: str) -> str:
    """Why a label's sentences do not fit a language by their script; empty where they do."""
    for value in label.values:
        sentence = value.sentence.get(language, "")
        if language in ("zh", "en") and detect_language(sentence) != language:
            return f"the sentence of {value.id!r} is not written in {language}"
    return ""
