"""A model that decides: a state and a yes-or-no question in, the probability of yes out.

In: the parts of a decision prompt (state, question, what yes and no mean). Out: an Answer whose
reply states the probability as JSON, so that it is read like any other. The request is that of
System One endpoints (`POST /systemone`, a question of type `noul`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from justeval.models.addresses import AddressRules
from justeval.models.connection import Connection
from justeval.models.records import Answer, Endpoint, Parameters, TransientProviderError
from justeval.models.secrets import Blotter, Secrets
from justeval.models.wire import described, read_object
from justeval.prompts import Messages

PATH = "/systemone"
QUESTION = "decision"
"""The name under which the one question is asked and answered."""


class DecisionModel:
    """A decision endpoint; one instance lives in one event loop."""

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
        """One answer; such a model knows no temperature, no length and no seed."""
        body = request_body(self.endpoint, messages)
        received = await self._connection.post(PATH, body)
        return read_decision(received.status, received.headers, received.body, self._blotted)

    async def close(self) -> None:
        """Closes all connections."""
        await self._connection.close()


def request_body(endpoint: Endpoint, messages: Messages) -> bytes:
    """The JSON of one request."""
    said = {message["role"]: message["content"] for message in messages}
    question: dict[str, object] = {"type": "noul", "instructions": said["question"]}
    if "yes" in said:
        question["criteria"] = {"true": said["yes"], "false": said["no"]}
    body = {
        "model": endpoint.served_name,
        "state": said["state"],
        "questions": {QUESTION: question},
        **endpoint.body,
    }
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def read_decision(status: int, headers: Mapping[str, str], body: bytes, blotted: Blotter) -> Answer:
    """The probability in a response. Raises as `wire.read_object`; a response without one may be
    cured by asking again."""
    data = read_object(status, headers, body, blotted)
    answers = data.get("answers")
    answer = answers.get(QUESTION) if isinstance(answers, dict) else None
    probability = _number(answer.get("noul") if isinstance(answer, dict) else None)
    if probability is None:
        raise TransientProviderError(f"status {status} without a probability", status)
    return described(data, blotted, json.dumps({"probability": probability}), "stop")


def _number(value: object) -> int | float | None:
    """A number as it stands; whether it is a probability is for the reader to say."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None
