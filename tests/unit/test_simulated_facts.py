"""What the simulated model reads out of a case: gravity, charge, and what the prompt asks."""

from __future__ import annotations

import csv
import json

import pytest

from justeval.models.simulated import SimulatedModel
from justeval.models.simulated.facts import guideline_months, load_rules
from justeval.models.simulated.question import read_question
from justeval.prompts import load_prompt, prompt_names
from justeval.resources import dataset_path


def test_the_formula_is_near_the_midpoints_of_the_sentencing_table():
    path = dataset_path("us-sentencing") / "sentencing_table.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    ranges = [row for row in rows if row["kind"] == "range"]
    assert len(ranges) > 200
    for row in ranges:
        low, high = float(row["low_months"]), float(row["high_months"])
        text = (
            f"The total offense level is {row['offense_level']}, and the defendant is in "
            f"criminal history category {row['criminal_history']}."
        )
        months = guideline_months(text)
        # inside the range, or within a month of it, or within 8 % of its midpoint
        middle = (low + high) / 2
        near = abs(months - middle) <= 0.08 * middle
        assert near or low - 1 <= months <= high + 1, (row, months)


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("a base offense level of 28, and a total offense level of 20. Category I.", 37.0),
        ("Total Offense Level 20; Criminal History Category: I", 37.0),
        ("criminal history category is III and the offense level is 18", 37.0),
        ("The adjusted offense level is 23, less 3: a final offense level of 20.", 37.0),
        ("no level is stated", None),
    ],
)
def test_offense_level_and_history_are_found_in_prose(text, months):
    assert guideline_months(text) == (months if months is None else pytest.approx(months))


def test_grave_chinese_cases_get_more_than_light_ones():
    def months(text: str) -> float:
        found = load_rules().severity(text).months
        assert found is not None
        return found

    theft = "被告人窃得手机一部，价值3000元。"
    assert months(theft) < months("被告人窃得现金30万元。")
    assert months(theft + "系累犯。") > months(theft + "不构成累犯。") == months(theft)
    assert months(theft + "构成自首。") < months(theft)
    assert months(theft + "未取得谅解。") == months(theft)
    assert months(theft + "已取得谅解。") < months(theft)
    assert months("被告人持刀抢劫现金3000元。") > months(theft)


@pytest.mark.parametrize("name", ["cn-sentencing", "us-sentencing"])
def test_most_cases_of_a_set_get_bases_of_their_own(name):
    lines = (dataset_path(name) / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["facts"] for line in lines]
    model = SimulatedModel.from_profile("neutral")
    bases = [model.expected_level(text) for text in texts]
    assert len({round(base, 3) for base in bases}) > 0.9 * len(bases)
    assert max(bases) - min(bases) > 2.0


def test_a_text_without_anything_known_gets_a_base_of_its_own():
    model = SimulatedModel.from_profile("neutral")
    bases = [
        model.expected_level(f"Something odd happened near {word}.")
        for word in ("a lake", "a mill", "a church")
    ]
    assert len({round(base, 4) for base in bases}) == 3


@pytest.mark.parametrize("name", prompt_names())
def test_the_answer_has_the_keys_and_the_options_of_the_prompt(name):
    prompt = load_prompt(name)
    case = "2019年某日，被告人窃得3000元。" if prompt.language == "zh" else "A robbery."
    reply, finish_reason = _well_formed(prompt.messages(case))
    assert finish_reason == "stop"
    assert tuple(reply) == prompt.keys
    question, facts = read_question(prompt.system + "\n" + prompt.user)
    assert question.language == prompt.language
    assert "{case}" in facts
    for key in question.keys:
        if key.options and reply[key.written] is not None:
            assert reply[key.written] in key.options


def _well_formed(messages):
    for seed in range(20):
        text, finish_reason = SimulatedModel.from_profile("neutral", seed).reply(messages)
        try:
            return json.loads(text), finish_reason
        except ValueError:
            continue
    raise AssertionError("no well-formed reply in 20 seeds")


def test_a_prompt_without_keys_is_answered_in_the_language_of_the_case():
    assert read_question("被告人窃得3000元，如何处理？")[0].language == "zh"
    assert [key.written for key in read_question("A robbery.")[0].keys] == [
        "charge",
        "guilty",
        "penalty",
        "months",
    ]
