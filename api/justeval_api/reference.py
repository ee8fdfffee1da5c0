"""`/docs`: the API to read, made from its own description, without a script and from no other host.

In: the OpenAPI document. Out: one page of HTML.
"""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}"
    "code{background:#8882;padding:.1em .3em;border-radius:.2em}table{border-collapse:collapse}"
    "td,th{padding:.2em .8em .2em 0;text-align:left;vertical-align:top}"
    "section{border-top:1px solid #8886;margin-top:1rem}:root{color-scheme:light dark}"
)
STYLE_PATH = "/docs/style.css"


def reference_router() -> APIRouter:
    """The page and its style (a strict policy takes no style inside a page)."""
    router = APIRouter(include_in_schema=False)

    @router.get("/docs")
    async def reference(request: Request) -> HTMLResponse:
        return HTMLResponse(reference_html(request.app.openapi()))

    @router.get(STYLE_PATH)
    async def style() -> HTMLResponse:
        return HTMLResponse(STYLE, media_type="text/css")

    return router


def reference_html(document: dict[str, Any]) -> str:
    """The description as a page."""
    by_tag: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            shown = _operation(method.upper(), path, operation)
            by_tag.setdefault(operation["tags"][0], []).append(shown)
    about = {tag["name"]: tag["description"] for tag in document["tags"]}
    sections = "".join(
        f"<section><h2>{escape(tag)}</h2><p>{escape(about.get(tag, ''))}</p>"
        f"{''.join(shown)}</section>"
        for tag, shown in by_tag.items()
    )
    info = document["info"]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>justeval: API</title>'
        f'<link rel="stylesheet" href="{STYLE_PATH}"></head><body>'
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>"
        f"<p>{escape(info['description'])}</p>"
        '<p>The same for programs: <a href="/api/v1/openapi.json">openapi.json</a>. Every answer '
        "that is no success has one shape: "
        '<code>{"error": {"kind", "message", "detail"}}</code>. Every list is '
        '<code>{"items", "next", "total"}</code>: send <code>next</code> back as '
        "<code>cursor</code> for the page after it.</p>"
        f"{sections}</body></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = "".join(map(_parameter, operation.get("parameters", [])))
    table = f"<table>{rows}</table>" if rows else ""
    body = _body(operation.get("requestBody"))
    return (
        f'<h3 id="{escape(operation["operationId"])}"><code>{method} {escape(path)}</code></h3>'
        f"<p>{escape(operation.get('description', ''))}</p>{body}{table}"
    )


def _body(body: dict[str, Any] | None) -> str:
    if body is None:
        return ""
    media_type, content = next(iter(body["content"].items()))
    name = str(content["schema"].get("$ref", "")).rpartition("/")[2]
    told = body.get("description") or (f"{name} as JSON" if name else "")
    return f"<p>Body: <code>{escape(media_type)}</code> {escape(told)}</p>"


def _parameter(parameter: dict[str, Any]) -> str:
    needed = ", needed" if parameter.get("required") else ""
    return (
        f"<tr><td><code>{escape(parameter['name'])}</code></td>"
        f"<td>{escape(parameter['in'])}{needed}</td>"
        f"<td>{escape(parameter.get('description', ''))}</td></tr>"
    )
