"""An order -> what it would ask, cost and find, or what is wrong with it. Nothing is sent.

In: an order, and the folders of the service. Out: counts. Tokens are estimated from characters:
about four of English, or one and a half of Chinese, a token.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from justeval.cases import Case
from justeval.inference import Plan as PowerPlan
from justeval.inference import documents_needed, power_of
from justeval.models.addresses import AddressRules
from justeval.models.records import Endpoint
from justeval.models.secrets import secrets_of
from justeval.variants import Skipped, make_variants
from justeval_api.jobs.orders import Order, Ordered, plan_of
from justeval_api.jobs.places import Places

CHARACTERS_A_TOKEN = {"zh": 1.5}
OTHER_CHARACTERS_A_TOKEN = 4.0
TOKENS_AN_ANSWER = 80


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
    prices: Mapping[str, Mapping[str, float]],
    power: Mapping[str, float],
) -> dict[str, Any]:
    """Requests, tokens, cost and power of an order."""
    plan = _ordered(order, places, allowed).plan
    prompt_of = {prompt.language: prompt for prompt in plan.prompts}
    skipped: Counter[str] = Counter()
    texts, variants, tokens = set[str](), 0, 0
    around = {
        language: sum(len(message["content"]) for message in prompt.messages(""))
        for language, prompt in prompt_of.items()
    }
    for case, item in _variants(plan.asked_cases, ordered_labels=plan.labels):
        if isinstance(item, Skipped):
            skipped[item.kind] += 1
            continue
        variants += 1
        if item.variant_id not in texts:
            texts.add(item.variant_id)
            tokens += _tokens(around[case.language] + len(item.text), case.language)
    requests = len(texts) * plan.repetitions
    models = [
        _model(endpoint, requests, tokens * plan.repetitions, plan.parameters.max_tokens, prices)
        for endpoint in plan.endpoints
    ]
    costs = [model["cost_usd"] for model in models]
    return {
        "dataset": order["dataset"],
        "documents": len(plan.asked_cases),
        "labels": [label.id for label in plan.labels],
        "variants": variants,
        "texts": len(texts),
        "repetitions": plan.repetitions,
        "requests": requests * len(models),
        "prompt_tokens": sum(model["prompt_tokens"] for model in models),
        "completion_tokens": sum(model["completion_tokens"] for model in models),
        "cost_usd": None if None in costs else sum(costs),
        "models": models,
        "skipped": dict(skipped.most_common()),
        "prompts": [prompt.id for prompt in plan.prompts],
        "power": _power(power, len(plan.asked_cases), len(plan.labels), plan.repetitions),
    }


def _ordered(order: Order, places: Mapping[str, str], allowed: list[str] | None) -> Ordered:
    where = Places(*(Path(places[name]) for name in ("datasets", "packs", "prompts")))
    rules = None if allowed is None else AddressRules.allowing(allowed)
    with tempfile.TemporaryDirectory(prefix="justeval-") as scratch:
        return plan_of(order, where, Path(scratch), rules)


def _variants(cases: tuple[Case, ...], ordered_labels: Any) -> Iterator[tuple[Case, Any]]:  # noqa: ANN401
    by_id = {case.case_id: case for case in cases}
    for item in make_variants(cases, ordered_labels):
        yield by_id[item.case_id], item


def _tokens(characters: int, language: str) -> int:
    return round(characters / CHARACTERS_A_TOKEN.get(language, OTHER_CHARACTERS_A_TOKEN))


def _model(
    endpoint: Endpoint,
    requests: int,
    prompt_tokens: int,
    max_tokens: int | None,
    prices: Mapping[str, Mapping[str, float]],
) -> dict[str, Any]:
    completion = requests * min(TOKENS_AN_ANSWER, max_tokens or TOKENS_AN_ANSWER)
    price = prices.get(endpoint.name) or prices.get(endpoint.served_name)
    cost = 0.0 if endpoint.kind == "simulated" else None
    if price is not None:
        cost = (prompt_tokens * price["prompt_usd"] + completion * price["completion_usd"]) / 1e6
    return {
        "model": endpoint.name,
        "requests": requests,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion,
        "cost_usd": cost,
    }


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
