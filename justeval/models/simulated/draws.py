"""Numbers drawn from text: the same text and seed give the same draw, on every machine.

In: a seed and text. Out: uniforms on (0, 1) and standard normals. A model at temperature 0 answers
the same text with the same reply; that is why its noise is a hash of what it reads.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
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

    z = (sqrt(n) z_core + 0.3 sum(z_i)) / sqrt(n + 0.09 m): z_core is drawn from the n sentences
    that are long or hold a digit, z_i from the core and the i-th of m short remarks (all sentences
    are core where none is long). A remark that is worded anew therefore moves the draw a little,
    in a direction of the document's own, and not to another document's. Words that follow the sex
    of a person are not counted: exchanging them leaves the draw as it is.
    """
    kept = [part for part in (_GENDERED.sub("", one) for one in sentences(text)) if part]
    core = [part for part in kept if _identifies(part)]
    remarks = [part for part in kept if not _identifies(part)]
    if not core:
        core, remarks = remarks, []
    joined = "\n".join(core)
    drawn = [(math.sqrt(max(len(core), 1)), digest(seed, "core", joined))]
    drawn += [
        (_SHORT_REMARK_WEIGHT, digest(seed, "remark", f"{part}\n{joined}")) for part in remarks
    ]
    scale = math.sqrt(math.fsum(weight * weight for weight, _ in drawn))
    return (
        math.fsum(weight * normal(data, 0) for weight, data in drawn) / scale,
        math.fsum(weight * normal(data, 1) for weight, data in drawn) / scale,
    )


def _identifies(sentence: str) -> bool:
    """Whether a sentence (without spaces) is long or holds a digit: a fact, no mere remark."""
    long_from = 35 if any("\u4e00" <= char <= "\u9fff" for char in sentence) else 75
    return len(sentence) >= long_from or any(char.isdigit() for char in sentence)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, stripped, the empty ones left out."""
    return (part for part in (m.group().strip() for m in _SENTENCE.finditer(text)) if part)
