"""A model's server as a child process on this machine, for as long as a block runs.

In: the command that serves. Out: the base URL that the child prints first. The child ends when its
standard input closes, so that it outlives no parent, not even a killed one.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from justeval.errors import ProviderError, UsageError

UNTIL_STDIN_CLOSES = "--until-stdin-closes"

_PACKAGE_PARENT = Path(__file__).resolve().parents[2]
_STOP_SECONDS = 5.0
_USAGE_EXIT = UsageError.exit_code


@contextlib.contextmanager
def running_child(command: Sequence[str], what: str, start_seconds: float) -> Iterator[str]:
    """Starts a server, gives its base URL (`http://127.0.0.1:PORT/v1`), and ends it after.

    Raises UsageError or ProviderError with the child's own words where it does not start.
    """
    with tempfile.TemporaryFile() as errors:
        process = _start([*command, UNTIL_STDIN_CLOSES], what, errors)
        try:
            yield _address(process, what, start_seconds, errors)
        finally:
            _stop(process)


def _start(command: Sequence[str], what: str, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """A child in a session of its own: Ctrl-C at the terminal is the parent's to handle."""
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=_environment(),
            start_new_session=True,
        )
    except OSError as error:
        raise ProviderError(f"{what} cannot be started: {error}") from error


def _environment() -> dict[str, str]:
    """The parent's environment, with the package to be found where the parent found it."""
    environment = dict(os.environ)
    if _PACKAGE_PARENT.name not in ("site-packages", "dist-packages"):
        earlier = environment.get("PYTHONPATH")
        paths = [str(_PACKAGE_PARENT), *([earlier] if earlier else [])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment


def _address(
    process: subprocess.Popen[bytes], what: str, start_seconds: float, errors: IO[bytes]
) -> str:
    """The base URL that the child prints first; its error where it ends instead."""
    assert process.stdout is not None
    watchdog = threading.Timer(start_seconds, process.kill)
    watchdog.start()
    try:
        line = process.stdout.readline().decode().strip()
    finally:
        watchdog.cancel()
    if line:
        return line
    code = process.wait()
    errors.seek(0)
    said = errors.read().decode("utf-8", "replace").strip().splitlines()
    reason = said[-1] if said else f"it ended with code {code} and without a word"
    failure = UsageError if code == _USAGE_EXIT else ProviderError
    raise failure(f"{what} did not start: {reason}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
