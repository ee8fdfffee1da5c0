"""Requests made from the description by Schemathesis: no failure, every answer as documented.

Only the simulated model is asked: every model in a generated body is made one. No finding is
passed over but those that stand in PASSED, each with its reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS

from justeval_api.app import create_app
from tests.api.serving import Served, running

PASSED = {
    "positive_data_acceptance": "ids in paths and bodies must name things that exist, which no "
    "schema can say",
    "negative_data_rejection": "bodies that are files are described as bytes, and any bytes fit "
    "that (the framework has no other words for a raw body)",
}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service of its own: generated requests delete things, too."""
    with running(tmp_path_factory.mktemp("described") / "data") as service:
        yield service
        for run in service.get("/runs", limit=500)["items"]:
            service.client.post(f"/runs/{run['id']}/cancel")


schema = schemathesis.openapi.from_dict(create_app().openapi())


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Every model is a simulated one, and a run asks about one label of one document."""
    if isinstance(body, dict) and isinstance(body.get("models"), list):
        models = [model for model in body["models"] if isinstance(model, dict)]
        body["models"] = [{**model, "kind": "simulated", "address": None} for model in models]
    if isinstance(body, dict) and "dataset" in body:
        body |= {"limit": 1, "labels": ["placebo:folder_color"], "repetitions": 1}
    return body


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> bytes:
    """Anything as a line of JSON; bytes as they are."""
    return value if isinstance(value, bytes) else json.dumps(value, default=str).encode()


def checked(case: Any, described: Served) -> None:
    """Asks, and holds the answer to the description."""
    excluded = [CHECKS.get_one(name) for name in PASSED]
    case.call_and_validate(base_url=described.address, excluded_checks=excluded, timeout=60)


def some(examples: int, *phases: Phase) -> Any:
    """So many generated requests a route, the same ones each time."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )


@schema.parametrize()
@some(1, Phase.generate)
def test_an_answer_of_every_route_is_as_described(case: Any, described: Served) -> None:
    checked(case, described)


@pytest.mark.slow
@schema.parametrize()
@some(40, Phase.explicit, Phase.generate)
def test_every_answer_is_as_described(case: Any, described: Served) -> None:
    checked(case, described)
