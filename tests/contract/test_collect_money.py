"""Money and time are bounded: plan, budget, deadline, pilot, ceilings; and what is said of them."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace

import pytest

from justeval.collect import Bounds, Speed
from justeval.collect.forecast import forecast
from justeval.collect.pilot import pilot_report
from justeval.models.naming import endpoint_of
from justeval.models.prices import Price
from justeval.runs import RunFolder
from tests.servers.collecting import (
    Quiet,
    answers_of,
    collect_here,
    lines_of,
    run,
    small_plan,
    small_set,
)
from tests.servers.faulty import FaultyServer, Received, always, faithful, months_of
from tests.servers.responses import Response, answer

ANALYZE = (sys.executable, "-m", "justeval", "analyze")
REPORT = (sys.executable, "-m", "justeval", "report")


def costing(usd: float):
    """A script whose answers cost so much by the provider's own figure."""
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "cost": usd}
    return always(answer('{"months": 36}', usage=usage))


def priced(received: Received) -> Response:
    """An answer of 100 + 10 tokens, without a cost."""
    return answer('{"months": 36}')


def catalogue(received: Received) -> Response:
    if received.target.endswith("/models"):
        pricing = {"prompt": "0.00001", "completion": "0.0001", "request": "0"}
        data = [{"id": "judge", "pricing": pricing}, {"id": "auto", "pricing": {"prompt": "-1"}}]
        return Response(body=json.dumps({"data": data}).encode())
    return priced(received)


def test_what_would_be_asked_is_what_is_asked(tmp_path):
    with FaultyServer(priced).running() as server:
        plan = small_plan(tmp_path, 10, [f"openai:judge@{server.base_url}"], repetitions=2)
        prices = {"judge": Price(1e-5, 1e-4)}
        before = forecast(plan, tmp_path / "run", prices)
        assert (server.asked, (tmp_path / "run").exists()) == ([], False)
        (model,) = before.models
        assert (before.texts, model.requests, model.missing) == (40, 80, 80)
        assert model.cost_usd == pytest.approx(
            1e-5 * model.prompt_tokens + 1e-4 * model.completion_tokens, rel=1e-3
        )
        outcome = collect_here(plan, tmp_path / "run", bounds=Bounds(pilot=32))
        assert outcome.requests == 80
        (model,) = forecast(plan, tmp_path / "run", prices).models
        assert (model.missing, model.prompt_tokens, model.completion_tokens) == (48, 4800, 480)
        assert model.cost_usd == pytest.approx(48 * (100e-5 + 10e-4))


def test_the_plan_is_printed_and_nothing_is_asked(tmp_path):
    cases, pack = small_set(tmp_path, 10)
    choices = ("--cases", cases, "--labels", pack, "--plan", "--max-tokens", "100")
    with FaultyServer(catalogue).running() as server:
        for model, cost in (("openrouter", 0.0), ("openai", None)):
            options = ("--model", f"{model}:judge@{server.base_url}", "--json")
            code, out, _ = run(*choices, *options, OPENROUTER_API_KEY="", OPENAI_API_KEY="")
            found = json.loads(out)
            assert (code, found["requests"]) == (0, 40)
            if cost is None:
                assert found["cost_usd"] is None
            else:
                assert 0 < found["cost_usd"] < found["models"][0]["most_cost_usd"]
        assert [request.target for request in server.asked] == ["/v1/models"]
        code, out, _ = run(*choices, "--model", f"openai:judge@{server.base_url}")
    assert "40 distinct texts" in out
    assert "judge: 40 requests, about 5,980 tokens of prompts and 2,400 of replies, " in out
    assert "cost unknown (no price; give --prices FILE)" in out


