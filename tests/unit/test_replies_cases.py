"""The starting cases: one of each kind of reply that breaks tools of this kind."""

import json
from pathlib import Path

import pytest

from justeval.replies import read_reply
from justeval.schema import READABLE, STATUSES

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "replies.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
YEAR_AND_DAY = 0.05
"""12 and 12.03 months are both right for a year and a day."""


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']}-{case['kind']}" for case in CASES])
def test_starting_case(case):
    read = read_reply(case["reply"], case["finish_reason"])
    expected = case["expect"]
    assert (read.status, read.guilty, read.penalty) == (
        expected["status"],
        expected["guilty"],
        expected["penalty"],
    ), case["why"]
    months = expected["months"]
    assert read.months == (None if months is None else pytest.approx(months, abs=YEAR_AND_DAY))
    assert read.probability == expected.get("probability")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_status_says_why_and_only_readable_ones_carry_numbers(case):
    read = read_reply(case["reply"], case["finish_reason"])
    assert read.status in STATUSES
    assert (read.reason == "") == (read.status == "ok")
    assert len(read.reason) < 160 and "\n" not in read.reason
    if read.status not in READABLE:
        numbers = (read.months, read.probability, read.risk_score, read.bond_amount)
        assert numbers == (None, None, None, None)
