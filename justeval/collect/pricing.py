"""Prices for the models of a command: those given, and OpenRouter's own where it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from justeval.errors import ProviderError
from justeval.models.prices import Price, fetch_prices
from justeval.models.records import Endpoint

FREE = Price(0.0, 0.0)


def known_prices(
    endpoints: Sequence[Endpoint], given: Mapping[str, Price]
) -> tuple[dict[str, Price], dict[str, str]]:
    """Prices by the name a model is served under, and why a model has none, by model.

    The catalogue is asked for models of OpenRouter that have no price yet: no key and no prompt
    goes out for it. A model on this machine costs nothing.
    """
    prices, unpriced = dict(given), dict[str, str]()
    for endpoint in endpoints:
        name = endpoint.served_name
        if name in prices:
            continue
        if endpoint.kind in ("simulated", "local"):
            prices[name] = FREE
        elif endpoint.kind == "openrouter":
            try:
                catalogue = asyncio.run(fetch_prices(endpoint.base_url))
            except ProviderError as error:
                unpriced[endpoint.name] = str(error)
                continue
            prices |= {model: p for model, p in catalogue.items() if model not in prices}
        if name not in prices:
            unpriced[endpoint.name] = "no price; give --prices FILE"
    return prices, unpriced