@pytest.mark.parametrize("concurrency", [1, 16])
def test_the_budget_is_never_exceeded_by_the_providers_own_figure(tmp_path, concurrency):
    with FaultyServer(costing(0.01)).running() as server:
        plan = small_plan(tmp_path, 25, [f"openai:judge@{server.base_url}"])
        speed = Speed(concurrency=concurrency)
        outcome = collect_here(plan, tmp_path / "run", bounds=Bounds(most_usd=0.305), speed=speed)
        assert outcome.budget_reached
        assert not outcome.complete
        assert 0.27 < outcome.cost_usd <= 0.305
        assert len(server.asked) == outcome.answered <= 30
        collected = RunFolder(tmp_path / "run").manifest()["collected"]
        assert collected["stopped"][0]["kind"] == "budget"
        assert collected["cost_usd"] == pytest.approx(outcome.cost_usd)
        again = collect_here(plan, tmp_path / "run", bounds=Bounds(most_usd=0.305), speed=speed)
        assert again.cost_usd <= 0.305
        whole = collect_here(plan, tmp_path / "run", bounds=Bounds(most_usd=2.0), speed=speed)
    assert (whole.complete, whole.budget_reached) == (True, False)
    assert whole.cost_usd == pytest.approx(1.0)
    assert len(server.asked) == 100


def test_the_budget_holds_by_prices(tmp_path):
    with FaultyServer(priced).running() as server:
        plan = small_plan(tmp_path, 25, [f"openai:judge@{server.base_url}"], max_tokens=50)
        bounds = Bounds(most_usd=0.1, prices={"judge": Price(1e-5, 1e-4)})
        outcome = collect_here(plan, tmp_path / "run", bounds=bounds)
    assert outcome.budget_reached
    assert 0.05 < outcome.cost_usd <= 0.1
    assert {line["cost_usd"] for line in lines_of(tmp_path / "run")} == {100 * 1e-5 + 10 * 1e-4}


def test_a_cost_that_nobody_knows_stops_after_one_answer(tmp_path):
    with FaultyServer(priced).running() as server:
        plan = small_plan(tmp_path, 25, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run", bounds=Bounds(most_usd=1.0))
    assert outcome.stopped == (
        "judge: the cost is unknown: the provider gives none; give --prices FILE",
    )
    assert (len(server.asked), outcome.answered, outcome.cost_usd) == (1, 1, None)


def test_a_budget_without_a_price_says_what_is_missing(tmp_path):
    cases, pack = small_set(tmp_path, 10)
    with FaultyServer(priced).running() as server:
        choices = ("--cases", cases, "--labels", pack, "--model", f"openai:judge@{server.base_url}")
        code, _, err = run(*choices, "--max-cost", "1", "--out", tmp_path / "run")
    assert code == 3
    assert "stopped: judge: the cost is unknown: the provider gives none; give --prices FILE" in err
    assert "--max-cost goes on" not in err


def test_a_plan_says_where_a_budget_ends_it_and_what_all_models_cost(tmp_path):
    cases, pack = small_set(tmp_path, 10)
    prices = tmp_path / "prices.yaml"
    prices.write_text("models: {judge: {prompt: 10, completion: 100}}\n")
    models = ("--model", "a=openai:judge@http://h/v1", "--model", "b=openai:judge@http://g/v1")
    choices = ("--cases", cases, "--labels", pack, *models, "--plan", "--prices", prices)
    code, out, _ = run(*choices, "--max-cost", "0.1")
    assert code == 0
    assert "all models together: about $0.5" in out
    assert "--max-cost $0.1000 would stop it before it is done" in out
    code, out, _ = run(*choices, "--max-cost", "10")
    assert "would stop" not in out


def test_one_budget_holds_for_all_models(tmp_path):
    with FaultyServer(costing(0.01)).running() as server:
        models = [f"{name}=openai:judge@{server.base_url}" for name in "ab"]
        plan = small_plan(tmp_path, 25, models)
        outcome = collect_here(plan, tmp_path / "run", bounds=Bounds(most_usd=0.5))
    assert 0.4 < outcome.cost_usd <= 0.5 + 1e-12
    assert len(outcome.stopped) == 2


def test_a_run_stopped_by_its_budget_exits_with_5_and_goes_on_with_more(tmp_path):
    cases, pack = small_set(tmp_path, 10)
    prices = tmp_path / "prices.yaml"
    prices.write_text("models: {judge: {prompt: 10, completion: 100}}\n")
    with FaultyServer(priced).running() as server:
        choices = (
            "--cases", cases, "--labels", pack, "--model", f"openai:judge@{server.base_url}",
            "--max-tokens", "20", "--prices", prices, "--out", tmp_path / "run",
        )  # fmt: skip
        code, out, err = run(*choices, "--max-cost", "0.03")
        assert code == 5
        assert (
            "stopped: judge: the budget of $0.0300 leaves no room for another request: $0.0" in err
        )
        assert err.splitlines()[-1].endswith("a larger --max-cost goes on")
        assert RunFolder(tmp_path / "run").manifest()["collected"]["stopped"][0]["kind"] == "budget"
        assert ", $0.0" in out
        assert len(server.asked) <= 15
        code, out, _ = run(*choices, "--max-cost", "1", "--json")
        found = json.loads(out)
    assert (code, found["complete"], found["budget_reached"]) == (0, True, False)
    assert found["cost_usd"] == pytest.approx(40 * 0.002)
    assert len(server.asked) == 40


def test_a_run_stopped_by_its_budget_says_so_in_every_result(tmp_path):
    def script(received: Received) -> Response:
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "cost": 0.01}
        return answer(json.dumps({"months": months_of(received.text) % 60 + 1}), usage=usage)

    cases, pack = small_set(tmp_path, 20)
    folder, told = tmp_path / "run", "judge: the budget of $0.6000 is reached: $0.6000 are spent"
    with FaultyServer(script).running() as server:
        choices = ("--cases", cases, "--labels", pack, "--model", f"openai:judge@{server.base_url}")
        assert run(*choices, "--max-cost", "0.6", "--out", folder)[0] == 5
        code, out, _ = run(folder, command=ANALYZE)
        assert code == 0
        assert f"It was stopped ({told})" in " ".join(out.split())
        facts = json.loads(run(folder, "--json", command=ANALYZE)[1])["runs"][0]
        assert (facts["complete"], facts["stopped"]) == (False, [told])
        for name in ("report.html", "report.md"):
            code, _, err = run(folder, "--out", tmp_path / name, command=REPORT)
            assert code == 0, err
            text = " ".join((tmp_path / name).read_text(encoding="utf-8").split())
            assert "the budget of $0.6000 is reached" in text
        assert run(*choices, "--out", folder)[0] == 0
        assert json.loads(run(folder, "--json", command=ANALYZE)[1])["runs"][0]["stopped"] == []


