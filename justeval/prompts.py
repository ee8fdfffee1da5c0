"""Variant -> messages: prompts are data, one template a question and a language.

In: a template (shipped in `prompt_templates/`, or a user's file) and a variant's text. Out: the
messages of one request. A template may also hold a yes-or-no question, for models that decide
instead of writing. None carries an instruction about fairness: the uncorrected answer is what is
measured.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from justeval.errors import InputError, LabelPackError, UsageError
from justeval.labels.fields import FieldChecks
from justeval.labels.located import Located, read_located
from justeval.resources import PACKAGE
from justeval.schema import QUESTIONS

TEMPLATES = PACKAGE / "prompt_templates"
SLOT = "{case}"
_FIELDS = {"id", "language", "question", "keys", "system", "user", "decision"}
_DECISION_FIELDS = {"question", "state", "yes", "no"}

Messages = list[dict[str, str]]


class Template(Protocol):
    """What is said to a model around the text of a variant."""

    @property
    def language(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    def messages(self, text: str) -> Messages: ...


@dataclass(frozen=True)
class DecisionPrompt:
    """A yes-or-no question about a state; `state` holds `{case}` once.

    `yes` and `no` say what either answer means, empty where nothing more is said.
    """

    language: str
    question: str
    state: str = SLOT
    yes: str = ""
    no: str = ""

    @cached_property
    def sha256(self) -> str:
        """The hash of all that is sent, apart from the case."""
        said = (self.state, self.question, self.yes, self.no)
        return hashlib.sha256("\x1f".join(said).encode()).hexdigest()

    def messages(self, text: str) -> Messages:
        """The parts of one request, each under its role. The text is data."""
        parts = {"state": self.state.replace(SLOT, text, 1), "question": self.question}
        parts |= {name: said for name, said in (("yes", self.yes), ("no", self.no)) if said}
        return [{"role": role, "content": content} for role, content in parts.items()]

    def as_json(self) -> dict[str, str]:
        """The fields as they stand in a file."""
        fields = {"question": self.question, "state": self.state, "yes": self.yes, "no": self.no}
        return {name: text for name, text in fields.items() if text}


@dataclass(frozen=True)
class Prompt:
    """A template: what is said to the model around the text of a variant.

    `user` holds `{case}` once; `keys` are the keys of the JSON answer that it asks for. `decision`
    is what a model is asked that decides instead of writing.
    """

    id: str
    language: str
    question: str
    system: str
    user: str
    keys: tuple[str, ...]
    decision: DecisionPrompt | None = None

    @cached_property
    def sha256(self) -> str:
        """The hash of all that is sent, apart from the case."""
        return hashlib.sha256(f"{self.system}\x1f{self.user}".encode()).hexdigest()

    def messages(self, text: str) -> Messages:
        """The messages of one request. The text is data: nothing in it is interpreted."""
        user = {"role": "user", "content": self.user.replace(SLOT, text, 1)}
        return [{"role": "system", "content": self.system}, user] if self.system else [user]


def prompt_names() -> list[str]:
    """Names of the templates that ship with justeval, sorted."""
    return sorted(path.stem for path in TEMPLATES.glob("*.yaml"))


def load_prompt(name_or_path: str) -> Prompt:
    """A template by name or from a user's file.

    Raises UsageError if there is none such, InputError if it is not a template.
    """
    path = TEMPLATES / f"{name_or_path}.yaml" if name_or_path in prompt_names() else None
    path = path or Path(name_or_path)
    if not path.is_file():
        known = ", ".join(prompt_names())
        raise UsageError(f"no prompt {name_or_path!r}: neither a file here nor one of {known}")
    try:
        return _prompt(read_located(path, wanted="a prompt needs `language:` and `user:`"))
    except LabelPackError as error:
        raise InputError(error.problems) from error


def _prompt(located: Located) -> Prompt:
    """Checks the fields of a template. Raises InputError with every problem found."""
    checks = FieldChecks(located)
    data = located.data
    if not isinstance(data, dict):
        checks.wrong((), "a prompt is a mapping with id, language, question and user")
        raise InputError(checks.problems)
    checks.unknown_fields(data, (), _FIELDS)
    prompt = Prompt(
        id=str(data.get("id") or located.file.stem),
        language=checks.text(data, (), "language"),
        question=checks.choice(data, (), "question", QUESTIONS, default=QUESTIONS[0]),
        system=checks.text(data, (), "system") if data.get("system") else "",
        user=checks.text(data, (), "user"),
        keys=checks.strings(data, (), "keys"),
        decision=_decision(checks, data),
    )
    if prompt.user and prompt.user.count(SLOT) != 1:
        checks.wrong(("user",), f"must contain {SLOT} exactly once")
    if SLOT in prompt.system:
        checks.wrong(("system",), f"{SLOT} is filled in `user` alone; leave it out here")
    unasked = [key for key in prompt.keys if key not in prompt.user]
    if prompt.user and unasked:
        checks.wrong(("keys",), f"`user` does not ask for {', '.join(unasked)}")
    if checks.problems:
        raise InputError(checks.problems)
    return prompt


def _decision(checks: FieldChecks, data: dict[str, object]) -> DecisionPrompt | None:
    """The yes-or-no question of a template, None where it has none."""
    fields, at = data.get("decision"), ("decision",)
    if fields is None:
        return None
    if not isinstance(fields, dict):
        checks.wrong(at, "must be a mapping with question, and perhaps state, yes and no")
        return None
    checks.unknown_fields(fields, at, _DECISION_FIELDS)
    said = {"state": SLOT, **fields}
    texts = {name: checks.text(said, at, name) for name in said if name in _DECISION_FIELDS}
    if "question" not in texts:
        checks.wrong(at, "question is missing: what is to be answered with yes or no")
    if texts["state"] and texts["state"].count(SLOT) != 1:
        checks.wrong((*at, "state"), f"must contain {SLOT} exactly once")
    if ("yes" in texts) != ("no" in texts):
        checks.wrong(at, "yes and no go together: give both or neither")
    return DecisionPrompt(str(data.get("language")), **{"question": "", **texts})


def prompts_for(
    question: str, languages: Iterable[str], own: Iterable[Prompt] = ()
) -> dict[str, Prompt]:
    """The template of each language for a question; own templates go before those shipped.

    Raises UsageError where a language has no template.
    """
    chosen = {prompt.language: prompt for prompt in own}
    for language in languages:
        if language not in chosen:
            name = f"{question}-{language}"
            if name not in prompt_names():
                raise UsageError(
                    f"no prompt for the question {question!r} in {language!r}: "
                    "give one with --prompt FILE"
                )
            chosen[language] = load_prompt(name)
    return chosen


def messages_sha256(messages: Messages) -> str:
    """The hash of one request's messages, by which equal prompts are known."""
    return hashlib.sha256(json.dumps(messages, ensure_ascii=False).encode()).hexdigest()
