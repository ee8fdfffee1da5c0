"""What is asked of a model and what it answers; the protocol that every model follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from justeval.errors import ProviderError
from justeval.prompts import Messages


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a model is asked. `seed` goes to the provider where it is set.

    `structured` asks for JSON that obeys a schema; `schema` is that of the prompt in use.
    """

    temperature: float = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    structured: bool = False
    schema: Mapping[str, object] | None = None

    def as_json(self) -> dict[str, object]:
        """The parameters by name, as they stand in a manifest and in a request's key."""
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            **({"structured": True} if self.structured else {}),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as the provider gave it. `reasoning` is kept apart: it is no part of the reply.

    `cost_usd` is the provider's own figure, None where it gives none; token counts likewise.
    """

    reply: str | None
    finish_reason: str | None = None
    reasoning: str | None = None
    model_version: str | None = None
    fingerprint: str | None = None
    served_by: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None


class TransientProviderError(ProviderError):
    """A failure that asking again may cure. `retry_after_seconds` is the provider's wish."""

    def __init__(
        self, message: str, status: int | None = None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after_seconds = retry_after_seconds


class UnreachableError(TransientProviderError):
    """Nobody listens at the address; a model that never answered is given up for it."""


class RejectedRequestError(ProviderError):
    """One request that will never be answered, while others may pass (too long, blocked)."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Model(Protocol):
    """A model that can be asked. `name` is how it stands in every table."""

    @property
    def name(self) -> str: ...

    async def ask(self, messages: Messages, parameters: Parameters) -> Answer:
        """One answer.

        Raises TransientProviderError, RejectedRequestError or PermanentProviderError.
        """
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked: all of it may stand in a manifest, the key never is in here.

    `key_variable` names the environment variable that holds the key, None where none is needed.
    `body` holds further fields of every request (provider routing). `headers` and `query` give
    further headers and query parameters the environment variable that holds their value. `file` is
    the file of a local model, which its name on the server identifies.
    """

    kind: str
    name: str
    base_url: str
    served_name: str
    key_variable: str | None = None
    body: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    file: str | None = None

    @property
    def on_this_machine(self) -> bool:
        """Whether the model is served by a child of this process, and has no address before."""
        return self.kind in ("simulated", "local")

    def as_json(self) -> dict[str, object]:
        """What a manifest says of the model."""
        further = {"headers": dict(self.headers), "query": dict(self.query)}
        return {
            "model": self.name,
            "kind": self.kind,
            "base_url": self.base_url,
            "served_name": self.served_name,
            "provider": self.body.get("provider"),
            **{name: variables for name, variables in further.items() if variables},
        }
