"""The kinds of penalty that a text names, and which one of them the penalty is.

In: tokens of a field. Out: Kinds. A fine beside custody is accessory; a suspended term is
probation; two principal kinds are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from justeval.replies.tokens import Token

_ACCESSORY = ("fine",)


@dataclass(frozen=True, slots=True)
class Kinds:
    """`named` holds the kinds named; `custody` that custody is named and its kind left open.

    `suspended`: a word says that the execution is suspended; `negated`: a kind is denied;
    `elsewhere`: a sanction is named that is no custody and none of the kinds.
    """

    named: frozenset[str] = frozenset()
    custody: bool = False
    suspended: bool = False
    negated: bool = False
    elsewhere: bool = False

    @property
    def life(self) -> bool:
        return "life" in self.named

    @property
    def death(self) -> bool:
        return bool(self.named & {"death", "death_suspended"})

    @property
    def any(self) -> bool:
        """Whether the text says anything of a penalty."""
        return bool(self.named) or self.custody or self.suspended

    @property
    def several(self) -> bool:
        """Whether the text names kinds that exclude one another, or none but denies one."""
        return self.kind is None and (self.any or self.negated)

    @property
    def kind(self) -> str | None:
        """The one kind of penalty, None where none or several are named."""
        named = set(self.named)
        if len(named) > 1:
            named -= {*_ACCESSORY}
        elif named == {*_ACCESSORY} and (self.custody or self.suspended):
            named = set()
        if self.suspended and "death" in named:
            named = (named - {"death"}) | {"death_suspended"}
        elif self.suspended and named <= {"fixed_term", "detention", "probation"}:
            return "probation"
        if "probation" in named and (self.custody or named & {"fixed_term", "detention"}):
            named -= {"probation"}
        if not named:
            return "fixed_term" if self.custody else None
        return named.pop() if len(named) == 1 else None

    def joined(self, other: Kinds) -> Kinds:
        """What two texts name together."""
        return Kinds(
            self.named | other.named,
            self.custody or other.custody,
            self.suspended or other.suspended,
            self.negated or other.negated,
            self.elsewhere or other.elsewhere,
        )

    def names(self) -> str:
        """The kinds named, for a reason."""
        return ", ".join(sorted(self.named)) or "custody"


def read_kinds(text: str, tokens: Sequence[Token]) -> Kinds:
    """The kinds of penalty that the tokens of folded `text` name."""
    named: set[str] = set()
    custody = suspended = negated = elsewhere = False
    for position, token in enumerate(tokens):
        elsewhere = elsewhere or token.has("not_custody")
        if not (token.penalty or token.has("custody") or token.has("suspended")):
            continue
        if _is_negated(text, tokens, position):
            negated = True
            continue
        custody = custody or token.has("custody")
        suspended = suspended or token.has("suspended")
        if token.penalty:
            named.add(token.penalty)
    return Kinds(frozenset(named), custody, suspended, negated, elsewhere)


def _is_negated(text: str, tokens: Sequence[Token], position: int) -> bool:
    """Whether a word of denial stands right before a token: no prison, 不判处有期徒刑."""
    while position > 0:
        before = tokens[position - 1]
        if text[before.end : tokens[position].start].strip():
            return False
        if before.has("negations"):
            return True
        if not (before.has("term_before") or before.has("after_fillers")):
            return False
        position -= 1
    return False
