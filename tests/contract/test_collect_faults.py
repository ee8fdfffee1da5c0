"""Collecting from a provider that fails in every way: complete, bounded, visible, nothing twice."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from justeval.collect import Patience, Speed
from justeval.errors import PermanentProviderError
from justeval.runs import RunFolder
from tests.servers.collecting import (
    Quiet,
    answers_of,
    closed_port,
    collect_here,
    lines_of,
    small_plan,
)
from tests.servers.faults import FAULTS
from tests.servers.faulty import FaultyServer, Received, always, digest, faithful, in_turn
from tests.servers.responses import (
    Response,
    answer,
    as_200,
    error,
    kept_alive,
)

QUICK = Patience(first_wait_seconds=0.02, longest_wait_seconds=0.2)


def faulty(received: Received) -> Response:
    """Each request fails once or twice in a way that its text decides, then is answered."""
    rng = random.Random(digest(received.text))
    if received.turn <= rng.randint(0, 2):
        return rng.choice(FAULTS)
    sound = faithful(received)
    return kept_alive(sound) if rng.random() < 0.2 else sound


def test_through_all_faults_a_run_ends_complete_with_the_answers_of_the_clean_run(tmp_path):
    runs = {}
    for name, script in (("clean", faithful), ("faulty", faulty)):
        with FaultyServer(script).running() as server:
            model = f"judge=openai:judge@{server.base_url}"
            plan = small_plan(tmp_path / "set", 75, [model])
            outcome = collect_here(plan, tmp_path / name, patience=QUICK)
            assert (outcome.complete, outcome.requests) == (True, 300)
        table = pq.read_table(RunFolder(tmp_path / name).predictions).to_pandas()
        runs[name] = table.set_index("variant_id")[["months", "charge", "label", "value"]]
    assert runs["faulty"].sort_index().equals(runs["clean"].sort_index())
    assert len(lines_of(tmp_path / "faulty")) == 300
    assert Counter(line["attempts"] for line in lines_of(tmp_path / "faulty"))[1] < 200


def test_every_answer_belongs_to_its_text(tmp_path):
    with FaultyServer(faulty).running() as server:
        plan = small_plan(tmp_path, 10, [f"openai:judge@{server.base_url}"])
        collect_here(plan, tmp_path / "run", patience=QUICK)
    prompt = plan.prompts[0]
    texts = pq.read_table(RunFolder(tmp_path / "run").variants).to_pandas()
    text_of = dict(zip(texts.variant_id, texts.text, strict=True))
    for line in lines_of(tmp_path / "run"):
        asked = prompt.messages(text_of[line["variant_id"]])[-1]["content"]
        assert json.loads(line["reply"])["charge"] == digest(asked)


def test_repetitions_are_requests_of_their_own(tmp_path):
    with FaultyServer(faithful).running() as server:
        plan = small_plan(tmp_path, 5, [f"openai:judge@{server.base_url}"], repetitions=3)
        assert collect_here(plan, tmp_path / "run").requests == 60
    assert Counter(Counter(request.text for request in server.asked).values()) == {3: 20}
    lines = lines_of(tmp_path / "run")
    assert len({line["key"] for line in lines}) == 60
    assert Counter(line["repetition"] for line in lines) == {0: 20, 1: 20, 2: 20}


PERMANENT = {
    "key": error(401, "Incorrect API key"),
    "credit": error(402, "Insufficient credits"),
    "moderation": error(403, "flagged by moderation"),
    "model": error(404, "no such model"),
    "credit as 429": error(429, "You have no credit left", retry_after="1"),
    "the day's quota": error(429, "free-models-per-day", x_ratelimit_reset="7200"),
    "in a 200": as_200(402, "no credit"),
}


@pytest.mark.parametrize("response", PERMANENT.values(), ids=PERMANENT.keys())
def test_a_permanent_error_stops_its_model_and_no_other(tmp_path, response):
    def script(received: Received) -> Response:
        return response if received.number > 30 else faithful(received)

    with FaultyServer(script).running() as broken, FaultyServer(faithful).running() as sound:
        models = [f"a=openai:judge@{broken.base_url}", f"b=openai:judge@{sound.base_url}"]
        plan = small_plan(tmp_path, 50, models)
        outcome = collect_here(plan, tmp_path / "run", speed=Speed(concurrency=8))
    assert len(broken.asked) <= 30 + 8
    assert len(sound.asked) == 200
    (reason,) = outcome.stopped
    assert reason.startswith("a: status ")
    assert json.loads(response.body)["error"]["message"] in reason
    assert outcome.answered == 230
    kept = RunFolder(tmp_path / "run").manifest()["collected"]["stopped"]
    assert [(stop["model"], stop["kind"]) for stop in kept] == [("a", "permanent")]


def test_a_model_that_never_answers_is_asked_once_and_leaves_no_folder(tmp_path):
    with FaultyServer(always(error(401, "Incorrect API key"))).running() as server:
        plan = small_plan(tmp_path / "set", 50, [f"openai:judge@{server.base_url}"])
        with pytest.raises(PermanentProviderError, match="judge: status 401: Incorrect API key"):
            collect_here(plan, tmp_path / "run", speed=Speed(concurrency=4))
    assert len(server.asked) <= 4
    assert not (tmp_path / "run").exists()


def test_a_closed_port_stops_one_model_at_once(tmp_path):
    start = time.monotonic()
    with FaultyServer(faithful).running() as server:
        closed = f"a=openai:judge@http://127.0.0.1:{closed_port()}/v1"
        plan = small_plan(tmp_path, 10, [closed, f"b=openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run")
    assert (outcome.answered, outcome.requests) == (40, 80)
    assert "refused" in outcome.stopped[0]
    assert time.monotonic() - start < 10


def test_a_wait_is_obeyed_and_visible(tmp_path):
    response = error(429, "slow down", retry_after="2")

    def script(received: Received) -> Response:
        return response if received.number == 20 else faithful(received)

    quiet = Quiet()
    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 30, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run", speed=Speed(concurrency=4), watcher=quiet)
    assert outcome.complete
    told = next(at for at, _, sent in server.delivered if sent is response)
    in_the_pause = [r for r in server.asked if told + 0.2 < r.at < told + 1.9]
    assert in_the_pause == []
    assert max(request.at for request in server.asked) > told + 1.9
    assert any("waiting 2 s for the provider" in line for line in quiet.lines)


def test_failures_are_bounded_kept_and_asked_again(tmp_path):
    poisoned = Counter[str]()

    def script(received: Received) -> Response:
        if "number 3 " in received.text and len(poisoned) < 1000:
            poisoned[received.text] += 1
            return error(500, "poisoned")
        return faithful(received)

    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 10, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run", patience=QUICK)
        assert (outcome.answered, outcome.requests) == (36, 40)
        assert set(poisoned.values()) == {QUICK.attempts}
        failed = [line for line in lines_of(tmp_path / "run") if line.get("error")]
        assert len(failed) == 4
        assert failed[0]["error"] == {
            "kind": "TransientProviderError", "status": 500, "message": "status 500: poisoned",
        }  # fmt: skip
        server.script = faithful
        before = len(server.asked)
        assert collect_here(plan, tmp_path / "run", patience=QUICK).complete
        assert len(server.asked) - before == 4
    assert len(answers_of(tmp_path / "run")) == 40
    statuses = pq.read_table(RunFolder(tmp_path / "run").predictions)["status"].to_pylist()
    assert "provider_error" not in statuses


def test_a_request_that_is_refused_alone_is_not_asked_twice(tmp_path):
    def script(received: Received) -> Response:
        long = "number 3 " in received.text
        return error(400, "maximum context length") if long else faithful(received)

    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 10, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run", patience=QUICK)
    assert (outcome.answered, len(server.asked)) == (36, 40)


def test_failures_in_a_row_stop_a_model(tmp_path):
    def script(received: Received) -> Response:
        return faithful(received) if received.number <= 20 else error(500, "out of order")

    patience = replace(QUICK, failures_in_a_row=5)
    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 100, [f"openai:judge@{server.base_url}"])
        speed = Speed(concurrency=4)
        outcome = collect_here(plan, tmp_path / "run", patience=patience, speed=speed)
    assert outcome.stopped == ("judge: 5 failures in a row, the last: status 500: out of order",)
    assert len(server.asked) <= 20 + 9 * QUICK.attempts


def test_a_reply_without_a_word_is_asked_for_again_and_then_kept(tmp_path):
    with FaultyServer(always(answer(None))).running() as server:
        plan = small_plan(tmp_path, 2, [f"openai:judge@{server.base_url}"])
        assert collect_here(plan, tmp_path / "run", patience=QUICK).complete
    assert len(server.asked) == 24
    table = pq.read_table(RunFolder(tmp_path / "run").predictions)
    assert set(table["status"].to_pylist()) == {"empty"}
    assert set(table["attempts"].to_pylist()) == {3}
    with FaultyServer(in_turn(answer(None), answer("36"))).running() as server:
        plan = small_plan(tmp_path, 2, [f"openai:judge@{server.base_url}"])
        collect_here(plan, tmp_path / "other", patience=QUICK)
    assert set(answers_of(tmp_path / "other").values()) == {"36"}


def test_a_cut_reply_without_content_is_an_answer(tmp_path):
    cut = answer(None, "length", message={"reasoning": "... so 24 months"})
    with FaultyServer(always(cut)).running() as server:
        plan = small_plan(tmp_path, 2, [f"openai:judge@{server.base_url}"])
        collect_here(plan, tmp_path / "run")
    assert len(server.asked) == 8
    table = pq.read_table(RunFolder(tmp_path / "run").predictions)
    assert set(table["status"].to_pylist()) == {"truncated"}
    assert set(table["months"].to_pylist()) == {None}
    assert {line["reasoning"] for line in lines_of(tmp_path / "run")} == {"... so 24 months"}


def test_who_answered_is_kept_and_a_change_is_a_finding(tmp_path):
    def script(received: Received) -> Response:
        late = received.number > 20
        return answer("36", model="judge-2" if late else "judge-1", provider="Together",
                      system_fingerprint="b" if late else "a")  # fmt: skip

    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 10, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run")
    assert outcome.findings == (
        "judge: more than one model version: judge-1 (20), judge-2 (20)",
        "judge: more than one fingerprint: a (20), b (20)",
    )
    table = pq.read_table(RunFolder(tmp_path / "run").predictions)
    assert Counter(table["model_version"].to_pylist()) == {"judge-1": 20, "judge-2": 20}
    assert set(table["served_by"].to_pylist()) == {"Together"}
    collected = RunFolder(tmp_path / "run").manifest()["collected"]
    assert collected["answered_by"]["judge"][0] == {
        "model_version": "judge-1", "fingerprint": "a", "served_by": "Together", "replies": 20,
    }  # fmt: skip


def test_a_name_that_stands_for_another_is_a_finding(tmp_path):
    with FaultyServer(always(answer("36"))).running() as server:
        plan = small_plan(tmp_path, 2, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run")
    (finding,) = outcome.findings
    assert finding.startswith("judge: judge stands for judge-2026-01-01 today")


def test_a_storm_of_429_cuts_the_pace_and_passes(tmp_path):
    begun: list[float] = []

    def script(received: Received) -> Response:
        if received.number > 50:
            begun.append(begun[0] if begun else received.at)
            if received.at - begun[0] < 1.0:
                return replace(error(429, "slow down"), after_seconds=0.02)
        return replace(faithful(received), after_seconds=0.02)

    with FaultyServer(script).running() as server:
        plan = small_plan(tmp_path, 100, [f"openai:judge@{server.base_url}"])
        outcome = collect_here(plan, tmp_path / "run", patience=QUICK)
    assert outcome.complete
    assert len(answers_of(tmp_path / "run")) == len(lines_of(tmp_path / "run")) == 400
    refused = sum(sent.status == 429 for _, _, sent in server.delivered)
    assert refused < 400


def test_a_case_is_data(tmp_path):
    odd = [
        "../../etc/passwd", "{case}", "{0.__class__}", "%s%n", "a\nb: c", "\x1b[2J", "\u202e",
        '"}], "model": "other"', "x" * 5000, "C:\\a", "$(id)", "; drop table", "\x00",
    ]  # fmt: skip
    plan = small_plan(tmp_path / "set", len(odd), ["openai:judge"])
    cases = tuple(
        replace(case, case_id=f"{text} {number}", facts=f"The defendant {text} stole a bicycle.")
        for number, (case, text) in enumerate(zip(plan.cases.cases, odd, strict=True))
    )
    with FaultyServer(faithful).running() as server:
        plan = small_plan(tmp_path / "set", 1, [f"openai:judge@{server.base_url}"])
        plan = replace(plan, cases=replace(plan.cases, cases=cases))
        assert collect_here(plan, tmp_path / "run").complete
    assert all(request.data["model"] == "judge" for request in server.asked)
    asked = {request.text for request in server.asked}
    assert all(any(text in one for one in asked) for text in odd)
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
    assert [name for name in names if not name.startswith(("set", "run"))] == []
    assert Path(tmp_path / "run" / "cases.jsonl").read_bytes().count(b"\n") == len(odd)
