"""`--structured`: the schema of the JSON that a prompt asks for.

In: the keys that a prompt names. Out: a JSON schema in which each key may hold what it stands for:
text, or a number that may be missing. No value is prescribed or bounded, so that nothing is put
into a model's mouth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from justeval.collect.plan import Plan
from justeval.errors import UsageError
from justeval.models.records import Parameters
from justeval.prompts import Prompt
from justeval.replies.language import shipped_languages

_NUMBERS = ("term", "total", "probation", "probability", "risk_score", "bond_amount", "fine")
_ALWAYS = ("charge", "guilty", "penalty", "decision")
_TYPE_OF_NUMBER = ["number", "null"]
_TYPE_OF_ANY = ["string", "number", "boolean", "null"]


def check_askable(plan: Plan) -> None:
    """Raises UsageError where a prompt does not fit the models, before anything is asked."""
    for endpoint in plan.endpoints:
        plan.templates(endpoint)
        if plan.parameters.structured and endpoint.kind == "decision":
            raise UsageError(f"--structured: {endpoint.name} answers without JSON; leave it out")
    for prompt in plan.prompts:
        with_schema(plan.parameters, prompt)


def with_schema(parameters: Parameters, prompt: Prompt) -> Parameters:
    """The parameters with a prompt's schema where structured answers are wanted.

    Raises UsageError where the prompt names no keys.
    """
    if not parameters.structured:
        return parameters
    if not prompt.keys:
        raise UsageError(f"--structured: the prompt {prompt.id} names no keys; add `keys:` to it")
    return replace(parameters, schema=schema_of(prompt.keys))


def schema_of(keys: tuple[str, ...]) -> Mapping[str, object]:
    """An object with exactly these keys, in this order, as strict modes want it."""
    return {
        "type": "object",
        "properties": {key: {"type": _type_of(key)} for key in keys},
        "required": list(keys),
        "additionalProperties": False,
    }


def _type_of(key: str) -> str | list[str]:
    """What the value of a key may be; a key that no language knows may be anything."""
    word = key.strip().lower().replace("_", " ")
    for language in shipped_languages():
        for role, words in language.tables["keys"].items():
            if word in words:
                return _TYPE_OF_NUMBER if role in _NUMBERS else _type_of_text(role)
    return _TYPE_OF_ANY


def _type_of_text(role: str) -> str | list[str]:
    return "string" if role in _ALWAYS else ["string", "null"]
