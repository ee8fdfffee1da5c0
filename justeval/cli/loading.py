"""Names on the command line -> case sets, labels, prompts."""

from __future__ import annotations

from collections.abc import Sequence

from justeval.cases import CaseSet, load_cases
from justeval.collect.plan import plan_prompts
from justeval.errors import UsageError
from justeval.labels import Label, load_labels, with_crossed
from justeval.prompts import Prompt, load_prompt
from justeval.resources import pack_names
from justeval.schema import QUESTIONS


def cases_and_labels(
    cases_name: str, labels_text: str | None, crosses: Sequence[str] = ()
) -> tuple[CaseSet, tuple[Label, ...]]:
    """A case set and its labels, crossed ones last. Raises UsageError where neither names labels,
    or where `crosses` are no pairs of them."""
    cases = load_cases(cases_name)
    named = labels_text or ",".join(cases.labels)
    if not named:
        packs = ", ".join(pack_names())
        raise UsageError(f"{cases.name} names no labels; give --labels, for instance {packs}")
    return cases, with_crossed(load_labels(named), [_pair(text) for text in crosses])


def _pair(text: str) -> tuple[str, str]:
    first, _, second = (part.strip() for part in text.partition(","))
    if not first or not second or "," in second:
        raise UsageError(f"--cross {text!r}: name two labels, LABEL,LABEL")
    return first, second


def prompts(cases: CaseSet, question: str | None, names: Sequence[str]) -> tuple[Prompt, ...]:
    """The prompts of a case set; own ones go before those shipped.

    Raises UsageError where own prompts ask different questions, or one stands for no language of
    the cases.
    """
    if question is not None and question not in QUESTIONS:
        raise UsageError(f"--question {question!r}: one of {', '.join(QUESTIONS)}")
    own = [load_prompt(name) for name in names]
    for prompt in own:
        if prompt.language not in cases.languages:
            languages = ", ".join(cases.languages)
            raise UsageError(
                f"--prompt {prompt.id}: is for {prompt.language!r}; the cases are in {languages}"
            )
    questions = {prompt.question for prompt in own} | ({question} if question else set())
    if len(questions) > 1:
        raise UsageError(f"the prompts ask different questions: {', '.join(sorted(questions))}")
    return plan_prompts(cases, questions.pop() if questions else cases.question, own)
