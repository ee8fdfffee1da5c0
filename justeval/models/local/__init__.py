"""A language model that runs on this machine: a GGUF file behind llama.cpp's own server."""

from __future__ import annotations

from justeval.models.local.files import served_by_file
from justeval.models.local.process import MOST_REPLY_TOKENS, LocalSettings, running_local_server

__all__ = ["MOST_REPLY_TOKENS", "LocalSettings", "running_local_server", "served_by_file"]
