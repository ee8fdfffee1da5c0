"""The local model's server as a child process, for as long as a block runs.

In: a GGUF file. Out: the base URL of its server. It runs through the package xllamacpp, which the
extra `local` brings; no other part of justeval needs it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from justeval.errors import UsageError
from justeval.models.children import running_child
from justeval.models.records import Endpoint

LEAST_TIMEOUT_SECONDS = 120.0
"""One request may take that long on a small machine; a shorter time would only ask it again."""

MOST_REPLY_TOKENS = 512
"""A reply ends here unless the run says otherwise: a small model may never end by itself."""

_START_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """How a local model runs: threads of the processor, tokens of prompt and reply together.

    Two threads wait for each other by spinning: on a machine with other work, one is faster.
    `context` 0 takes all that the model was trained for, which may need much memory.
    """

    threads: int = 1
    context: int = 4096


@contextlib.contextmanager
def running_local_server(endpoint: Endpoint, settings: LocalSettings) -> Iterator[str]:
    """Loads the model, gives its server's base URL when it is ready, and ends it after.

    Raises UsageError where xllamacpp is not installed, and UsageError or ProviderError with the
    child's own words where the model cannot be loaded.
    """
    check_installed()
    command = [
        sys.executable, "-m", "justeval.models.local", str(endpoint.file),
        "--alias", endpoint.served_name, "--threads", str(settings.threads),
        "--context", str(settings.context), "--most-reply-tokens", str(MOST_REPLY_TOKENS),
    ]  # fmt: skip
    with running_child(command, f"the local model {endpoint.name}", _START_SECONDS) as base_url:
        yield base_url


def check_installed() -> None:
    """Raises UsageError where a local model cannot run here."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise UsageError("a local model needs the package xllamacpp: pip install 'justeval[local]'")
