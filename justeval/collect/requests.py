"""A run's folder -> the requests of each model, in the shuffled order in which they are asked.

In: the texts of a run's variants. Out: requests, made one at a time. A million of them are arrays
of numbers and a file of texts, never a million objects.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from justeval.collect.plan import Plan
from justeval.errors import RunError
from justeval.models.records import Endpoint, Parameters
from justeval.prompts import Template
from justeval.runs import RunFolder
from justeval.variants import variant_id

Positions = npt.NDArray[np.int64]
KEY_DIGITS = 40
KEY_BYTES = KEY_DIGITS // 2
BATCH = 1024
"""Rows of a Parquet file that are read at once."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its key, its text and how often that text was asked before (repetition)."""

    key: str
    variant_id: str
    repetition: int
    position: int
    language: str
    text: str


def packed_key(key: str) -> bytes:
    """A key as bytes, of which a million take 20 MB; one of another make is hashed to the size."""
    try:
        packed = bytes.fromhex(key)
    except ValueError:
        packed = b""
    return packed if len(packed) == KEY_BYTES else hashlib.sha256(key.encode()).digest()[:KEY_BYTES]


class Keys:
    """Makes the keys of one model's requests with one prompt.

    A key is the hash of model, address, provider, parameters, prompt, text and repetition.
    Resuming goes by it alone, never by position or count.
    """

    def __init__(self, endpoint: Endpoint, parameters: Parameters, prompt: Template) -> None:
        choices = [
            endpoint.kind,
            endpoint.served_name,
            "" if endpoint.on_this_machine else endpoint.base_url,
            endpoint.body.get("provider"),
            parameters.as_json(),
            prompt.sha256,
        ]
        self._prefix = hashlib.sha256(json.dumps(choices, ensure_ascii=False)[:-1].encode())

    def key(self, text: str, repetition: int) -> str:
        """The key of a request, 40 hexadecimal digits."""
        hashed = self._prefix.copy()
        rest = f", {json.dumps(text, ensure_ascii=False)}, {repetition}]"
        hashed.update(rest.encode("utf-8", "surrogatepass"))
        return hashed.hexdigest()[:KEY_DIGITS]


class Texts:
    """The distinct texts of a run in a file of their own, read by number."""

    def __init__(self, folder: RunFolder, language_of: Mapping[str, str], file: IO[bytes]) -> None:
        self.languages: Sequence[str] = sorted(set(language_of.values()))
        self._file = file
        try:
            self._fill(pq.ParquetFile(folder.variants), language_of)
        except OSError as error:
            message = f"{folder.path}: cannot be written ({error.strerror or error})"
            raise RunError(message) from error

    def _fill(self, source: pq.ParquetFile, language_of: Mapping[str, str]) -> None:
        code_of = {language: code for code, language in enumerate(self.languages)}
        first, row = first_rows(source), 0
        ends, codes, end = array("q", [0]), bytearray(), 0
        for batch in _batches(source, ["case_id", "text"]):
            kept = batch.filter(pa.array(first[row : row + len(batch)]))
            row += len(batch)
            texts = [str(t).encode("utf-8", "surrogatepass") for t in kept["text"].to_pylist()]
            for text in texts:
                end += len(text)
                ends.append(end)
            codes += bytes(code_of[language_of[str(case)]] for case in kept["case_id"].to_pylist())
            self._file.write(b"".join(texts))
        self._file.flush()
        self._ends, self._codes = ends, codes
        pa.default_memory_pool().release_unused()

    def __len__(self) -> int:
        return len(self._codes)

    def text(self, number: int) -> str:
        """A text by its number."""
        start, end = self._ends[number], self._ends[number + 1]
        data = os.pread(self._file.fileno(), end - start, start)
        return data.decode("utf-8", "surrogatepass")

    def language(self, number: int) -> str:
        """The language of a text."""
        return self.languages[self._codes[number]]


@contextlib.contextmanager
def texts_of(folder: RunFolder, language_of: Mapping[str, str]) -> Iterator[Texts]:
    """A run's texts; `language_of` gives a case's language. Their file has no name and goes with
    the process."""
    with tempfile.TemporaryFile(dir=folder.path) as file:
        yield Texts(folder, language_of, file)


def first_rows(source: pq.ParquetFile) -> npt.NDArray[np.bool_]:
    """For each row of a file of variants whether its text is met there for the first time."""
    packed = bytearray()
    for batch in _batches(source, ["variant_id"]):
        packed += bytes.fromhex("".join(str(one) for one in batch["variant_id"].to_pylist()))
    ids = np.frombuffer(packed, np.uint32).reshape(-1, 3)
    order = np.lexsort(ids.T)
    again = (ids[order[1:]] == ids[order[:-1]]).all(axis=1)
    first = np.ones(len(ids), np.bool_)
    first[order[1:][again]] = False
    return first


def _batches(source: pq.ParquetFile, columns: list[str]) -> Iterator[pa.RecordBatch]:
    return source.iter_batches(batch_size=BATCH, columns=columns, use_threads=False)


class Book:
    """The requests of one model: every text in every repetition, in the order of asking."""

    def __init__(self, plan: Plan, endpoint: Endpoint, texts: Texts) -> None:
        self._texts = texts
        self._keys = {
            said.language: Keys(endpoint, plan.parameters, said)
            for said in plan.templates(endpoint)
        }
        n = len(texts) * plan.repetitions
        self._order = np.random.default_rng(plan.order_seed).permutation(n)

    def __len__(self) -> int:
        return len(self._order)

    def request(self, position: int) -> Request:
        """The request at a position in the order of asking."""
        repetition, number = divmod(int(self._order[position]), len(self._texts))
        text, language = self._texts.text(number), self._texts.language(number)
        key = self._keys[language].key(text, repetition)
        return Request(key, variant_id(text), repetition, position, language, text)

    def requests(self, positions: Positions) -> Iterator[Request]:
        """The requests at these positions, made one by one as they are asked."""
        return (self.request(int(position)) for position in positions)

    def missing(self, answered: npt.NDArray[np.bytes_]) -> Positions:
        """Positions without an answer; `answered` are the packed keys of those that have one."""
        if len(answered) == 0:
            return np.arange(len(self))
        known, missing = np.sort(answered), array("q")
        for start in range(0, len(self), BATCH):
            positions = range(start, min(start + BATCH, len(self)))
            keys = np.array([packed_key(self.request(p).key) for p in positions], known.dtype)
            at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            missing.extend((start + np.flatnonzero(known[at] != keys)).tolist())
        return np.array(missing, np.int64)

    def numbers(self, positions: Positions) -> Positions:
        """The numbers of the texts at these positions."""
        return self._order[positions] % len(self._texts)
