"""Decision endpoints: a state and a question are sent, a probability comes back or a failure."""

from __future__ import annotations

import asyncio
import json

import pytest

from justeval.errors import PermanentProviderError, UsageError
from justeval.models.addresses import AddressRefusedError, AddressRules
from justeval.models.decision import DecisionModel, read_decision
from justeval.models.naming import endpoint_of
from justeval.models.opening import opened
from justeval.models.records import Parameters, RejectedRequestError, TransientProviderError
from justeval.models.secrets import Secrets
from justeval.prompts import DecisionPrompt, load_prompt
from justeval.replies import read_reply
from tests.servers.faulty import FaultyServer, Script, always
from tests.servers.responses import HTML, as_200, decision, error, half_json

KEY = "ts-planted-0123456789"
PROMPT = DecisionPrompt("en", "Should it?", "Posting.\n{case}", "It should.", "It should not.")


def ask(script: Script, prompt: DecisionPrompt = PROMPT, text: str = "A {case} \ud83d"):
    """The answer of an endpoint, and what it was sent."""

    async def run(base_url: str):
        model = DecisionModel(endpoint_of(f"decision:jev-1@{base_url}"), Secrets(KEY), 5.0)
        try:
            return await model.ask(prompt.messages(text), Parameters(0.7, 100, 7))
        finally:
            await model.close()

    with FaultyServer(script).running() as server:
        return asyncio.run(run(server.base_url)), server.asked[0]


def test_what_is_sent_and_what_comes_back():
    found, sent = ask(always(decision(0.73, model="jev-1.13.0", provider="Here")))
    assert (sent.method, sent.target) == ("POST", "/v1/systemone")
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.data == {
        "model": "jev-1",
        "state": "Posting.\nA {case} ?",
        "questions": {
            "decision": {
                "type": "noul",
                "instructions": "Should it?",
                "criteria": {"true": "It should.", "false": "It should not."},
            }
        },
    }
    assert (found.reply, found.finish_reason) == ('{"probability": 0.73}', "stop")
    assert (found.model_version, found.served_by) == ("jev-1.13.0", "Here")
    assert (found.prompt_tokens, found.completion_tokens) == (120, 8)
    read = read_reply(found.reply, found.finish_reason)
    assert (read.status, read.probability, read.months) == ("ok", 0.73, None)


def test_a_question_alone_goes_without_criteria():
    _, sent = ask(always(decision(0.5)), DecisionPrompt("en", "Should it?"))
    assert sent.data["state"] == "A {case} ?"
    assert sent.data["questions"]["decision"] == {"type": "noul", "instructions": "Should it?"}


@pytest.mark.parametrize("number", [0, 1, 0.0, 1.0, 1e-300, 0.9999999999999999])
def test_every_probability_comes_back_as_it_was(number):
    answer = read_decision(200, {}, decision(number).body, str)
    assert read_reply(answer.reply, "stop").probability == number


@pytest.mark.parametrize("number", [1.01, -0.01, 73])
def test_a_number_that_is_no_probability_is_kept_and_read_as_out_of_range(number):
    answer = read_decision(200, {}, decision(number).body, str)
    read = read_reply(answer.reply, "stop")
    assert (read.status, read.probability) == ("out_of_range", None)
    assert str(number) in answer.reply


NO_PROBABILITY = {
    "null": decision(None),
    "text": decision("0.7"),
    "a truth": decision(True),
    "not a number": decision(float("nan")),
    "endless": decision(float("inf")),
    "no answers": decision(0.5, answers=None),
    "a list": decision(0.5, answers=[0.5]),
    "another question": decision(0.5, answers={"other": {"noul": 0.5}}),
    "a bare number": decision(0.5, answers={"decision": 0.5}),
    "html": HTML,
    "half of it": half_json(),
    "an error in a 200": as_200(502),
    "overload": error(529),
}


@pytest.mark.parametrize("response", NO_PROBABILITY.values(), ids=NO_PROBABILITY.keys())
def test_what_holds_no_probability_may_be_cured_by_asking_again(response):
    with pytest.raises(TransientProviderError):
        ask(always(response))


@pytest.mark.parametrize(
    ("response", "kind", "words"),
    [
        (error(401, f"bad key {KEY}"), PermanentProviderError, r"bad key \[key\] \(key refused\)"),
        (error(402, "no credits"), PermanentProviderError, "no credits"),
        (error(404, "no such model"), PermanentProviderError, "no such model"),
        (error(422, "state is too long"), RejectedRequestError, "state is too long"),
    ],
)
def test_an_error_is_said_in_the_endpoints_words(response, kind, words):
    with pytest.raises(kind, match=words) as caught:
        ask(always(response))
    assert KEY not in str(caught.value)


def test_the_shipped_questions_ask_what_the_prompt_asks():
    for language in ("en", "zh"):
        prompt = load_prompt(f"probability-{language}")
        assert prompt.decision is not None
        assert prompt.decision.question in prompt.user
        assert prompt.decision.language == language
        assert json.dumps(prompt.decision.messages("x"))


def test_the_rules_on_addresses_hold_for_it_too():
    endpoint = endpoint_of("decision:jev-1@https://127.0.0.1/v1")
    with (
        pytest.raises(UsageError, match="no public address"),
        opened([endpoint], [], rules=AddressRules()),
    ):
        pass

    async def run() -> None:
        model = DecisionModel(endpoint, Secrets(KEY), 5.0, AddressRules())
        try:
            await model.ask(PROMPT.messages("x"), Parameters())
        finally:
            await model.close()

    with pytest.raises(AddressRefusedError):
        asyncio.run(run())
