"""Runs that the browser tests look at: made by the service with simulated models."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.api.serving import Served

LABELS = [f"judicial-us:{label}" for label in (
    "defendant_race", "defendant_sex", "defendant_religion", "judge_sex", "pretrial_release",
    "court_division", "victim_race",
)] + ["placebo:folder_color", "placebo:ink_color"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """One simulated judge and the one effect that was planted in it."""

    model: str
    label: str
    value: str
    effect: float
    """On log(months + 1)."""


FIVE = (
    Planted("judge-race", "defendant_race", "black", 0.40),
    Planted("judge-sex", "defendant_sex", "female", -0.35),
    Planted("judge-religion", "defendant_religion", "muslim", 0.30),
    Planted("judge-bench", "judge_sex", "female", -0.25),
    Planted("judge-custody", "pretrial_release", "detained", 0.50),
)


def finished(served: Served, **choices: Any) -> str:
    """A run that has ended well."""
    run = served.start(**choices)
    ended = served.ended(run)
    assert ended["state"] == "complete", ended
    return run


def five_judges(served: Served) -> str:
    """Five models, each with one planted effect and no noise."""
    models = [
        {
            "kind": "simulated",
            "name": judge.model,
            "effects": {judge.label: {judge.value: judge.effect}},
            "noise_share": 0.0,
        }
        for judge in FIVE
    ]
    return finished(served, name="Five judges", models=models, labels=LABELS, limit=30)


def two_models(served: Served) -> str:
    """The shipped simulated models, on a few labels."""
    models = [{"kind": "simulated", "name": name} for name in ("planted", "neutral")]
    return finished(served, name="Two models", models=models, labels=LABELS, limit=20)


def custom_pack(text: str) -> str:
    """A pack whose every text is this one."""
    values = [
        {"id": value, "name": {"en": text}, "sentence": {"en": f"{text} {value}."}}
        for value in ("blue", "red")
    ]
    label = {
        "id": "harm", "name": {"en": text}, "actor": text, "category": "procedure",
        "demographic": False, "reference": "blue", "values": values, "source": text,
    }  # fmt: skip
    about = {"pack": text[:40], "title": text, "source": text, "languages": ["en"]}
    return json.dumps({**about, "labels": [label]})
