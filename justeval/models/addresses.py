"""Which addresses may be asked, where the caller is not the local user.

In: the address of an endpoint, and what a name resolves to. Out: nothing, or an error. The rules:
https only; no private, loopback, link-local or metadata address, whatever its spelling; unless an
allow-list names it. They are checked on the resolved address at the moment of connecting, so that
neither a name, nor a second answer of the name server, nor a redirect leads around them.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from justeval.errors import PermanentProviderError, UsageError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

NOT_PUBLIC: tuple[Network, ...] = (
    ipaddress.ip_network("168.63.129.16/32"),
    ipaddress.ip_network("192.0.0.0/24"),
    ipaddress.ip_network("64:ff9b:1::/48"),
)
"""Beyond what Python knows of: cloud metadata that is public by number (Azure, Oracle), and the
local range of translated addresses."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class AddressRefusedError(PermanentProviderError):
    """An address that the rules forbid."""


@dataclass(frozen=True, slots=True)
class AddressRules:
    """The rules for callers that are not the local user.

    `hosts` are names (or name:port) that may be asked whatever they resolve to, by http too;
    `networks` are ranges of addresses that may be connected to.
    """

    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    @classmethod
    def allowing(cls, entries: Sequence[str]) -> AddressRules:
        """Rules with an allow-list of hosts, `host:port`s, addresses and networks.

        Raises UsageError for an entry that is none of them.
        """
        hosts, networks = set(), []
        for entry in entries:
            try:
                networks.append(ipaddress.ip_network(entry.strip("[]")))
            except ValueError:
                if not entry or "/" in entry or "@" in entry:
                    raise UsageError(f"allow-list: {entry!r} is no host or network") from None
                hosts.add(entry.lower())
        return cls(frozenset(hosts), tuple(networks))

    def names(self, base_url: str) -> bool:
        """Whether the allow-list names the host of an address."""
        parts = urlsplit(base_url)
        host = (parts.hostname or "").lower()
        return host in self.hosts or f"{host}:{parts.port}" in self.hosts

    def check_url(self, base_url: str) -> None:
        """Raises UsageError where an address breaks the rules as it is written."""
        if self.names(base_url):
            return
        parts = urlsplit(base_url)
        literal = _literal(parts.hostname or "")
        if literal is not None and not self.permits(literal):
            raise UsageError(f"{parts.hostname}: no public address; ask the operator to allow it")
        if parts.scheme != "https" and (literal is None or not self._in_networks(literal)):
            raise UsageError("the address of a model must begin with https://")

    def permits(self, address: Address) -> bool:
        """Whether an address may be connected to."""
        return self._in_networks(address) or is_public(address)

    def _in_networks(self, address: Address) -> bool:
        return any(
            address.version == network.version and address in network for network in self.networks
        )

    def socket_factory(self, base_url: str) -> Callable[[Any], socket.socket] | None:
        """Makes sockets to permitted addresses only; None where the host may resolve to any.

        The connector calls it with each resolved address before it connects.
        """
        if self.names(base_url):
            return None

        def make(info: tuple[int, int, int, str, tuple[Any, ...]]) -> socket.socket:
            family, kind, protocol, _, target = info
            if not self.permits(ipaddress.ip_address(str(target[0]).partition("%")[0])):
                raise AddressRefusedError(f"{urlsplit(base_url).hostname}: no public address")
            return socket.socket(family, kind, protocol)

        return make


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet, with what it embeds."""
    embedded = _embedded(address)
    if embedded is not None:
        return is_public(embedded)
    reserved = any(address.version == n.version and address in n for n in NOT_PUBLIC)
    return address.is_global and not address.is_multicast and not reserved


def _embedded(address: Address) -> Address | None:
    """The IPv4 address that an IPv6 address stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address.teredo is not None:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour


def _literal(host: str) -> Address | None:
    """The address that a host is by itself: dotted, decimal, hexadecimal, octal, shortened."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def is_this_machine(base_url: str) -> bool:
    """Whether an address is a loopback one as it is written."""
    host = urlsplit(base_url).hostname or ""
    literal = _literal(host)
    return literal.is_loopback if literal is not None else host == "localhost"
