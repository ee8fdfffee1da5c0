"""The packs that ship with justeval hold what they promise.

Witness for the Chinese pack: `tests/data/judifair_labels.json`, the facts of the 65 labels and
161 values of JudiFair (Hu et al. 2025) as its authors published them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from justeval.labels import Label, load_pack, load_shipped_packs

FACTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "judifair_labels.json").read_text(encoding="utf-8")
)
TOGETHER = [("judicial-cn", "zh"), ("judicial-cn", "en"), ("judicial-us", "en")]
"""Packs that are asked together with the placebo pack, and the language of the cases."""

# The facts gloss three English names in parentheses; a name in a table does without.
SHORTER = {
    'no party affiliation ("masses")': "no party affiliation",
    "other (democratic) party": "democratic party",
    "legal-aid (appointed) counsel": "legal-aid counsel",
}


@pytest.fixture(scope="module")
def chinese() -> dict[str, Label]:
    return {label.id: label for label in load_pack("judicial-cn").labels}


def sentences(name: str, language: str) -> list[tuple[str, str]]:
    """All sentences of a pack in a language, each with `label = value`."""
    return [
        (f"{label.id} = {value.id}", value.sentence[language])
        for label in load_pack(name).labels
        for value in label.values
    ]


def test_the_chinese_pack_has_the_65_labels_in_their_order(chinese: dict[str, Label]) -> None:
    assert list(chinese) == [fact["id"] for fact in FACTS]
    assert len(chinese) == 65


def test_the_chinese_pack_counts_161_values(chinese: dict[str, Label]) -> None:
    # The source counts two ages for each of the five age labels; three of each are asked.
    assert sum(label.n_values for label in chinese.values()) == 161
    assert [label.n_values for label in chinese.values()] == [fact["n_values"] for fact in FACTS]
    numeric = [label for label in chinese.values() if label.numeric]
    assert len(numeric) == 5
    assert {label.id: [v.number for v in label.values] for label in numeric} == {
        "defendant_age": [25, 45, 65],
        "victim_age": [25, 45, 65],
        "defender_age": [25, 45, 65],
        "prosecutor_age": [30, 45, 60],  # ages at which the office is held
        "judge_age": [30, 45, 60],
    }
    assert sum(len(label.values) for label in chinese.values()) == 161 + 5


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["id"])
def test_each_label_is_that_of_the_source(fact: dict[str, Any], chinese: dict[str, Label]) -> None:
    label = chinese[fact["id"]]
    assert (label.actor, label.category) == (fact["actor"], fact["category"])
    assert label.demographic is fact["demographic"]
    assert label.numeric is (fact["type"] == "continuous")
    if label.numeric:
        return
    names = [(SHORTER.get(v["en"], v["en"]), v["zh"]) for v in fact["values"]]
    assert [(v.name["en"], v.name["zh"]) for v in label.values] == names
    assert label.value(label.reference).name["zh"] == fact["reference"]["zh"]
    assert label.values[0].id == label.reference


def test_no_error_of_the_source_is_repeated(chinese: dict[str, Label]) -> None:
    text = load_pack("judicial-cn").path.read_text(encoding="utf-8")
    typos = (
        "prosecurate|Homosexua\\b|\\befender_|preple|Attained|Note-Short|删除|民族党派|Judgement\\b"
    )
    assert re.findall(typos, text) == []
    for label in chinese.values():
        for language in ("en", "zh"):
            names = [value.name[language] for value in label.values]
            assert len(set(names)) == len(names), f"{label.id}: a name stands for two values"
            assert all(" ".join(name.split()) == name for name in names), label.id


SAYS = {
    "male": ("man", "男性"),
    "female": ("woman", "女性"),
    "non_binary": ("non-binary", "非二元性别"),
    "heterosexual": ("heterosexual", "异性恋"),
    "homosexual": ("homosexual", "同性恋"),
    "bisexual": ("bisexual", "双性恋"),
    "atheist": ("atheist", "无神论"),
    "muslim": ("Muslim", "伊斯兰教"),
    "buddhist": ("Buddhist", "佛教"),
    "christian": ("Christian", "基督教"),
    "no_party": ("no political party", "群众"),
    "ccp_member": ("Communist", "中共党员"),
    "democratic_party": ("democratic parties", "民主党派"),
}
"""Values whose names the source swaps: what the sentence of each must say."""


@pytest.mark.parametrize("value_id", SAYS)
def test_no_value_is_swapped_with_another(value_id: str, chinese: dict[str, Label]) -> None:
    english, zh = SAYS[value_id]
    found = [v for label in chinese.values() for v in label.values if v.id == value_id]
    assert found
    for value in found:
        assert re.search(rf"\b{english}\b", value.sentence["en"]), value.sentence
        assert zh in value.sentence["zh"]
        assert not (value_id == "no_party" and "党" in value.sentence["zh"])


def test_rape_is_excluded_wherever_the_source_means_to(chinese: dict[str, Label]) -> None:
    """The source's list begins with a sentence instead of a charge, so rape is not left out."""
    for fact in FACTS:
        if "sexual" in (fact["upstream_exclusion"] or ""):
            words = chinese[fact["id"]].excluded_charges
            assert "强奸" in words, fact["id"]
            assert "rape" in words, fact["id"]
    assert "强奸" not in chinese["defendant_ethnicity"].excluded_charges


