"""A label that cannot be changed in a case is left out, with the kind and the reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justeval.cases import Case
from justeval.labels import Label, load_pack
from justeval.variants import Skipped, Variant, make_variants, versions_of
from justeval.variants.wanted_words import wanted_words

MakeCase = Callable[..., Case]
MakeLabel = Callable[..., Label]

PATTERNS = {"en": (re.compile(r"(?i:\bfolders?\b)"),)}
NATURAL = {"requires": ("victim_natural_person",)}

# label's fields, case's fields, kind and reason (None: it applies)
LEFT_OUT: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[str, str] | None]] = {
    "stated": (
        {"patterns": PATTERNS}, {"facts": "In a Folder lay money."},
        ("stated", "the facts settle the factor already: 'Folder'"),
    ),
    "not stated": ({"patterns": PATTERNS}, {"facts": "In a folding chair."}, None),
    "stated in another language": (
        {"patterns": {"zh": (re.compile("folder"),)}}, {"facts": "In a folder."}, None,
    ),
    "charge": (
        {"excluded_charges": ("theft", "rape")}, {"charge": "Grand THEFT auto"},
        ("charge", "the factor is legally relevant to Grand THEFT auto"),
    ),
    "other charge": ({"excluded_charges": ("theft",)}, {"charge": "robbery"}, None),
    "no charge": ({"excluded_charges": ("theft",)}, {}, None),
    "requirement": (
        NATURAL, {"extra": {"victim_natural_person": False}},
        ("requirement", "victim_natural_person is false"),
    ),
    "requirement in words": (
        NATURAL, {"extra": {"victim_natural_person": " No "}},
        ("requirement", "victim_natural_person is false"),
    ),
    "requirement met": (NATURAL, {"extra": {"victim_natural_person": True}}, None),
    "requirement met in words": (NATURAL, {"extra": {"victim_natural_person": "TRUE"}}, None),
    "requirement met by a number": (NATURAL, {"extra": {"victim_natural_person": 1}}, None),
    "unknown": (
        NATURAL, {},
        ("unknown", "the case does not say whether victim_natural_person holds; add that column"),
    ),
    "unknown word": (
        NATURAL, {"extra": {"victim_natural_person": "perhaps"}},
        ("unknown", "the case does not say whether victim_natural_person holds; add that column"),
    ),
    "unknown cell": (
        NATURAL, {"extra": {"victim_natural_person": None}},
        ("unknown", "the case does not say whether victim_natural_person holds; add that column"),
    ),
    "language": ({}, {"language": "fr"}, ("language", "the label has no sentence in 'fr'")),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_label_is_left_out_with_its_reason(
    name: str, make_case: MakeCase, make_label: MakeLabel
) -> None:
    label_fields, case_fields, expected = LEFT_OUT[name]
    case, label = make_case(**case_fields), make_label(**label_fields)
    found = versions_of(case, label)
    streamed = [item for item in make_variants([case], [label]) if item.label]
    if expected is None:
        assert streamed == found
    else:
        assert found == Skipped("c1", "folder", *expected)
        assert streamed == [found]


def test_a_long_match_is_shown_by_its_beginning(make_case: MakeCase, make_label: MakeLabel) -> None:
    label = make_label(patterns={"en": (re.compile("a+"),)})
    found = versions_of(make_case(facts="a" * 99), label)
    assert isinstance(found, Skipped)
    assert found.reason == f"the facts settle the factor already: {'a' * 40!r}"


# -- the fast search finds what the patterns find ------------------------------------------------

SOURCES = [
    r"(?i:\bfolders?\b)", r"(?i:\bthe defendant\b[^.;]{0,9}\b(?:Black|white)\b)", r"(?i:age \d+)",
    r"(?i:a)|(b)", r"(?i:\Bx)", r"(?i:(?<!no )money)", r"(?i:K\b|s$)", r"(?i:[^A-Z]q)", "被告",
    r"Black", r"(?i:ß|é)", r"(?i:(a)\1)", r"(?i)folder", r"(?i:(?P<n>z)(?P=n))", r"(?i:\w+\?)",
]  # fmt: skip
words = st.sampled_from(
    ["the defendant", "The Defendant", "FOLDER", "folders", " ", ".", "Black", "WHITE", "no money",
     "Money", "age 7", "K", "\u212a", "ſ", "ß", "SS", "é", "É", "aA", "zz", "1Q", "aq", "xX",
     "被告", "İ", "what?", "b", "\n"]
)  # fmt: skip


@given(
    sources=st.lists(st.sampled_from(SOURCES), min_size=1, max_size=4, unique=True),
    facts=st.lists(words, max_size=8).map("".join).filter(str.strip),
)
def test_the_stream_leaves_out_what_each_pattern_finds(
    sources: list[str], facts: str, make_case: MakeCase, make_label: MakeLabel
) -> None:
    labels = [
        make_label(id=f"label{i}", patterns={"en": (re.compile(source),)})
        for i, source in enumerate(sources)
    ]
    case = make_case(facts=facts)
    left_out = {x.label for x in make_variants([case], labels) if isinstance(x, Skipped)}
    expected = [re.search(source, facts) is not None for source in sources]
    assert [label.id in left_out for label in labels] == expected


SHIPPED = [
    (language, pattern)
    for name in ("judicial-us", "judicial-cn", "placebo")
    for label in load_pack(name).labels
    for language, patterns in label.patterns.items()
    for pattern in patterns
]


def test_most_shipped_patterns_are_searched_only_beside_their_words() -> None:
    without = [pattern.pattern for _, pattern in SHIPPED if wanted_words(pattern) is None]
    assert len(without) <= 8
    assert len(SHIPPED) > 150


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_what_a_shipped_pattern_finds_holds_one_of_its_words(data: st.DataObject) -> None:
    _, pattern = data.draw(st.sampled_from(SHIPPED))
    found = data.draw(st.from_regex(pattern))
    words = wanted_words(pattern)
    if pattern.search(found) and words is not None and not re.search("[ſKİıΣ]", found):
        assert any(word in found.lower() for word in words)


WORDS = {
    r"(?i:\bfolders?\b)": {"folder", "folders"},
    r"(?i:the defendant\b[^.]{0,9}\b(?:Black|white)\b)": {"black", "white"},
    r"(?i:(?:grand )?jury (?:foreman|lady)|spectators)": {
        "jury foreman",
        "jury lady",
        "spectators",
    },
    r"\d{3}": None,
    r"(?:ab|\d)": None,
    r"(?i:ßß|éé)": None,
    r"(?i:(aaa)\1?)": {"aaa"},
    "被告人[^。]{0,4}汉族": {"汉族"},
}


@pytest.mark.parametrize("source", WORDS)
def test_the_words_of_a_pattern(source: str) -> None:
    found = wanted_words(re.compile(source))
    if WORDS[source] is None:
        assert found is None
    else:
        assert found is not None
        # A word stands for every longer one that holds it.
        assert all(any(word in wanted for word in found) for wanted in WORDS[source])
        assert not any(word in text for word in found for text in ("the defendant", "被告人"))


def test_labels_of_two_languages_meet_cases_of_both(
    make_case: MakeCase, make_label: MakeLabel
) -> None:
    labels = [make_label(), make_label({"male": "被告人系男性。"}, "zh", id="sex")]
    cases = [make_case(case_id="en"), make_case(case_id="zh", language="zh", facts="被告人李某。")]
    items = list(make_variants(cases, labels))
    kinds = [(x.case_id, x.label, isinstance(x, Variant)) for x in items if x.label]
    assert kinds == [
        ("en", "folder", True), ("en", "folder", True), ("en", "sex", False),
        ("zh", "folder", False), ("zh", "sex", True),
    ]  # fmt: skip
