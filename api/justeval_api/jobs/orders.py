"""What was asked for -> the plan of the library.

In: a request without keys (an order, as `request.json` keeps it) and places. Out: a plan and the
profiles of its simulated models; or an error that says which choice cannot be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from justeval.cases import CaseSet, load_cases
from justeval.collect import Plan, plan_prompts
from justeval.collect.pricing import FREE
from justeval.errors import UsageError
from justeval.labels import Label, find_label, load_pack
from justeval.models.addresses import AddressRules
from justeval.models.naming import endpoint_of
from justeval.models.opening import profiles_of, with_served_names
from justeval.models.prices import PER_MILLION, Price
from justeval.models.records import Endpoint, Parameters
from justeval.models.simulated.effects import profile_names
from justeval.prompts import Prompt, load_prompt
from justeval.resources import pack_names
from justeval_api.errors import InvalidError
from justeval_api.jobs.places import Places

Order = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ordered:
    """A plan, and the profiles that its simulated models are served by."""

    plan: Plan
    profiles: tuple[str, ...]


def plan_of(order: Order, places: Places, profiles: Path, rules: AddressRules | None) -> Ordered:
    """The plan of an order. `profiles` is the folder for planted effects that it states.

    Raises NotFoundError, UsageError or InputError that names what cannot be. `rules` hold for
    addresses where the caller is not the local user.
    """
    cases = load_cases(str(places.dataset(order["dataset"])))
    labels = labels_of(order["labels"] or cases.labels, places)
    named = endpoints_of(order, places, profiles, rules)
    endpoints = with_served_names(named)
    names = [endpoint.name for endpoint in endpoints]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InvalidError(f"models: {twice!r} stands twice; give one of them an alias")
    plan = Plan(
        cases=cases,
        labels=labels,
        endpoints=endpoints,
        prompts=prompts_of(order, cases, places),
        parameters=Parameters(order["temperature"], order["max_tokens"], order["seed"]),
        repetitions=order["repetitions"],
        limit=order["limit"],
        order_seed=order["seed"] or 0,
    )
    return Ordered(plan, tuple(profiles_of(named)))


def labels_of(tokens: Sequence[str], places: Places) -> tuple[Label, ...]:
    """Labels by pack, or by pack:label. Raises UsageError where two packs share a label's id."""
    found: dict[str, Label] = {}
    for token in tokens:
        pack_id, colon, label_id = token.partition(":")
        pack = load_pack(str(places.pack(pack_id)))
        for label in (find_label(pack.labels, label_id),) if colon else pack.labels:
            earlier = found.setdefault(label.id, label)
            if earlier.pack_path != label.pack_path:
                raise UsageError(
                    f"labels: {label.id!r} stands in {earlier.pack} and in {label.pack}; take one "
                    "of the packs, or single labels as pack:label"
                )
    if not found:
        raise InvalidError("labels: none named, and the case set names none either")
    return tuple(found.values())


def prompts_of(order: Order, cases: CaseSet, places: Places) -> tuple[Prompt, ...]:
    """The prompts of an order; own ones go before those shipped."""
    own = [load_prompt(str(places.prompt(prompt_id))) for prompt_id in order["prompts"]]
    for prompt in own:
        if prompt.language not in cases.languages:
            languages = ", ".join(cases.languages)
            raise InvalidError(
                f"prompts: {prompt.id} is in {prompt.language!r}; the cases are in {languages}"
            )
    asked = {prompt.question for prompt in own} | ({order["question"]} - {None})
    if len(asked) > 1:
        raise InvalidError(f"prompts ask different questions: {', '.join(sorted(asked))}")
    return plan_prompts(cases, asked.pop() if asked else cases.question, own)


def endpoints_of(
    order: Order, places: Places, profiles: Path, rules: AddressRules | None
) -> list[Endpoint]:
    """The endpoints of an order as they are named; addresses are checked by the rules."""
    endpoints = []
    for choice in order["models"]:
        if choice["kind"] == "simulated":
            endpoint = endpoint_of(f"simulated:{_profile(choice, order, places, profiles)}")
        else:
            endpoint = _addressed(choice)
            if rules is not None:
                rules.check_url(endpoint.base_url)
        endpoints.append(replace(endpoint, name=choice["alias"] or endpoint.name))
    return endpoints


def _addressed(choice: Order) -> Endpoint:
    kind, name = choice["kind"], choice["name"]
    if not name.strip() or not name.isprintable():
        raise InvalidError("models: a model at an address needs its name there")
    if kind == "openrouter" and choice["address"]:
        raise InvalidError(f"models: {name!r} is asked at OpenRouter; leave its address out")
    endpoint = endpoint_of(f"{kind}:{name}", choice["address"], choice["provider"])
    if endpoint.served_name != name:
        raise InvalidError(f"models: {name[:100]!r} is no name of a model")
    return endpoint


def _profile(choice: Order, order: Order, places: Places, profiles: Path) -> str:
    """The name of a shipped profile, or the file that the stated effects are written to."""
    name = choice["name"]
    if choice["effects"] is None:
        if name and name not in profile_names():
            known = ", ".join(profile_names())
            raise InvalidError(
                f"models: no simulated model {name[:100]!r}; there are {known}, or state effects"
            )
        return str(name)
    if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise InvalidError("models: a simulated model of one's own needs a name of letters and -")
    packs = {token.partition(":")[0] for token in order["labels"]}
    own = sorted(str(places.pack(pack).resolve()) for pack in packs if pack not in pack_names())
    profile: dict[str, Any] = {"name": name, "packs": [*pack_names(), *own]}
    if choice["noise_share"] is not None:
        profile["noise_share"] = choice["noise_share"]
    profile["effects"] = choice["effects"]
    profiles.mkdir(parents=True, exist_ok=True)
    file = profiles / f"{name}.yaml"
    file.write_text(json.dumps(profile), encoding="utf-8")
    return str(file)


def prices_of(order: Order, endpoints: Sequence[Endpoint]) -> dict[str, Price]:
    """Prices a token by the name that a model is served under; a simulated one costs nothing."""
    prices = {
        name: Price(price["prompt_usd"] / PER_MILLION, price["completion_usd"] / PER_MILLION)
        for name, price in order["prices"].items()
    }
    free = {e.served_name: FREE for e in endpoints if e.kind == "simulated"}
    return {**prices, **free}
