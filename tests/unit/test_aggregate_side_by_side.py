"""Models judged in several processes: the same numbers, errors that arrive, no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from threadpoolctl import threadpool_info

from justeval import schema
from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.aggregate.side_by_side import cores_for, side_by_side
from justeval.errors import EstimationError

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes fork on Linux")

ASLEEP = """
import os, time
from justeval.aggregate.side_by_side import side_by_side

def work(model):
    os.write(1, f"{os.getpid()}\\n".encode())  # at once: two processes write here
    time.sleep(60)

side_by_side(work, [0, 1], 2)
"""


def predictions(models):
    rng = np.random.default_rng(3)
    rows = [
        {
            "run_id": "r",
            "model": model,
            "case_id": f"c{document}",
            "label": label,
            "value": value,
            "is_reference": value == "a",
            "repetition": 0,
            "status": "ok",
            "guilty": True,
            "penalty": "fixed_term",
            "months": float(24 + rng.integers(0, 4)),
            "true_months": 30.0,
        }
        for model in models
        for document in range(30)
        for label in ("sex", "religion")
        for value in ("a", "b", "c")
    ]
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


@LINUX
def test_the_numbers_are_the_same_in_the_same_order():
    table, options = predictions(["m", "n", "o"]), AnalysisOptions(draws=199)
    alone = as_json(analyze(table, {}, options))
    assert as_json(analyze(table, {}, options, cores=2)) == alone
    assert [model["model"] for model in alone["models"]] == ["m", "n", "o"]


@LINUX
def test_an_error_of_a_child_is_the_callers():
    def work(model):
        raise EstimationError(f"model {model}: no")

    with pytest.raises(EstimationError, match="no"):
        side_by_side(work, [0, 1], 2)


@LINUX
def test_linear_algebra_takes_one_core_in_a_child():
    def threads(model):
        return [pool["num_threads"] for pool in threadpool_info()]

    found = side_by_side(threads, [0, 1], 2)
    assert found[0]  # there is a library whose threads count
    assert {number for of_child in found for number in of_child} == {1}


def test_small_tables_and_single_models_take_one_process():
    assert cores_for(1000) == 1
    assert side_by_side(lambda _: os.getpid(), [4], 8) == [os.getpid()]
    assert side_by_side(lambda model: model * 2, [3, 1], 1) == [6, 2]


@LINUX
@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_its_parent(ended_by):
    command = [sys.executable, "-c", ASLEEP]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        children = [int(parent.stdout.readline()) for _ in range(2)]
        parent.send_signal(ended_by)
    until = time.monotonic() + 30
    while any(is_alive(child) for child in children) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(is_alive(child) for child in children)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
