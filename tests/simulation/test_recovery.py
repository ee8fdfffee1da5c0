"""Coverage and size of the whole pipeline on the simulated model (see recovery.py)."""

from __future__ import annotations

import pytest

from tests.simulation.recovery import recover


def test_small_pipeline_recovers_what_was_planted() -> None:
    """5 seeds, 400 or more intervals: 95 % intervals hold the truth in 88 to 99.5 %.

    The intervals of one seed share documents, so the binomial spread understates theirs; the wide
    limits are those of a check that the pipeline is not broken, the slow test measures.
    """
    found = recover(5)
    assert found.intervals >= 400
    assert 0.88 <= found.coverage <= 0.995
    assert found.placebo_rejection <= 0.12


@pytest.mark.slow
def test_pipeline_recovers_what_was_planted() -> None:
    found = recover(60)
    assert found.intervals >= 4000
    assert 0.93 <= found.coverage <= 0.97
    assert found.placebo_rejection <= 0.08
    assert found.placebo_rejection_changed >= 0.03
