"""An order -> what it would ask, cost and find, or what is wrong with it. Nothing is sent.

In: an order, and the folders of the service. Out: counts, the same as `justeval collect --plan`.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justeval.collect import Plan
from justeval.collect.forecast import ModelForecast, forecast
from justeval.inference import Plan as PowerPlan
from justeval.inference import documents_needed, power_of
from justeval.models.addresses import AddressRules
from justeval.models.secrets import secrets_of
from justeval.variants import Skipped, make_variants
from justeval_api.jobs.orders import Order, Ordered, plan_of, prices_of
from justeval_api.jobs.places import Places


def check_order(
    order: Order, places: Mapping[str, str], allowed: list[str] | None, sent_keys: list[int]
) -> dict[str, Any]:
    """What the service must know of an order before it is taken. `sent_keys`: models, by place.

    Raises an error of the library where anything in it cannot be.
    """
    ordered = _ordered(order, places, allowed)
    plan = ordered.plan
    if allowed is None:
        for i, endpoint in enumerate(plan.endpoints):
            if i not in sent_keys and endpoint.kind != "simulated":
                secrets_of(endpoint)
    return {
        "models": [endpoint.name for endpoint in plan.endpoints],
        "addresses": [endpoint.base_url or None for endpoint in plan.endpoints],
        "question": plan.prompts[0].question,
        "title": plan.cases.title,
        "prompts": [prompt.id for prompt in plan.prompts],
    }


def plan_order(
    order: Order,
    places: Mapping[str, str],
    allowed: list[str] | None,
    power: Mapping[str, float],
) -> dict[str, Any]:
    """Requests, tokens, cost and power of an order: the forecast of `justeval collect --plan`."""
    plan = _ordered(order, places, allowed).plan
    found = forecast(plan, None, prices_of(order, plan.endpoints))
    models = [_model(model) for model in found.models]
    costs = [model["cost_usd"] for model in models]
    variants, skipped = _counted(plan)
    return {
        "dataset": order["dataset"],
        "documents": found.documents,
        "labels": [label.id for label in plan.labels],
        "variants": variants,
        "texts": found.texts,
        "repetitions": found.repetitions,
        "requests": sum(model["requests"] for model in models),
        "prompt_tokens": sum(model["prompt_tokens"] for model in models),
        "completion_tokens": sum(model["completion_tokens"] for model in models),
        "cost_usd": None if None in costs else sum(costs),
        "models": models,
        "skipped": skipped,
        "prompts": [prompt.id for prompt in plan.prompts],
        "power": _power(power, found.documents, found.labels, found.repetitions),
    }


def _ordered(order: Order, places: Mapping[str, str], allowed: list[str] | None) -> Ordered:
    where = Places(*(Path(places[name]) for name in ("datasets", "packs", "prompts")))
    rules = None if allowed is None else AddressRules.allowing(allowed)
    with tempfile.TemporaryDirectory(prefix="justeval-") as scratch:
        return plan_of(order, where, Path(scratch), rules)


def _counted(plan: Plan) -> tuple[int, dict[str, int]]:
    """Versions of all cases, and the pairs of case and label left out, by kind of reason."""
    skipped: Counter[str] = Counter()
    variants = 0
    for item in make_variants(plan.asked_cases, plan.labels):
        if isinstance(item, Skipped):
            skipped[item.kind] += 1
        else:
            variants += 1
    return variants, dict(skipped.most_common())


def _model(model: ModelForecast) -> dict[str, Any]:
    names = ("model", "requests", "prompt_tokens", "completion_tokens", "cost_usd", "most_cost_usd")
    return {name: getattr(model, name) for name in names}


def _power(
    asked: Mapping[str, float], documents: int, labels: int, repetitions: int
) -> dict[str, Any]:
    plan = PowerPlan(
        effect=asked["effect"],
        responding=asked["responding"],
        documents=documents,
        labels=labels,
        repetitions=repetitions,
        noise=asked["noise"],
        alpha=asked["alpha"],
    )
    known = power_of(plan) if documents >= 2 else None
    return {
        **asked,
        "labels": labels,
        "documents": documents,
        "repetitions": repetitions,
        "power": known.power if known else None,
        "standard_error": known.standard_error if known else None,
        "changed_needed": known.changed_needed if known else None,
        "documents_needed": documents_needed(plan),
    }
