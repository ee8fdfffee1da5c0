"""What is more than the service takes: uploads, rows and cells, answered before it is all read."""

from __future__ import annotations

import io
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

from justeval_api.app import create_app
from justeval_api.settings import Limits, Settings
from tests.api.serving import Served
from tests.api.test_errors import error_of

FACTS = "The defendant took a bicycle from the yard of a neighbor."
SMALL = replace(
    Limits(), upload_bytes=20_000, pack_bytes=5_000, body_bytes=2_000, rows=50, cell_characters=100
)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A service that takes little."""
    data = tmp_path_factory.mktemp("narrow") / "data"
    app = create_app(Settings(data=data, workers=1, limits=SMALL))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client
        assert list((data / "incoming").iterdir()) == []
        assert list((data / "datasets").iterdir()) == []


def rows(count: int, facts: str = FACTS) -> bytes:
    """A file of so many sound rows."""
    return ("case_id,facts\n" + "".join(f"c{i},{facts}\n" for i in range(count))).encode()


def lines(count: int) -> bytes:
    """The same as lines of JSON."""
    return b"".join(json.dumps({"case_id": str(i), "facts": FACTS}).encode() + b"\n"
                    for i in range(count))  # fmt: skip


def columns(count: int) -> bytes:
    """The same as Parquet."""
    out = io.BytesIO()
    pq.write_table(pa.table({"case_id": [str(i) for i in range(count)], "facts": [FACTS] * count}),
                   out)  # fmt: skip
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", rows(51), "more than 50 rows"),
        ("a.jsonl", lines(51), "more than 50 rows"),
        ("a.parquet", columns(51), "more than 50 rows"),
        ("a.csv", rows(2, FACTS * 2), "114 characters; at most 100"),
    ],
)
def test_more_rows_or_longer_cells_are_refused(
    narrow: TestClient, name: str, content: bytes, words: str
) -> None:
    answer = narrow.post("/api/v1/datasets", params={"filename": name}, content=content)
    assert answer.status_code == 413, answer.text
    assert words in error_of(answer)["message"]
    assert not any(item["own"] for item in narrow.get("/api/v1/datasets").json()["items"])


def test_as_many_as_it_takes_are_taken(narrow: TestClient) -> None:
    answer = narrow.post("/api/v1/datasets", params={"filename": "a.csv"}, content=rows(50))
    assert answer.status_code == 201, answer.text
    shown = answer.json()
    assert (shown["state"], shown["documents"]) == ("ready", 50)
    assert narrow.delete(f"/api/v1/datasets/{shown['id']}").status_code == 204


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/datasets?filename=a.csv", SMALL.upload_bytes),
        ("/replies", SMALL.upload_bytes),
        ("/packs", SMALL.pack_bytes),
        ("/packs/check", SMALL.pack_bytes),
        ("/prompts", SMALL.pack_bytes),
        ("/plans", SMALL.body_bytes),
        ("/runs/run-000000000000/resume", SMALL.body_bytes),
    ],
)
def test_no_body_is_larger_than_its_limit(narrow: TestClient, path: str, most: int) -> None:
    """Whether it says its size beforehand or not."""

    def chunks() -> Iterator[bytes]:
        for _ in range(most // 1_000 + 1):
            yield b"x" * 1_000

    for content in (b"x" * (most + 1), chunks()):
        answer = narrow.post(f"/api/v1{path}", content=content)
        assert answer.status_code == 413, answer.text
        assert f"{most:,}" in error_of(answer)["message"]


@pytest.mark.parametrize("path", ["/datasets?filename=a.csv", "/replies"])
def test_an_upload_too_large_by_its_own_word_is_refused_unread(served: Served, path: str) -> None:
    host, port = urlsplit(served.address).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            f"POST /api/v1{path} HTTP/1.1\r\nhost: {host}\r\n"
            f"content-length: {Limits().upload_bytes + 1}\r\n\r\n".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


def test_an_upload_that_breaks_off_leaves_nothing(served: Served) -> None:
    before = served.get("/datasets")["total"]
    host, port = urlsplit(served.address).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            f"POST /api/v1/datasets?filename=a.csv HTTP/1.1\r\nhost: {host}\r\n"
            "content-length: 5000\r\n\r\ncase_id,facts\n".encode()
        )
    assert served.get("/datasets")["total"] == before
    assert incoming(served.data) == []


def incoming(data: Path) -> list[Path]:
    """Files that are not whole; a moment for the service to see that the line is dead."""
    folder = data / "incoming"
    end = time.monotonic() + 10
    while list(folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.05)
    return list(folder.iterdir())
