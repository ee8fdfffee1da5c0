"""A stand-in for the package of this name: the same calls, and a server that tells its settings.

It shows how justeval starts, asks and ends a local server, where no model is installed. What a
real model does is tested in tests/simulation/test_local.py.
"""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace


class CommonParams(SimpleNamespace):
    """Parameters with the fields that are set."""

    def __init__(self) -> None:
        super().__init__(
            model=SimpleNamespace(path=""),
            cpuparams=SimpleNamespace(n_threads=0),
            cpuparams_batch=SimpleNamespace(n_threads=0),
        )


class Server:
    """Answers every chat completion with its settings; a file that says `broken` does not load."""

    def __init__(self, params: CommonParams) -> None:
        print("words of the library on standard output")
        with open(params.model.path, encoding="utf-8") as file:  # noqa: PTH123
            text = file.read()
        if "broken" in text:
            raise RuntimeError("Failed to init server")
        self.settings = {
            "alias": sorted(params.model_alias),
            "slots": params.n_parallel,
            "cache": params.cache_prompt,
            "context": params.n_ctx,
            "most_reply_tokens": params.n_predict,
            "threads": [params.cpuparams.n_threads, params.cpuparams_batch.n_threads],
        }
        self._slow = 30.0 if "slow" in text else 0.0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def listening_address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        settings, slow, busy = self.settings, self._slow, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                alone = busy.acquire(blocking=False)
                time.sleep(slow)
                said = {**settings, "asked": asked, "alone": alone, "path": self.path}
                message = {"role": "assistant", "content": json.dumps({"months": 12, "note": said})}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                body = json.dumps({"model": settings["alias"][0], "choices": [choice]}).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                if alone:
                    busy.release()

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        return Handler
