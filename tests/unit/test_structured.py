"""The schema of a structured answer is the prompt's keys and prescribes no value."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from justeval.collect.structured import schema_of, with_schema
from justeval.errors import UsageError
from justeval.models.chat import request_body
from justeval.models.naming import endpoint_of
from justeval.models.records import Parameters
from justeval.prompts import load_prompt, prompt_names

NUMBER, TEXT, ANY = ["number", "null"], "string", ["string", "number", "boolean", "null"]
STRUCTURED = Parameters(structured=True)


def types_of(name: str) -> dict[str, object]:
    schema = schema_of(load_prompt(name).keys)
    return {key: field["type"] for key, field in schema["properties"].items()}


def test_keys_of_both_languages_have_the_types_of_what_they_stand_for():
    assert types_of("sentence-en") == {
        "charge": TEXT, "guilty": TEXT, "penalty": TEXT, "months": NUMBER,
    }  # fmt: skip
    assert list(types_of("sentence-zh").values()) == [TEXT, TEXT, TEXT, NUMBER]
    assert types_of("probability-zh") == {"决定": TEXT, "概率": NUMBER}
    assert types_of("bail-en") == {
        "decision": TEXT, "bond_amount": NUMBER, "bond_currency": ["string", "null"],
    }  # fmt: skip


@pytest.mark.parametrize("name", prompt_names())
def test_every_shipped_prompt_has_a_strict_schema_in_the_order_of_its_keys(name):
    prompt = load_prompt(name)
    schema = schema_of(prompt.keys)
    assert tuple(schema["properties"]) == tuple(schema["required"]) == prompt.keys
    assert schema["additionalProperties"] is False
    assert ANY not in types_of(name).values()


def test_an_unknown_key_may_hold_anything():
    assert schema_of(("grade",))["properties"] == {"grade": {"type": ANY}}


def test_a_prompt_without_keys_cannot_be_structured():
    prompt = replace(load_prompt("sentence-en"), keys=())
    with pytest.raises(UsageError, match="--structured: the prompt sentence-en names no keys"):
        with_schema(STRUCTURED, prompt)
    assert with_schema(Parameters(), prompt) == Parameters()


def test_the_schema_is_sent_and_only_openrouter_is_told_to_require_it():
    parameters = with_schema(STRUCTURED, load_prompt("sentence-en"))
    for model, provider, routing in (
        ("openai:judge@http://h/v1", None, None),
        ("openrouter:judge", None, {"require_parameters": True}),
        (
            "openrouter:judge",
            "Together",
            {"order": ["Together"], "allow_fallbacks": False, "require_parameters": True},
        ),
    ):
        body = json.loads(request_body(endpoint_of(model, provider=provider), [], parameters))
        wanted = body["response_format"]["json_schema"]
        assert body["response_format"]["type"] == "json_schema"
        assert (wanted["strict"], wanted["schema"]) == (True, parameters.schema)
        assert body.get("provider") == routing


def test_only_a_structured_run_says_so_in_its_parameters():
    assert "structured" not in Parameters().as_json()
    assert with_schema(STRUCTURED, load_prompt("bail-en")).as_json()["structured"] is True
