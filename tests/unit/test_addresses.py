"""Which addresses a caller that is not the local user may ask; nothing is connected to here."""

from __future__ import annotations

import ipaddress
import socket

import pytest

from justeval.errors import UsageError
from justeval.models.addresses import (
    AddressRefusedError,
    AddressRules,
    is_public,
    is_this_machine,
)

STRICT = AddressRules.allowing([])
FORBIDDEN = (
    "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1",
    "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16",
    "224.0.0.1", "255.255.255.255", "198.18.0.1", "::1", "::", "fe80::1", "fd00:ec2::254",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a9fe:a9fe::1",
)  # fmt: skip
PUBLIC = ("93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808")
SPELLINGS = (
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "[::1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "2852039166", "0xa9fea9fe", "169.254.43518",
    "0251.0376.0251.0376", "0", "[64:ff9b::a9fe:a9fe]", "[fe80::1%25eth0]",
)  # fmt: skip


@pytest.mark.parametrize("address", FORBIDDEN)
def test_an_address_that_is_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_that_is_public(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("host", SPELLINGS)
def test_every_spelling_of_a_forbidden_address_is_seen_before_anything_is_asked(host):
    with pytest.raises(UsageError, match="no public address"):
        STRICT.check_url(f"https://{host}/v1")


@pytest.mark.parametrize("host", [h for h in SPELLINGS if not h.startswith("[fe80")])
def test_every_spelling_is_seen_again_when_the_connection_is_made(host):
    make = STRICT.socket_factory("https://model.test/v1")
    assert make is not None
    for info in socket.getaddrinfo(host.strip("[]"), 443, type=socket.SOCK_STREAM):
        with pytest.raises(AddressRefusedError, match=r"model\.test: no public address"):
            make(info)


def test_a_public_address_gets_a_socket():
    make = STRICT.socket_factory("https://model.test/v1")
    assert make is not None
    info = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", ("93.184.216.34", 443))
    with make(info) as made:
        assert made.family == socket.AF_INET


def test_https_only():
    STRICT.check_url("https://model.test/v1")
    with pytest.raises(UsageError, match="must begin with https://"):
        STRICT.check_url("http://model.test/v1")


def test_an_allow_list_names_hosts_ports_addresses_and_networks():
    rules = AddressRules.allowing(["Ollama.internal", "localhost:11434", "10.1.0.0/16", "[::1]"])
    for url in (
        "http://ollama.internal/v1", "https://ollama.internal:99/v1", "http://localhost:11434/v1",
        "http://10.1.2.3/v1", "http://[::1]:8000/v1",
    ):  # fmt: skip
        rules.check_url(url)
    for url in ("http://localhost:11435/v1", "https://10.2.0.1/v1", "https://127.0.0.1/v1"):
        with pytest.raises(UsageError):
            rules.check_url(url)
    assert rules.socket_factory("http://ollama.internal/v1") is None
    assert rules.permits(ipaddress.ip_address("10.1.255.1"))
    assert not rules.permits(ipaddress.ip_address("10.2.0.1"))


@pytest.mark.parametrize("entry", ["", "http://h", "a/b", "u@h"])
def test_a_wrong_entry_of_the_allow_list_is_named(entry):
    with pytest.raises(UsageError, match="allow-list"):
        AddressRules.allowing([entry])


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:80/v1", True),
        ("http://[::1]/v1", True),
        ("http://localhost/v1", True),
        ("http://2130706433/v1", True),
        ("http://model.test/v1", False),
        ("http://10.0.0.1/v1", False),
        ("http://localhost.model.test/v1", False),
    ],
)
def test_this_machine(url, here):
    assert is_this_machine(url) is here
