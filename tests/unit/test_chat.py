"""A model over real HTTP: sound answers, broken ones, none; keys, proxies, certificates."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from base64 import b64encode
from contextlib import closing
from dataclasses import replace
from socket import create_server

import pytest

from justeval.errors import PermanentProviderError, ProviderError, UsageError
from justeval.models.addresses import AddressRefusedError, AddressRules
from justeval.models.chat import ChatModel
from justeval.models.naming import endpoint_of
from justeval.models.records import Parameters, TransientProviderError, UnreachableError
from justeval.models.secrets import Secrets
from tests.servers import AUTHORITY, tls_context
from tests.servers.faulty import FaultyServer, always, in_turn
from tests.servers.responses import (
    CLOSED_IN_BODY,
    HTML,
    NOT_HTTP,
    RESET,
    RESET_IN_BODY,
    WRONG_ENCODING,
    Response,
    answer,
    error,
    half_json,
    kept_alive,
    text,
)

KEY = "sk-planted-0123456789"
MESSAGES = [{"role": "user", "content": "被告人 \u2028 \ud83d"}]
VARIABLES = (
    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file", "ssl_cert_dir",
    "requests_ca_bundle", "curl_ca_bundle",
)  # fmt: skip


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    """No proxy and no certificates from the machine on which the tests run."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def ask(base_url, times=1, secrets=None, timeout=5.0, parameters=None, rules=None, **options):
    """The last of so many answers of a model, asked one after the other."""

    async def run():
        endpoint = endpoint_of(f"openai:judge@{base_url}", **options)
        model = ChatModel(endpoint, secrets or Secrets(), timeout, rules)
        try:
            for _ in range(times):
                found = await model.ask(MESSAGES, parameters or Parameters())
            return found
        finally:
            await model.close()

    return asyncio.run(run())


def test_what_is_sent():
    with FaultyServer(always(answer("36"))).running() as server:
        parameters = Parameters(0.5, 100, 7)
        found = ask(server.base_url, secrets=Secrets(KEY), parameters=parameters)
    assert found.reply == "36"
    (request,) = server.asked
    assert (request.method, request.target) == ("POST", "/v1/chat/completions")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert request.data == {
        "model": "judge",
        "messages": [{"role": "user", "content": "被告人 \u2028 ?"}],
        "temperature": 0.5,
        "max_tokens": 100,
        "seed": 7,
    }


def test_further_headers_and_parameters():
    with FaultyServer(always(answer("36"))).running() as server:
        secrets = Secrets(None, {"api-key": KEY}, {"api-version": "2024-10-21", "a": "b&c"})
        ask(server.base_url, secrets=secrets)
    (request,) = server.asked
    assert request.target == "/v1/chat/completions?api-version=2024-10-21&a=b%26c"
    assert request.headers["api-key"] == KEY
    assert "authorization" not in request.headers


@pytest.mark.parametrize(
    "response",
    [
        kept_alive(answer("36")),
        replace(answer("36"), piece_bytes=7, between_seconds=0.001),
        replace(
            answer("36"),
            body=gzip.compress(answer("36").body),
            headers={"content-encoding": "gzip"},
        ),
        replace(answer("36"), headers={"content-type": "text/html"}),
        replace(answer("36"), headers={"content-type": "application/json; charset=latin-1"}),
        replace(answer("36"), headers={"set-cookie": "a=b", "connection": "close"}),
    ],
    ids=["blank lines", "in pieces", "compressed", "called html", "called latin-1", "closing"],
)
def test_a_sound_answer_in_an_odd_dress(response):
    with FaultyServer(always(response)).running() as server:
        assert ask(server.base_url, times=3).reply == "36"


