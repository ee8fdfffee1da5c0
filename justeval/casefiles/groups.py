"""Cells that repeat, looked at once: rows grouped by equal cells, and the language of texts.

In: text arrays of one batch. Out: the different combinations of their cells, and each row's
combination. Work in Python grows with what is different, not with the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute

from justeval.cases import detect_language

pc: Any = pyarrow.compute
"""Without its types, which know fewer kinds of arrays than its functions take."""
Array: TypeAlias = Any
"""pa.Array, whose types do not know what its functions return."""
Integers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Groups:
    """`cells` are the different combinations; `of` gives for each row (n,) its combination."""

    cells: list[tuple[str | None, ...]]
    of: Integers

    def rows(self, at: int) -> list[int]:
        """The rows of one combination."""
        found: list[int] = np.flatnonzero(self.of == at).tolist()
        return found

    def spread(self, values: Sequence[object], kind: pa.DataType) -> Array:
        """One value a combination -> one a row."""
        rows: Array = pa.array(self.of, pa.int64())
        return pa.array(list(values), kind).take(rows)


def grouped(arrays: Sequence[Array], rows: int) -> Groups:
    """Groups rows by the cells of several arrays."""
    if len(arrays) == 1:
        encoded = arrays[0].dictionary_encode(null_encoding="encode")
        alone: list[tuple[str | None, ...]] = [(cell,) for cell in encoded.dictionary.to_pylist()]
        return Groups(alone, np.asarray(encoded.indices, dtype=np.int64))
    codes = np.zeros(rows, dtype=np.int64)
    words: list[list[str | None]] = []
    for array in arrays:
        encoded = array.dictionary_encode(null_encoding="encode")
        words.append(encoded.dictionary.to_pylist())
        codes = codes * max(len(words[-1]), 1) + np.asarray(encoded.indices, dtype=np.int64)
    different, of = np.unique(codes, return_inverse=True)
    cells = []
    for code in different.tolist():
        combination: list[str | None] = []
        for texts in reversed(words):
            code, at = divmod(code, max(len(texts), 1))
            combination.append(texts[at])
        cells.append(tuple(reversed(combination)))
    return Groups(cells, of.astype(np.int64))


def detected_languages(facts: Array) -> Array:
    """The language of each text (n,); only texts with enough bytes beyond ASCII are looked at.

    A Chinese character is three bytes, so a text that is Chinese by `detect_language`, a tenth of
    its characters, has at least a fifth more bytes than characters.
    """
    characters = np.asarray(pc.utf8_length(facts))
    extra = np.asarray(pc.binary_length(facts)) - characters
    languages = ["en"] * len(facts)
    for i in np.flatnonzero((extra >= 0.2 * characters) & (characters > 0)).tolist():
        languages[i] = detect_language(facts[i].as_py())
    return pa.array(languages, pa.string())
