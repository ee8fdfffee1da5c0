"""The page, where it is built into the package; one sentence where it is not.

In: the folder `_web` beside this module. Out: its files: those in `assets/` carry a hash in their
name and are kept for long; every other address of the page is answered with `index.html`, so that
a view can be bookmarked and reloaded.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException

WEB = Path(__file__).with_name("_web")
FOREVER = "public, max-age=31536000, immutable"
ANEW = "no-cache"
NOT_BUILT = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>justeval</title>'
    "<p>The page is not built (in a checkout: make page); the API works all the same, and is "
    "described under "
    '<a href="/docs">/docs</a>.</p></html>'
)


def is_built(web: Path = WEB) -> bool:
    """Whether there is a page to serve."""
    return (web / "index.html").is_file()


def page_router(web: Path = WEB) -> APIRouter:
    """Routes for all addresses that no other route has."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/{path:path}", methods=["GET", "HEAD"])
    async def page(path: str) -> Response:
        if path.split("/")[0] == "api":
            raise HTTPException(404)
        if not is_built(web):
            if path:
                raise HTTPException(404)
            return HTMLResponse(NOT_BUILT)
        return _file(web, path)

    return router


def _file(web: Path, path: str) -> Response:
    """A file of the page, or the page itself for one of its own addresses."""
    parts = PurePosixPath(path).parts
    if any(part == ".." or "\\" in part or "\x00" in part for part in parts):
        raise HTTPException(404)
    file = web.joinpath(*parts)
    if path and file.is_file():
        caching = FOREVER if parts[0] == "assets" else ANEW
        return FileResponse(file, headers={"cache-control": caching})
    if PurePosixPath(path).suffix:
        raise HTTPException(404)
    return FileResponse(web / "index.html", headers={"cache-control": ANEW})
