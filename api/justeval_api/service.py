"""What stands behind the routes, put together once."""

from __future__ import annotations

from typing import Any

from justeval_api.settings import Settings


class Service:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def __getattr__(self, name: str) -> Any: ...
