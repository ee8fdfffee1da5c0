"""The simulated model: messages -> the text of a reply, with effects that are known.

In: a profile and chat messages; nothing but their text. Out: reply text and finish reason, or for
a test the distribution that the reply is drawn from.

log(months + 1) = base of the case, read from its words
                + base noise of the document (shared by all texts of the document)
                + planted effects of the label sentences that stand in the text
                + noise of the text (+ noise of the request at a temperature above 0),
and months are rounded up or down at random so that their mean is kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from justeval.labels import CROSS
from justeval.models.simulated.draws import (
    digest,
    document_normals,
    normal,
    normal_share,
    uniform,
)
from justeval.models.simulated.effects import Profile, load_profile
from justeval.models.simulated.facts import load_rules
from justeval.models.simulated.fields import compose
from justeval.models.simulated.interactions import together
from justeval.models.simulated.malformed import spoil
from justeval.models.simulated.question import Question, read_question
from justeval.models.simulated.sentences import SentenceIndex, Stated

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MOVED, _NOISE, _ROUNDING, _MALFORMED, _KIND, _DETAIL = range(6)
"""Which of a digest's eight numbers serves what."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the model makes of a text without its label sentences.

    `base` is log(months + 1) with the base noise in it; `key` names the document in hashes.
    """

    question: Question
    charge: Mapping[str, str] | None
    base: float
    key: str


def message_text(messages: Sequence[Mapping[str, Any]]) -> str:
    """The text of chat messages, one after the other; content may be text or a list of parts."""
    texts: list[str] = []
    for message in messages:
        content = message.get("content")
        if isinstance(content, str):
            texts.append(content)
        elif isinstance(content, list):
            texts.extend(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "\n".join(texts)


def _even_spaces(text: str) -> str:
    """The text with single spaces and no empty lines: where a sentence was taken out must not
    be seen."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


class SimulatedModel:
    """A model that answers from the text alone and whose effects are known.

    `profile` holds what is planted. `noise_seed` reseeds what differs between texts (noise,
    rounding, malformed replies); what belongs to a document (base noise, who responds) stays with
    the seed of the profile, so that a truth computed once holds for every noise seed.
    """

    def __init__(self, profile: Profile, noise_seed: int | None = None) -> None:
        self.profile = profile
        self.noise_seed = profile.seed if noise_seed is None else noise_seed
        self._index = SentenceIndex(profile.labels)
        self._document = lru_cache(maxsize=4096)(self._read_document)

    @classmethod
    def from_profile(cls, name_or_path: str, seed: int | None = None) -> SimulatedModel:
        """The model of a shipped profile or of an effects file; `seed` reseeds the noise.

        Raises UsageError or InputError as `load_profile` does.
        """
        return cls(load_profile(name_or_path), seed)

    @property
    def name(self) -> str:
        """The name under which the model is served, e.g. `simulated-neutral`."""
        return f"simulated-{self.profile.name}"

    def reply(
        self,
        messages: Sequence[Mapping[str, Any]],
        temperature: float = 0.0,
        draw: int = 0,
        drawn_as: str = "",
    ) -> tuple[str, str]:
        """Reply text and finish reason; `draw` counts the requests of a text (temperature > 0).

        `drawn_as` is for simulations that draw documents with replacement: the id under which a
        document was drawn gives its texts noise of their own, as if they were other documents.
        """
        text = message_text(messages)
        document, expected = self._expected(text)
        noise_text = f"{drawn_as}\n{text}" if drawn_as else text
        drawn = digest(self.noise_seed, "message", noise_text)
        level = expected + self._noise(drawn)
        rounding = uniform(drawn, _ROUNDING)
        if not self._moved(drawn):
            rounding = self._document_rounding(document)
        if temperature > 0:
            drawn = digest(self.noise_seed, f"draw {draw}", noise_text)
            level += self.profile.temperature_sd * normal(drawn, _NOISE)
            rounding = uniform(drawn, _ROUNDING)
        answer = compose(document.question, document.charge, level, rounding, self._taste(document))
        if uniform(drawn, _MALFORMED) < self.profile.malformed_share:
            return spoil(answer, uniform(drawn, _KIND), uniform(drawn, _DETAIL))
        return answer.text(), "stop"

    def log_months(
        self, text: str, draws: int, rng: np.random.Generator, temperature: float = 0.0
    ) -> npt.NDArray[np.float64]:
        """Draws of log(rounded months + 1) of a text's well-formed answers, shape (draws,).

        The noise of the text is drawn anew each time, base noise and response stay as they are:
        the mean over many draws is the truth that an estimate over fresh noise should find.
        `text` is the text of the messages, joined as `message_text` joins them.
        """
        import numpy as np

        document, expected = self._expected(text)
        profile = self.profile
        moved = rng.random(draws) < profile.noise_share
        level = expected + np.where(moved, profile.noise_sd * rng.standard_normal(draws), 0.0)
        rounding = np.where(moved, rng.random(draws), self._document_rounding(document))
        if temperature > 0:
            level += profile.temperature_sd * rng.standard_normal(draws)
            rounding = rng.random(draws)
        months = np.floor(np.maximum(np.expm1(level), 0.0) + rounding)
        result: npt.NDArray[np.float64] = np.log1p(months)
        return result

    def stated(self, text: str) -> tuple[Stated, ...]:
        """The label sentences that the model sees in a text, each once."""
        return tuple(dict.fromkeys(self._index.find(text).stated))

    def expected_level(self, text: str) -> float:
        """log(months + 1) that a text leads to before any noise and rounding."""
        return self._expected(text)[1]

    def _expected(self, text: str) -> tuple[Document, float]:
        """The document of a text, and log(months + 1) with the planted effects but no noise."""
        found = self._index.find(text)
        document = self._document(_even_spaces(found.rest))
        effect = 0.0
        for stated in dict.fromkeys(found.stated):
            planted = self.profile.effects.get(stated.label)
            if planted is not None and self._responds(document, stated.label):
                effect += planted.of(stated.value, stated.number)
        values = {stated.label: stated.value for stated in found.stated}
        for labels, size in together(self.profile.interactions, values):
            if self._responds(document, CROSS.join(labels)):
                effect += size
        return document, document.base + effect

    def _read_document(self, rest: str) -> Document:
        question, case = read_question(rest)
        rules = load_rules()
        severity = rules.severity(case)
        first, second = document_normals(self.profile.seed, case)
        months = severity.months
        if months is None:
            low, high = rules.unknown_months
            months = low * (high / low) ** normal_share(second)
        base = math.log1p(months) + self.profile.base_noise_sd * first
        base = min(base, math.log1p(severity.longest))
        return Document(question, severity.charge, base, f"{first:.6f} {second:.6f}")

    def _moved(self, drawn: bytes) -> bool:
        return uniform(drawn, _MOVED) < self.profile.noise_share

    def _noise(self, drawn: bytes) -> float:
        return self.profile.noise_sd * normal(drawn, _NOISE) if self._moved(drawn) else 0.0

    def _responds(self, document: Document, label: str) -> bool:
        if self.profile.respond_share >= 1.0:
            return True
        drawn = digest(self.profile.seed, "respond", f"{label} {document.key}")
        return uniform(drawn) < self.profile.respond_share

    def _document_rounding(self, document: Document) -> float:
        """The rounding shared by the texts of a document that no noise moves."""
        return uniform(digest(self.profile.seed, "rounding", document.key))

    def _taste(self, document: Document) -> float:
        """A uniform of the document that picks among options of a decision."""
        return uniform(digest(self.profile.seed, "decision", document.key))
