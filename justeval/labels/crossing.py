"""Two labels crossed: one label whose values are the pairs of theirs.

In: two labels. Out: a Label with a value for each pair, stated by both sentences one after the
other, at the place of the first label. It is asked, written and read like any other; only the
analysis takes the pairs apart again, to test whether the effects of the two simply add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from justeval.errors import UsageError
from justeval.labels.records import Label, Value

CROSS = "×"
"""Stands between two ids. No label's own id can hold it."""

_BETWEEN = "\n"
"""What stands between the two sentences."""


def crossed(first: Label, second: Label) -> Label:
    """The label of all pairs of values. It is left out of a case where either would be.

    Raises UsageError for a label with itself, or where a value's id holds the sign ×.
    """
    pair = f"{first.id},{second.id}"
    if first.id == second.id or first.crossed or second.crossed:
        raise UsageError(f"--cross {pair}: name two different labels, LABEL,LABEL")
    for value in (*first.values, *second.values):
        if CROSS in value.id:
            raise UsageError(f"--cross {pair}: the value {value.id!r} holds {CROSS}; rename it")
    return Label(
        id=CROSS.join((first.id, second.id)),
        pack=first.pack,
        pack_path=first.pack_path,
        name=_joined(first.name, second.name, f" {CROSS} "),
        actor=first.actor,
        category=first.category,
        demographic=first.demographic or second.demographic,
        placebo=first.placebo and second.placebo,
        kind="categorical",
        place=first.place,
        requires=tuple(dict.fromkeys((*first.requires, *second.requires))),
        excluded_charges=tuple(dict.fromkeys((*first.excluded_charges, *second.excluded_charges))),
        patterns={
            language: (*first.patterns.get(language, ()), *second.patterns.get(language, ()))
            for language in dict.fromkeys((*first.patterns, *second.patterns))
        },
        source="",
        reference=CROSS.join((first.reference, second.reference)),
        values=tuple(_pair(one, other) for one in first.values for other in second.values),
        forms={},
        template={},
        range=None,
        unit=None,
        n_values=first.n_values * second.n_values,
        crossed=(first.id, second.id),
    )


def with_crossed(labels: Sequence[Label], pairs: Sequence[tuple[str, str]]) -> tuple[Label, ...]:
    """The labels, and those that the pairs of ids cross. Raises UsageError where one is unknown."""
    known = {label.id: label for label in labels}
    for pair in pairs:
        for label in pair:
            if label not in known:
                raise UsageError(
                    f"--cross {','.join(pair)}: {label!r} is not among the labels asked; name it "
                    "in --labels"
                )
    made = {one.id: one for one in (crossed(known[a], known[b]) for a, b in pairs)}
    return (*labels, *made.values())


def parts_of(name: str) -> tuple[str, str] | None:
    """The two ids of a crossed label, or of a pair of values; None where it is none."""
    first, sign, second = name.partition(CROSS)
    return (first, second) if sign and first and second and CROSS not in second else None


def is_crossed(label_id: str) -> bool:
    """Whether a label of a table is two labels crossed, as `justeval collect --cross` names it."""
    return parts_of(label_id) is not None


def _pair(one: Value, other: Value) -> Value:
    return Value(
        id=CROSS.join((one.id, other.id)),
        name=_joined(one.name, other.name, f" {CROSS} "),
        sentence=_joined(one.sentence, other.sentence, _BETWEEN),
    )


def _joined(one: Mapping[str, str], other: Mapping[str, str], between: str) -> dict[str, str]:
    """Texts in the languages that both have."""
    return {lang: f"{one[lang]}{between}{other[lang]}" for lang in one if lang in other}
