"""What a provider sends -> an answer, or the kind of failure that it is."""

from __future__ import annotations

import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval.errors import PermanentProviderError, ProviderError
from justeval.models.records import RejectedRequestError, TransientProviderError
from justeval.models.wire import read_answer
from tests.servers.responses import HTML, Response, answer, as_200, error, half_json, kept_alive


def read(response: Response):
    return read_answer(response.status, httpx.Headers(dict(response.headers)), response.body)


def bodied(data: object, status: int = 200, **headers: str) -> Response:
    return Response(status, json.dumps(data).encode(), headers)


def test_an_answer_carries_all_that_the_provider_says_of_it():
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "cost": 0.25}
    found = read(answer("text", "stop", provider="Together", usage=usage))
    assert found.reply == "text"
    assert found.finish_reason == "stop"
    assert (found.model_version, found.fingerprint) == ("judge-2026-01-01", "fp_1")
    assert (found.served_by, found.cost_usd) == ("Together", 0.25)
    assert (found.prompt_tokens, found.completion_tokens) == (5, 2)


def test_blank_lines_before_the_json_do_no_harm():
    assert read(kept_alive(answer("text"))).reply == "text"


TRANSIENT = {
    "error in a 200": as_200(502),
    "overload in a 200": as_200(503),
    "error without a code in a 200": bodied({"error": "Unexpected endpoint"}),
    "old vLLM error in a 200": bodied({"object": "error", "message": "no", "code": 500}),
    "no choices": bodied({"choices": []}),
    "choices null": bodied({"choices": None}),
    "choices missing": bodied({"id": "x"}),
    "choices no list": bodied({"choices": {"message": {"content": "3"}}}),
    "choice no object": bodied({"choices": ["3"]}),
    "message null": bodied({"choices": [{"message": None, "finish_reason": "stop"}]}),
    "message missing": bodied({"choices": [{"finish_reason": "stop"}]}),
    "error in the choice": bodied(
        {"choices": [{"error": {"code": 502, "message": "no"}, "message": {"content": "3"}}]}
    ),
    "finished by an error": answer("3", "error"),
    "html": HTML,
    "html with an error status": Response(502, HTML.body),
    "half JSON": half_json(),
    "no body": Response(200, b""),
    "JSON of another kind": bodied([1, 2]),
    "a number": bodied(3),
    "not UTF-8": Response(200, b'{"choices": "\xff\xfe"}'),
    "deep nesting": Response(200, b"[" * 100_000),
    **{f"status {s}": error(s) for s in (408, 409, 425, 429, 500, 502, 503, 504, 520, 524, 529)},
    "limit a minute": error(429, "Rate limit reached on requests per min (RPM): Limit 3"),
    "limit a minute, with an address that says billing": error(
        429,
        "Rate limit reached for judge on tokens per min (TPM). Add a payment method at "
        "https://example.org/account/billing to increase your limit.",
    ),
    "free models a minute": error(429, "Rate limit exceeded: free-models-per-min. "),
    "current quota, but of a minute": error(
        429, "You exceeded your current quota, please check your plan. Please retry in 36.1s."
    ),
    "upstream": error(429, "judge:free is temporarily rate-limited upstream. Please retry."),
}


@pytest.mark.parametrize("response", TRANSIENT.values(), ids=TRANSIENT.keys())
def test_what_asking_again_may_cure(response):
    with pytest.raises(TransientProviderError) as caught:
        read(response)
    assert "\n" not in str(caught.value)


def test_the_code_in_a_200_is_kept():
    with pytest.raises(TransientProviderError) as caught:
        read(as_200(502))
    assert caught.value.status == 502
    assert str(caught.value) == "status 502: upstream unavailable"


PERMANENT = {
    **{f"status {s}": error(s) for s in (401, 402, 403, 404, 405, 407, 410, 451)},
    "a redirect": Response(302, b"", {"location": "http://169.254.0.1/"}),
    "key refused in a 200": as_200(401),
    "no credit in a 200": as_200(402),
    "moderation": error(403, "Your chosen model requires moderation; input was flagged"),
    "OpenAI without credit": error(429, "You exceeded your current quota", "insufficient_quota"),
    "the type says it": bodied({"error": {"message": "no", "type": "insufficient_quota"}}, 429),
    "account without credit": error(429, "This account has no credit left"),
    "balance": error(429, "Insufficient balance, please recharge"),
    "Chinese: balance": error(429, "余额不足或无可用资源包,请充值。"),
    "Chinese: in arrears": error(429, "您的账户已欠费，请充值后重试。", "1113"),
    "free quota": error(429, "The free quota is used up"),
    "the day's free quota": error(429, "the day's free quota is used up"),
    "free models a day": error(
        429, "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 a day"
    ),
    "requests a day": error(429, "Rate limit reached on requests per day (RPD): Limit 200"),
    "daily limit": error(429, "Daily limit reached"),
    "quota by id": bodied(
        {
            "error": {
                "code": 429,
                "message": "You exceeded your current quota. Please retry in 9.5s.",
                "details": [{"quotaId": "GenerateRequestsPerDayPerProject-FreeTier"}],
            }
        },
        429,
    ),
    "a pause of hours": error(429, "slow down", retry_after="20000"),
    "unknown model with 400": error(400, "judge/x is not a valid model ID"),
    "unknown model by code": error(400, "no", "model_not_found"),
    "credit with 400": error(400, "Your credit balance is too low to access the API"),
    "key with 400": error(400, "API key not valid. Please pass a valid API key."),
    "parameter": error(400, "Unsupported parameter: 'max_tokens'", "unsupported_parameter"),
    "in a list": bodied([{"error": {"code": 401, "message": "no"}}], 200),
}


