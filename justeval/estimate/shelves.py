"""The rows of labels, to be had a group at a time: those of one model and one label.

In: what `placing` judged. Out: the Rows of a group, in the order of their cells. Where nearly all
combinations of a group's values and documents were answered, every row has a place of its own and
nothing has to be sorted (`Shelves`); other tables are `Sorted`.

Groups are asked for where they are needed: the processes that judge models side by side take their
own, and what is made of them is never held for all models at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from justeval.estimate.encoding import PLACES_PER_ROW, Encoded
from justeval.estimate.records import Codes, Floats

THERE, KEPT, COMPARABLE, MARKED = 1, 2, 4, 8
"""What a place says of its row: that there is one, that it is in the main sample, that its answer
can be compared, that its value is marked as the reference."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one group, (N,) each, sorted by document, value and repetition."""

    document: Codes
    value: Codes
    months: Floats
    true_months: Floats

    def at(self, places: Codes | slice) -> Rows:
        """Some of them."""
        return Rows(
            self.document[places],
            self.value[places],
            self.months[places],
            self.true_months[places],
        )


class GroupedRows(Protocol):
    """Where the rows of labels are. repeated : whether a cell may have several rows."""

    @property
    def repeated(self) -> bool: ...

    def kept(self, group: int) -> Rows:
        """The rows of a group in the main sample."""

    def comparable(self, group: int) -> Rows:
        """The rows of a group whose answers state months, of whatever kind and length."""

    def documents(self) -> Codes:
        """Ascending codes of the documents that have a row in the main sample."""

    def marked(self) -> tuple[Codes, Codes]:
        """Groups, and the values marked as reference in them."""


@dataclass(frozen=True, slots=True)
class Shelves:
    """A place for every combination of value, repetition and document in each group, in this order.

    starts : (groups + 1,) where a group's places begin. first : (L, V) where those of a value begin
    among its model's; per_model : their number. values : codes of the values of each label.
    per_row : documents, the places of one value and repetition. months, true_months, state : (P,)
    what the rows brought.
    """

    starts: Codes
    first: Codes
    per_model: int
    values: tuple[Codes, ...]
    repetitions: int
    per_row: int
    months: Floats
    true_months: Floats
    state: npt.NDArray[np.uint8]

    @property
    def repeated(self) -> bool:
        """Whether a cell may have several rows."""
        return self.repetitions > 1

    def kept(self, group: int) -> Rows:
        """The rows of a group in the main sample."""
        return self._rows(group, KEPT)

    def comparable(self, group: int) -> Rows:
        """The rows of a group whose answers state months, of whatever kind and length."""
        return self._rows(group, COMPARABLE)

    def documents(self) -> Codes:
        """Ascending codes of the documents that have a row in the main sample."""
        if self.state.size == 0:
            return np.zeros(0, dtype=np.int64)
        by_document = np.bitwise_or.reduce(self.state.reshape(-1, self.per_row), axis=0)
        return np.flatnonzero(by_document & KEPT)

    def marked(self) -> tuple[Codes, Codes]:
        """Groups, and the values marked as reference in them; each once."""
        if self.state.size == 0:
            return NO_ROWS.document, NO_ROWS.value
        stretch = self.per_row * self.repetitions
        by_version = np.bitwise_or.reduce(self.state.reshape(-1, stretch), axis=1)
        version = np.flatnonzero(by_version & MARKED)
        group = np.searchsorted(self.starts, version * stretch, side="right") - 1
        value = np.concatenate(self.values)
        return group, value[version % value.size]

    def _rows(self, group: int, flag: int) -> Rows:
        here = slice(int(self.starts[group]), int(self.starts[group + 1]))
        value = np.repeat(self.values[group % len(self.values)], self.repetitions)
        if value.size == 0:
            return NO_ROWS
        at = np.flatnonzero((self.state[here] & flag).reshape(value.size, -1).T)
        document, place = np.divmod(at, value.size)
        source = place * self.per_row + document
        return Rows(
            document,
            value[place],
            self.months[here][source],
            self.true_months[here][source],
        )


def shelves_for(rows: Encoded) -> Shelves | None:
    """Empty shelves for all rows; None where most places would stay empty."""
    labels, values = len(rows.label.names), len(rows.value.names)
    documents, models = len(rows.document.names), len(rows.model.names)
    there = np.zeros(labels * values, dtype=np.bool_)
    for where in rows.blocks():
        label, value = rows.label.part(where).codes, rows.value.part(where).codes
        there[(label * values + value)[(label >= 0) & (value >= 0)]] = True
    by_label = there.reshape(labels, values)
    repetitions = int(rows.repetition.max(initial=0)) + 1
    width = np.count_nonzero(by_label, axis=1)
    per_model = int(width.sum()) * repetitions * documents
    places = per_model * models
    if places > PLACES_PER_ROW * rows.rows or int(rows.repetition.min(initial=0)) < 0:
        return None
    return Shelves(
        starts=np.append(0, np.cumsum(np.tile(width * repetitions * documents, models))),
        first=((np.cumsum(there) - 1) * repetitions * documents).reshape(labels, values),
        per_model=per_model,
        values=tuple(np.flatnonzero(own) for own in by_label),
        repetitions=repetitions,
        per_row=documents,
        months=np.empty(places),
        true_months=np.empty(places),
        state=np.zeros(places, dtype=np.uint8),
    )


@dataclass(frozen=True, slots=True)
class Sorted:
    """Rows that were sorted by group: those in the main sample, and those that can be compared,
    with (groups + 1,) where a group's begin. references : groups and values of rows so marked."""

    main: Rows
    main_starts: Codes
    compared: Rows
    compared_starts: Codes
    references: tuple[Codes, Codes]

    @property
    def repeated(self) -> bool:
        """Whether a cell may have several rows."""
        return True

    def kept(self, group: int) -> Rows:
        """The rows of a group in the main sample."""
        return self.main.at(slice(*self.main_starts[group : group + 2]))

    def comparable(self, group: int) -> Rows:
        """The rows of a group whose answers state months, of whatever kind and length."""
        return self.compared.at(slice(*self.compared_starts[group : group + 2]))

    def documents(self) -> Codes:
        """Ascending codes of the documents that have a row in the main sample."""
        return np.flatnonzero(np.bincount(self.main.document))

    def marked(self) -> tuple[Codes, Codes]:
        """Groups, and the values marked as reference in them; often several times."""
        return self.references


NO_ROWS = Rows(*(np.zeros(0, dtype=np.int64),) * 2, *(np.zeros(0),) * 2)
