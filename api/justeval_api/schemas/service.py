"""The service itself: whether it works, and who may use it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from justeval_api.schemas.common import Schema


class Health(Schema):
    """The service works; what it is doing."""

    status: Literal["ok"]
    version: str = Field(examples=["0.1.0"])
    api: Literal["v1"]
    page: bool
    """Whether the page is built and served."""
    token_required: bool
    collecting: int = Field(ge=0)
    """Runs that ask models right now."""
    waiting: int = Field(ge=0)
    """Runs that wait for their turn."""


class SessionRequest(Schema):
    """The token that the service was started with."""

    token: str = Field(max_length=1_000, examples=["the token of `justeval serve --token`"])


class Session(Schema):
    """Whether the caller may use the service."""

    token_required: bool
    authenticated: bool
    local: bool
    """Whether the service listens on this machine alone, and local models may be named."""
