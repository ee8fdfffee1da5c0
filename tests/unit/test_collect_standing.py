"""Where a run stands: keys, costs, tokens, and who answered."""

from __future__ import annotations

from justeval.collect.expectation import MARGIN, Expectation, estimated_tokens
from justeval.collect.requests import packed_key
from justeval.collect.standing import findings, standings
from justeval.models.prices import Price
from justeval.models.records import Answer


def line(number: int, **fields):
    return {"key": f"{number:040x}", "model": "judge", "reply": "36", **fields}


def test_answers_count_and_failures_do_not():
    journal = [
        line(1, cost_usd=0.1, prompt_tokens=100, completion_tokens=10),
        line(2, error={"message": "no"}, reply=None, cost_usd=0.01),
        line(3, cost_usd=None, prompt_tokens=50),
        line(4, model="other"),
        line(5, model="stranger"),
    ]
    found = standings(journal, ["judge", "other"])
    assert found.keys() == {"judge", "other"}
    judge = found["judge"]
    assert judge.answered.tolist() == [packed_key(f"{n:040x}") for n in (1, 3)]
    assert (judge.answers, judge.counted) == (2, 1)
    assert judge.cost_usd == 0.11
    assert judge.dearest_usd == 0.1
    assert (judge.prompt_tokens, judge.completion_tokens) == (100, 10)
    assert found["other"].cost_usd is None


def test_no_finding_where_one_version_answered_by_its_name():
    found = standings([line(n, model_version="judge") for n in range(3)], ["judge"])
    assert findings(found, {"judge": "judge"}) == ()
    assert findings(standings([line(1)], ["judge"]), {"judge": "judge"}) == ()


def test_several_providers_are_a_finding():
    journal = [line(n, model_version="m", served_by="AB"[n % 2]) for n in range(3)]
    (finding,) = findings(standings(journal, ["judge"]), {"judge": "m"})
    assert finding == "judge: more than one served by: A (2), B (1)"


def test_tokens_are_counted_crudely():
    assert estimated_tokens([{"role": "user", "content": "x" * 400}]) == 104
    assert estimated_tokens([{"role": "user", "content": "被告人" * 100}]) == 304


def test_an_expectation_learns_from_answers():
    expectation = Expectation(Price(1e-6, 1e-5))
    before = expectation.most_usd(100)
    assert before is not None
    answer = Answer("36", prompt_tokens=130, completion_tokens=20)
    cost = expectation.cost_usd(answer)
    assert cost == 130e-6 + 20e-5
    expectation.learn(100, answer, cost)
    assert expectation.tokens(100) == 150
    after = expectation.most_usd(100)
    assert after is not None
    assert cost < after < before
    assert after == Price(1e-6, 1e-5).cost(130 * MARGIN, 20 * MARGIN)


def test_a_cost_without_price_or_figure_is_unknown():
    expectation = Expectation()
    assert expectation.most_usd(100) is None
    assert expectation.cost_usd(Answer("36", prompt_tokens=1, completion_tokens=1)) is None
    assert Expectation(Price(1, 1)).cost_usd(Answer("36", prompt_tokens=1)) is None
    expectation.learn(100, Answer("36"), 0.5)
    assert expectation.most_usd(100) == 0.5 * MARGIN
