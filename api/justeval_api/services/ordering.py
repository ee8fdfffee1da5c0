"""A request for a run -> an order: all of it but the keys, ready to be kept on disk.

In: a request as it was validated. Out: an order, and the keys by the place of their model.
"""

from __future__ import annotations

from typing import Any

from justeval_api.errors import InvalidError
from justeval_api.schemas.datasets import Dataset
from justeval_api.schemas.runs import Choices

NOT_IN_AN_ORDER = {"effect", "responding", "noise", "alpha"}


def order_of(body: Choices, dataset: Dataset) -> dict[str, Any]:
    """The order of a request. A key is left out by name: an order is written to disk."""
    order = body.model_dump(exclude=NOT_IN_AN_ORDER | {"models"})
    order["models"] = [choice.model_dump(exclude={"key"}) for choice in body.models]
    order["labels"] = list(body.labels) or list(dataset.labels)
    return order


def keys_of(body: Choices) -> dict[int, str]:
    """The keys that came with a request, by the place of their model.

    Raises InvalidError, without the key, where one fits no header.
    """
    given = {i: choice.key for i, choice in enumerate(body.models) if choice.key is not None}
    keys = {i: key.get_secret_value().strip() for i, key in given.items()}
    for i, key in keys.items():
        check_key(f"models[{i}].key", key)
    return {i: key for i, key in keys.items() if key}


def check_key(place: str, key: str) -> None:
    """Raises InvalidError, without the key, where it fits no header."""
    if not key.isascii() or (key and not key.isprintable()):
        raise InvalidError(f"{place}: holds characters that cannot stand in a header")
