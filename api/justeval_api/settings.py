"""What the service was started with: where it listens, where its data lie, what it takes."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from justeval.errors import UsageError

MEGABYTE = 1_000_000
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Limits:
    """What is refused before it is read to the end."""

    upload_bytes: int = 2_000 * MEGABYTE
    body_bytes: int = 2 * MEGABYTE
    pack_bytes: int = 5 * MEGABYTE
    rows: int = 5_000_000
    cell_characters: int = 1_000_000
    export_bytes: int = 300 * MEGABYTE
    """Of exported prompts, estimated before they are written."""
    unpacked_bytes: int = 1_000 * MEGABYTE
    unpacked_ratio: int = 200
    """Unpacked size of a zipped file (XLSX) at most so many times its packed size."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of `justeval serve`."""

    data: Path = Path("justeval-data")
    host: str = "127.0.0.1"
    port: int = 8787
    token: str | None = field(default=None, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    """Names under which the service is reached beside its addresses (behind a proxy)."""
    allowed_addresses: tuple[str, ...] = ()
    """Hosts and networks of models that callers from elsewhere may name."""
    collecting_at_once: int = 4
    workers: int = 2
    limits: Limits = field(default_factory=Limits)

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the service."""
        return is_loopback(self.host)

    def check(self) -> None:
        """Raises UsageError where the service would be open to anyone."""
        if not self.local and not self.token:
            raise UsageError(
                f"--host {self.host}: beyond this machine a token is needed; give --token, "
                "or the variable JUSTEVAL_TOKEN"
            )
        if self.token is not None and len(self.token) < 16:
            raise UsageError("--token: at least 16 characters, so that it cannot be guessed")


def is_loopback(host: str) -> bool:
    """Whether a host to listen on is this machine alone."""
    if host.lower() in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
