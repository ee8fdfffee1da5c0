"""Where keys come from, and how they are kept out of everything that is written.

In: an endpoint, the environment, perhaps a file of keys. Out: the secrets of that endpoint. They
go into the headers and the address of a request and nowhere else; what a provider repeats of them
is blotted out before anything else sees it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from justeval.errors import UsageError
from justeval.models.addresses import is_this_machine
from justeval.models.records import Endpoint

Blotter = Callable[[str], str]
BLOT = "[key]"
_SHORTEST_KEY = 8
_SHORTEST_PARAMETER = 16
"""Shorter values (`EMPTY`, an API version) are no secrets, and may stand in a reply by chance."""

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of one endpoint; its text and repr hold none of them."""

    key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)

    def blotter(self) -> Blotter:
        """A function that replaces every secret in a text."""
        keys = [value for value in (self.key, *self.headers.values()) if value]
        hidden = (
            *(value for value in keys if len(value) >= _SHORTEST_KEY),
            *(value for value in self.query.values() if len(value) >= _SHORTEST_PARAMETER),
        )

        def blotted(text: str) -> str:
            for secret in hidden:
                if secret in text:
                    text = text.replace(secret, BLOT)
            return text

        return blotted


def secrets_of(endpoint: Endpoint, key_file: Mapping[str, str] | None = None) -> Secrets:
    """The secrets of an endpoint from a key file's values, else from the environment.

    Raises UsageError that names the variable where one is missing or fits no header.
    """
    known = {**os.environ, **(key_file or {})}
    headers = {name: _value(known, variable) for name, variable in endpoint.headers.items()}
    query = {name: _value(known, variable) for name, variable in endpoint.query.items()}
    return Secrets(_key(endpoint, known), headers, query)


def _key(endpoint: Endpoint, known: Mapping[str, str]) -> str | None:
    variable = endpoint.key_variable
    if variable is None:
        return None
    if known.get(variable, "").strip():
        return _value(known, variable)
    if endpoint.headers or is_this_machine(endpoint.base_url):
        return None
    raise UsageError(
        f"no key for {endpoint.name}: set the environment variable {variable}, "
        "or give a file of mode 600 with --key-file"
    )


def _value(known: Mapping[str, str], variable: str) -> str:
    value = known.get(variable, "").strip()
    if not value:
        raise UsageError(f"the environment variable {variable} is not set")
    if not value.isascii() or not value.isprintable():
        raise UsageError(f"{variable} holds characters that cannot stand in a header")
    return value


def read_key_file(path: Path, variables: Sequence[str]) -> dict[str, str]:
    """Keys by variable from a file that only its owner can read: `NAME=KEY` lines, or one key.

    A single key without a name stands for the one variable that is asked for. Raises UsageError
    where others can read the file, or where it does not hold what it should; never with its text.
    """
    try:
        with path.open(encoding="utf-8") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if os.name == "posix" and mode & 0o077:
                raise UsageError(
                    f"--key-file {path}: others can read it (mode {mode:o}); chmod 600 {path}"
                )
            lines = [line.strip() for line in file]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no text in UTF-8"
        raise UsageError(f"--key-file {path}: cannot be read ({reason})") from None
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) == 1 and not _named(lines[0]):
        return _single(path, lines[0], variables)
    keys = {}
    for number, line in enumerate(lines, start=1):
        if not _named(line):
            raise UsageError(f"--key-file {path}: entry {number} is no NAME=KEY")
        name, _, key = line.partition("=")
        keys[name.strip()] = key.strip().strip("'\"")
    return keys


def _named(line: str) -> bool:
    name, sign, key = line.partition("=")
    return bool(sign and key.strip("= ") and _VARIABLE.fullmatch(name.strip()))


def _single(path: Path, key: str, variables: Sequence[str]) -> dict[str, str]:
    distinct = list(dict.fromkeys(variables))
    if len(distinct) != 1:
        wanted = ", ".join(distinct) or "none"
        raise UsageError(
            f"--key-file {path}: holds one key, but the models want {wanted}; write NAME=KEY lines"
        )
    return {distinct[0]: key}


def variables_of(pairs: Sequence[str], option: str) -> dict[str, str]:
    """`NAME=VARIABLE` texts by name. Raises UsageError, never with a text that may be a key."""
    variables = {}
    for pair in pairs:
        name, sign, variable = pair.partition("=")
        if not sign or not _HEADER_NAME.fullmatch(name):
            raise UsageError(f"{option}: write {option} NAME=VARIABLE")
        if not _VARIABLE.fullmatch(variable):
            raise UsageError(
                f"{option} {name}=...: give the name of the environment variable that holds the "
                "value, not the value"
            )
        variables[name] = variable
    return variables
