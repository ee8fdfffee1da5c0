"""A model behind an OpenAI-compatible address, asked over HTTP.

In: messages. Out: an Answer. The transport is aiohttp's under httpx's interface; the proxy and
certificate settings of the environment hold, except towards this machine itself.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
from urllib.parse import urlsplit

import aiohttp
import httpx
from httpx_aiohttp import HttpxAiohttpClient

from justeval.errors import PermanentProviderError, UsageError
from justeval.models.records import Answer, Endpoint, Parameters, TransientProviderError
from justeval.models.wire import read_answer
from justeval.prompts import Messages

CONNECTIONS = 512


class ChatModel:
    """An OpenAI-compatible model; one instance lives in one event loop."""

    def __init__(
        self, endpoint: Endpoint, key: str | None = None, timeout_seconds: float = 120.0
    ) -> None:
        self.endpoint = endpoint
        self._timeout_seconds = timeout_seconds
        self._key = key.encode() if key else b""
        self._url = f"{endpoint.base_url}/chat/completions"
        headers = {"content-type": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        self._client = HttpxAiohttpClient(
            headers=headers,
            timeout=httpx.Timeout(timeout_seconds, connect=30.0),
            limits=httpx.Limits(max_connections=CONNECTIONS, keepalive_expiry=60.0),
            trust_env=not is_this_machine(endpoint.base_url),
        )

    @property
    def name(self) -> str:
        """The model's name in every table."""
        return self.endpoint.name

    async def ask(self, messages: Messages, parameters: Parameters) -> Answer:
        """One answer; the whole exchange is bounded by the timeout."""
        body = request_body(self.endpoint, messages, parameters)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                response = await self._client.post(self._url, content=body)
        except (TimeoutError, httpx.HTTPError, aiohttp.ClientError) as error:
            raise self._failure(error) from error
        return read_answer(response.status_code, response.headers, self._without_key(response))

    def _without_key(self, response: httpx.Response) -> bytes:
        """The body; some providers repeat a key that they refuse."""
        body = response.content
        return body.replace(self._key, b"[key]") if self._key and self._key in body else body

    def _failure(self, error: Exception) -> Exception:
        refused = _cause(error, ConnectionRefusedError)
        if refused is not None:
            return UnreachableError(f"cannot connect to {self.endpoint.base_url}: refused")
        unknown_host = _cause(error, aiohttp.ClientConnectorDNSError)
        if unknown_host is not None:
            return UnreachableError(f"cannot find the host of {self.endpoint.base_url}")
        if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
            return PermanentProviderError(f"{self.endpoint.base_url} is no usable address")
        if isinstance(error, TimeoutError | httpx.TimeoutException):
            return TransientProviderError(f"no answer within {self._timeout_seconds:g} s")
        return TransientProviderError(f"connection failed: {type(error).__name__}")

    async def close(self) -> None:
        """Closes all connections."""
        await self._client.aclose()


class UnreachableError(TransientProviderError):
    """Nobody listens at the address; a model that never answered is given up for it."""


def request_body(endpoint: Endpoint, messages: Messages, parameters: Parameters) -> bytes:
    """The JSON of one request; parameters that are not set are left to the provider."""
    body: dict[str, object] = {
        "model": endpoint.served_name,
        "messages": messages,
        "temperature": parameters.temperature,
    }
    if parameters.max_tokens is not None:
        body["max_tokens"] = parameters.max_tokens
    if parameters.seed is not None:
        body["seed"] = parameters.seed
    body.update(endpoint.body)
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def key_of(endpoint: Endpoint) -> str | None:
    """The key of an endpoint from the environment. Raises UsageError where it is missing."""
    if endpoint.key_variable is None:
        return None
    key = os.environ.get(endpoint.key_variable, "").strip()
    if key:
        return key
    if is_this_machine(endpoint.base_url):
        return None
    raise UsageError(
        f"no key for {endpoint.name}: set the environment variable {endpoint.key_variable}"
    )


def is_this_machine(base_url: str) -> bool:
    """Whether an address is a loopback one."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _cause(error: BaseException, wanted: type[BaseException]) -> BaseException | None:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, wanted):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None
