"""What a request is expected to use and to cost, learned from the answers that came.

In: the text of a request, the price of its model, the answers so far. Out: tokens, and a cost
that the request will hardly exceed.
"""

from __future__ import annotations

from dataclasses import dataclass

from justeval.collect.standing import Standing
from justeval.models.prices import Price
from justeval.models.records import Answer
from justeval.prompts import Messages

REPLY_TOKENS = 60.0
"""A judgment in JSON, where nothing is known yet."""

MOST_REPLY_TOKENS = 1000.0
"""An upper guess of a reply whose length nobody bounded, before one was seen."""

MARGIN = 1.2
"""Above the dearest answer so far: the next may be somewhat dearer."""


def estimated_tokens(messages: Messages) -> float:
    """A crude count: one a wide character (Chinese), one in four of the others, 4 a message."""
    text = "".join(message["content"] for message in messages)
    wide = 0 if text.isascii() else sum(character > "\u2e7f" for character in text)
    return wide + (len(text) - wide) / 4 + 4 * len(messages)


@dataclass(slots=True)
class Expectation:
    """Of one model. `prompt_ratio` is the largest count of a prompt so far over its estimate."""

    price: Price | None = None
    max_tokens: int | None = None
    prompt_ratio: float = 0.0
    mean_reply: float = REPLY_TOKENS
    most_reply: float = 0.0
    dearest_usd: float | None = None
    _seen: int = 0

    def learn_from(self, standing: Standing) -> None:
        """Begins with what earlier sessions of the run have seen."""
        self.dearest_usd = standing.dearest_usd
        if standing.counted:
            self.mean_reply = standing.completion_tokens / standing.counted
            self._seen = standing.counted

    def tokens(self, estimated: float) -> float:
        """The tokens of a request and its reply, on average."""
        return estimated * (self.prompt_ratio or 1.0) + self.mean_reply

    def most_usd(self, estimated: float) -> float | None:
        """A cost that the request will hardly exceed; None where nothing is known."""
        if self.price is None:
            return None if self.dearest_usd is None else self.dearest_usd * MARGIN
        reply = self.max_tokens or (self.most_reply or MOST_REPLY_TOKENS) * MARGIN
        return self.price.cost(estimated * (self.prompt_ratio or 1.0) * MARGIN, reply)

    def cost_usd(self, answer: Answer) -> float | None:
        """What an answer cost: the provider's figure, else by price; None where unknown."""
        if answer.cost_usd is not None or self.price is None:
            return answer.cost_usd
        if answer.prompt_tokens is None or answer.completion_tokens is None:
            return None
        return self.price.cost(answer.prompt_tokens, answer.completion_tokens)

    def learn(self, estimated: float, answer: Answer, cost_usd: float | None) -> None:
        """Takes in one answer."""
        if answer.prompt_tokens is not None:
            self.prompt_ratio = max(self.prompt_ratio, answer.prompt_tokens / max(estimated, 1.0))
        if answer.completion_tokens is not None:
            self._seen += 1
            self.mean_reply += (answer.completion_tokens - self.mean_reply) / self._seen
            self.most_reply = max(self.most_reply, float(answer.completion_tokens))
        if cost_usd is not None:
            self.dearest_usd = max(self.dearest_usd or 0.0, cost_usd)
