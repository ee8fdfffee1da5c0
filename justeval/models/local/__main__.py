"""`python -m justeval.models.local PATH`: llama.cpp's OpenAI-compatible server for one file.

In: a GGUF file and how to run it. Out: one line with the base URL once the model is loaded, then
answers until standard input closes. One slot and no cache of prompts: every answer is computed
alike, whatever was asked before it.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from justeval.errors import UsageError
from justeval.models.children import UNTIL_STDIN_CLOSES

_ERRORS_ONLY = 1


def main() -> int:
    """Serves until standard input closes; the exit code."""
    given = _given()
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what the library prints is no address
    try:
        server = _server(given)
    except (RuntimeError, ValueError, OSError) as error:
        print(f"{given.path}: llama.cpp cannot load it ({error})", file=sys.stderr)
        return UsageError.exit_code
    os.write(answers, f"{server.listening_address}/v1\n".encode())
    while given.until_stdin_closes and os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(0)  # a request may be in the making; nobody waits for its answer any more


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m justeval.models.local")
    parser.add_argument("path")
    parser.add_argument("--alias", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--context", type=int, default=4096)
    parser.add_argument("--most-reply-tokens", type=int, default=-1)
    parser.add_argument(UNTIL_STDIN_CLOSES, action="store_true")
    return parser.parse_args()


def _server(given: argparse.Namespace) -> Any:  # noqa: ANN401
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = given.path
    params.model_alias = {given.alias}
    params.n_parallel = 1
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.n_ctx = given.context
    params.n_predict = given.most_reply_tokens
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = given.threads
    params.port = 0
    params.verbosity = _ERRORS_ONLY
    return xllamacpp.Server(params)


if __name__ == "__main__":
    sys.exit(main())
