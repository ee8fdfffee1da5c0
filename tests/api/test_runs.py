"""Runs over the API: started, listed, watched, canceled, resumed, deleted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.api.serving import SMALL, Served


def test_a_run_is_started_and_ends_complete(served: Served, run: str) -> None:
    shown = served.get(f"/runs/{run}")
    assert shown["name"] == "Two models"
    assert [model["name"] for model in shown["models"]] == [
        "simulated-planted",
        "simulated-neutral",
    ]
    progress = shown["progress"]
    assert progress["answered"] == progress["requests"] > 0
    assert sum(model["answered"] for model in progress["models"]) == progress["answered"]
    assert served.get(f"/runs/{run}/progress") == progress
    assert served.get(f"/runs/{run}/manifest")["dataset"]["name"] == "us-sentencing"


def test_runs_are_listed_page_by_page_the_latest_first(served: Served, run: str) -> None:
    earlier = [served.made_elsewhere() for _ in range(3)]
    seen: list[str] = []
    cursor = None
    while True:
        query = {"cursor": cursor} if cursor else {}
        page = served.get("/runs", limit=2, **query)
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == page["total"]
    assert [one for one in seen if one in earlier] == earlier[::-1]
    complete = served.get("/runs", state="complete", limit=500)
    assert {*earlier, run} <= {item["id"] for item in complete["items"]}


def test_progress_comes_as_events_until_the_end(served: Served) -> None:
    run = served.start(requests_per_minute=3000)
    events: list[tuple[str, dict[str, Any]]] = []
    name = ""
    with served.client.stream("GET", f"/runs/{run}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                events.append((name, json.loads(line.removeprefix("data: "))))
    assert {name for name, _ in events} == {"progress"}
    answered = [progress["answered"] for _, progress in events]
    assert answered == sorted(answered)
    assert len(events) >= 2
    assert events[-1][1]["state"] == "complete"


def test_a_run_is_canceled_and_goes_on(served: Served) -> None:
    run = served.start(requests_per_minute=600)
    served.until(run, lambda shown: shown["progress"]["answered"] > 0)
    served.ask("DELETE", f"/runs/{run}", 409)
    assert served.post(f"/runs/{run}/cancel")["state"] in ("canceling", "canceled")
    canceled = served.ended(run)
    assert canceled["state"] == "canceled"
    assert 0 < canceled["progress"]["answered"] < canceled["progress"]["requests"]
    served.post(f"/runs/{run}/cancel", status=409)
    partial = served.get(f"/runs/{run}/results")
    assert partial["runs"][0]["complete"] is False

    assert served.post(f"/runs/{run}/resume")["state"] == "waiting"
    served.post(f"/runs/{run}/cancel")
    served.ended(run)
    served.post(f"/runs/{run}/resume", {"keys": {}})
    served.post(f"/runs/{run}/resume", status=409)


def test_a_run_is_deleted_with_all_that_belongs_to_it(served: Served) -> None:
    run = served.made_elsewhere()
    served.get(f"/runs/{run}/results")
    served.ask("DELETE", f"/runs/{run}", 204)
    served.get(f"/runs/{run}", 404)
    served.get(f"/runs/{run}/results", 404)
    served.get(f"/runs/{run}/events", 404)
    assert not (served.data / "runs" / run).exists()
    assert not (served.data / "results" / run).exists()


def test_what_cannot_be_asked_is_said_at_once(served: Served) -> None:
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({"dataset": "nowhere"}, 404, "no case set 'nowhere'"),
        ({"dataset": "../../etc"}, 404, "no case set"),
        ({"labels": ["nowhere"]}, 404, "no pack 'nowhere'"),
        ({"labels": ["judicial-us:defendant_rage"]}, 422, "did you mean"),
        ({"models": []}, 422, "models"),
        ({"models": [{"kind": "simulated", "name": "nobody"}]}, 422, "no simulated model 'nobody'"),
        ({"models": [{"kind": "simulated", "name": "/etc/passwd"}]}, 422, "no simulated model"),
        ({"models": SMALL["models"] * 2}, 422, "stands twice"),
        ({"models": [{"kind": "openai", "name": ""}]}, 422, "needs its name"),
        ({"models": [{"kind": "openai", "name": "m", "address": "ftp://x"}]}, 422, "http"),
        (
            {"models": [{"kind": "openai", "name": "m@https://x.example"}]},
            422,
            "no name of a model",
        ),
        ({"models": [{"kind": "openrouter", "name": "a/b"}]}, 422, "no key"),
        ({"repetitions": 0}, 422, "repetitions"),
        ({"surprise": 1}, 422, "surprise"),
        ({"prompts": ["sentence-zh"]}, 422, "'zh'"),
    ]
    before = served.get("/runs")["total"]
    for choices, status, words in wrong:
        error = served.post("/runs", {**SMALL, **choices}, status)["error"]
        assert words in error["message"], error
        assert str(Path.cwd()) not in error["message"]
    assert served.get("/runs")["total"] == before


def test_planted_effects_of_ones_own(served: Served) -> None:
    effects = {"defendant_race": {"black": 1.0}}
    mine = {"kind": "simulated", "name": "harsh", "effects": effects, "noise_share": 0.0}
    run = served.start(models=[mine], labels=["judicial-us:defendant_race"], limit=6)
    shown = served.ended(run)
    assert shown["state"] == "complete", shown
    (label,) = served.get(f"/runs/{run}/results/labels")["items"]
    black = next(value for value in label["bias"]["values"] if value["value"] == "black")
    assert abs(black["coef"] - 1.0) < 0.1


def test_a_model_that_nobody_serves_fails_in_words(served: Served) -> None:
    nobody = {"kind": "openai", "name": "m", "address": "http://127.0.0.1:9/v1"}
    run = served.start(models=[nobody], limit=1)
    shown = served.ended(run)
    assert shown["state"] == "failed"
    assert shown["message"]
    assert str(served.data) not in shown["message"]
    served.get(f"/runs/{run}/results", 409)
    served.get(f"/runs/{run}/manifest", 409)


def test_labels_left_out_are_listed(served: Served, run: str) -> None:
    page = served.get(f"/runs/{run}/skipped")
    assert page["total"] == len(page["items"]) > 0
    assert {"case_id", "label", "kind", "reason"} == set(page["items"][0])
