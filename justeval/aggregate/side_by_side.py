"""Models judged side by side, one process a core: they share the data and nothing else.

In: what is to be done for one model, and the models. Out: the results, in their order.

Processes are forked, so that they read the parent's tables where they lie instead of having them
sent. That is done on Linux alone, and only where a caller asks for more than one core: a process
that serves others should not be doubled behind its back.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

Result = TypeVar("Result")

WORTH_IT = 500_000
"""Rows from which the start of further processes costs less than they save."""

_WORK: list[Callable[[int], Any]] = []
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def cores_for(rows: int) -> int:
    """Cores to use for a table of so many rows: 1 where more would not pay, or cannot be had."""
    if rows < WORTH_IT or not sys.platform.startswith("linux"):
        return 1
    return len(os.sched_getaffinity(0))


def side_by_side(
    work: Callable[[int], Result], models: Sequence[int], cores: int = 1
) -> list[Result]:
    """`work` for each model, on up to `cores` cores."""
    cores = min(cores, len(models))
    if cores < 2:
        return [work(model) for model in models]
    context = multiprocessing.get_context("fork")
    with warnings.catch_warnings():
        # Python 3.12 warns of threads in the parent; the children start none and wait for none.
        warnings.simplefilter("ignore", DeprecationWarning)
        with ProcessPoolExecutor(cores, context, _inherit, (work, os.getpid())) as pool:
            return list(pool.map(_do, models))


def _inherit(work: Callable[[int], Any], parent: int) -> None:
    """In a child: keep what the parent handed down, leave Ctrl-C to it and end with it. Linear
    algebra takes one core: the others have a child each."""
    _WORK[:] = [work]
    threadpool_limits(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _do(model: int) -> Any:  # noqa: ANN401
    return _WORK[0](model)
