"""A model behind an OpenAI-compatible address, asked over HTTP.

In: messages. Out: an Answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from justeval.models.addresses import AddressRules
from justeval.models.connection import Connection
from justeval.models.records import Answer, Endpoint, Parameters
from justeval.models.secrets import Secrets
from justeval.models.wire import read_answer
from justeval.prompts import Messages

PATH = "/chat/completions"


class ChatModel:
    """An OpenAI-compatible model; one instance lives in one event loop."""

    def __init__(
        self,
        endpoint: Endpoint,
        secrets: Secrets,
        timeout_seconds: float = 120.0,
        rules: AddressRules | None = None,
    ) -> None:
        self.endpoint = endpoint
        self._blotted = secrets.blotter()
        self._connection = Connection(endpoint.base_url, secrets, timeout_seconds, rules)

    @property
    def name(self) -> str:
        """The model's name in every table."""
        return self.endpoint.name

    async def ask(self, messages: Messages, parameters: Parameters) -> Answer:
        """One answer; the whole exchange is bounded by the timeout."""
        body = request_body(self.endpoint, messages, parameters)
        received = await self._connection.post(PATH, body)
        return read_answer(received.status, received.headers, received.body, self._blotted)

    async def close(self) -> None:
        """Closes all connections."""
        await self._connection.close()


def request_body(endpoint: Endpoint, messages: Messages, parameters: Parameters) -> bytes:
    """The JSON of one request; parameters that are not set are left to the provider."""
    body: dict[str, object] = {
        "model": endpoint.served_name,
        "messages": messages,
        "temperature": parameters.temperature,
    }
    if parameters.max_tokens is not None:
        body["max_tokens"] = parameters.max_tokens
    if parameters.seed is not None:
        body["seed"] = parameters.seed
    if parameters.schema is not None:
        schema = {"name": "answer", "strict": True, "schema": parameters.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    body.update(endpoint.body)
    if parameters.schema is not None and endpoint.kind == "openrouter":
        routing = endpoint.body.get("provider")
        known = routing if isinstance(routing, Mapping) else {}
        body["provider"] = {**known, "require_parameters": True}
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
