"""An interaction planted in the simulated model is recovered, and none is found where none is."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from justeval.aggregate import AnalysisOptions, analyze
from justeval.cases import load_cases
from justeval.labels import crossed, load_labels
from justeval.models.simulated import SimulatedModel, load_profile
from justeval.prompts import load_prompt
from justeval.schema import PREDICTIONS
from justeval.variants import Skipped, versions_of
from tests.simulation.recovery import row_of

PAIR = ("black", "female")
PLANTED = 0.08


def crossing(size: float, seed: int):
    """The crossing of race and judge's sex, 60 cases asked with fresh noise."""
    race, judge = load_labels("judicial-us:defendant_race,judicial-us:judge_sex")
    race = replace(race, values=race.values[:2])
    planted = {(race.id, judge.id): {PAIR: size}}
    model = SimulatedModel(replace(load_profile("planted"), interactions=planted), seed)
    prompt = load_prompt("sentence-en")
    rows = []
    for case in load_cases("us-sentencing").cases:
        versions = versions_of(case, crossed(race, judge))
        for version in () if isinstance(versions, Skipped) else versions:
            text, reason = model.reply(prompt.messages(version.text))
            rows.append(row_of(case.case_id, case, version, text, reason))
    options = AnalysisOptions(longest_months=1000.0, draws=99)
    table = pa.Table.from_pylist(rows, PREDICTIONS)
    return analyze(table, {race.id: race, judge.id: judge}, options).models[0].crossed[0]


def test_a_planted_interaction_is_recovered() -> None:
    """5 data sets: every one finds it, and their mean estimate lies within 3 errors."""
    found = [crossing(PLANTED, seed) for seed in range(5)]
    assert all(one.significant for one in found)
    of_pair = [next(p for p in one.pairs if (p.first, p.second) == PAIR) for one in found]
    mean = sum(pair.interaction for pair in of_pair) / len(of_pair)
    error = (sum(pair.se**2 for pair in of_pair) / len(of_pair) ** 2) ** 0.5
    assert mean == pytest.approx(PLANTED, abs=3 * error)


def test_without_one_none_is_found() -> None:
    """20 data sets at 5 %: more than 4 rejections have a chance of 0.3 %. Both labels have effects
    of their own in this profile, which must not count as an interaction."""
    found = [crossing(0.0, seed) for seed in range(20)]
    assert sum(one.p is not None and one.p < 0.05 for one in found) <= 4
