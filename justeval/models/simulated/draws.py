"""Numbers drawn from text: the same text and seed give the same draw, on every machine.

In: a seed and text. Out: uniforms on (0, 1) and standard normals. A model at temperature 0 answers
the same text with the same reply; that is why its noise is a hash of what it reads.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable
from functools import lru_cache
from statistics import NormalDist

_NORMAL = NormalDist()
_SHORT_REMARK_WEIGHT = 0.3
_SENTENCE = re.compile(r"[^。！？!?；;\n.]+(?:\.(?!\s)[^。！？!?；;\n.]*)*")
_GENDERED = re.compile(
    r"\b(?:he|she|they|him|her|them|hers|his|theirs?|(?:him|her)self|themsel(?:f|ves)"
    r"|m(?:r|s|rs|x)|is|are|was|were|has|have|m[ae]n|wom[ae]n)\b\.?|[他她男女]|\s",
    re.IGNORECASE,
)


def digest(seed: int, salt: str, text: str) -> bytes:
    """64 bytes that depend on all three and on nothing else."""
    person = salt.encode()[:16]
    return hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), key=str(seed).encode()[:64], person=person
    ).digest()


def uniform(data: bytes, index: int = 0) -> float:
    """The `index`-th of the 8 uniforms on (0, 1) in a digest."""
    number = int.from_bytes(data[8 * index : 8 * index + 8], "big")
    return ((number >> 11) + 0.5) * 2.0**-53


def normal(data: bytes, index: int = 0) -> float:
    """The `index`-th of the 8 standard normals in a digest."""
    return _NORMAL.inv_cdf(uniform(data, index))


def normal_share(z: float) -> float:
    """The share of a standard normal below `z`: turns a normal draw into a uniform one."""
    return _NORMAL.cdf(z)


def document_normals(seed: int, text: str) -> tuple[float, float]:
    """Two standard normals that belong to a document, from its text without label sentences.

    z = sum(w_i z_i) / sqrt(sum(w_i^2)) over the sentences, z_i drawn from the i-th sentence; w_i is
    1 for a sentence that is long or holds a digit and 0.3 for a short remark. A remark that is
    worded anew therefore moves the draw a little, not to another document's. Words that follow
    the sex of a person are not counted: exchanging them leaves the draw as it is.
    """
    drawn = [_sentence_normals(seed, part) for part in sentences(text)]
    total = math.fsum(weight * weight for weight, _, _ in drawn)
    if total == 0.0:
        return 0.0, 0.0
    return (
        math.fsum(weight * first for weight, first, _ in drawn) / math.sqrt(total),
        math.fsum(weight * second for weight, _, second in drawn) / math.sqrt(total),
    )


def sentences(text: str) -> Iterable[str]:
    """The sentences of a text, stripped, the empty ones left out."""
    return (part for part in (m.group().strip() for m in _SENTENCE.finditer(text)) if part)


@lru_cache(maxsize=65_536)
def _sentence_normals(seed: int, sentence: str) -> tuple[float, float, float]:
    """Weight and two normals of one sentence."""
    kept = _GENDERED.sub("", sentence)
    if not kept:
        return 0.0, 0.0, 0.0
    long_from = 40 if any("\u4e00" <= char <= "\u9fff" for char in kept) else 90
    counts = len(sentence) >= long_from or any(char.isdigit() for char in kept)
    data = digest(seed, "sentence", kept)
    return 1.0 if counts else _SHORT_REMARK_WEIGHT, normal(data, 0), normal(data, 1)
