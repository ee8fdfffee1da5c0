"""Two labels crossed: the label of their pairs, its texts, and the simulated model."""

from __future__ import annotations

import pytest

from justeval.cases import Span
from justeval.errors import InputError, UsageError
from justeval.labels import crossed, is_crossed, load_labels, parts_of, with_crossed
from justeval.models.simulated import SimulatedModel
from justeval.variants import Skipped, fault_of, make_variants, versions_of


@pytest.fixture
def sex(make_label):
    return make_label(
        {"male": "The defendant is a man.", "female": "The defendant is a woman."},
        id="sex", name={"en": "Sex"}, requires=("person",), excluded_charges=("rape",),
    )  # fmt: skip


@pytest.fixture
def judge(make_label):
    values = {"male": "The judge is a man.", "female": "The judge is a woman.", "none": "No judge."}
    return make_label(values, id="judge", name={"en": "Judge"}, reference="female")


def test_values_are_the_pairs(sex, judge):
    pair = crossed(sex, judge)
    assert pair.id == "sex×judge"
    assert pair.crossed == ("sex", "judge")
    assert pair.name == {"en": "Sex × Judge"}
    assert pair.reference == "male×female"
    assert [value.id for value in pair.values] == [
        "male×male", "male×female", "male×none", "female×male", "female×female", "female×none",
    ]  # fmt: skip
    assert pair.value("female×none").sentence["en"] == "The defendant is a woman.\nNo judge."
    assert (pair.requires, pair.excluded_charges) == (("person",), ("rape",))
    assert parts_of(pair.id) == ("sex", "judge")
    assert [is_crossed(name) for name in ("sex", "sex×judge", "×judge", "a×b×c")] == [
        False, True, False, False,
    ]  # fmt: skip


def test_texts_differ_in_both_sentences_alone(sex, judge, make_case):
    case = make_case(extra={"person": True})
    versions = versions_of(case, crossed(sex, judge))
    assert not isinstance(versions, Skipped)
    assert fault_of(case, versions) == ""
    assert versions[0].text == "The defendant is a man.\nThe judge is a man.\n" + case.facts
    assert [v.value for v in versions if v.is_reference] == ["male×female"]
    assert len({v.variant_id for v in versions}) == 6
    rows = list(make_variants([case], with_crossed((sex, judge), [("sex", "judge")])))
    assert [row.label for row in rows].count("sex×judge") == 6


def test_a_case_is_left_out_where_either_label_would_be(sex, judge, make_case):
    pair = crossed(sex, judge)
    charged = versions_of(make_case(charge="rape", extra={"person": True}), pair)
    assert isinstance(charged, Skipped)
    assert charged.kind == "charge"
    marked = make_case(extra={"person": True}, spans={"judge": (Span(4, 13, ""),)})
    found = versions_of(marked, pair)
    assert isinstance(found, Skipped)
    assert (found.kind, "judge is exchanged" in found.reason) == ("marked", True)


def test_pairs_that_cannot_be_crossed(sex, judge, make_label):
    with pytest.raises(UsageError, match="two different labels"):
        crossed(sex, sex)
    with pytest.raises(UsageError, match="two different labels"):
        crossed(crossed(sex, judge), judge)
    with pytest.raises(UsageError, match="'1×2' holds ×"):
        crossed(sex, make_label({"1×2": "a.", "b": "b."}, id="odd"))
    with pytest.raises(UsageError, match="'nix' is not among the labels asked"):
        with_crossed((sex, judge), [("sex", "nix")])
    twice = with_crossed((sex, judge), [("sex", "judge"), ("sex", "judge")])
    assert [label.id for label in twice] == ["sex", "judge", "sex×judge"]


PROFILE = """
    packs: [judicial-us]
    base_noise_sd: 0
    noise_sd: 0
    effects:
      defendant_race: {black: 0.1}
    interactions:
      defendant_race×judge_sex: {black×female: 0.2, hispanic×female: -0.1}
"""


def test_the_simulated_model_does_to_a_pair_what_is_planted(write, make_case):
    model = SimulatedModel.from_profile(str(write(PROFILE, "pair.yaml")))
    labels = load_labels("judicial-us:defendant_race,judicial-us:judge_sex")
    case = make_case(facts="The defendant sold 20 grams of heroin.")
    level = {
        version.value: model.expected_level(version.text)
        for version in versions_of(case, crossed(*labels))
    }
    base = level["white×male"]
    assert level["white×female"] == pytest.approx(base)
    assert level["black×male"] == pytest.approx(base + 0.1)
    assert level["black×female"] == pytest.approx(base + 0.3)
    assert level["hispanic×female"] == pytest.approx(base - 0.1)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("interactions: [1]", "must be a mapping from crossed labels"),
        ("interactions: {defendant_race: {black: 1}}", "must be LABEL×LABEL"),
        ("interactions: {defendant_race×nix: {a×b: 1}}", "must be LABEL×LABEL"),
        ("interactions: {defendant_race×judge_sex: {female×black: 0.1}}", "no such pair"),
        ("interactions: {defendant_race×judge_sex: {black×female: big}}", "must be a number"),
        ("interactions: {defendant_race×judge_sex: {black×female: 4}}", "between -3 and 3"),
    ],
)
def test_interactions_that_cannot_be_planted(write, lines, problem):
    path = write(f"packs: [judicial-us]\neffects: {{}}\n{lines}\n", "wrong.yaml")
    with pytest.raises(InputError, match=problem):
        SimulatedModel.from_profile(str(path))
