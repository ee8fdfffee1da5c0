"""Endpoints -> models that can be asked; simulated ones get their server first."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from justeval.models.addresses import AddressRules
from justeval.models.chat import ChatModel
from justeval.models.records import Endpoint, Model
from justeval.models.secrets import Secrets, secrets_of
from justeval.models.simulated import load_profile, running_server

DEFAULT_PROFILE = "planted"


def profiles_of(endpoints: Sequence[Endpoint]) -> list[str]:
    """The profiles of the simulated models among endpoints as they were named."""
    return [e.served_name or DEFAULT_PROFILE for e in endpoints if e.kind == "simulated"]


def with_served_names(endpoints: Sequence[Endpoint]) -> tuple[Endpoint, ...]:
    """Endpoints whose simulated models carry the names under which their server serves them."""
    return tuple(_served(e) if e.kind == "simulated" else e for e in endpoints)


def _served(endpoint: Endpoint) -> Endpoint:
    served = f"simulated-{load_profile(endpoint.served_name or DEFAULT_PROFILE).name}"
    aliased = endpoint.name != endpoint.served_name
    return replace(endpoint, name=endpoint.name if aliased else served, served_name=served)


@contextlib.contextmanager
def opened(
    endpoints: Sequence[Endpoint],
    profiles: Sequence[str],
    timeout_seconds: float = 120.0,
    key_file: Mapping[str, str] | None = None,
    rules: AddressRules | None = None,
) -> Iterator[Callable[[Endpoint], Model]]:
    """Gives a function that opens one endpoint's model; `profiles` are served while it lasts.

    `rules` hold for callers that are not the local user. Raises UsageError where a key is missing
    or an address is forbidden, before anything is asked.
    """
    asked = [endpoint for endpoint in endpoints if endpoint.kind != "simulated"]
    secrets = {endpoint.name: secrets_of(endpoint, key_file) for endpoint in asked}
    if rules:
        for endpoint in asked:
            rules.check_url(endpoint.base_url)
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(running_server(profiles)) if profiles else ""

        def open_model(endpoint: Endpoint) -> Model:
            if endpoint.kind == "simulated":
                return ChatModel(replace(endpoint, base_url=address), Secrets(), timeout_seconds)
            return ChatModel(endpoint, secrets[endpoint.name], timeout_seconds, rules)

        yield open_model