def test_the_deadline_ends_the_asking_and_keeps_what_is_in_the_air(tmp_path):
    def script(received: Received) -> Response:
        return replace(faithful(received), after_seconds=0.3)

    begun = time.monotonic()
    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 50, [f"openai:judge@{server.base_url}"])
        bounds = Bounds(deadline_seconds=1.0)
        outcome = collect_here(plan, tmp_path / "run", bounds=bounds, speed=Speed(concurrency=4))
    assert time.monotonic() - begun < 10
    assert outcome.stopped == ("judge: the deadline of 1 s is over",)
    assert 0 < outcome.answered < 50
    assert len(server.asked) == outcome.answered


def test_the_deadline_ends_a_long_pause_too(tmp_path):
    def script(received: Received) -> Response:
        slow = replace(answer("36"), status=429, headers={"retry-after": "600"})
        return slow if received.number > 5 else faithful(received)

    begun = time.monotonic()
    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 50, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run", bounds=Bounds(deadline_seconds=1.0))
    assert time.monotonic() - begun < 10
    assert "deadline" in outcome.stopped[0]


def test_a_caller_can_stop_a_run(tmp_path):
    with FaultyServer(faithful).running() as server:
        plan = small_plan(tmp_path, 100, [f"openai:judge@{server.base_url}"])
        begun = time.monotonic()
        outcome = collect_here(
            plan,
            tmp_path / "run",
            speed=Speed(requests_per_minute=1200),
            should_stop=lambda: time.monotonic() - begun > 1,
        )
    assert outcome.stopped == ("judge: stopped by the user",)
    assert 0 < outcome.answered < 400


