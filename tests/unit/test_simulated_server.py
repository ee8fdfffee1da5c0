"""The server over real HTTP, on a free port: protocol, errors, and its end."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from justeval.errors import ProviderError, UsageError
from justeval.models.simulated import SimulatedModel, running_server
from justeval.models.simulated.server import serve

ASK = [{"role": "user", "content": 'A robbery. JSON: "charge": text; "months": number.'}]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with running_server(["neutral", "planted"]) as url:
        yield url


def call(url: str, path: str, body: object = None, method: str | None = None):
    """Status and parsed body of one request; bytes are sent as they are."""
    address = urlsplit(url)
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    with closing(http.client.HTTPConnection(address.hostname, address.port, timeout=20)) as client:
        client.request(method or ("GET" if data is None else "POST"), address.path + path, data)
        response = client.getresponse()
        return response.status, json.loads(response.read())


def complete(url: str, **fields: object):
    body = {"model": "simulated-neutral", "messages": ASK, **fields}
    return call(url, "/chat/completions", body)


def test_a_completion_has_the_shape_of_the_protocol(base_url):
    status, body = complete(base_url)
    assert status == 200
    assert body["object"] == "chat.completion"
    assert body["model"] == "simulated-neutral"
    assert abs(body["created"] - time.time()) < 60
    choice = body["choices"][0]
    expected = SimulatedModel.from_profile("neutral").reply(ASK)
    assert (choice["message"]["content"], choice["finish_reason"]) == expected
    usage = body["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 10
    assert body["system_fingerprint"].startswith("fp_")
    other = complete(base_url, model="simulated-planted")[1]
    assert other["system_fingerprint"] != body["system_fingerprint"]
    assert other["id"] != body["id"]


def test_models_are_listed(base_url):
    status, body = call(base_url, "/models")
    assert status == 200
    assert [model["id"] for model in body["data"]] == ["simulated-neutral", "simulated-planted"]


def test_max_tokens_cuts_the_reply_and_says_so(base_url):
    whole = complete(base_url)[1]
    cut = complete(base_url, max_tokens=4)[1]
    text = cut["choices"][0]["message"]["content"]
    assert cut["choices"][0]["finish_reason"] == "length"
    assert cut["usage"]["completion_tokens"] == 4
    assert whole["choices"][0]["message"]["content"].startswith(text)
    exact = complete(base_url, max_tokens=whole["usage"]["completion_tokens"])[1]
    assert exact["choices"] == whole["choices"]


def test_repetitions_differ_at_a_temperature_above_zero_only(base_url):
    def replies(temperature: float) -> set[str]:
        asked = [complete(base_url, temperature=temperature)[1] for _ in range(12)]
        return {body["choices"][0]["message"]["content"] for body in asked}

    assert len(replies(0)) == 1
    assert len(replies(0.9)) > 2


@pytest.mark.parametrize(
    ("fields", "status", "param", "code"),
    [
        ({"model": "gpt-x"}, 404, "model", "model_not_found"),
        ({"model": None}, 400, "model", None),
        ({"messages": []}, 400, "messages", None),
        ({"messages": [{"role": "user"}]}, 400, "messages", None),
        ({"messages": "text"}, 400, "messages", None),
        ({"temperature": 3}, 400, "temperature", None),
        ({"temperature": "hot"}, 400, "temperature", None),
        ({"max_tokens": 0}, 400, "max_tokens", None),
        ({"seed": 1.5}, 400, "seed", None),
        ({"stream": True}, 400, "stream", None),
        ({"n": 2}, 400, "n", None),
    ],
)
def test_errors_have_openais_shape(base_url, fields, status, param, code):
    got, body = complete(base_url, **fields)
    assert got == status
    error = body["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["type"] == "invalid_request_error"
    assert (error["param"], error["code"]) == (param, code)


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"", b"null"])
def test_a_body_that_is_no_request_is_refused(base_url, body):
    status, answer = call(base_url, "/chat/completions", body)
    assert status == 400
    assert answer["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/nowhere", "GET", 404), ("/chat/completions", "GET", 405), ("/models", "POST", 405)],
)
def test_other_addresses_answer_in_the_same_shape(base_url, path, method, status):
    got, body = call(base_url, path, method=method)
    assert got == status
    assert path in body["error"]["message"]


def test_strange_text_is_answered(base_url):
    body = b'{"model": "simulated-neutral", "messages": [{"role": "user", "content": "\\ud800 x"}]}'
    assert call(base_url, "/chat/completions", body)[0] == 200


def test_latency_and_log(tmp_path):
    log = tmp_path / "requests.jsonl"
    with running_server(["neutral"], latency_ms=120, log_path=log) as url:
        started = time.perf_counter()
        assert complete(url)[0] == 200
        assert time.perf_counter() - started >= 0.12
        complete(url, model="other")
    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [entry["status"] for entry in entries] == [200, 404]
    assert "robbery" not in log.read_text(encoding="utf-8")


def test_a_server_that_cannot_start_says_why(tmp_path):
    with pytest.raises(UsageError, match="no effects file 'nothing'"), running_server(["nothing"]):
        raise AssertionError("not reached")
    broken = tmp_path / "broken.yaml"
    broken.write_text("effects: 3", encoding="utf-8")
    with pytest.raises(ProviderError, match="field effects"), running_server([str(broken)]):
        raise AssertionError("not reached")


def test_a_port_in_use_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{port}.*another port"):
            serve(port, ["neutral"])
    with pytest.raises(UsageError, match="cannot listen"):
        serve(70_000, ["neutral"])


def test_two_profiles_of_one_name_are_refused():
    with pytest.raises(UsageError, match="simulated-neutral is served already"):
        serve(0, ["neutral", "simulated-neutral"])


def test_the_server_ends_with_the_block():
    with running_server(["neutral"]) as url:
        assert answers(url)
    assert not answers(url)


def test_the_server_ends_when_its_parent_is_killed():
    code = (
        "import time\n"
        "from justeval.models.simulated import running_server\n"
        "with running_server(['neutral']) as url:\n"
        "    print(url, flush=True)\n"
        "    time.sleep(120)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        assert answers(url)
        parent.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        parent.wait()
    deadline = time.monotonic() + 15
    while answers(url) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not answers(url)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_a_server_without_a_traceback():
    command = [sys.executable, "-m", "justeval.models.simulated", "--port", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        assert call(url, "/models")[0] == 200
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=20)
    assert (server.returncode, said) == (0, "")


def answers(url: str) -> bool:
    """Whether something listens at the address."""
    address = urlsplit(url)
    try:
        with socket.create_connection((address.hostname, address.port), timeout=5):
            return True
    except OSError:
        return False
