"""What a model's tokens cost: from a file of prices, or from OpenRouter's catalogue.

In: a file, or the answer of GET /models. Out: a Price a model. Unknown is not 0: a model without
a price has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from justeval.errors import InputError, ProviderError
from justeval.models.connection import Connection
from justeval.models.secrets import Secrets

PER_MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a token of the prompt and of the reply, and a request."""

    prompt: float
    completion: float
    request: float = 0.0

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float:
        """The cost of one request in US dollars."""
        return self.request + self.prompt * prompt_tokens + self.completion * completion_tokens


def read_prices(path: Path) -> dict[str, Price]:
    """Prices by model from a file.

    Either `models: {NAME: {prompt: 0.15, completion: 0.60, request: 0}}` in US dollars a million
    tokens (and a request), or a catalogue as OpenRouter gives it (`data: [{id, pricing}]`, in
    dollars a token). Raises InputError that names file, model and field.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"{path}: neither YAML nor JSON in UTF-8") from error
    if isinstance(data, dict) and isinstance(data.get("data"), list):
        return catalogue_prices(data)
    models = data.get("models") if isinstance(data, dict) else None
    if not isinstance(models, dict):
        raise InputError(f"{path}: a file of prices holds `models:` with prices by model")
    return {str(name): _price(fields, f"{path}, model {name}") for name, fields in models.items()}


def _price(fields: object, place: str) -> Price:
    if not isinstance(fields, dict):
        raise InputError(f"{place}: must hold prompt and completion, dollars a million tokens")
    unknown = set(fields) - {"prompt", "completion", "request"}
    if unknown:
        raise InputError(
            f"{place}, field {min(map(str, unknown))}: unknown; see prompt, completion"
        )
    amounts = {name: _amount(fields.get(name)) for name in ("prompt", "completion")}
    for name, amount in amounts.items():
        if amount is None:
            raise InputError(f"{place}, field {name}: must be a number of at least 0")
    request = _amount(fields.get("request", 0))
    if request is None:
        raise InputError(f"{place}, field request: must be a number of at least 0")
    prompt, completion = (amount or 0.0 for amount in amounts.values())
    return Price(prompt / PER_MILLION, completion / PER_MILLION, request)


def catalogue_prices(data: Mapping[str, Any]) -> dict[str, Price]:
    """Prices by model from a catalogue; entries that state none are left out."""
    prices = {}
    for entry in data.get("data") or ():
        pricing = entry.get("pricing") if isinstance(entry, dict) else None
        if not isinstance(pricing, dict):
            continue
        prompt, completion = _amount(pricing.get("prompt")), _amount(pricing.get("completion"))
        request = _amount(pricing.get("request") or 0)
        if prompt is not None and completion is not None and request is not None:
            prices[str(entry.get("id"))] = Price(prompt, completion, request)
    return prices


async def fetch_prices(base_url: str) -> dict[str, Price]:
    """Prices from the catalogue of a provider; it is public and asked without a key.

    Raises ProviderError where there is none.
    """
    connection = Connection(base_url, Secrets(), timeout_seconds=20.0)
    try:
        received = await connection.get("/models")
    finally:
        await connection.close()
    try:
        data = json.loads(received.body)
    except (ValueError, RecursionError):
        data = None
    if received.status != 200 or not isinstance(data, dict):
        raise ProviderError(f"{base_url}/models: no catalogue of prices (status {received.status})")
    return catalogue_prices(data)


def _amount(value: object) -> float | None:
    """An amount of money, also as text; negative or not finite means unknown."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        amount = float(value)
    except (ValueError, OverflowError):
        return None
    return amount if 0 <= amount < 1e9 else None
