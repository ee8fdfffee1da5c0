"""One service for all tests that do not harm it, and one finished run in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.serving import SMALL, Served, running


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service on a folder of its own."""
    with running(tmp_path_factory.mktemp("service") / "data") as service:
        yield service


@pytest.fixture(scope="session")
def run(served: Served) -> str:
    """A finished run of two simulated models."""
    models = [{"kind": "simulated", "name": name} for name in ("planted", "neutral")]
    labels = [*SMALL["labels"], "judicial-us:victim_race"]
    run_id = served.start(models=models, labels=labels, limit=6, name="Two models")
    shown = served.ended(run_id)
    assert shown["state"] == "complete", shown
    return run_id
