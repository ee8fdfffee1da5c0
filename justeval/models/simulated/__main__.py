"""`python -m justeval.models.simulated`: the server as a process of its own.

In: options (see `--help`). Out: one line with the base URL, then answers until it is stopped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from justeval.errors import JustevalError
from justeval.models.simulated.server import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the server; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m justeval.models.simulated")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--profile", action="append", help="name or effects file; repeatable")
    parser.add_argument("--latency-ms", type=float, default=0.0)
    parser.add_argument("--log", type=Path, default=None, help="file of one line a completion")
    parser.add_argument("--until-stdin-closes", action="store_true")
    options = parser.parse_args(arguments)
    try:
        serve(
            options.port,
            options.profile or ["neutral", "planted"],
            options.host,
            options.log,
            options.latency_ms,
            on_ready=lambda base_url: print(base_url, flush=True),
            until_stdin_closes=options.until_stdin_closes,
        )
    except JustevalError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
