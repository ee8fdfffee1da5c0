"""A run's requests: their keys, their order, what is missing; without a million objects."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from justeval.collect import plan_prompts
from justeval.collect.create import create_run
from justeval.collect.pilot import balanced
from justeval.collect.plan import Plan
from justeval.collect.requests import Book, packed_key, texts_of
from justeval.models.naming import endpoint_of
from justeval.models.records import Parameters
from justeval.variants import variant_id
from tests.servers.collecting import small_plan


@pytest.fixture
def opened(tmp_path):
    """A function that opens the book of a plan's first model."""

    def open_book(plan: Plan, out="run"):
        folder = create_run(plan, tmp_path / out)
        language_of = {case.case_id: case.language for case in plan.asked_cases}
        return folder, texts_of(folder, language_of)

    return open_book


def plan_of(tmp_path, **fields):
    return small_plan(tmp_path / "set", 6, ["openrouter:judge"], **fields)


def requests(opened, plan, endpoint=None, out="run"):
    with opened(plan, out)[1] as texts:
        book = Book(plan, endpoint or plan.endpoints[0], texts)
        return list(book.requests(np.arange(len(book))))


def test_every_text_is_asked_in_every_repetition_and_no_text_twice(opened, tmp_path):
    asked = requests(opened, plan_of(tmp_path, repetitions=3))
    assert [one.position for one in asked] == list(range(72))
    assert len({(one.variant_id, one.repetition) for one in asked}) == 72
    assert len({one.text for one in asked}) == 24
    assert all(one.variant_id == variant_id(one.text) for one in asked)


def test_the_key_is_the_hash_of_all_that_matters(opened, tmp_path):
    """The recipe in full: who changes it makes every run that is under way ask again."""
    plan = plan_of(tmp_path, repetitions=2, temperature=0.5, max_tokens=100, seed=7)
    endpoint = endpoint_of("openrouter:judge", provider="Together")
    for one in requests(opened, plan, endpoint)[:5]:
        parts = [
            "openrouter",
            "judge",
            "https://openrouter.ai/api/v1",
            {"order": ["Together"], "allow_fallbacks": False},
            {"temperature": 0.5, "max_tokens": 100, "seed": 7},
            plan.prompts[0].sha256,
            one.text,
            one.repetition,
        ]
        text = json.dumps(parts, ensure_ascii=False)
        assert one.key == hashlib.sha256(text.encode()).hexdigest()[:40]


def test_keys_differ_with_each_choice(opened, tmp_path):
    plan = plan_of(tmp_path)
    others = [
        (plan, endpoint_of("openrouter:other")),
        (plan, endpoint_of("openrouter:judge", provider="Together")),
        (plan, endpoint_of("openai:judge")),
        (plan, endpoint_of("openai:judge@http://h/v1")),
        (plan_of(tmp_path, temperature=0.1), None),
        (plan_of(tmp_path, max_tokens=9), None),
        (plan_of(tmp_path, seed=1), None),
    ]
    keys = {one.key for one in requests(opened, plan)}
    for number, (other, endpoint) in enumerate(others):
        more = {one.key for one in requests(opened, other, endpoint, f"run{number}")}
        assert keys.isdisjoint(more)
        keys |= more
    assert len(keys) == 24 * (1 + len(others))


def test_the_order_belongs_to_the_seed(opened, tmp_path):
    orders = []
    for number, seed in enumerate((0, 0, 1)):
        plan = plan_of(tmp_path)
        plan = Plan(plan.cases, plan.labels, plan.endpoints, plan.prompts, order_seed=seed)
        orders.append([one.variant_id for one in requests(opened, plan, out=f"run{number}")])
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_what_is_missing_goes_by_key_alone(opened, tmp_path):
    plan = plan_of(tmp_path, repetitions=2)
    with opened(plan)[1] as texts:
        book = Book(plan, plan.endpoints[0], texts)
        keys = [book.request(position).key for position in (3, 17, 40)]
        packed = np.array([packed_key(key) for key in (*keys, "0" * 40)], dtype="S20")
        missing = book.missing(packed)
        assert sorted(set(range(48)) - set(missing.tolist())) == [3, 17, 40]
        assert book.missing(np.empty(0, "S20")).tolist() == list(range(48))


def test_texts_of_two_languages_and_half_a_surrogate_pair(opened, tmp_path, make_case):
    plan = plan_of(tmp_path)
    cases = (
        make_case(case_id="a", facts="The defendant \U0001f6b2 took a bicycle."),
        make_case(case_id="b", facts="被告人盗窃自行车一辆。", language="zh"),
    )
    chosen = type(plan.cases)(
        name="two", title="", path=plan.cases.path, sha256="", cases=cases, longest_months=300
    )
    plan = Plan(chosen, (), plan.endpoints, plan_prompts(chosen, "sentence", ()), Parameters())
    asked = requests(opened, plan)
    assert {(one.language, one.text) for one in asked} == {
        (case.language, case.facts) for case in cases
    }


def test_a_pilot_is_spread_evenly_and_always_the_same(opened, tmp_path):
    plan = plan_of(tmp_path, repetitions=4)
    folder, opening = opened(plan)
    with opening as texts:
        book = Book(plan, plan.endpoints[0], texts)
        chosen = balanced(folder, book, 12)
        assert chosen.tolist() == balanced(folder, book, 12).tolist()
        assert len(set(chosen.tolist())) == 12
        told = [book.request(int(position)) for position in chosen]
        assert len({one.text for one in told}) >= 11
        assert len(balanced(folder, book, 1000)) == 96


def test_a_key_is_packed_whatever_made_it():
    assert packed_key("0f" * 20) == b"\x0f" * 20
    assert len({packed_key(key) for key in ("", "mine", "0f", "z" * 40)}) == 4
    assert {len(packed_key(key)) for key in ("", "mine", "0f", "z" * 40)} == {20}
