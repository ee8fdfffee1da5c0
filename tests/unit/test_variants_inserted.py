"""A sentence before or after the facts: the versions differ in it alone."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval.cases import Case
from justeval.errors import InputError
from justeval.labels import Label
from justeval.variants import Skipped, Variant, fault_of, make_variants, variant_id, versions_of

MakeCase = Callable[..., Case]
MakeLabel = Callable[..., Label]

# Every script, newlines and control characters; no lone surrogates, which no file can hold.
facts = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("被告人。，\n\r\t👩‍⚖️{}ſİ")),
    min_size=1,
    max_size=80,
)


def versions(case: Case, label: Label) -> list[Variant]:
    found = versions_of(case, label)
    assert not isinstance(found, Skipped)
    return found


def edited(variant: Variant) -> str:
    return variant.text[variant.edit_start : variant.edit_end]


def test_an_opening_sentence_stands_before_the_facts(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    blue, red = versions(make_case(facts="A bicycle."), make_label())
    assert blue.text == "The folder is blue.\nA bicycle."
    assert red.text == "The folder is red.\nA bicycle."
    assert (blue.edit_start, blue.edit_end) == (0, 19)
    assert (blue.is_reference, red.is_reference) == (True, False)
    assert (blue.case_id, blue.label, blue.value) == ("c1", "folder", "blue")


def test_a_closing_sentence_stands_after_the_facts(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    blue, red = versions(make_case(facts="A bicycle."), make_label(place="closing"))
    assert blue.text == "A bicycle.\nThe folder is blue."
    assert (red.edit_start, red.edit_end) == (11, 29)
    assert edited(red) == "The folder is red."


@given(facts=facts, place=st.sampled_from(["opening", "closing"]))
def test_outside_the_sentence_all_versions_are_the_facts(
    facts: str, place: str, make_case: MakeCase, make_label: MakeLabel
) -> None:
    case, label = make_case(facts=facts), make_label(place=place)
    found = versions(case, label)
    assert [edited(version) for version in found] == [v.sentence["en"] for v in label.values]
    for version in found:
        head, tail = version.text[: version.edit_start], version.text[version.edit_end :]
        assert (head, tail) == (("", "\n" + facts) if place == "opening" else (facts + "\n", ""))
    assert len({version.edit_start for version in found}) == 1
    assert [version.is_reference for version in found] == [True, False]


@given(facts=facts)
def test_an_id_is_the_hash_of_the_text(
    facts: str, make_case: MakeCase, make_label: MakeLabel
) -> None:
    case = make_case(facts=facts)
    labels = [make_label(), make_label(id="end", place="closing")]
    for variant in make_variants([case], labels):
        assert isinstance(variant, Variant)
        digest = blake2b(variant.text.encode(), digest_size=12).hexdigest()
        assert variant.variant_id == variant_id(variant.text) == digest


def test_equal_texts_of_two_labels_are_one_variant(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    labels = [make_label(), make_label(id="other")]
    found = [v for v in make_variants([make_case()], labels) if isinstance(v, Variant)]
    assert len(found) == 5
    assert len({variant.variant_id for variant in found}) == 3


def test_the_bare_case_comes_first_and_is_nobodys_reference(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    cases = [make_case(case_id="a", facts="One."), make_case(case_id="b", facts="Two.")]
    found = [v for v in make_variants(cases, [make_label()]) if isinstance(v, Variant)]
    assert [(v.case_id, v.label, v.value) for v in found] == [
        ("a", None, None), ("a", "folder", "blue"), ("a", "folder", "red"),
        ("b", None, None), ("b", "folder", "blue"), ("b", "folder", "red"),
    ]  # fmt: skip
    assert (found[3].text, found[3].is_reference) == ("Two.", False)
    assert (found[3].edit_start, found[3].edit_end) == (0, 0)


def test_variants_are_made_as_they_are_asked_for(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    made: list[str] = []

    def cases() -> Any:
        for name in "abc":
            made.append(name)
            yield make_case(case_id=name)

    stream = make_variants(cases(), [make_label()])
    next(stream)
    assert made == ["a"]


def test_text_in_braces_is_text(make_case: MakeCase, make_label: MakeLabel) -> None:
    (blue, _) = versions(make_case(facts="{value} {0} %s \\1 {case}"), make_label())
    assert blue.text == "The folder is blue.\n{value} {0} %s \\1 {case}"


# -- the check -----------------------------------------------------------------------------------

BROKEN = {
    "a word of the facts": ({"text": "The folder is red.\nA Bicycle."}, "differs outside"),
    "a longer text": ({"text": "The folder is red.\nA bicycle. "}, "differs outside"),
    "another place": (
        {"text": "A bicycle.\nThe folder is red.", "edit_start": 11, "edit_end": 29},
        "differs outside",
    ),
    "a span too short": ({"edit_end": 3}, "differs outside"),
    "the same text": (
        {"text": "The folder is blue.\nA bicycle.", "edit_end": 19}, "two values have the same",
    ),
    "two references": ({"is_reference": True}, "not exactly one version is the reference"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_versions_that_differ_in_more_are_refused(
    kind: str, make_case: MakeCase, make_label: MakeLabel
) -> None:
    case = make_case(facts="A bicycle.")
    blue, red = versions(case, make_label())
    assert fault_of(case, [blue, red]) == ""
    changes, message = BROKEN[kind]
    assert message in fault_of(case, [blue, red._replace(**changes)])


def test_facts_that_are_not_whole_are_refused(make_case: MakeCase, make_label: MakeLabel) -> None:
    found = versions(make_case(facts="A bicycle."), make_label())
    assert fault_of(make_case(facts="Two bicycles."), found) == "the facts are not whole"


def test_a_sentence_in_another_language_than_it_says_is_refused(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    label = make_label({"blue": "The folder is blue.", "red": "文件夹为红色。"})
    with pytest.raises(InputError, match="label folder of pack own: the sentence of 'red' is not "):
        list(make_variants([make_case()], [label]))


def test_two_values_of_one_sentence_stop_the_stream(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    label = make_label({"blue": "The folder is blue.", "red": "The folder is blue."})
    with pytest.raises(InputError, match=r"^case c1, label folder: two values have the same text$"):
        list(make_variants([make_case()], [label]))
