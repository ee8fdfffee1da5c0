"""The simulated server as a child process on a free loopback port, for as long as a block runs.

In: names of profiles or paths of effects files. Out: the base URL of the running server.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from justeval.models.children import running_child

_START_SECONDS = 60.0


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
    command += ["--latency-ms", str(latency_ms)]
    for profile in profiles:
        command += ["--profile", profile]
    if log_path is not None:
        command += ["--log", str(log_path)]
    with running_child(command, "the simulated model", _START_SECONDS) as base_url:
        yield base_url
