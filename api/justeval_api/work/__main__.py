"""A worker process: one line of JSON in, one line of JSON out, until standard input closes.

In: `{"task": NAME, "arguments": {...}}`. Out: `{"result": ...}`, or `{"error": {...}}` whose kind
is null where the failure is none of the library's own.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from typing import Any

from justeval.errors import InputError, JustevalError
from justeval_api.errors import ServiceError, status_of
from justeval_api.work.tasks import TASKS

NICENESS = 5
"""Answers to those who wait come before the work for those who asked for much."""


def main() -> int:
    """Works until standard input closes."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        answers.write(json.dumps(_answer(json.loads(line))) + "\n")
        answers.flush()
    return 0


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"result": TASKS[asked["task"]](**asked["arguments"])}
    except JustevalError as error:
        return {"error": _told(error)}
    except (Exception, RecursionError):  # noqa: BLE001 - the service tells it apart from a death
        return {"error": {"kind": None, "message": traceback.format_exc()}}


def _told(error: JustevalError) -> dict[str, Any]:
    found = error.problems if isinstance(error, InputError) else ()
    found = error.detail if isinstance(error, ServiceError) else found
    problems = [[problem.place, problem.message] for problem in found]
    status = int(status_of(error))
    return {"kind": error.kind, "message": str(error), "problems": problems, "status": status}


if __name__ == "__main__":
    sys.exit(main())
