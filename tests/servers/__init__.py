"""Servers that tests ask: real HTTP on the loopback interface, with faults on demand."""

from __future__ import annotations

import ssl
from pathlib import Path

TLS = Path(__file__).parent / "tls"
AUTHORITY = TLS / "authority.pem"
"""The certificate that signed the server's; both are for tests alone and guard nothing."""


def tls_context() -> ssl.SSLContext:
    """A context with a certificate for 127.0.0.1, localhost and model.test."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem", TLS / "server-key.pem")
    return context
