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
from justeval.prompts import Prompt
from justeval.runs import RunFolder

Positions = npt.NDArray[np.int64]
KEY_DIGITS = 40
BATCH = 4096


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its key, its text and how often that text was asked before (repetition)."""

    key: str
    variant_id: str
    repetition: int
    position: int
    language: str
    text: str


class Keys:
    """Makes the keys of one model's requests with one prompt.

    A key is the hash of model, address, provider, parameters, prompt, text and repetition.
    Resuming goes by it alone, never by position or count.
    """

    def __init__(self, endpoint: Endpoint, parameters: Parameters, prompt: Prompt) -> None:
        choices = [
            endpoint.kind,
            endpoint.served_name,
            "" if endpoint.kind == "simulated" else endpoint.base_url,
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
        first = first_rows(source)
        code_of = {language: code for code, language in enumerate(self.languages)}
        ids, lengths, codes, row = [], [np.zeros(1, np.int64)], [], 0
        columns = ["variant_id", "case_id", "text"]
        for batch in source.iter_batches(batch_size=BATCH, columns=columns):
            kept = batch.filter(pa.array(first[row : row + len(batch)]))
            row += len(batch)
            texts = [str(t).encode("utf-8", "surrogatepass") for t in kept["text"].to_pylist()]
            lengths.append(np.fromiter(map(len, texts), np.int64, len(texts)))
            ids.append(np.asarray(kept["variant_id"].to_pylist(), dtype="S"))
            cases = [str(case) for case in kept["case_id"].to_pylist()]
            found = (code_of[language_of[case]] for case in cases)
            codes.append(np.fromiter(found, np.uint8, len(cases)))
            self._file.write(b"".join(texts))
        self._file.flush()
        self._ends = np.cumsum(np.concatenate(lengths))
        self._ids, self._codes = np.concatenate(ids), np.concatenate(codes)

    def __len__(self) -> int:
        return len(self._ids)

    def text(self, number: int) -> str:
        """A text by its number."""
        start, end = int(self._ends[number]), int(self._ends[number + 1])
        data = os.pread(self._file.fileno(), end - start, start)
        return data.decode("utf-8", "surrogatepass")

    def variant_id(self, number: int) -> str:
        """The content hash of a text."""
        return bytes(self._ids[number]).decode()

    def language(self, number: int) -> str:
        """The language of a text."""
        return self.languages[int(self._codes[number])]


@contextlib.contextmanager
def texts_of(folder: RunFolder, language_of: Mapping[str, str]) -> Iterator[Texts]:
    """A run's texts; `language_of` gives a case's language. Their file has no name and goes with
    the process."""
    with tempfile.TemporaryFile(dir=folder.path) as file:
        yield Texts(folder, language_of, file)


def first_rows(source: pq.ParquetFile) -> npt.NDArray[np.bool_]:
    """For each row whether its text is met there for the first time."""
    parts = [
        np.asarray(batch["variant_id"].to_pylist(), dtype="S")
        for batch in source.iter_batches(batch_size=BATCH, columns=["variant_id"])
    ]
    ids = np.concatenate(parts) if parts else np.empty(0, "S1")
    first = np.zeros(len(ids), dtype=np.bool_)
    first[np.unique(ids, return_index=True)[1]] = True
    return first


class Book:
    """The requests of one model: every text in every repetition, in the order of asking."""

    def __init__(self, plan: Plan, endpoint: Endpoint, texts: Texts) -> None:
        self._texts = texts
        self._keys = {p.language: Keys(endpoint, plan.parameters, p) for p in plan.prompts}
        n = len(texts) * plan.repetitions
        self._order = np.random.default_rng(plan.order_seed).permutation(n)

    def __len__(self) -> int:
        return len(self._order)

    def request(self, position: int) -> Request:
        """The request at a position in the order of asking."""
        repetition, number = divmod(int(self._order[position]), len(self._texts))
        text, language = self._texts.text(number), self._texts.language(number)
        key = self._keys[language].key(text, repetition)
        variant_id = self._texts.variant_id(number)
        return Request(key, variant_id, repetition, position, language, text)

    def requests(self, positions: Positions) -> Iterator[Request]:
        """The requests at these positions, made one by one as they are asked."""
        return (self.request(int(position)) for position in positions)

    def missing(self, answered: npt.NDArray[np.bytes_]) -> Positions:
        """Positions whose request has no answer; `answered` are the keys of those that have one."""
        if len(answered) == 0:
            return np.arange(len(self))
        keys = np.fromiter(
            (self.request(position).key for position in range(len(self))),
            dtype=f"S{KEY_DIGITS}",
            count=len(self),
        )
        return np.flatnonzero(~np.isin(keys, answered))

    def numbers(self, positions: Positions) -> Positions:
        """The numbers of the texts at these positions."""
        return self._order[positions] % len(self._texts)
