"""Faults planted in sound predictions: what would a diagnosis of a run like this one find?

In: predictions (and variants) without faults, a kind of fault, and the share of documents that
shall have it. Out: the same with the fault in a random model, label and value, and where it was
put. An auditor plants faults in a run of their own to learn how small a fault must be to escape;
the project's simulation does the same with made-up runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from justeval.diagnose import records
from justeval.diagnose.planted import Place, Planted
from justeval.errors import UsageError
from justeval.estimate.encoding import encode
from justeval.estimate.records import Codes

SAID = ("status", "guilty", "penalty", "months", "decision", "probability", "charge", "reply")
"""What belongs to a reply and moves with it."""

LONGER = 1.25
"""Drift: replies grow by this factor."""

ENORMOUS = 4.0
"""Influence: a few documents whose terms grow by this factor."""


def plant(
    predictions: pa.Table,
    variants: pa.Table | None,
    kind: str,
    share: float,
    rng: np.random.Generator,
) -> Planted:
    """Plant a fault of one of FAULTS in `share` of the documents of a random label and value.

    predictions : in the shape of schema.PREDICTIONS, with positions. Faults of texts need
    variants. Raises UsageError for an unknown kind.
    """
    if kind not in FAULTS:
        raise UsageError(f"no fault {kind!r}: the faults are {', '.join(FAULTS)}")
    codes = encode(predictions)
    model = codes.model.names[int(rng.integers(len(codes.model.names)))]
    label = codes.label.names[int(rng.integers(len(codes.label.names)))]
    of_label = codes.label.codes == codes.label.code_of(label)
    of_label &= codes.model.codes == codes.model.code_of(model)
    value = codes.value.names[int(rng.choice(np.unique(codes.value.codes[of_label])))]
    rows = np.flatnonzero(of_label & (codes.value.codes == codes.value.code_of(value)))
    hit = rng.choice(rows, size=max(1, round(share * rows.size)), replace=False)
    place = Place(predictions, variants, codes, model, label, value, np.sort(hit), share, rng)
    return replace(FAULTS[kind](place), kind=kind)


def _identical(place: Place) -> Planted:
    return place.with_cells(place.rows, **_some_reply(place))


def _some_reply(place: Place) -> dict[str, Any]:
    """A readable reply to some document, the same for all."""
    while True:
        row = int(place.rng.choice(place.of_model()))
        said = {name: place.predictions.column(name)[row].as_py() for name in SAID}
        if said["status"] == "ok" and said["months"]:
            return said


def _identical_stretch(place: Place) -> Planted:
    rows = place.stretch()
    planted = place.with_cells(rows, **_some_reply(place))
    return replace(planted, label=None, value=None)


def _identical_place(place: Place) -> Planted:
    """As in the published file: the documents listed the other way round have one reply."""
    listed = _listed(place)
    return replace(_identical(listed), rows=place.rows)


def _listed(place: Place) -> Place:
    """Positions document by document, values in one order; the value first in the rows hit,
    last everywhere else."""
    codes = place.codes
    last = codes.value.codes == codes.value.code_of(place.value)
    rank = np.where(last, len(codes.value.names), codes.value.codes)
    rank[place.rows] = -1
    order = np.lexsort((rank, codes.label.codes, codes.document.codes, codes.model.codes))
    position = np.empty(order.size, dtype=np.int64)
    position[order] = np.arange(order.size)
    at = place.predictions.column_names.index("position")
    table = place.predictions.set_column(at, "position", pa.array(position))
    return replace(place, predictions=table)


def _other_case(place: Place) -> Planted:
    """Each reply is one to another document."""
    others = place.rng.choice(place.of_model(), size=place.rows.size)
    cells = {
        name: [place.predictions.column(name)[int(row)].as_py() for row in others] for name in SAID
    }
    return place.with_cells(place.rows, **cells)


def _order(place: Place) -> Planted:
    listed = _listed(place)
    return replace(place.planted(listed.predictions, place.rows), value=None)


def _missing(place: Place) -> Planted:
    keep = np.ones(place.codes.rows, dtype=np.bool_)
    keep[place.rows] = False
    return place.planted(place.predictions.filter(pa.array(keep)), place.rows[:0])


def _duplicate(place: Place) -> Planted:
    twice = place.predictions.take(pa.array(place.rows, pa.int64()))
    rows = place.codes.rows + np.arange(place.rows.size)
    return place.planted(pa.concat_tables([place.predictions, twice]), rows)


def _unanswered(status: str) -> Callable[[Place], Planted]:
    def planted(place: Place) -> Planted:
        nothing = dict.fromkeys(("guilty", "penalty", "months", "charge"))
        return place.with_cells(place.rows, status=status, **nothing)

    return planted


def _left(place: Place) -> Planted:
    return place.with_cells(place.rows, status="ok", guilty=True, penalty="life", months=None)


def _server(column: str) -> Callable[[Place], Planted]:
    def planted(place: Place) -> Planted:
        known = [name for name in place.predictions.column(column).unique().to_pylist() if name]
        return place.with_cells(place.rows, **{column: known[-1] if len(known) > 1 else "other"})

    return planted


def _drift(place: Place) -> Planted:
    rows = place.stretch()
    planted = place.with_cells(rows, months=_scaled(place, rows, LONGER))
    return replace(planted, label=None, value=None)


def _influence(place: Place) -> Planted:
    planted = place.with_cells(place.rows, months=_scaled(place, place.rows, ENORMOUS))
    return replace(planted, value=None)


def _scaled(place: Place, rows: Codes, factor: float) -> list[float | None]:
    months = [place.predictions.column("months")[int(row)].as_py() for row in rows]
    return [None if term is None else float(round(factor * term)) for term in months]


def _text(change: Callable[[str, int, int], str]) -> Callable[[Place], Planted]:
    """The texts of the versions hit are changed by `change(text, edit_start, edit_end)`."""

    def planted(place: Place) -> Planted:
        if place.variants is None:
            raise UsageError("a fault of texts needs the variants of the run")
        documents = place.predictions.column("case_id").take(pa.array(place.rows, pa.int64()))
        hit = set(documents.to_pylist())
        names = ("case_id", "label", "value", "text", "edit_start", "edit_end")
        cells = zip(*(place.variants.column(name).to_pylist() for name in names), strict=True)
        texts = [
            change(text, start, end)
            if (label, value) == (place.label, place.value) and case_id in hit
            else text
            for case_id, label, value, text, start, end in cells
        ]
        at = place.variants.column_names.index("text")
        changed = place.variants.set_column(at, "text", pa.array(texts, pa.string()))
        same = place.codes.value.codes == place.codes.value.code_of(place.value)
        same &= place.codes.label.codes == place.codes.label.code_of(place.label)
        documents_hit = np.isin(place.codes.document.codes, place.codes.document.codes[place.rows])
        rows = np.flatnonzero(same & documents_hit)  # whatever the model: all read the same text
        return replace(place.planted(place.predictions, rows), variants=changed)

    return planted


def _cut(text: str, start: int, end: int) -> str:
    """The text up to the middle of its facts."""
    return text[: (end + len(text)) // 2] if end < len(text) else text[: start // 2]


def _translated(text: str, start: int, end: int) -> str:
    """The same length in the other script."""
    chinese = any("\u4e00" <= sign <= "\u9fff" for sign in text)
    return ("The facts of the case. " if chinese else "本案事实如下。") * (1 + len(text) // 7)


def _altered(text: str, start: int, end: int) -> str:
    middle = (end + len(text)) // 2 if end < len(text) else start // 2
    return f"{text[:middle]} *** {text[middle:]}"


FAULTS: dict[str, Callable[[Place], Planted]] = {
    records.IDENTICAL_REPLY: _identical,
    "identical_reply in one place": _identical_place,
    "identical_reply in one stretch": _identical_stretch,
    records.CHARGE_MISFIT: _other_case,
    records.ORDER: _order,
    records.TEXT_DIFFERS: _text(_altered),
    records.TEXT_EMPTY: _text(lambda text, start, end: ""),
    records.TEXT_CUT: _text(_cut),
    records.TEXT_LANGUAGE: _text(_translated),
    records.MISSING_VERSION: _missing,
    records.DUPLICATE: _duplicate,
    records.LEFT_SAMPLE: _left,
    records.REFUSED: _unanswered("refused"),
    records.UNREADABLE: _unanswered("unparsable"),
    records.SERVED_BY: _server("served_by"),
    records.MODEL_VERSION: _server("model_version"),
    records.DRIFT: _drift,
    records.INFLUENCE: _influence,
}
"""Every fault that can be planted; the kind of finding it should lead to is its first word."""
