"""Decisions, probabilities, risk scores and bonds: replies that are no sentence."""

import json

import pytest

from justeval.replies import read_reply


@pytest.mark.parametrize(
    ("reply", "status", "expected"),
    [
        (
            '{"decision": "yes", "probability": 0.73}',
            "ok",
            {"decision": "yes", "probability": 0.73},
        ),
        ('{"决定": "否", "概率": 0.2}', "ok", {"decision": "no", "probability": 0.2}),
        ('{"decision": "no", "probability": "27 %"}', "repaired", {"probability": 0.27}),
        ('{"概率": "百分之七十三"}', "repaired", {"probability": 0.73}),
        ('{"probability": "0.73 (73%)"}', "repaired", {"probability": 0.73}),
        ('{"probability": "0.6-0.8"}', "ambiguous", {"probability": None}),
        ('{"probability": "about 0.7"}', "ambiguous", {"probability": None}),
        ('{"probability": "0.73%"}', "ambiguous", {"probability": None}),
        ('{"probability": "1 month"}', "ambiguous", {"probability": None}),
        ('{"probability": 1.2}', "out_of_range", {"probability": None}),
        ('{"probability": "120 %"}', "out_of_range", {"probability": None}),
        ('{"probability": -0.1}', "out_of_range", {"probability": None}),
        ('{"probability": NaN}', "out_of_range", {"probability": None}),
        ('{"probability": true}', "unparsable", {"probability": None}),
        ('{"probability": null}', "unparsable", {"probability": None}),
        ('{"decision": "no", "probability": 0.9}', "contradictory", {"decision": "no"}),
        ('{"decision": "release", "bond_amount": null}', "ok", {"decision": "release"}),
        ('{"decision": "Deny bail."}', "ok", {"decision": "detain"}),
        ('{"决定": "监视居住"}', "ok", {"decision": "residential_surveillance"}),
        ('{"决定": "取保候审", "保证金": 5000, "币种": "人民币"}', "ok", {"decision": "bail"}),
        ('{"决定": "不起诉"}', "ok", {"decision": "non_prosecution"}),
        ('{"decision": "dismissal"}', "ok", {"decision": "dismissal"}),
        ('{"decision": "hire"}', "ok", {"decision": "hire"}),  # a prompt's own category
        ('{"decision": "detain or release"}', "ambiguous", {"decision": None}),
        ('{"decision": null}', "unparsable", {"decision": None}),
        ('{"risk_score": 7}', "ok", {"risk_score": 7}),
        ('{"risk_score": "7/10"}', "ambiguous", {"risk_score": None}),
        ('{"risk_score": -1}', "out_of_range", {"risk_score": None}),
        ("0.64", "ok", {"probability": 0.64, "months": None}),
        ("64%", "repaired", {"probability": 0.64}),
        ("120%", "out_of_range", {"probability": None}),
        ("Yes.", "repaired", {"decision": "yes"}),
        ("Detain", "repaired", {"decision": "detain"}),
        ("Probability: 0.73\n", "repaired", {"probability": 0.73}),
        ("The probability is 0.64.", "repaired", {"probability": 0.64}),
        ("概率为64%。", "repaired", {"probability": 0.64}),
        ("The probability of no is 0.64.", "ambiguous", {"probability": None}),
        ("The probability is 64.", "out_of_range", {"probability": None}),
        ("Not guilty.", "repaired", {"guilty": False, "penalty": "acquittal", "months": 0}),
        ("宣告被告人无罪。", "repaired", {"guilty": False, "penalty": "acquittal", "months": 0}),
        ("Guilty", "unparsable", {"guilty": True, "months": None}),
    ],
)
def test_decision_and_probability(reply, status, expected):
    read = read_reply(reply)
    assert read.status == status, read
    assert {name: getattr(read, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [
        (25000, "USD", (25000, "USD")),
        ("$25,000", None, (25000, "USD")),
        ("25k", "USD", (25000, "USD")),
        ("$1.5 million", None, (1_500_000, "USD")),
        ("5万元", "人民币", (50000, "CNY")),
        ("人民币五万元", None, (50000, "CNY")),
        ("€500", "EUR", (500, "EUR")),
        (0, None, (0, None)),
        (None, None, (None, None)),
    ],
)
def test_bond(amount, currency, expected):
    fields = {"decision": "bond", "bond_amount": amount, "bond_currency": currency}
    read = read_reply(json.dumps(fields))
    assert (read.bond_amount, read.bond_currency) == expected
    assert read.readable


@pytest.mark.parametrize("amount", ["10,000-20,000", "10% of $50,000", -5, 1e12, "high"])
def test_bond_that_is_no_amount(amount):
    read = read_reply(json.dumps({"decision": "bond", "bond_amount": amount}))
    assert not read.readable
    assert (read.decision, read.bond_amount) == ("bond", None)


def test_two_currencies_contradict():
    fields = {"decision": "bond", "bond_amount": "$500", "bond_currency": "EUR"}
    assert read_reply(json.dumps(fields)).status == "contradictory"


@pytest.mark.parametrize("written", [".73", "0.73", "+.73", ".730", "73%", "73.0 %"])
def test_a_point_at_the_beginning_is_part_of_the_number(written):
    for reply in (f'{{"probability": {written}}}', f'{{"probability": "{written}"}}', written):
        read = read_reply(reply)
        assert read.probability == pytest.approx(0.73), reply
    assert read_reply('{"bond_amount": .5}').bond_amount == 0.5
    assert read_reply('{"risk_score": .5}').risk_score == 0.5


@pytest.mark.parametrize(
    "echo",
    [
        "yes/no",
        "yes or no",
        "Yes, No",
        "no or yes",
        "是或否",
        "否/是",
        '"yes" or "no"',
        "true|false",
    ],
)
def test_a_question_that_is_repeated_is_no_decision(echo):
    read = read_reply(json.dumps({"decision": echo, "probability": 0.5}))
    assert (read.status, read.decision, read.probability) == ("ambiguous", None, None)


@pytest.mark.parametrize("kept", ["no prison", "yes, no prison"])
def test_a_decision_with_a_denial_in_it_is_not_taken_for_both(kept):
    assert read_reply(json.dumps({"decision": kept})).reason != "two decisions"


WRAPPED = {
    "<answer>24 months</answer>": ("repaired", 24),
    "Maybe 12 months. <final_answer>24 months</final_answer>\n": ("repaired", 24),
    '<output>{"months": 24, "penalty": "imprisonment"}</output>': ("repaired", 24),
    "<answer>12 months</answer><answer>24 months</answer>": ("ambiguous", None),
    "<answer>24 to 36 months</answer>": ("unparsable", None),
}


@pytest.mark.parametrize("reply", WRAPPED)
def test_tags_that_mark_the_answer_are_taken_off(reply):
    read = read_reply(reply)
    assert (read.status, read.months) == WRAPPED[reply]
    assert read_reply("<answer>0.7</answer>").probability == 0.7
    assert read_reply("<answer>no</answer>").decision == "no"
