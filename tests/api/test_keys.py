"""Keys and addresses of models: whose key goes where, and what is never said of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.serving import SMALL, Served, running
from tests.api.test_errors import error_of
from tests.api.test_survival import assert_nowhere

TOKEN = "a-token-of-at-least-16-characters"
OPERATORS = "sk-of-the-operator-4a1f"
MINE = "sk-of-the-caller-9c3e5b77"


class Model(BaseHTTPRequestHandler):
    """A model that keeps what it was sent, and tells it all to everyone."""

    protocol_version = "HTTP/1.1"
    seen: list[str]

    def do_POST(self) -> None:
        """Any question has the same answer, which repeats the caller's key."""
        self.rfile.read(int(self.headers["content-length"]))
        key = self.headers.get("authorization", "none")
        type(self).seen.append(key)
        reply = f'{{"guilty": "yes", "months": 24}} you sent {key}'
        choice = {"message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
        body = json.dumps({"model": "m", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """A model at an address of this machine, and the keys that it was sent."""
    seen: list[str] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Model,), {"seen": seen})) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}", seen
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def model() -> Iterator[tuple[str, list[str]]]:
    """A model, and the keys that it was sent."""
    with listening() as found:
        yield found


@contextmanager
def elsewhere(data: Path, *words: str) -> Iterator[Served]:
    """A service for callers from elsewhere, whose operator has a key in the environment."""
    environment = {"JUSTEVAL_TOKEN": TOKEN, "OPENAI_API_KEY": OPERATORS}
    with running(data, "--host", "0.0.0.0", *words, environment=environment) as service:
        service.client.base_url = httpx.URL(
            f"http://127.0.0.1:{service.address.rpartition(':')[2]}/api/v1"
        )
        service.client.headers["authorization"] = f"Bearer {TOKEN}"
        yield service


def asked(service: Served, address: str, **more: Any) -> dict[str, Any]:
    """A run of one document and one label at an address, when it has ended."""
    named = {"kind": "openai", "name": "m", "address": address, **more}
    run = service.start(models=[named], labels=["placebo:folder_color"], limit=1)
    return service.ended(run)


def test_the_operators_key_goes_to_no_address_of_a_caller(
    tmp_path: Path, model: tuple[str, list[str]]
) -> None:
    """Not even to one that the operator allowed; and the caller's own goes there and nowhere."""
    where, seen = model
    data = tmp_path / "data"
    with elsewhere(data, "--allow-address", where) as service:
        ended = asked(service, f"http://{where}/v1")
        assert ended["state"] == "complete", ended
        assert set(seen) == {"none"}
        seen.clear()
        ended = asked(service, f"http://{where}/v1", key=MINE)
        assert ended["state"] == "complete", ended
        assert set(seen) == {f"Bearer {MINE}"}
        run = ended["id"]
        answers = [service.client.get(f"/runs/{run}{path}").text for path in
                   ("", "/progress", "/manifest", "/results", "/exports/json")]  # fmt: skip
        row = service.get(f"/runs/{run}/documents", label="folder_color")["items"][0]
        document = service.client.get(
            f"/runs/{run}/documents/{row['id']}", params={"label": "folder_color"}
        )
        assert "you sent Bearer [key]" in document.text
        for text in (*answers, document.text):
            assert MINE not in text and OPERATORS not in text
    assert_nowhere(MINE, data)
    assert_nowhere(OPERATORS, data)


def test_a_name_that_leads_to_this_machine_is_refused_when_it_is_asked(
    tmp_path: Path, model: tuple[str, list[str]]
) -> None:
    """A name passes where only its spelling can be seen; what it resolves to decides."""
    where, seen = model
    port = where.rpartition(":")[2]
    with elsewhere(tmp_path / "data") as service:
        named = {"kind": "openai", "name": "m", "address": f"https://localhost:{port}/v1"}
        answer = service.client.post("/runs", json={**SMALL, "models": [{**named, "key": MINE}]})
        if answer.status_code == 201:
            ended = service.ended(answer.json()["id"])
            assert ended["state"] == "failed", ended
            assert "address" in ended["message"]
        else:
            assert answer.status_code == 422, answer.text
            error_of(answer)
    assert seen == []


def test_the_local_user_names_local_models(served: Served, model: tuple[str, list[str]]) -> None:
    where, seen = model
    ended = asked(served, f"http://{where}/v1", key=MINE)
    assert ended["state"] == "complete", ended
    assert set(seen) == {f"Bearer {MINE}"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"surprise": 1},
        {"key": [MINE]},
        {"key": MINE * 60},
        {"key": f"{MINE}\r\nx-injected: 1"},
        {"key": f"{MINE}é"},
        {"kind": MINE},
        {"alias": f"{MINE}/"},
    ],
)
def test_what_is_wrong_with_a_request_never_repeats_its_key(
    served: Served, wrong: dict[str, Any]
) -> None:
    named = {"kind": "openai", "name": "m", "address": "http://127.0.0.1:9/v1", "key": MINE}
    answer = served.client.post("/runs", json={**SMALL, "models": [{**named, **wrong}]})
    assert answer.status_code == 422, answer.text
    assert MINE not in answer.text
    error_of(answer)