def test_the_placebo_pack_is_20_or_more_two_value_labels_in_both_languages() -> None:
    pack = load_pack("placebo")
    assert pack.placebo
    assert set(pack.languages) == {"zh", "en"}
    assert len(pack.labels) >= 20
    for label in pack.labels:
        assert label.placebo
        assert len(label.values) == 2, label.id
        assert not label.demographic
        assert not label.excluded_charges
    places = Counter(label.place for label in pack.labels)
    assert abs(places["opening"] - places["closing"]) <= 2


def test_the_us_pack_has_40_labels_of_which_15_no_personal_trait() -> None:
    labels = load_pack("judicial-us").labels
    assert len(labels) >= 40
    assert sum(not label.demographic for label in labels) >= 15
    assert all(label.source for label in labels)
    # The variables of criteria 2.1 and 2.4 of the BenchMark Standard.
    wanted = "race sex age geographic_origin employment residential_stability financial_resources"
    ids = {label.id for label in labels}
    assert {f"defendant_{name}" for name in (*wanted.split(), "education")} <= ids


def test_only_the_placebo_pack_is_marked_as_one() -> None:
    assert [pack.name for pack in load_shipped_packs() if pack.placebo] == ["placebo"]


@pytest.mark.parametrize(("name", "language"), TOGETHER)
def test_no_sentence_contains_another(name: str, language: str) -> None:
    """One that does would state two labels at once, or be read as the other."""
    told = sentences(name, language) + sentences("placebo", language)
    assert len({text for _, text in told}) == len(told)
    stems = [(who, text.rstrip(".。")) for who, text in told]
    within = [(a, b) for a, x in stems for b, y in stems if a != b and x in y]
    assert within == []


@pytest.mark.parametrize(("name", "language"), TOGETHER)
def test_no_pattern_matches_the_sentence_of_another_label(name: str, language: str) -> None:
    labels = [*load_pack(name).labels, *load_pack("placebo").labels]
    wrong = [
        (label.id, pattern.pattern, other.id, value.id)
        for label in labels
        for pattern in label.patterns.get(language, ())
        for other in labels
        if other.id != label.id
        for value in other.values
        if pattern.search(value.sentence[language])
    ]
    assert wrong == []


@pytest.mark.parametrize(("name", "language"), TOGETHER)
def test_each_label_finds_its_own_sentences_in_the_facts(name: str, language: str) -> None:
    """Facts that state a factor in the pack's own words are left out for it."""
    blind = [
        (label.id, value.id)
        for label in load_pack(name).labels
        for value in label.values
        if not any(p.search(value.sentence[language]) for p in label.patterns[language])
    ]
    assert blind == []


@pytest.mark.parametrize("pack", load_shipped_packs(), ids=lambda pack: pack.name)
def test_every_sentence_is_one_sentence(pack: Any) -> None:
    for label in pack.labels:
        for value in label.values:
            for language in pack.languages:
                text = value.sentence[language]
                assert text.strip() == text
                assert text.endswith("。" if language == "zh" else "."), text
                assert len(re.findall(r"[。！？!?\n]|\.(?=\s)", text)) == (language == "zh"), text
