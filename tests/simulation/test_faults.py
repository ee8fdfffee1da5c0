"""2,000 requests to a server that fails in every way: complete, and the estimates of the clean run.

The server answers with a simulated model that has effects planted in it, so that the estimates are
those of a real analysis.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.cases import load_cases
from justeval.collect import Patience, Plan, plan_prompts
from justeval.evidence import load_evidence
from justeval.importing import TableOptions
from justeval.labels import load_labels
from justeval.models.naming import endpoint_of
from justeval.models.simulated import SimulatedModel
from tests.servers.collecting import collect_here, lines_of
from tests.servers.faults import FAULTS
from tests.servers.faulty import FaultyServer, Received, Script, digest
from tests.servers.responses import Response, answer

QUICK = Patience(first_wait_seconds=0.05, longest_wait_seconds=0.5)
STORM = (600, 900)
"""Requests between these numbers meet a provider that refuses three of four."""


def judging(model: SimulatedModel) -> Script:
    """Answers of a simulated model."""

    def script(received: Received) -> Response:
        reply, finish_reason = model.reply(received.data["messages"])
        return answer(reply, finish_reason, model="judge")

    return script


def failing(sound: Script) -> Script:
    """The same answers behind faults: two of three requests fail once or twice first."""

    def script(received: Received) -> Response:
        rng = random.Random(digest(received.text))
        if STORM[0] < received.number < STORM[1] and received.number % 4:
            return Response(429, b"", {"retry-after": "0.2"})
        if received.turn <= rng.randint(0, 2):
            return rng.choice(FAULTS)
        return sound(received)

    return script


def analysis(folder: Path, script: Script, limit: int) -> tuple[dict, FaultyServer]:
    """What an analysis says of a run that this server answered."""
    cases = load_cases("us-sentencing")
    labels = load_labels("judicial-us:defendant_sex,judicial-us:defendant_race,placebo")
    with FaultyServer(script).running() as server:
        plan = Plan(
            cases=cases,
            labels=labels,
            endpoints=(endpoint_of(f"openai:judge@{server.base_url}"),),
            prompts=plan_prompts(cases, cases.question, ()),
            limit=limit,
        )
        outcome = collect_here(plan, folder, patience=QUICK)
    assert outcome.complete, Counter(
        line["error"]["message"] for line in lines_of(folder) if line.get("error")
    )
    evidence = load_evidence([folder], TableOptions())
    options = AnalysisOptions(longest_months=evidence.longest_months)
    found = as_json(analyze(evidence.predictions, evidence.labels, options, evidence.runs))
    return found, server


def of_labels(found: dict) -> list:
    (model,) = found["models"]
    return [{name: row[name] for name in ("label", "bias", "statuses")} for row in model["labels"]]


@pytest.mark.slow
def test_2000_requests_through_faults_give_the_estimates_of_the_clean_run(tmp_path):
    sound = judging(SimulatedModel.from_profile("planted", seed=4))
    clean, _ = analysis(tmp_path / "clean", sound, 32)
    faulty, server = analysis(tmp_path / "faulty", failing(sound), 32)
    requests = len(lines_of(tmp_path / "clean"))
    assert requests >= 2000
    assert len(lines_of(tmp_path / "faulty")) == requests
    assert len(server.asked) > 1.8 * requests
    assert of_labels(faulty) == of_labels(clean)
    print(f"{requests:,} requests, asked {len(server.asked):,} times")
