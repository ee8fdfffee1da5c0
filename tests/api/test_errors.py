"""One error shape for every status on every route, and nothing of the inside in any of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import httpx
import pytest

from justeval_api.app import create_app
from justeval_api.schemas.common import ErrorAnswer
from tests.api.serving import Served

DOCUMENT = create_app().openapi()
ROUTES = [
    (method.upper(), path)
    for path, operations in DOCUMENT["paths"].items()
    for method in operations
]
NOWHERE = {"run": "run-000000000000", "dataset": "dataset-000000000000", "pack": "nowhere",
           "prompt": "nowhere", "label": "nowhere", "document": "d-000000000000",
           "format": "json"}  # fmt: skip


def error_of(answer: httpx.Response) -> dict[str, Any]:
    """The error in an answer, held to the one shape."""
    assert answer.headers["content-type"] == "application/json", answer.text
    error = ErrorAnswer.model_validate(answer.json()).error
    assert error.kind.endswith("Error")
    assert error.message
    assert "\n" not in error.message
    for inside in ("Traceback", "justeval_api", str(Path.cwd()), gettempdir(), "site-packages"):
        assert inside not in answer.text
    return error.model_dump()


def filled(path: str) -> str:
    """A path with ids of things that do not exist."""
    for name, value in NOWHERE.items():
        path = path.replace(f"{{{name}}}", value)
    return path.removeprefix("/api/v1")


@pytest.mark.parametrize(("method", "path"), [r for r in ROUTES if "{" in r[1]])
def test_what_does_not_exist_is_not_found(served: Served, method: str, path: str) -> None:
    body = {"json": {}} if method in ("POST", "PUT") else {}
    query = {"label": "nowhere", "dataset": "us-sentencing", "run": NOWHERE["run"]}
    answer = served.client.request(method, filled(path), params=query, **body)
    assert answer.status_code == 404, answer.text
    error_of(answer)


@pytest.mark.parametrize("path", sorted({path for _, path in ROUTES}))
def test_another_method_is_refused_with_those_that_exist(served: Served, path: str) -> None:
    answer = served.client.patch(filled(path))
    assert answer.status_code == 405
    error_of(answer)
    allowed = {method for method, other in ROUTES if other == path}
    told = set(answer.headers["allow"].split(", "))
    assert told == allowed


def queries() -> Iterator[tuple[str, str, str]]:
    """Every query parameter with a value that it cannot have."""
    for method, path in ROUTES:
        operation = DOCUMENT["paths"][path][method.lower()]
        for parameter in operation.get("parameters", []):
            kinds = str(parameter["schema"])
            if parameter["in"] == "query" and ("'integer'" in kinds or "'number'" in kinds):
                yield method, path, parameter["name"]


@pytest.mark.parametrize(("method", "path", "name"), list(queries()))
def test_a_query_that_is_no_number_is_invalid(
    served: Served, method: str, path: str, name: str
) -> None:
    answer = served.client.request(method, filled(path), params={name: "many", "label": "x"})
    assert answer.status_code == 422, answer.text
    places = [problem["place"] for problem in error_of(answer)["detail"]]
    assert f"query.{name}" in places


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/runs", b"{"),
        ("/runs", b"[]"),
        ("/runs", b"\xff\xfe"),
        ("/plans", b'{"dataset": 1}'),
        ("/session", b'{"token": null}'),
        ("/prompts/export", b"{}"),
    ],
)
def test_a_body_that_is_none_is_invalid(served: Served, path: str, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = served.client.post(path, content=body, headers=headers)
    assert answer.status_code == 422, answer.text
    assert error_of(answer)["kind"] == "InvalidError"


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1", "/api/v2/runs", "/api/v1/nothing"])
def test_addresses_that_do_not_exist(served: Served, path: str) -> None:
    answer = httpx.get(f"{served.address}{path}", trust_env=False)
    assert answer.status_code == 404
    error_of(answer)


@pytest.mark.parametrize("cursor", ["x", "!!!!", "bnVsbA", "WyJhIiwxXQ", "LTE", "dHJ1ZQ", "é"])
@pytest.mark.parametrize("path", ["/runs", "/labels", "/datasets"])
def test_a_cursor_of_ones_own_is_refused(served: Served, path: str, cursor: str) -> None:
    answer = served.client.get(path, params={"cursor": cursor})
    assert answer.status_code == 422
    error_of(answer)


def test_a_failure_of_the_inside_tells_a_reference_alone(served: Served) -> None:
    """A damaged folder: the client learns nothing of it, the log all."""
    broken = served.made_elsewhere()
    folder = served.data / "runs" / broken / "run"
    (folder / "variants.parquet").write_bytes(b"PAR1 no more")
    (folder / "predictions.parquet").unlink()
    answer = served.client.get(f"/runs/{broken}/results", params={"alpha": 0.3})
    assert answer.status_code == 500, answer.text
    error_of(answer)
    (folder / "journal.jsonl").write_text("no journal\n")
    answer = served.client.get(f"/runs/{broken}/results", params={"alpha": 0.2})
    assert answer.status_code in (409, 500)
    error_of(answer)
    served.ask("DELETE", f"/runs/{broken}", 204)
