"""Planted interactions: what two values do together, beyond the sum of both effects.

In: the field `interactions` of an effects file, {LABEL×LABEL: {VALUE×VALUE: size}}, and the labels.
Out: sizes by pair of labels and pair of values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from justeval.labels import CROSS, Label, parts_of
from justeval.labels.located import Path_

LARGEST_EFFECT = 3.0
"""Of any planted effect, on log(months + 1)."""

Pair = tuple[str, str]
Interactions = Mapping[Pair, Mapping[Pair, float]]
Wrong = Callable[[Path_, str], None]


def read_interactions(raw: object, labels: tuple[Label, ...], wrong: Wrong) -> Interactions:
    """The interactions of a file; `wrong` is told the place of what cannot be used, and why."""
    if not isinstance(raw, dict):
        wrong(("interactions",), "must be a mapping from crossed labels to effects")
        return {}
    values = {label.id: [value.id for value in label.values] for label in labels}
    found = {}
    for name, sizes in raw.items():
        pair = parts_of(str(name))
        if pair is None or not values.keys() >= set(pair) or not isinstance(sizes, dict):
            wrong(("interactions", name), f"must be LABEL{CROSS}LABEL: a mapping")
            continue
        allowed = [(a, b) for a in values[pair[0]] for b in values[pair[1]]]
        found[pair] = _products(str(name), sizes, allowed, wrong)
    return found


def together(interactions: Interactions, stated: Mapping[str, str]) -> list[tuple[Pair, float]]:
    """The interactions of the values that a text states, by label: which labels, and how much."""
    found = []
    for labels, sizes in interactions.items():
        if all(label in stated for label in labels):
            size = sizes.get((stated[labels[0]], stated[labels[1]]), 0.0)
            found.append((labels, size))
    return found


def _products(
    name: str, sizes: dict[str, object], allowed: list[Pair], wrong: Wrong
) -> dict[Pair, float]:
    checked = {}
    for product, size in sizes.items():
        values, where = parts_of(str(product)), ("interactions", name, product)
        if values is None or values not in allowed:
            wrong(where, f"no such pair; write VALUE{CROSS}VALUE in the order of the labels")
        elif isinstance(size, bool) or not isinstance(size, int | float):
            wrong(where, f"{size!r}: must be a number on log(months + 1), e.g. 0.10")
        elif not abs(size) <= LARGEST_EFFECT:
            wrong(where, f"{size!r}: must lie between -3 and 3 on log(months + 1)")
        else:
            checked[values] = float(size)
    return checked
