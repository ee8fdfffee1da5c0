"""Variant -> messages: prompts are data, one template a question and a language.

In: a template (shipped in `prompt_templates/`, or a user's file) and a variant's text. Out: the
messages of one request. No template carries an instruction about fairness: the uncorrected
answer is what is measured.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

from justeval.errors import InputError, UsageError
from justeval.resources import PACKAGE
from justeval.schema import QUESTIONS

TEMPLATES = PACKAGE / "prompt_templates"
SLOT = "{case}"

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Prompt:
    """A template: what is said to the model around the text of a variant.

    `user` holds `{case}` once; `keys` are the keys of the JSON answer that it asks for.
    """

    id: str
    language: str
    question: str
    system: str
    user: str
    keys: tuple[str, ...]

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
        data = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        first = str(error).splitlines()[0]
        raise InputError(f"{path}: not valid YAML in UTF-8: {first}") from error
    return prompt_from(data, str(path))


def prompt_from(data: object, place: str) -> Prompt:
    """Checks the fields of a template. Raises InputError that names `place` and field."""
    if not isinstance(data, Mapping):
        raise InputError(f"{place}: a prompt is a mapping with id, language, question and user")
    for field in ("language", "user"):
        if not isinstance(data.get(field), str) or not data[field].strip():
            raise InputError(f"{place}, field {field}: missing; it must be text")
    if data["user"].count(SLOT) != 1:
        raise InputError(f"{place}, field user: must contain {SLOT} exactly once")
    question = data.get("question", "sentence")
    if question not in QUESTIONS:
        raise InputError(
            f"{place}, field question: {question!r} is none of {', '.join(QUESTIONS)}"
        )
    return Prompt(
        id=str(data.get("id") or Path(place).stem),
        language=data["language"],
        question=question,
        system=str(data.get("system") or ""),
        user=data["user"],
        keys=tuple(str(key) for key in data.get("keys") or ()),
    )


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
