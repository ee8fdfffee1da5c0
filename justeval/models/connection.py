"""HTTP towards one address: httpx on the transport of aiohttp, bounded in time and size.

In: the address of a service, its secrets, perhaps rules on addresses. Out: status, headers and
body of a response, or the kind of failure. The proxy and certificate variables of the environment
hold, except towards this machine itself; redirects are not followed.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from justeval.errors import PermanentProviderError, ProviderError, UsageError
from justeval.models.addresses import AddressRefusedError, AddressRules, is_this_machine
from justeval.models.records import TransientProviderError, UnreachableError
from justeval.models.secrets import Secrets

CONNECT_SECONDS = 30.0
KEEP_ALIVE_SECONDS = 60.0
LARGEST_BODY = 16 * 1024 * 1024
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


@dataclass(frozen=True, slots=True)
class Received:
    """A response as it came: header names in lower case, the body whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """Connections to one address; one instance lives in one event loop.

    Raises UsageError where the environment names a proxy or certificates that cannot be used.
    """

    def __init__(
        self,
        base_url: str,
        secrets: Secrets,
        timeout_seconds: float = 120.0,
        rules: AddressRules | None = None,
    ) -> None:
        self.base_url = base_url
        self._timeout_seconds = timeout_seconds
        self._query = f"?{urlencode(secrets.query)}" if secrets.query else ""
        headers = {"content-type": "application/json", "user-agent": "justeval"}
        if secrets.key:
            headers["authorization"] = f"Bearer {secrets.key}"
        proxy = None if rules or is_this_machine(base_url) else proxy_of(base_url)
        if proxy and base_url.startswith("http://"):
            headers |= proxy.headers
        self._headers = httpx.Headers({**headers, **secrets.headers})
        read = {"connect": CONNECT_SECONDS, "read": timeout_seconds}
        self._extensions = {"timeout": read}
        self._urls: dict[str, httpx.URL] = {}
        factory = rules.socket_factory(base_url) if rules else None
        self._transport = _transport(proxy, factory)

    async def post(self, path: str, body: bytes) -> Received:
        """One POST of JSON to base_url + path; the whole exchange is bounded by the timeout.

        Raises TransientProviderError, UnreachableError or PermanentProviderError where no whole
        response came.
        """
        return await self._exchange("POST", path, body)

    async def get(self, path: str) -> Received:
        """One GET of base_url + path; raises as `post`."""
        return await self._exchange("GET", path, None)

    async def _exchange(self, method: str, path: str, body: bytes | None) -> Received:
        url = self._urls.get(path)
        if url is None:
            url = self._urls[path] = httpx.URL(f"{self.base_url}{path}{self._query}")
        request = httpx.Request(
            method, url, headers=self._headers, content=body, extensions=self._extensions
        )
        try:
            async with asyncio.timeout(self._timeout_seconds):
                response = await self._transport.handle_async_request(request)
                try:
                    received = await _bounded_body(response)
                finally:
                    await response.aclose()
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._failure(error) from error
        except (aiohttp.ClientError, OSError) as error:
            raise self._failure(error) from error
        return Received(response.status_code, response.headers, received)

    def _failure(self, error: Exception) -> ProviderError:
        """What a failed exchange means; no address beyond the endpoint's own stands in it."""
        place = self.base_url
        if _cause(error, AddressRefusedError):
            return AddressRefusedError(f"{urlsplit(place).hostname}: no public address")
        if _cause(error, ssl.SSLCertVerificationError):
            return PermanentProviderError(
                f"{place}: its certificate is not trusted; name your certificates' file in "
                "SSL_CERT_FILE"
            )
        if _cause(error, aiohttp.ClientProxyConnectionError):
            return UnreachableError("cannot connect to the proxy that the environment names")
        if _cause(error, ConnectionRefusedError):
            return UnreachableError(f"cannot connect to {place}: refused")
        if _cause(error, aiohttp.ClientConnectorDNSError):
            return UnreachableError(f"cannot find the host of {place}")
        if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
            return PermanentProviderError(f"{place} is no usable address")
        if isinstance(error, TimeoutError) or _cause(error, TimeoutError):
            return TransientProviderError(f"no answer within {self._timeout_seconds:g} s")
        root = _root(error)
        return TransientProviderError(f"connection failed: {type(root).__name__}")

    async def close(self) -> None:
        """Closes all connections."""
        await self._transport.aclose()


async def _bounded_body(response: httpx.Response) -> bytes:
    """The body, decoded where it is compressed. Raises DecodingError where it has no end."""
    plain = "content-encoding" not in response.headers
    assert isinstance(response.stream, httpx.AsyncByteStream)
    pieces, size = [], 0
    async for piece in response.stream if plain else response.aiter_bytes():
        size += len(piece)
        if size > LARGEST_BODY:
            raise httpx.DecodingError(f"more than {LARGEST_BODY} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _transport(
    proxy: httpx.Proxy | None, factory: Callable[..., object] | None
) -> AiohttpTransport:
    """The transport; its session is made in the loop in which it is first used."""
    context = certificates()

    def session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=0,
            keepalive_timeout=KEEP_ALIVE_SECONDS,
            ssl=context,
            socket_factory=factory,  # type: ignore[arg-type]
        )
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    return AiohttpTransport(verify=context, proxy=proxy, client=session)


def certificates() -> ssl.SSLContext:
    """Trusted certificates: the environment's bundle where it names one, else certifi's.

    Raises UsageError where the bundle cannot be read.
    """
    for variable in CERTIFICATE_VARIABLES:
        named = os.environ.get(variable, "").strip()
        if not named:
            continue
        try:
            folder = Path(named).is_dir()
            return ssl.create_default_context(
                cafile=None if folder else named, capath=named if folder else None
            )
        except (OSError, ssl.SSLError) as error:
            raise UsageError(f"{variable}={named}: no certificates there ({error})") from None
    return httpx.create_ssl_context(trust_env=False)


def proxy_of(base_url: str) -> httpx.Proxy | None:
    """The proxy that the environment names for an address, None where it names none.

    Raises UsageError for a kind of proxy that cannot be used.
    """
    parts = urlsplit(base_url)
    proxies = getproxies()
    named = proxies.get(parts.scheme) or proxies.get("all")
    if not named or proxy_bypass(parts.netloc):
        return None
    try:
        url = httpx.URL(named if "://" in named else f"http://{named}")
        if url.scheme not in ("http", "https"):
            raise UsageError(f"a proxy of the kind {url.scheme} cannot be used; name an http one")
        login = {}
        if url.username or url.password:
            words = f"{url.username}:{url.password}".encode()
            login["proxy-authorization"] = f"Basic {b64encode(words).decode()}"
        return httpx.Proxy(url.copy_with(username=None, password=None), headers=login)
    except (ValueError, httpx.InvalidURL):
        message = f"the proxy that the environment names for {parts.scheme} is no address"
        raise UsageError(message) from None


def _cause(error: BaseException, wanted: type[BaseException]) -> bool:
    return any(isinstance(seen, wanted) for seen in _chain(error))


def _root(error: BaseException) -> BaseException:
    return _chain(error)[-1]


def _chain(error: BaseException) -> list[BaseException]:
    """An error and what led to it."""
    chain: list[BaseException] = []
    seen: BaseException | None = error
    while seen is not None and len(chain) < 20:
        chain.append(seen)
        seen = seen.__cause__ or seen.__context__
    return chain
