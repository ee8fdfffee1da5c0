"""How one request fares: how often it was asked, what it cost, and what the journal says of it."""

from __future__ import annotations

import random
from dataclasses import dataclass

from justeval.collect.requests import Request
from justeval.errors import ProviderError
from justeval.models.records import Answer
from justeval.prompts import Messages
from justeval.runs import Line


@dataclass(frozen=True, slots=True)
class Patience:
    """When to ask again and when to give up.

    `attempts` bounds the failures of one request, `overloads` how often it may meet a provider
    that has no room for it, `blanks` how often it may come back without a word.
    """

    attempts: int = 5
    overloads: int = 12
    blanks: int = 3
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 60.0
    failures_in_a_row: int = 20

    def wait_seconds(self, attempt: int) -> float:
        """The wait before attempt + 1: doubling, with jitter of a quarter either way."""
        wait = min(self.longest_wait_seconds, self.first_wait_seconds * 2.0 ** (attempt - 1))
        return wait * random.uniform(0.75, 1.25)


@dataclass(slots=True)
class Tries:
    """How one request has fared so far."""

    request: Request
    messages: Messages
    tokens: float
    asked: int = 0
    failures: int = 0
    overloads: int = 0
    blanks: int = 0
    cost_usd: float | None = None
    reserved_usd: float = 0.0
    asked_at: str = ""
    latency_ms: float = 0.0

    def add_cost(self, cost_usd: float | None) -> None:
        if cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + cost_usd

    def answer_line(self, model: str, answer: Answer) -> Line:
        """The journal's line of an answer."""
        return self._line(model) | {
            "reply": answer.reply,
            "finish_reason": answer.finish_reason,
            "reasoning": answer.reasoning,
            "model_version": answer.model_version,
            "fingerprint": answer.fingerprint,
            "served_by": answer.served_by,
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "cost_usd": self.cost_usd,
            "latency_ms": round(self.latency_ms, 1),
        }

    def failure_line(self, model: str, error: ProviderError) -> Line:
        """The journal's line of a request that was given up; resuming asks it again."""
        described = {
            "kind": error.kind,
            "status": getattr(error, "status", None),
            "message": str(error),
        }
        return self._line(model) | {"reply": None, "error": described, "cost_usd": self.cost_usd}

    def _line(self, model: str) -> Line:
        return {
            "key": self.request.key,
            "model": model,
            "variant_id": self.request.variant_id,
            "repetition": self.request.repetition,
            "position": self.request.position,
            "asked_at": self.asked_at,
            "attempts": self.asked,
        }


def is_blank(answer: Answer) -> bool:
    """A reply without a word, and no reason for it: the provider was not ready."""
    return not (answer.reply or "").strip() and answer.finish_reason in (None, "", "stop")