def test_a_pilot_is_balanced_counts_later_and_shows_the_whole(tmp_path):
    with FaultyServer(costing(0.01)).running() as server:
        plan = small_plan(tmp_path, 24, [f"openai:judge@{server.base_url}"])
        pilot = Bounds(pilot=32)
        outcome = collect_here(plan, tmp_path / "run", bounds=pilot)
        assert (outcome.answered, outcome.left_of_pilot, outcome.requests) == (32, 0, 96)
        asked = [request.text for request in server.asked]
        folders = [
            next((c for c in ("blue", "red", "green") if f"folder is {c}" in text), "bare")
            for text in asked
        ]
        counts = [folders.count(name) for name in ("bare", "blue", "red", "green")]
        assert min(counts) >= 5
        assert max(counts[1:]) - min(counts[1:]) <= 1
        numbers = {text.partition("number ")[2].partition(" ")[0] for text in asked}
        assert len(numbers) == 24
        (shown,) = pilot_report(outcome.folder, outcome.tallies)
        assert (shown.replies, shown.unreadable, shown.requests) == (32, 0, 96)
        assert shown.whole_cost_usd == pytest.approx(0.96)
        assert shown.left_seconds is not None
        collect_here(plan, tmp_path / "run", bounds=pilot)
        assert len(server.asked) == 32
        assert collect_here(plan, tmp_path / "run").complete
    assert len(server.asked) == len(answers_of(tmp_path / "run")) == 96


def test_a_pilot_is_printed(tmp_path):
    cases, pack = small_set(tmp_path, 12)
    choices = ("--cases", cases, "--labels", pack, "--out", tmp_path / "run", "--pilot")
    with FaultyServer(always(answer("from 24 to 36 months"))).running() as server:
        model = ("--model", f"openai:judge@{server.base_url}")
        code, out, err = run(*choices, *model)
        assert code == 0, err
        assert out.splitlines() == [
            "judge: 32 replies, 32 unreadable (100%)",
            "  unparsable, 32 times: from 24 to 36 months",
            "  the whole run: 48 requests, cost unknown",
            next(line for line in out.splitlines() if "at this pace the other 16 take" in line),
            "  the same command without --pilot asks them; these replies count",
        ]
        code, out, _ = run(*choices, *model, "--json")
    (shown,) = json.loads(out)["pilot"]
    assert (shown["unreadable_share"], shown["requests"]) == (1.0, 48)


def test_a_floating_name_gets_a_warning(tmp_path):
    cases, pack = small_set(tmp_path, 2)
    with FaultyServer(always(answer("36", model="judge-latest"))).running() as server:
        model = f"openai:judge-latest@{server.base_url}"
        options = ("--cases", cases, "--labels", pack, "--out", tmp_path / "run")
        code, _, err = run(*options, "--model", model)
    assert code == 0
    assert "judge-latest: a name that stands for another model tomorrow" in err


def test_requests_and_tokens_a_minute_are_ceilings(tmp_path):
    with FaultyServer(priced).running() as server:
        plan = small_plan(tmp_path, 5, [f"openai:judge@{server.base_url}"])
        for speed, seconds in (
            (Speed(requests_per_minute=1200), 19 * 0.05),
            (Speed(tokens_per_minute=132_000), 18 * 0.05),
        ):
            before = len(server.asked)
            collect_here(plan, tmp_path / str(seconds), speed=speed)
            times = [request.at for request in server.asked[before:]]
            assert len(times) == 20
            assert max(times) - min(times) > 0.8 * seconds


def test_the_air_holds_no_more_than_the_ceiling_and_reaches_it(tmp_path):
    def script(received: Received) -> Response:
        return replace(faithful(received), after_seconds=0.05)

    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 50, [f"openai:judge@{server.base_url}"])
        collect_here(plan, tmp_path / "run", speed=Speed(concurrency=12), watcher=Quiet())
    assert server.most_at_once == 12


def test_a_simulated_model_is_free_of_charge(tmp_path):
    cases, pack = small_set(tmp_path, 3)
    choices = ("--cases", cases, "--labels", pack, "--model", "simulated", "--max-cost", "0.01")
    code, out, err = run(*choices, "--out", tmp_path / "run")
    assert code == 0, err
    assert "12 of 12 answered, $0.0000" in out
    assert endpoint_of("simulated").base_url == ""
