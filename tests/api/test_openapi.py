"""The description of the API is fresh, whole and in words."""

from __future__ import annotations

import json
import re

from justeval_api.app import create_app
from justeval_api.openapi import CHECKOUT_FILE, openapi_text
from justeval_api.reference import reference_html

DOCUMENT = create_app().openapi()
OPERATIONS = [
    (method, path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
]


def test_the_file_is_fresh() -> None:
    fresh = "run `python -m justeval_api.openapi`"
    assert CHECKOUT_FILE.read_text(encoding="utf-8") == openapi_text(), fresh


def test_every_operation_has_an_id_in_words_and_a_description() -> None:
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(ids) == len(set(ids))
    for _, path, operation in OPERATIONS:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", operation["operationId"]), operation["operationId"]
        assert operation["description"].endswith("."), path
        assert operation["tags"]


def test_every_success_says_what_it_is() -> None:
    for method, path, operation in OPERATIONS:
        success = {int(s): r for s, r in operation["responses"].items() if int(s) < 300}
        assert len(success) == 1, (method, path)
        ((status, answer),) = success.items()
        if status != 204:
            for content in answer["content"].values():
                assert content.get("schema") or content.get("itemSchema"), (method, path)


def test_every_error_has_the_one_shape() -> None:
    for _, path, operation in OPERATIONS:
        refused = [r for s, r in operation["responses"].items() if int(s) >= 400]
        assert len(refused) >= 5, path
        for answer in refused:
            name = answer["$ref"].rpartition("/")[2]
            schema = DOCUMENT["components"]["responses"][name]["content"]["application/json"]
            assert schema == {"schema": {"$ref": "#/components/schemas/ErrorAnswer"}}


def test_every_list_is_an_object_that_can_grow() -> None:
    for _, path, operation in OPERATIONS:
        answer = operation["responses"].get("200", {}).get("content", {}).get("application/json")
        if answer is None or not operation["operationId"].startswith("list_"):
            continue
        name = answer["schema"]["$ref"].rpartition("/")[2]
        assert {"items", "next", "total"} <= set(
            DOCUMENT["components"]["schemas"][name]["required"]
        )
        names = {parameter["name"] for parameter in operation["parameters"]}
        assert {"cursor", "limit"} <= names, path


def test_requests_have_examples() -> None:
    for _, _, operation in OPERATIONS:
        for content in operation.get("requestBody", {}).get("content", {}).values():
            reference = content["schema"].get("$ref") or str(content["schema"].get("anyOf", ""))
            for name in re.findall(r"schemas/(\w+)", reference):
                properties = DOCUMENT["components"]["schemas"][name]["properties"]
                assert any("examples" in schema for schema in properties.values()), name


def test_the_reference_names_every_operation() -> None:
    html = reference_html(DOCUMENT)
    for _, path, operation in OPERATIONS:
        assert f'id="{operation["operationId"]}"' in html
        assert path in html
    assert "<script" not in html
    assert "http://" not in html and "https://" not in html
    assert json.dumps(DOCUMENT)
