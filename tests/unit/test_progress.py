"""What a person sees while a run collects."""

from __future__ import annotations

import io
import time

import pytest

from justeval.collect.progress import Progress, Stop, Tally, clock


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def tally(**fields):
    return Tally(**{"model": "judge", "total": 1000, **fields})


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_a_time_as_a_person_says_it(seconds, text):
    assert clock(seconds) == text


def test_a_line_has_counts_rate_time_left_cost_and_failures():
    line = tally(
        already=100, answered=300, failed=3, cost_usd=1.5, started=time.monotonic() - 10
    ).line()
    assert line == "judge: 403/1,000, 30/s, 20 s left, 3 failed, $1.5000"


def test_a_cost_that_nobody_knows_is_not_shown():
    one = tally()
    one.add_cost(None)
    assert "$" not in one.line()
    one.add_cost(0.25)
    one.add_cost(0.25)
    assert "$0.5000" in one.line()


def test_a_pause_is_told():
    assert "waiting 12 s for the provider" in tally(waiting_seconds=11.8).line()
    assert "waiting" not in tally(waiting_seconds=0.3).line()


def test_a_model_that_stopped():
    assert (
        tally(stop=Stop("permanent", "no credit"), answered=5).line() == "judge: 5/1,000, stopped"
    )


def test_in_a_file_a_line_comes_now_and_then_and_when_a_pause_begins():
    stream = io.StringIO()
    progress = Progress(stream)
    one = tally()
    progress.show([one])
    assert stream.getvalue() == ""
    one.waiting_seconds = 7.0
    progress.show([one])
    progress.show([one])
    assert stream.getvalue() == "judge: 0/1,000, waiting 7 s for the provider\n"
    one.waiting_seconds = 0.0
    progress.show([one], final=True)
    assert stream.getvalue().count("\n") == 2


def test_on_a_terminal_the_line_is_written_in_place():
    stream = Terminal()
    progress = Progress(stream)
    progress.show([tally(), tally(model="other")])
    assert stream.getvalue() == "\r\x1b[2Kjudge: 0/1,000 | other: 0/1,000"
    progress.show([tally()])
    assert stream.getvalue().count("\r") == 1
    progress.show([tally()], final=True)
    assert stream.getvalue().endswith("judge: 0/1,000\n")
