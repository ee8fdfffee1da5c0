"""The process that collects one run: `python -m justeval_api.jobs.child HOME`.

In: the home of a run (`request.json`), and one line of JSON on standard input: the keys that were
sent with the request, by model, and the addresses that are allowed. Out: the run's folder, and
`outcome.json`. It lives in a session of its own, so that it outlives a service that is killed; a
lock that it inherits says that it is alive. Keys are in its memory and nowhere else.
"""

from __future__ import annotations

import json
import math
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from justeval.collect import Bounds, Outcome, Speed, collect
from justeval.errors import JustevalError
from justeval.models.addresses import AddressRules
from justeval.models.opening import opened
from justeval.models.records import Endpoint
from justeval_api.jobs.orders import Order, plan_of, prices_of
from justeval_api.jobs.places import Places
from justeval_api.state.folders import RunHome, keep_json, read_json

STOPPED = 130


def main(words: list[str]) -> int:
    """Collects the run of a home; the exit code is that of `justeval collect`."""
    home = RunHome(Path(words[0]))
    given = json.loads(sys.stdin.readline() or "{}")
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        outcome = run(home, given.get("keys", {}), given.get("allowed"))
    except JustevalError as error:
        keep_json(home.outcome, {"error": {"kind": error.kind, "message": str(error)}})
        return error.exit_code
    except KeyboardInterrupt:
        keep_json(home.outcome, {"stopped": ["canceled"]})
        return STOPPED
    keep_json(
        home.outcome,
        {
            "requests": outcome.requests,
            "answered": outcome.answered,
            "complete": outcome.complete,
            "stopped": list(outcome.stopped),
        },
    )
    return 0


def run(home: RunHome, keys: Mapping[str, str], allowed: list[str] | None) -> Outcome:
    """Collects what is missing of a run. `allowed` None: the caller is the local user."""
    order = read_json(home.request)
    rules = None if allowed is None else AddressRules.allowing(allowed)
    ordered = plan_of(order, Places.of_run(home.path), home.profiles, rules)
    key_file: dict[str, str] = {}
    endpoints = tuple(
        _with_key(endpoint, choice, keys, key_file, local=rules is None)
        for endpoint, choice in zip(ordered.plan.endpoints, order["models"], strict=True)
    )
    plan = replace(ordered.plan, endpoints=endpoints)
    speed = Speed(order["concurrency"], order["requests_per_minute"], order["tokens_per_minute"])
    bounds = Bounds(
        most_usd=math.inf if order["max_cost_usd"] is None else order["max_cost_usd"],
        prices=prices_of(order, endpoints),
    )
    profiles, timeout = ordered.profiles, order["timeout_seconds"]
    with opened(endpoints, profiles, timeout, key_file=key_file, rules=rules) as open_model:
        return collect(plan, home.folder.path, open_model, speed, bounds=bounds)


def _with_key(
    endpoint: Endpoint,
    choice: Order,
    keys: Mapping[str, str],
    key_file: dict[str, str],
    local: bool,
) -> Endpoint:
    """The endpoint with the key that was sent for it, else with that of the environment.

    A caller from elsewhere who names an address of his own gets no key of this machine with it.
    """
    sent: Any = keys.get(endpoint.name)
    if endpoint.kind == "simulated":
        return endpoint
    if sent is not None:
        variable = f"KEY_{len(key_file)}_SENT_WITH_THE_REQUEST"
        key_file[variable] = sent
        return replace(endpoint, key_variable=variable)
    if choice["address"] and not local:
        return replace(endpoint, key_variable=None)
    return endpoint


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
