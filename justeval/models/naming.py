"""`--model` -> an endpoint: what `openrouter:NAME`, `openai:NAME@URL`, `decision:NAME@URL`,
`local:PATH` and `simulated` stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from justeval.errors import UsageError
from justeval.models.records import Endpoint

OPENROUTER_URL = "https://openrouter.ai/api/v1"
OPENAI_URL = "https://api.openai.com/v1"
DECISION_URL = "https://api.typesafe.ai/v1"
KINDS = ("openrouter", "openai", "decision", "local", "simulated")
_ALIAS = re.compile(rf"(?P<alias>[^:=@/\s]+)=(?P<model>(?:{'|'.join(KINDS)})(?::.*)?)")
_ADDRESS = re.compile(r"@(?=https?://)")
_FLOATING = re.compile(r"(^|[-:/@.])(latest|preview|auto)$", re.IGNORECASE)


def endpoint_of(
    text: str,
    base_url: str | None = None,
    provider: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
) -> Endpoint:
    """The endpoint that a `--model` names.

    `openrouter:NAME` (provider pins one of its providers), `openai:NAME` with base_url or
    `openai:NAME@URL` (any OpenAI-compatible address), `decision:NAME` likewise (an address that
    answers yes-or-no questions with a probability); `ALIAS=` before it gives it another name in
    every table. A simulated model and a local one (`local:PATH.gguf`) have no address until their
    server runs. `headers` and `query` give each name the environment variable that holds its
    value. Raises UsageError where the text names nothing.
    """
    aliased = _ALIAS.fullmatch(text)
    kind, _, named = (aliased["model"] if aliased else text).partition(":")
    name, *address = _ADDRESS.split(named, maxsplit=1)
    if kind not in KINDS or (kind != "simulated" and not name):
        shown = re.sub(r"(@|://).*", r"\1...", text, flags=re.DOTALL)
        raise UsageError(
            f"no model {shown!r}: write openrouter:NAME, openai:NAME or decision:NAME (with "
            "--base-url or @URL for another address), local:PATH.gguf or simulated[:PROFILE]"
        )
    endpoint = Endpoint(kind, name, "", name)
    if kind == "local":
        stem = Path(named).stem
        endpoint = Endpoint(kind, stem, "", stem, file=named)
    if not endpoint.on_this_machine:
        own = address[0] if address else None
        endpoint = replace(endpoint, headers=headers or {}, query=query or {})
        endpoint = _addressed(endpoint, own, base_url, provider)
    return replace(endpoint, name=aliased["alias"]) if aliased else endpoint


def _addressed(
    endpoint: Endpoint, own: str | None, base_url: str | None, provider: str | None
) -> Endpoint:
    if endpoint.kind == "openrouter":
        body: dict[str, object] = {"usage": {"include": True}}
        if provider:
            body["provider"] = {"order": [provider], "allow_fallbacks": False}
        url = checked_url(own or OPENROUTER_URL)
        return replace(endpoint, base_url=url, key_variable="OPENROUTER_API_KEY", body=body)
    if endpoint.kind == "decision":
        url = checked_url(own or base_url or DECISION_URL)
        return replace(endpoint, base_url=url, key_variable="TYPESAFE_API_KEY")
    url = checked_url(own or base_url or OPENAI_URL)
    return replace(endpoint, base_url=url, key_variable="OPENAI_API_KEY")


def checked_url(base_url: str) -> str:
    """An http or https address without a user, a query or a fragment; trailing slashes removed.

    Raises UsageError otherwise: what stands in an address ends up in the manifest, and a key in
    it would too.
    """
    try:
        parts = urlsplit(base_url)
        port_is_sound = parts.port is None or parts.port > 0
    except ValueError:
        raise UsageError("--base-url: no address; write https://HOST/v1") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_sound:
        raise UsageError("--base-url: must begin with http:// or https:// and name a host")
    if parts.query or parts.fragment or "@" in base_url:
        raise UsageError(
            "--base-url holds a user, a password or a query; keys go in variables, further "
            "parameters in --query NAME=VARIABLE"
        )
    if not base_url.isascii() or not base_url.isprintable() or " " in base_url:
        raise UsageError("--base-url: holds characters that no address has")
    return base_url.rstrip("/")


def is_floating(name: str) -> bool:
    """Whether a name says by itself that it stands for another model tomorrow."""
    return bool(_FLOATING.search(name))
