"""Near-duplicates: documents that share almost all of their text.

In: cases. Out: findings. Each text (small letters, spaces squeezed) is the set of its runs of 12
characters; two texts are near where their sets overlap by 0.8 (Jaccard), estimated from the 128
smallest hashes of each (bottom-k sketch, Broder 1997; standard error at most 0.044). Two such texts
share one of their 12 smallest hashes but with a chance below 1 in 10 million, so only texts that
do are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from justeval.casefiles.checks.findings import Finding
from justeval.cases import Case

NEAR = 0.8
RUN = 12
SKETCH = 128
_KEYS = 12
_MANY = 50
"""Texts that may share one hash and are still compared one by one: a set phrase is no duplicate."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SPACE = re.compile(r"\s+")
Hashes = np.ndarray[Any, np.dtype[np.uint64]]


def near_duplicates(cases: Sequence[Case]) -> list[Finding]:
    """Findings `duplicate`: for each case the earliest one that it nearly repeats."""
    sketches: list[Hashes] = []
    holders: dict[int, list[int]] = defaultdict(list)
    found = []
    for i, case in enumerate(cases):
        sketch = sketch_of(case.facts)
        keys = sketch[:_KEYS].tolist()
        candidates = sorted({j for key in keys for j in holders[key]})
        for j in candidates:
            likeness = similarity(sketch, sketches[j])
            if likeness >= NEAR:
                told = "the same text as" if case.facts == cases[j].facts else "nearly the text of"
                message = f"{told} {cases[j].case_id} ({likeness:.0%} in common)"
                found.append(Finding("duplicate", case.case_id, message))
                break
        for key in keys:
            if len(holders[key]) < _MANY:
                holders[key].append(i)
        sketches.append(sketch)
    return found


def sketch_of(text: str) -> Hashes:
    """The 128 smallest hashes (k,) of a text's runs of 12 characters, rising."""
    plain = _SPACE.sub(" ", text.casefold()).strip()
    encoded = plain.encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(encoded, dtype=np.uint32).astype(np.uint64)
    runs = max(len(codes) - RUN + 1, 1)
    padded = np.pad(codes, (0, max(RUN - len(codes), 0)))
    hashes = np.zeros(runs, dtype=np.uint64)
    for offset in range(RUN):
        hashes = hashes * _FACTOR + padded[offset : offset + runs]
    hashes ^= hashes >> np.uint64(31)
    hashes *= _MIX
    hashes ^= hashes >> np.uint64(29)
    return np.unique(hashes)[:SKETCH]


def similarity(one: Hashes, other: Hashes) -> float:
    """The share of common runs, estimated from two sketches."""
    both = np.union1d(one, other)[:SKETCH]
    common = np.intersect1d(one, other, assume_unique=True)
    return float(np.isin(both, common, assume_unique=True).sum() / max(both.size, 1))