@pytest.mark.parametrize("response", PERMANENT.values(), ids=PERMANENT.keys())
def test_what_asking_again_cannot_cure(response):
    with pytest.raises(PermanentProviderError) as caught:
        read(response)
    assert "\n" not in str(caught.value)


def test_a_permanent_error_keeps_the_providers_words_and_says_when_it_resets():
    response = error(429, "free-models-per-day", **{"x_ratelimit_reset": "4000000000000"})
    with pytest.raises(PermanentProviderError, match="free-models-per-day") as caught:
        read(response)
    assert "resets at" not in str(caught.value)  # in the year 2096: nonsense
    with pytest.raises(PermanentProviderError, match=r"resets at \d{4}-\d\d-\d\d \d\d:\d\d"):
        read(error(429, "free-models-per-day", retry_after="30000"))
    upstream = {"code": 429, "message": "per-day", "metadata": {"headers": {"Retry-After": "60"}}}
    with pytest.raises(PermanentProviderError, match="resets at"):
        read(bodied({"error": upstream}, 429))


@pytest.mark.parametrize("status", [400, 413, 415, 422])
def test_what_concerns_one_request_alone(status):
    with pytest.raises(RejectedRequestError):
        read(error(status, "maximum context length exceeded"))


def test_the_upstream_words_are_kept():
    metadata = {"raw": "quota of the provider", "provider_name": "Google"}
    fields = {"code": 429, "message": "Provider returned error", "metadata": metadata}
    with pytest.raises(TransientProviderError, match="Provider returned error: quota of the"):
        read(bodied({"error": fields}, 429))


def test_reasoning_is_no_answer():
    found = read(answer(None, "length", message={"reasoning": "... so 24 months"}))
    assert found.reply is None
    assert found.finish_reason == "length"
    assert found.reasoning == "... so 24 months"
    thinking = [{"type": "thinking", "text": "24?"}, {"type": "text", "text": "36"}]
    assert read(answer(thinking)).reply == "36"


def test_a_refusal_is_what_was_said():
    assert read(answer(None, message={"refusal": "I cannot"})).reply == "I cannot"


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
def test_a_cut_reply_is_known_by_any_name(reason):
    assert read(answer("3", reason)).finish_reason == "length"
    choice = {"message": {"content": "3"}, "finish_reason": "stop", "native_finish_reason": reason}
    assert read(bodied({"choices": [choice]})).finish_reason == "length"


NONSENSE = [-1, True, "3", 1.5, float("nan"), float("inf"), 10**400, None, [], {}]


@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: repr(value)[:8])
def test_nonsense_in_the_usage_is_unknown_not_zero(value):
    usage = {"prompt_tokens": value, "completion_tokens": value, "cost": value}
    found = read(answer("3", usage=usage))
    assert found.prompt_tokens is None
    assert found.cost_usd == (1.5 if value == 1.5 else None)
    assert read(answer("3", usage=value)).cost_usd is None


def test_half_a_surrogate_pair_becomes_a_replacement_character():
    body = b'{"choices": [{"message": {"content": "a\\ud83d"}}]}'
    assert read(Response(200, body)).reply == "a\ufffd"


def test_control_characters_of_a_provider_reach_no_terminal():
    with pytest.raises(ProviderError) as caught:
        read(error(500, "a\x1b[2Jb\nc\x00\u202ed"))
    assert str(caught.value) == "status 500: a [2Jb c d"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "error",
                    "code",
                    "message",
                    "choices",
                    "content",
                    "finish_reason",
                    "usage",
                    "metadata",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(status=st.integers(200, 599), data=json_values, raw=st.none() | st.binary(max_size=50))
def test_any_response_is_an_answer_or_a_failure(status, data, raw):
    body = json.dumps(data).encode() if raw is None else raw
    try:
        read_answer(status, {}, body)
    except ProviderError as failure:
        assert str(failure).isprintable()


@given(values=st.lists(json_values, min_size=3, max_size=3))
def test_any_choice_is_an_answer_or_a_failure(values):
    message, finish_reason, usage = values
    choice = {"message": message, "finish_reason": finish_reason}
    try:
        read_answer(200, {}, json.dumps({"choices": [choice], "usage": usage}).encode())
    except ProviderError as failure:
        assert str(failure).isprintable()
