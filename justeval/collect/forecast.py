"""What a run would ask: requests, tokens and cost, without asking.

In: a plan, and the run's folder where it is there already. Out: a forecast a model of what is
still missing. Tokens are estimates, marked as such; a cost without a price is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from justeval.collect.expectation import REPLY_TOKENS, estimated_tokens
from justeval.collect.plan import Plan, check_same_plan
from justeval.collect.standing import Standing, standings
from justeval.collect.structured import check_askable
from justeval.models.prices import Price
from justeval.models.records import Endpoint
from justeval.runs import RunFolder, read_journal
from justeval.variants import Variant, make_variants


@dataclass(frozen=True, slots=True)
class ModelForecast:
    """What one model would be asked.

    `prompt_tokens` and `completion_tokens` are estimates, from the run's own answers where it has
    some. `cost_usd` is the cost of what is missing, None without a price; `spent_usd` is what the
    run has cost so far; `most_cost_usd` holds if every reply were as long as is allowed.
    """

    model: str
    requests: int
    missing: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    most_cost_usd: float | None
    spent_usd: float | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run would ask. `texts` are distinct; `left_out` are pairs of case and label."""

    documents: int
    labels: int
    texts: int
    left_out: int
    repetitions: int
    models: tuple[ModelForecast, ...]

    def as_json(self) -> dict[str, Any]:
        """The forecast by name, with totals."""
        costs = [model.cost_usd for model in self.models]
        known = None if None in costs else sum(cost or 0.0 for cost in costs)
        return {
            **asdict(self),
            "models": [asdict(model) for model in self.models],
            "requests": sum(model.missing for model in self.models),
            "cost_usd": known,
        }


def forecast(plan: Plan, path: Path | None, prices: Mapping[str, Price]) -> Forecast:
    """What collecting by a plan would ask; of a run that is there, only what is missing.

    Raises UsageError where a model cannot be asked with these prompts, or where the folder holds a
    run of other choices.
    """
    check_askable(plan)
    texts = _texts(plan)
    folder = RunFolder(path) if path is not None else None
    names = [endpoint.name for endpoint in plan.endpoints]
    standing: dict[str, Standing] = {name: Standing() for name in names}
    if folder is not None and folder.exists():
        check_same_plan(folder, plan)
        standing = standings(read_journal(folder.journal), names)
    models = tuple(
        _of_model(plan, e, texts, standing[e.name], prices.get(e.served_name))
        for e in plan.endpoints
    )
    return Forecast(
        documents=len(plan.asked_cases),
        labels=len(plan.labels),
        texts=len(texts.seen),
        left_out=texts.left_out,
        repetitions=plan.repetitions,
        models=models,
    )


@dataclass(slots=True)
class _Texts:
    """What is distinct and what is left out; `tokens` estimates all prompts, by model."""

    tokens: dict[str, float]
    seen: set[str] = field(default_factory=set)
    left_out: int = 0


def _texts(plan: Plan) -> _Texts:
    templates = {
        e.name: {said.language: said for said in plan.templates(e)} for e in plan.endpoints
    }
    language_of = {case.case_id: case.language for case in plan.asked_cases}
    texts = _Texts(dict.fromkeys(templates, 0.0))
    for item in make_variants(plan.asked_cases, plan.labels):
        if not isinstance(item, Variant):
            texts.left_out += 1
        elif item.variant_id not in texts.seen:
            texts.seen.add(item.variant_id)
            for model, said in templates.items():
                messages = said[language_of[item.case_id]].messages(item.text)
                texts.tokens[model] += estimated_tokens(messages)
    return texts


def _of_model(
    plan: Plan, endpoint: Endpoint, texts: _Texts, standing: Standing, price: Price | None
) -> ModelForecast:
    requests = len(texts.seen) * plan.repetitions
    missing = max(0, requests - standing.answers)
    seen = standing.counted
    estimated = texts.tokens[endpoint.name] / max(len(texts.seen), 1)
    prompt = standing.prompt_tokens / seen if seen else estimated
    reply = standing.completion_tokens / seen if seen else REPLY_TOKENS
    most = plan.parameters.max_tokens
    per_answer = standing.cost_usd / standing.answers if standing.cost_usd is not None else None
    one = price.cost(prompt, min(reply, most or reply)) if price else per_answer
    return ModelForecast(
        model=endpoint.name,
        requests=requests,
        missing=missing,
        prompt_tokens=round(missing * prompt),
        completion_tokens=round(missing * reply),
        cost_usd=None if one is None else missing * one,
        most_cost_usd=missing * price.cost(prompt, most) if price and most else None,
        spent_usd=standing.cost_usd,
    )
