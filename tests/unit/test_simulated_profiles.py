"""The effects files: what ships works with the packs that ship, and mistakes are named."""

from __future__ import annotations

import math

import pytest

from justeval.errors import InputError, UsageError
from justeval.labels import load_shipped_packs
from justeval.models.simulated import SimulatedModel, load_profile, message_text, profile_names
from justeval.prompts import load_prompt

FACTS = {
    "zh": "2019年某日，被告人某甲窃得手机一部，价值3480元，后自首。" * 2,
    "en": "On March 3, 2019, the defendant robbed a bank. The total offense level is 21, and the "
    "criminal history category is II.",
}
LABELS = [label for pack in load_shipped_packs() for label in pack.labels]


@pytest.fixture(scope="module")
def planted() -> SimulatedModel:
    return SimulatedModel.from_profile("planted")


def prompt_text(language: str, text: str) -> str:
    return message_text(load_prompt(f"sentence-{language}").messages(text))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_sentence_of_every_pack_is_seen_in_a_prompt_as_its_label_and_value(planted, language):
    for label in LABELS:
        for value in label.values:
            if language not in value.sentence:
                continue
            sentence = value.sentence[language]
            for text in (f"{sentence} {FACTS[language]}", f"{FACTS[language]}{sentence}"):
                stated = planted.stated(prompt_text(language, text))
                assert (label.id, value.id) in {(one.label, one.value) for one in stated}
            assert planted.stated(prompt_text(language, FACTS[language])) == ()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["neutral", "planted"])
def test_every_value_moves_the_level_by_what_its_profile_says(name, language):
    model = SimulatedModel.from_profile(name)
    bare = model.expected_level(prompt_text(language, FACTS[language]))
    for label in LABELS:
        for value in label.values:
            if language not in value.sentence:
                continue
            text = prompt_text(language, f"{value.sentence[language]} {FACTS[language]}")
            effect = model.profile.effects.get(label.id)
            size = effect.of(value.id, value.number) if effect else 0.0
            assert model.expected_level(text) - bare == pytest.approx(size, abs=1e-9)


def test_the_shipped_profiles_plant_effects_in_both_judicial_packs():
    assert profile_names() == ["neutral", "planted"]
    assert not load_profile("neutral").effects
    effects = load_profile("simulated-planted").effects
    for pack in load_shipped_packs():
        own = {label.id for label in pack.labels} & set(effects)
        assert bool(own) == (not pack.placebo)
    sizes = [size for effect in effects.values() for size in effect.by_value.values()]
    assert all(0 < abs(size) <= 0.15 for size in sizes)
    for name in profile_names():
        profile = load_profile(name)
        assert profile.malformed_share == 0.03
        assert 0.05 <= profile.noise_sd <= 0.08


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("effects: {a: [}", "line 1: not valid YAML"),
        ("- a", "must be a mapping"),
        ("name: a b\neffects: {}", "line 1, field name: 'a b'"),
        ("effects: {}\nnoise: 1", "line 2, field noise: unknown field"),
        ("effects: {}\nnoise_sd: -1", "line 2, field noise_sd: -1: must lie between 0 and 3"),
        ("effects: {}\nmalformed_share: yes", "must be a number"),
        ("effects: {}\nseed: x", "must be a whole number"),
        ("effects: {}\nbase_noise_sd: .nan", "must lie between"),
        ("noise_sd: 0.1", "field effects: must be a mapping"),
        ("effects:\n  hat_color: {a: 1}", "line 2, field effects.hat_color: no such label"),
        ("effects:\n  defendant_wealth: 0.1", "must be a mapping from values to numbers"),
        ("effects:\n  defendant_wealth: {poor: 0.1}", "allowed are one_million_yuan, penniless"),
        ("effects:\n  defendant_wealth: {penniless: big}", "must be a number on log(months + 1)"),
        ("effects:\n  defendant_wealth: {penniless: 9}", "between -3 and 3"),
        ("effects:\n  victim_age: {'25': 0.1}", "allowed are per_log"),
        ("effects: {}\npacks: judicial-cn", "must be a list"),
    ],
)
def test_a_mistake_in_an_effects_file_is_named_in_one_line(tmp_path, text, said):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_profile(str(path))
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_profile_names_those_that_ship():
    with pytest.raises(UsageError, match=r"no effects file 'nothing'.*neutral, planted"):
        load_profile("nothing")


def test_a_file_is_served_under_its_own_name_or_its_stem(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("effects: {judge_age: {per_log: 0.1}}", encoding="utf-8")
    model = SimulatedModel.from_profile(str(path))
    assert model.name == "simulated-mine"
    assert model.profile.effects["judge_age"].of("x", 50) - model.profile.effects["judge_age"].of(
        "x", 25
    ) == pytest.approx(0.1 * math.log(2))
