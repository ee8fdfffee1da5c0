"""The server as a child process on a free loopback port, for as long as a block runs.

In: names of profiles or paths of effects files. Out: the base URL of the running server. The
child ends when its standard input closes, so that it outlives no parent, not even a killed one.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from justeval.errors import ProviderError, UsageError

_PACKAGE_PARENT = Path(__file__).resolve().parents[3]
_START_SECONDS = 60.0
_STOP_SECONDS = 5.0
_USAGE_EXIT = UsageError.exit_code


@contextlib.contextmanager
def running_server(
    profiles: Sequence[str],
    latency_ms: float = 0.0,
    log_path: Path | None = None,
) -> Iterator[str]:
    """Starts the server, gives its base URL (`http://127.0.0.1:PORT/v1`), and ends it after.

    Raises UsageError or ProviderError with the child's own words where it does not start.
    """
    command = [sys.executable, "-m", "justeval.models.simulated", "--port", "0"]
    command += ["--until-stdin-closes", "--latency-ms", str(latency_ms)]
    for profile in profiles:
        command += ["--profile", profile]
    if log_path is not None:
        command += ["--log", str(log_path)]
    with tempfile.TemporaryFile() as errors:
        process = _start(command, errors)
        try:
            yield _address(process, errors)
        finally:
            _stop(process)


def _start(command: Sequence[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
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
        raise ProviderError(f"the simulated model cannot be started: {error}") from error


def _environment() -> dict[str, str]:
    """The parent's environment, with the package to be found where the parent found it."""
    environment = dict(os.environ)
    if _PACKAGE_PARENT.name not in ("site-packages", "dist-packages"):
        earlier = environment.get("PYTHONPATH")
        paths = [str(_PACKAGE_PARENT), *([earlier] if earlier else [])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment


def _address(process: subprocess.Popen[bytes], errors: IO[bytes]) -> str:
    """The base URL that the child prints first; its error where it ends instead."""
    assert process.stdout is not None
    watchdog = threading.Timer(_START_SECONDS, process.kill)
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
    raise failure(f"the simulated model did not start: {reason}")


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
