"""The description of the API, smaller and truer than it is made by default.

In: the application. Out: its OpenAPI document. Errors are JSON on every route (also on those that
answer with a stream or a file), and each is described once; titles that repeat a name are left
away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

Description = dict[str, Any]
_ERROR = {"$ref": "#/components/schemas/ErrorAnswer"}


def describer(app: FastAPI) -> Callable[[], Description]:
    """A function that gives the description, made once."""

    def describe() -> Description:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app)
        return app.openapi_schema

    return describe


def _described(app: FastAPI) -> Description:
    document = get_openapi(
        title=app.title,
        version=app.version,
        description=app.description,
        tags=app.openapi_tags,
        routes=app.routes,
    )
    shared: dict[str, Any] = {}
    for operations in document["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            for status in [status for status in responses if int(status) >= 400]:
                description = responses[status]["description"]
                shared[status] = {
                    "description": description,
                    "content": {"application/json": {"schema": _ERROR}},
                }
                responses[status] = {"$ref": f"#/components/responses/{status}"}
    document["components"]["responses"] = dict(sorted(shared.items()))
    _without_titles(document["paths"])
    for schema in document["components"]["schemas"].values():
        _without_titles(schema.get("properties", {}))
    return document


def _without_titles(node: object) -> None:
    """Removes `title` from every schema below a node; a property of that name stays."""
    if isinstance(node, dict):
        if isinstance(node.get("title"), str):
            del node["title"]
        for child in node.values():
            _without_titles(child)
    elif isinstance(node, list):
        for child in node:
            _without_titles(child)
