"""The service of justeval: the REST API, and the page where it is built.

    settings    what the service was started with       app      all of it put together
    safety      hosts, origins, tokens, limits           routes   one file a resource
    schemas     what goes in and comes out               service  what stands behind the routes
    state       database and folders                     jobs     runs that collect
    work        heavy work in processes of its own

In: requests. Out: what the library makes of them; nothing is computed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from justeval_api.app import create_app
    from justeval_api.settings import Settings

__all__ = ["Settings", "create_app"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the module has
    """The application is imported when it is asked for: workers and children do without it."""
    from importlib import import_module

    homes = {"create_app": "justeval_api.app", "Settings": "justeval_api.settings"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(homes[name]), name)
