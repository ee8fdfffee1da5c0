"""Endpoints -> models that can be asked; those on this machine get their server first."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from justeval.errors import UsageError
from justeval.models.addresses import AddressRules
from justeval.models.chat import ChatModel
from justeval.models.decision import DecisionModel
from justeval.models.local import LocalSettings, running_local_server, served_by_file
from justeval.models.local.process import LEAST_TIMEOUT_SECONDS
from justeval.models.records import Endpoint, Model
from justeval.models.secrets import Secrets, secrets_of
from justeval.models.simulated import load_profile, running_server

DEFAULT_PROFILE = "planted"


def profiles_of(endpoints: Sequence[Endpoint]) -> list[str]:
    """The profiles of the simulated models among endpoints as they were named."""
    return [e.served_name or DEFAULT_PROFILE for e in endpoints if e.kind == "simulated"]


def with_served_names(endpoints: Sequence[Endpoint]) -> tuple[Endpoint, ...]:
    """Endpoints of this machine's models carry the names under which their server serves them.

    Raises UsageError where there is no such profile or file.
    """
    return tuple(_served(endpoint) for endpoint in endpoints)


def _served(endpoint: Endpoint) -> Endpoint:
    if endpoint.kind == "local":
        return served_by_file(endpoint)
    if endpoint.kind != "simulated":
        return endpoint
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
    local: LocalSettings | None = None,
) -> Iterator[Callable[[Endpoint], Model]]:
    """Gives a function that opens one endpoint's model; servers on this machine run while it lasts.

    `profiles` are those of the simulated models. `rules` hold for callers that are not the local
    user. Raises UsageError where a key is missing or an address is forbidden, before anything is
    asked.
    """
    asked = [endpoint for endpoint in endpoints if not endpoint.on_this_machine]
    secrets = {endpoint.name: secrets_of(endpoint, key_file) for endpoint in asked}
    if rules:
        for endpoint in endpoints:
            _check_rules(endpoint, rules)
    with contextlib.ExitStack() as stack:
        simulated = stack.enter_context(running_server(profiles)) if profiles else ""
        address = {
            endpoint.name: stack.enter_context(
                running_local_server(endpoint, local or LocalSettings())
            )
            for endpoint in endpoints
            if endpoint.kind == "local"
        }

        def open_model(endpoint: Endpoint) -> Model:
            if endpoint.kind == "decision":
                return DecisionModel(endpoint, secrets[endpoint.name], timeout_seconds, rules)
            if not endpoint.on_this_machine:
                return ChatModel(endpoint, secrets[endpoint.name], timeout_seconds, rules)
            own = replace(endpoint, base_url=address.get(endpoint.name, simulated))
            patient = endpoint.kind == "local"
            timeout = max(timeout_seconds, LEAST_TIMEOUT_SECONDS) if patient else timeout_seconds
            return ChatModel(own, Secrets(), timeout)

        yield open_model


def _check_rules(endpoint: Endpoint, rules: AddressRules) -> None:
    if endpoint.kind == "local":
        raise UsageError(f"{endpoint.name}: a model's file is for the local user alone")
    if not endpoint.on_this_machine:
        rules.check_url(endpoint.base_url)
