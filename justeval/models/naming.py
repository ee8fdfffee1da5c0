"""`--model` -> an endpoint: what `openrouter:NAME`, `openai:NAME` and `simulated` stand for."""

from __future__ import annotations

from urllib.parse import urlsplit

from justeval.errors import UsageError
from justeval.models.records import Endpoint

OPENROUTER_URL = "https://openrouter.ai/api/v1"
OPENAI_URL = "https://api.openai.com/v1"
KINDS = ("openrouter", "openai", "simulated")


def endpoint_of(text: str, base_url: str | None = None, provider: str | None = None) -> Endpoint:
    """The endpoint that a `--model` names.

    `openrouter:NAME` (provider pins one of its providers), `openai:NAME` (with base_url: any
    OpenAI-compatible address). A simulated model has no address until its server runs.
    Raises UsageError where the text names nothing.
    """
    kind, _, name = text.partition(":")
    if kind not in KINDS or (kind != "simulated" and not name):
        raise UsageError(
            f"no model {text!r}: write openrouter:NAME, openai:NAME (with --base-url for another "
            "address) or simulated[:PROFILE]"
        )
    if kind == "openrouter":
        body: dict[str, object] = {"usage": {"include": True}}
        if provider:
            body["provider"] = {"order": [provider], "allow_fallbacks": False}
        return Endpoint(kind, name, OPENROUTER_URL, name, "OPENROUTER_API_KEY", body)
    if kind == "openai":
        url = checked_url(base_url) if base_url else OPENAI_URL
        return Endpoint(kind, name, url, name, "OPENAI_API_KEY")
    return Endpoint(kind, name, "", name)


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
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("--base-url holds a user, a password or a query; keys go in variables")
    return base_url.rstrip("/")