BROKEN = {
    "reset": RESET,
    "reset in the body": RESET_IN_BODY,
    "closed in the body": CLOSED_IN_BODY,
    "no HTTP": NOT_HTTP,
    "wrong encoding": WRONG_ENCODING,
    "html": HTML,
    "half JSON": half_json(),
    "empty": text(""),
    "nothing": Response(raw=b""),
    "status 999": Response(raw=b"HTTP/1.1 999\r\n\r\n"),
    "length of nine": Response(raw=b"HTTP/1.1 200 OK\r\ncontent-length: nine\r\n\r\n{}"),
    "broken chunks": Response(raw=b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxy\r\n"),
}


@pytest.mark.parametrize("response", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_response_may_be_cured_by_asking_again(response):
    with FaultyServer(in_turn(response, answer("36"))).running() as server:
        with pytest.raises(TransientProviderError) as caught:
            ask(server.base_url)
        assert "\n" not in str(caught.value)
        assert ask(server.base_url).reply == "36"


@pytest.mark.parametrize(
    "response",
    [
        replace(answer("36"), after_seconds=30),
        replace(answer("36"), piece_bytes=1, between_seconds=0.2),
    ],
    ids=["silent", "a byte now and then"],
)
def test_the_whole_exchange_is_bounded_in_time(response):
    with FaultyServer(always(response)).running() as server:
        start = time.monotonic()
        with pytest.raises(TransientProviderError, match=r"no answer within 0\.5 s"):
            ask(server.base_url, timeout=0.5)
        assert time.monotonic() - start < 3


def test_a_body_without_end_is_bounded_in_size(monkeypatch):
    monkeypatch.setattr("justeval.models.connection.LARGEST_BODY", 100_000)
    large = Response(body=b" " * 10_000_000)
    bomb = Response(body=gzip.compress(large.body), headers={"content-encoding": "gzip"})
    with FaultyServer(in_turn(large, bomb)).running() as server:
        for _ in range(2):
            with pytest.raises(TransientProviderError):
                ask(server.base_url)


def test_a_closed_port_and_an_unknown_host_are_unreachable():
    with closing(create_server(("127.0.0.1", 0))) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    with pytest.raises(UnreachableError, match=f"cannot connect to {url}: refused"):
        ask(url)
    with pytest.raises(UnreachableError, match="cannot find the host"):
        ask("http://no-such-host.invalid/v1")


def test_a_redirect_is_not_followed():
    with FaultyServer().running() as other:
        moved = Response(307, b"", {"location": f"{other.base_url}/chat/completions"})
        with (
            FaultyServer(always(moved)).running() as server,
            pytest.raises(PermanentProviderError, match="a redirect"),
        ):
            ask(server.base_url, secrets=Secrets(KEY))
    assert other.asked == []


ECHOES = {
    "in the reply": answer(f"key {KEY}"),
    "in the reasoning": answer("36", message={"reasoning": KEY}),
    "in an error": error(401, f"Incorrect API key provided: {KEY}"),
    "at the end of the words": error(500, "x" * 290 + KEY),
    "in a page": text("x" * 110 + KEY, 502),
    "as the version": answer("36", model=KEY),
    "as a code": error(400, "no", KEY),
}


@pytest.mark.parametrize("response", ECHOES.values(), ids=ECHOES.keys())
def test_a_key_that_the_provider_repeats_is_blotted_out(response):
    with FaultyServer(always(response)).running() as server:
        try:
            said = repr(ask(server.base_url, secrets=Secrets(KEY)))
        except ProviderError as caught:
            said = str(caught)
    assert "sk-planted" not in said


def test_the_environments_proxy_is_used_for_other_machines(monkeypatch):
    with FaultyServer(always(answer("36"))).running() as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert ask("http://model.test/v1").reply == "36"
        assert proxy.asked[0].target == "http://model.test/v1/chat/completions"
        assert proxy.asked[0].headers["host"] == "model.test"
        with FaultyServer(always(answer("24"))).running() as server:
            assert ask(server.base_url).reply == "24"
        monkeypatch.setenv("NO_PROXY", "no-such-host.invalid")
        with pytest.raises(UnreachableError):
            ask("http://no-such-host.invalid/v1")
        assert len(proxy.asked) == 1


def test_a_proxy_that_cannot_be_used_is_named_without_its_password(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "socks5://me:secret-word@127.0.0.1:1")
    with pytest.raises(UsageError, match="kind socks5") as caught:
        ask("http://model.test/v1")
    assert "secret-word" not in str(caught.value)
    with FaultyServer(always(answer("36"))).running() as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://me:secret-word@127.0.0.1:{proxy.port}")
        assert ask("http://model.test/v1").reply == "36"
        login = proxy.asked[0].headers["proxy-authorization"]
        assert login == "Basic " + b64encode(b"me:secret-word").decode()
    with closing(create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
    monkeypatch.setenv("HTTP_PROXY", f"http://me:secret-word@127.0.0.1:{port}")
    with pytest.raises(UnreachableError) as unreachable:
        ask("http://model.test/v1")
    assert "secret-word" not in str(unreachable.value)


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_own_certificates_come_from_the_environment(monkeypatch, variable):
    with FaultyServer(always(answer("36")), tls=tls_context()).running() as server:
        with pytest.raises(PermanentProviderError, match="certificate is not trusted"):
            ask(server.base_url)
        monkeypatch.setenv(variable, str(AUTHORITY))
        assert ask(server.base_url).reply == "36"


def test_certificates_that_are_not_there_are_a_usage_error(monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with pytest.raises(UsageError, match="SSL_CERT_FILE"):
        ask("https://model.test/v1")


def test_rules_on_addresses_hold_when_the_connection_is_made():
    with FaultyServer(always(answer("36")), tls=tls_context()).running() as server:
        for rules, port in (
            (AddressRules.allowing([]), server.port),
            (AddressRules.allowing([f"localhost:{server.port + 1}"]), server.port),
        ):
            with pytest.raises(AddressRefusedError, match="localhost: no public address"):
                ask(f"https://localhost:{port}/v1", rules=rules)
    assert server.asked == []


def test_an_allowed_address_can_be_asked_and_no_proxy_leads_around_the_rules(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with FaultyServer(always(answer("36"))).running() as server:
        for entry in ("127.0.0.0/8", f"127.0.0.1:{server.port}"):
            rules = AddressRules.allowing([entry])
            assert ask(server.base_url, rules=rules).reply == "36"
    assert json.loads(server.asked[0].body)["model"] == "judge"
