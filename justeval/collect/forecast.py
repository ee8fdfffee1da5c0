"""What a run would ask: requests, tokens and cost, without asking.

In: a plan, and the run's folder where it is there already. Out: a forecast a model of what is
still missing. Tokens are estimates, marked as such; a cost without a price is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from justeval.collect.expectation import REPLY_TOKENS, estimated_tokens
from justeval.collect.plan import Plan, check_same_plan
from justeval.collect.standing import Standing, standings
from justeval.models.prices import Price
from justeval.prompts import Prompt
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

    Raises UsageError where the folder holds a run of other choices.
    """
    tokens, left_out = _tokens_by_text(plan)
    folder = RunFolder(path) if path is not None else None
    names = [endpoint.name for endpoint in plan.endpoints]
    standing: dict[str, Standing] = {name: Standing() for name in names}
    if folder is not None and folder.exists():
        check_same_plan(folder, plan)
        standing = standings(read_journal(folder.journal), names)
    models = tuple(
        _of_model(plan, tokens, standing[e.name], e.name, prices.get(e.served_name))
        for e in plan.endpoints
    )
    return Forecast(
        documents=len(plan.asked_cases),
        labels=len(plan.labels),
        texts=len(tokens),
        left_out=left_out,
        repetitions=plan.repetitions,
        models=models,
    )


def _tokens_by_text(plan: Plan) -> tuple[dict[str, float], int]:
    """The estimated tokens of each distinct text's prompt, and how much is left out."""
    prompts: dict[str, Prompt] = {prompt.language: prompt for prompt in plan.prompts}
    language_of = {case.case_id: case.language for case in plan.asked_cases}
    tokens: dict[str, float] = {}
    left_out = 0
    for item in make_variants(plan.asked_cases, plan.labels):
        if not isinstance(item, Variant):
            left_out += 1
        elif item.variant_id not in tokens:
            messages = prompts[language_of[item.case_id]].messages(item.text)
            tokens[item.variant_id] = estimated_tokens(messages)
    return tokens, left_out


def _of_model(
    plan: Plan, tokens: Mapping[str, float], standing: Standing, name: str, price: Price | None
) -> ModelForecast:
    requests = len(tokens) * plan.repetitions
    missing = max(0, requests - standing.answers)
    seen = standing.counted
    prompt = standing.prompt_tokens / seen if seen else sum(tokens.values()) / max(len(tokens), 1)
    reply = standing.completion_tokens / seen if seen else REPLY_TOKENS
    most = plan.parameters.max_tokens
    per_answer = standing.cost_usd / standing.answers if standing.cost_usd is not None else None
    one = price.cost(prompt, min(reply, most or reply)) if price else per_answer
    return ModelForecast(
        model=name,
        requests=requests,
        missing=missing,
        prompt_tokens=round(missing * prompt),
        completion_tokens=round(missing * reply),
        cost_usd=None if one is None else missing * one,
        most_cost_usd=missing * price.cost(prompt, most) if price and most else None,
        spent_usd=standing.cost_usd,
    )
