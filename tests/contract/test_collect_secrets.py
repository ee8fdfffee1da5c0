"""A planted key is in no file, no line and no error of a run, whatever the provider does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.collecting import closed_port, run, small_set
from tests.servers.faulty import FaultyServer, Received, faithful
from tests.servers.responses import Response, answer, error, text

KEY = "sk-planted/0123456789+abc=="
HEADER = "header-planted-0123456789"
QUERY = "query-planted-0123456789"
PLANTED = ("sk-planted", "header-planted", "query-planted")


def echoing(received: Received) -> Response:
    """Repeats all that it was sent in ever another place."""
    told = f"{received.headers.get('authorization')} {received.headers.get('x-key')}"
    told += f" {received.target}"
    kinds = (
        answer(f"your key is {told}"),
        answer("36", message={"reasoning": told}),
        answer("36", model=told, system_fingerprint=told, provider=told),
        error(500, told),
        error(429, told, retry_after="0"),
        error(400, told, told),
        text(f"<html>{told}", 502),
        Response(body=answer(told).body.replace(b"/", b"\\/")),
    )
    return kinds[received.number % len(kinds)]


def everything(folder: Path) -> bytes:
    """All bytes and names below a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return b"".join(path.read_bytes() + str(path).encode() for path in files)


@pytest.fixture
def choices(tmp_path) -> tuple[str, ...]:
    cases, pack = small_set(tmp_path / "set", 10)
    key_file = tmp_path / "set" / "keys"
    key_file.write_text(f"OPENAI_API_KEY={KEY}\nX_KEY={HEADER}\nTOKEN={QUERY}\n")
    key_file.chmod(0o600)
    return (
        "--cases", cases, "--labels", pack, "--key-file", str(key_file), "--header", "x-key=X_KEY",
        "--query", "token=TOKEN", "--out", str(tmp_path / "out" / "run"),
    )  # fmt: skip


def planted_in(*said: str | bytes) -> list[str]:
    whole = b"".join(part if isinstance(part, bytes) else part.encode() for part in said)
    return [secret for secret in PLANTED if secret.encode() in whole]


def test_secrets_reach_the_provider_and_nothing_else(tmp_path, choices):
    (tmp_path / "out").mkdir()
    with FaultyServer(echoing).running() as server:
        model = ("--model", f"openai:judge@{server.base_url}")
        code, out, err = run(*choices, *model, "--failures", "1000")
        assert code in (0, 3), err
        assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
        assert server.asked[0].headers["x-key"] == HEADER
        assert server.asked[0].target.endswith(f"?token={QUERY}")
        left = everything(tmp_path / "out")
        assert b"[key]" in left
        assert b'"x-key": "X_KEY"' in left
        assert planted_in(left, out, err) == []
        server.script = faithful
        code, out, err = run(*choices, *model, "--json")
    assert code == 0
    assert planted_in(everything(tmp_path / "out"), out, err) == []


def test_a_refused_key_is_not_repeated(tmp_path, choices):
    def script(received: Received) -> Response:
        return error(401, f"Incorrect API key: {received.headers['authorization']}")

    (tmp_path / "out").mkdir()
    with FaultyServer(script).running() as server:
        code, out, err = run(*choices, "--model", f"openai:judge@{server.base_url}")
    assert code == 1
    assert err.splitlines()[-1] == (
        "justeval: judge: status 401: Incorrect API key: Bearer [key] (key refused)"
    )
    assert planted_in(err, out) == []
    assert list((tmp_path / "out").iterdir()) == []


def test_a_port_that_is_closed_or_an_option_that_is_wrong_tells_no_secret(tmp_path, choices):
    closed = f"http://127.0.0.1:{closed_port()}/v1"
    for model in (f"openai:judge@{closed}", f"openai:judge@http://{KEY}@h/v1", f"openai@{KEY}"):
        code, out, err = run(*choices, "--model", model)
        assert code in (1, 2)
        assert "Traceback" not in err
        assert planted_in(err, out) == []


def test_a_key_file_that_others_can_read_is_refused(tmp_path, choices):
    (tmp_path / "set" / "keys").chmod(0o644)
    code, out, err = run(*choices, "--model", "openai:judge")
    assert (code, err.count("\n")) == (2, 1)
    assert "chmod 600" in err
    assert planted_in(err, out) == []
