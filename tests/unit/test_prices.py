"""What tokens cost: files of prices, and OpenRouter's catalogue."""

from __future__ import annotations

import asyncio
import json

import pytest

from justeval.errors import InputError, ProviderError
from justeval.models.prices import Price, catalogue_prices, fetch_prices, read_prices
from tests.servers.faulty import FaultyServer, always
from tests.servers.responses import HTML, Response, error

CATALOGUE = {
    "data": [
        {"id": "a/b", "pricing": {"prompt": "0.00000015", "completion": "0.0000006"}},
        {"id": "c", "pricing": {"prompt": 0, "completion": 0, "request": "0.01"}},
        {"id": "auto", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "odd", "pricing": {"prompt": "much", "completion": None}},
        {"id": "none"},
        None,
    ]
}
PRICES = {"a/b": Price(1.5e-7, 6e-7), "c": Price(0.0, 0.0, 0.01)}


def test_a_price_gives_a_cost():
    assert Price(1e-6, 2e-6, 0.1).cost(1000, 500) == pytest.approx(0.102)


def test_a_file_of_prices_is_in_dollars_a_million_tokens(write):
    path = write(
        "models:\n  a/b: {prompt: 0.15, completion: 0.6}\n  c: {prompt: 0, completion: 0}\n"
    )
    assert read_prices(path) == {"a/b": Price(1.5e-7, 6e-7), "c": Price(0.0, 0.0)}
    path = write('{"models": {"a": {"prompt": "1e0", "completion": 2, "request": 0.5}}}')
    assert read_prices(path) == {"a": Price(1e-6, 2e-6, 0.5)}


def test_a_catalogue_is_read_as_it_is(write):
    assert read_prices(write(json.dumps(CATALOGUE))) == PRICES


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "holds `models:`"),
        ("models: []", "holds `models:`"),
        ("models: {a: 3}", "model a: must hold prompt and completion"),
        ("models: {a: {prompt: 3}}", "model a, field completion: must be a number"),
        ("models: {a: {prompt: -1, completion: 1}}", "model a, field prompt"),
        ("models: {a: {prompt: .nan, completion: 1}}", "model a, field prompt"),
        ("models: {a: {prompt: true, completion: 1}}", "model a, field prompt"),
        ("models: {a: {prompt: 1, completion: 1, request: x}}", "model a, field request"),
        ("models: {a: {input: 1}}", "model a, field input: unknown"),
        ("{", "neither YAML nor JSON"),
        (b"\xff\xfe", "neither YAML nor JSON"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(write, text, place):
    with pytest.raises(InputError, match=r"own\.yaml") as caught:
        read_prices(write(text))
    assert place in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_prices(tmp_path / "none.yaml")


def test_a_catalogue_is_fetched_without_a_key(monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-planted-0123456789")
    body = json.dumps(CATALOGUE).encode()
    with FaultyServer(always(Response(body=body))).running() as server:
        assert asyncio.run(fetch_prices(server.base_url)) == PRICES
    (request,) = server.asked
    assert (request.method, request.target) == ("GET", "/v1/models")
    assert "authorization" not in request.headers


@pytest.mark.parametrize("response", [HTML, error(500), Response(body=b"[1]")])
def test_no_catalogue_is_said(response):
    with (
        FaultyServer(always(response)).running() as server,
        pytest.raises(ProviderError, match="no catalogue of prices"),
    ):
        asyncio.run(fetch_prices(server.base_url))


def test_nonsense_in_a_catalogue_is_left_out():
    assert catalogue_prices({"data": None}) == {}
    assert catalogue_prices({}) == {}
