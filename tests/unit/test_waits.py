"""How long a provider wants to be left alone: seconds, dates, resets, words, and nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval.models.waits import LONGEST_SENSIBLE_SECONDS, wished_wait_seconds

NOW = 1_900_000_000.0
"""2030-03-17 17:46:40 UTC."""


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0"}, 0),
        ({"retry-after": " 2.5 "}, 2.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Sun, 17 Mar 2030 17:46:52 GMT"}, 12),
        ({"retry-after": "Sun, 17 Mar 2030 17:46:30 GMT"}, 0),
        ({"retry-after": "2030-03-17T17:47:40Z"}, 60),
        ({"retry-after": "30s"}, 30),
        ({"x-ratelimit-reset": "1900000009"}, 9),
        ({"x-ratelimit-reset": "1900000009000"}, 9),
        ({"x-ratelimit-reset": "1899999999"}, 0),
        ({"x-ratelimit-reset": "12"}, 12),
        ({"retry-after": "nonsense", "x-ratelimit-reset": "12"}, 12),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-remaining-requests": "3"}, None),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "6m0s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "843ms",
            },
            360,
        ),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2030-03-17T17:46:50Z",
            },
            10,
        ),
        ({"ratelimit-reset": "50"}, 50),
    ],
)
def test_headers(headers, seconds):
    assert wished_wait_seconds(headers, now=NOW) == seconds


NONSENSE = (
    "", "soon", "-5", "nan", "inf", "-inf", "1e999", "1e300", "7, 7", "9" * 400, "\x00",
    "Sun, 99 Mar 2030", "Fri, 31 Dec 9999 23:59:59 GMT", "9999-99-99",
)  # fmt: skip


@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: value[:10])
def test_nonsense_counts_as_unsaid(value):
    headers = {"retry-after": value, "x-ratelimit-reset": value}
    assert wished_wait_seconds(headers, now=NOW) is None


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Please try again in 20s.", 20),
        ("Please try again in 1m12.5s. Visit", 72.5),
        ("Please try again in 843ms.", 0.843),
        ("Please retry in 36.1s.", 36.1),
        ("retry after 5 seconds", 5),
        ("Try again in 2 minutes", 120),
        ("resets in 3 hours 5 minutes", 11_100),
        ("Please retry shortly", None),
        ("in 5 s it will fail again", None),
    ],
)
def test_words(words, seconds):
    assert wished_wait_seconds({}, words, NOW) == pytest.approx(seconds)


def test_a_header_goes_before_words():
    assert wished_wait_seconds({"retry-after": "3"}, "try again in 9s", NOW) == 3


@given(value=st.text(max_size=30), words=st.text(max_size=60))
def test_any_text_is_survived(value, words):
    names = ("retry-after", "retry-after-ms", "x-ratelimit-reset", "ratelimit-reset")
    wait = wished_wait_seconds(dict.fromkeys(names, value), words, NOW)
    assert wait is None or 0 <= wait <= LONGEST_SENSIBLE_SECONDS
