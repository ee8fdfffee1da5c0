"""Who may ask, from where, how much; and what never leaves the service."""

from __future__ import annotations

import io
import os
import select
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from justeval.errors import UsageError
from justeval_api.errors import TooLargeError
from justeval_api.safety.archives import check_archive
from justeval_api.safety.gate import POLICY, is_known_host
from justeval_api.safety.words import for_clients
from justeval_api.services.uploads import plain_name
from justeval_api.settings import Limits, Settings
from tests.api.serving import SMALL, Served, running
from tests.api.test_errors import error_of

TOKEN = "a-token-of-at-least-16-characters"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that is reached from elsewhere, by a name that was allowed."""
    data = tmp_path_factory.mktemp("guarded") / "data"
    words = ["--host", "0.0.0.0", "--allow-host", "audit.example"]
    environment = {"JUSTEVAL_TOKEN": TOKEN, "OPENAI_API_KEY": "sk-of-the-operator-0001"}
    with running(data, *words, environment=environment) as service:
        port = urlsplit(service.address).port
        service.client.base_url = httpx.URL(f"http://127.0.0.1:{port}/api/v1")
        yield service


def test_beyond_this_machine_a_token_is_demanded_at_start() -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        with pytest.raises(UsageError, match="token"):
            Settings(host=host).check()
    with pytest.raises(UsageError, match="16 characters"):
        Settings(host="0.0.0.0", token="short").check()
    Settings(host="0.0.0.0", token=TOKEN).check()
    for host in ("127.0.0.1", "localhost", "::1", "127.9.9.9"):
        Settings(host=host).check()
    assert TOKEN not in repr(Settings(token=TOKEN))


def test_the_command_says_it_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "justeval_api", "--data", str(tmp_path / "data")]
    environment = {k: v for k, v in os.environ.items() if k != "JUSTEVAL_TOKEN"}
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for words, said in (
            (["--host", "0.0.0.0"], "token"),
            (["--port", str(taken.getsockname()[1])], "choose another --port"),
        ):
            done = subprocess.run(
                [*command, *words], capture_output=True, text=True, env=environment, timeout=60,
                check=False,
            )  # fmt: skip
            assert done.returncode == 2
            assert said in done.stderr
            assert done.stderr.count("\n") == 1, done.stderr


def test_without_the_token_nothing_is_told(guarded: Served) -> None:
    assert guarded.get("/health")["token_required"] is True
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN},
                    {"cookie": "justeval_session=wrong"}):  # fmt: skip
        answer = guarded.client.get("/runs", headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        error_of(answer)
    assert guarded.client.get("/runs", headers={"authorization": f"Bearer {TOKEN}"}).is_success


def test_a_cookie_stands_for_the_token(guarded: Served) -> None:
    assert guarded.client.post("/session", json={"token": "wrong"}).status_code == 401
    opened = guarded.client.post("/session", json={"token": TOKEN})
    assert opened.json() == {"token_required": True, "authenticated": True, "local": False}
    cookie = opened.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert guarded.client.get("/runs").status_code == 200
    guarded.client.delete("/session")
    assert guarded.client.get("/runs").status_code == 401


def test_callers_from_elsewhere_name_public_models_only(guarded: Served) -> None:
    headers = {"authorization": f"Bearer {TOKEN}"}
    for address in ("http://127.0.0.1:9/v1", "https://10.0.0.1/v1", "https://169.254.169.254/v1",
                    "http://models.example/v1", "https://[::1]/v1", "https://2130706433/v1",
                    "https://[::ffff:127.0.0.1]/v1"):  # fmt: skip
        model = {"kind": "openai", "name": "m", "address": address, "key": "sk-of-mine-0123"}
        answer = guarded.client.post("/runs", json={**SMALL, "models": [model]}, headers=headers)
        assert answer.status_code == 422, address
        assert "sk-of-mine" not in answer.text
        error_of(answer)


def test_hosts_are_known(served: Served, guarded: Served) -> None:
    for host in ("evil.example", "localhost.evil.example", "", "127.0.0.1.nip.example", "a b"):
        answer = served.client.get("/health", headers={"host": host})
        assert answer.status_code == 400, host
    assert guarded.client.get("/health", headers={"host": "audit.example:80"}).is_success
    assert guarded.client.get("/health", headers={"host": "other.example"}).status_code == 400
    for host in ("localhost:1", "127.0.0.1", "[::1]:80", "10.0.0.5:8787"):
        assert is_known_host(host, ())


def test_other_sites_are_refused(served: Served) -> None:
    foreign: list[dict[str, str]] = [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": served.address.replace("127.0.0.1", "localhost")},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
    ]
    for headers in foreign:
        for method, path in (("POST", "/runs"), ("GET", "/runs"), ("DELETE", "/runs/run-1")):
            answer = served.client.request(method, path, headers=headers)
            assert answer.status_code == 403, headers
            error_of(answer)
    own = served.client.get("/runs", headers={"origin": served.address})
    assert own.is_success
    assert "access-control-allow-origin" not in own.headers
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert served.client.get("/health", headers=link).is_success


def test_every_answer_carries_the_policy(served: Served) -> None:
    for path in ("/", "/docs", "/api/v1/runs", "/api/v1/nothing", "/nothing.js"):
        answer = httpx.get(f"{served.address}{path}", trust_env=False)
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
    assert "unsafe" not in POLICY
    assert served.client.get("/runs").headers["cache-control"] == "no-store"


def test_what_is_too_large_is_refused_before_it_is_read(served: Served) -> None:
    """The answer comes while the body has not been sent at all."""
    host, port = urlsplit(served.address).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            f"POST /api/v1/runs HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
            f"content-length: {10**12}\r\n\r\n".encode()
        )
        assert b"413" in connection.recv(100)


@pytest.mark.parametrize("path", ["/runs", "/packs"])
def test_what_grows_too_large_is_refused_while_it_is_sent(served: Served, path: str) -> None:
    """The answer comes long before the last chunk, which never comes."""
    host, port = urlsplit(served.address).netloc.split(":")
    chunk = b"186a0\r\n" + b"x" * 100_000 + b"\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            f"POST /api/v1{path} HTTP/1.1\r\nhost: {host}\r\n"
            "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n".encode()
        )
        for _ in range(500):
            connection.sendall(chunk)
            if select.select([connection], [], [], 0.01)[0]:
                break
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


def test_archives_that_unpack_to_too_much_are_refused(tmp_path: Path) -> None:
    limits = Limits(unpacked_bytes=1_000_000, unpacked_ratio=100, rows=100)
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 900_000)
    with pytest.raises(TooLargeError, match="unpacks"):
        check_archive(bomb, limits)
    many = tmp_path / "many.xlsx"
    with zipfile.ZipFile(many, "w") as archive:
        for i in range(2_001):
            archive.writestr(f"{i}", b"")
    with pytest.raises(TooLargeError, match="2,000"):
        check_archive(many, limits)
    rows = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"case_id": list(range(101))}), rows)
    with pytest.raises(TooLargeError, match="rows"):
        check_archive(rows, limits)
    long = tmp_path / "long.parquet"
    pq.write_table(pa.table({"facts": [os.urandom(11_000) for _ in range(100)]}), long)
    with pytest.raises(TooLargeError, match="unpacks"):
        check_archive(long, limits)


def test_a_zip_bomb_is_refused_over_the_api(served: Served) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 30_000_000)
    query = {"filename": "cases.xlsx"}
    answer = served.client.post("/datasets", params=query, content=out.getvalue())
    assert answer.status_code == 413, answer.text
    error_of(answer)


def test_yaml_that_stands_for_billions_is_refused(served: Served) -> None:
    levels = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    names = "abcdefghij"
    levels += [f"{n}: &{n} [{', '.join([f'*{m}'] * 10)}]" for m, n in pairwise(names)]
    for content in ("\n".join(levels), "a: " + "[" * 100_000, "x: &x [*x]"):
        answer = served.client.post("/packs/check", content=content)
        assert answer.status_code == 200, answer.text
        assert answer.json()["ok"] is False


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\cases.csv", "cases.csv"),
        ("a\x00b\r\nc.csv", "abc.csv"),
        ("\u202evsc.exe", "vsc.exe"),
        ("...", "unnamed"),
        ("x" * 500 + ".csv", "x" * 116 + ".csv"),
        ("案件.csv", "案件.csv"),
    ],
)
def test_names_are_plain(given: str, shown: str) -> None:
    assert plain_name(given) == shown


def test_a_name_like_a_path_is_a_name(served: Served) -> None:
    content = b"case_id,facts\nc1,The defendant took a bicycle from the yard of a neighbor.\n"
    query = {"filename": "../../../x\r\n\u202e<b>.csv"}
    dataset = served.ask("POST", "/datasets", 201, params=query, content=content)
    assert dataset["filename"] == "x<b>.csv"
    homes = [path.name for path in (served.data / "datasets").iterdir()]
    assert dataset["id"] in homes
    for path in ("/datasets/..%2F..%2Fetc", "/runs/..%2F..%2Fetc/results", "/packs/%2e%2e"):
        assert served.client.get(path).status_code in (404, 405, 422)


def test_formulas_in_a_csv_are_quoted(served: Served) -> None:
    rows = "".join(
        f"=cmd|' /C calc'!A{i},The defendant took a bicycle number {i}.\n" for i in (1, 2)
    )
    content = f"case_id,facts\n{rows}".encode()
    dataset = served.ask("POST", "/datasets", 201, params={"filename": "f.csv"}, content=content)
    lines = served.exported(dataset=dataset["id"], labels=["placebo:folder_color"])
    run = served.imported([{**line, "reply": '{"months": 3}'} for line in lines], model="@SUM(1+1)")
    query = {"label": "folder_color", "format": "csv"}
    text = served.client.get(f"/runs/{run['id']}/documents", params=query).text
    assert "'=cmd" in text and "\n=cmd" not in text and ",=cmd" not in text
    text = served.client.get(f"/runs/{run['id']}/results/models", params={"format": "csv"}).text
    assert "\n'@SUM" in text


def test_paths_and_options_of_this_machine_are_no_words_for_clients(tmp_path: Path) -> None:
    root = tmp_path / "data"
    told = for_clients(f"{root}/datasets/dataset-1/cases.csv row 3: use --longest-months", root)
    assert told == "cases.csv row 3: use longest_months"
    told = for_clients(f"{root}/runs/run-1/run: 5 of 9 requests have no answer", root)
    assert told == "run: 5 of 9 requests have no answer"
    assert for_clients("see GET /api/v1/runs", root) == "see GET /api/v1/runs"
    assert for_clients("https://x.example/v1", root) == "https://x.example/v1"
