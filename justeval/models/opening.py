"""Endpoints -> models that can be asked; simulated ones get their server first."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from justeval.models.chat import ChatModel, key_of
from justeval.models.records import Endpoint, Model
from justeval.models.simulated import load_profile, running_server

DEFAULT_PROFILE = "planted"


def with_served_names(endpoints: Sequence[Endpoint]) -> tuple[Endpoint, ...]:
    """Endpoints whose simulated models carry the names under which their server serves them."""
    return tuple(
        replace(endpoint, name=served, served_name=served)
        if endpoint.kind == "simulated"
        and (served := f"simulated-{load_profile(endpoint.name or DEFAULT_PROFILE).name}")
        else endpoint
        for endpoint in endpoints
    )


@contextlib.contextmanager
def opened(
    endpoints: Sequence[Endpoint], profiles: Sequence[str], timeout_seconds: float = 120.0
) -> Iterator[Callable[[Endpoint], Model]]:
    """Gives a function that opens one endpoint's model; `profiles` are served while it lasts.

    Raises UsageError where a key is missing, before anything is asked.
    """
    keys = {e.name: key_of(e) for e in endpoints if e.kind != "simulated"}
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(running_server(profiles)) if profiles else ""

        def open_model(endpoint: Endpoint) -> Model:
            if endpoint.kind == "simulated":
                return ChatModel(replace(endpoint, base_url=address), None, timeout_seconds)
            return ChatModel(endpoint, keys[endpoint.name], timeout_seconds)

        yield open_model
