"""The application: routes, errors, safety and the page, put together.

In: settings. Out: an ASGI application. Nothing happens before it is started.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from fastapi import APIRouter, FastAPI

from justeval import __version__
from justeval_api.answering import add_handlers
from justeval_api.describing import describer
from justeval_api.page import page_router
from justeval_api.reference import reference_router
from justeval_api.routes import (
    comparisons,
    datasets,
    documents,
    exports,
    health,
    labels,
    plans,
    prompts,
    results,
    runs,
)
from justeval_api.safety.gate import Gate
from justeval_api.service import Service
from justeval_api.settings import Settings

PREFIX = "/api/v1"
DESCRIPTION = (
    "Counterfactual fairness audits of language models that decide or advise on legal outcomes. "
    "One extra-legal factor of a case is changed at a time, the model is asked about each version, "
    "and document fixed effects tell whether the factor moves the answer. This is an audit tool; "
    "it judges nobody's case."
)
TAGS = [
    {"name": "service", "description": "Whether it works, and who may use it."},
    {"name": "labels", "description": "Which factors can be changed."},
    {"name": "prompts", "description": "What is said to a model; replies made elsewhere."},
    {"name": "datasets", "description": "Which cases are asked about."},
    {"name": "plans", "description": "What a run would ask and cost."},
    {"name": "runs", "description": "Asking models: start, watch, stop, go on."},
    {"name": "results", "description": "What came of a run."},
    {"name": "documents", "description": "Single documents, their texts and replies."},
    {"name": "comparisons", "description": "Several runs together."},
    {"name": "exports", "description": "The same numbers as files."},
]


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application for these settings. It opens its folder when it is started."""
    chosen = settings or Settings()
    service = Service(chosen)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with service.running():
            yield

    app = FastAPI(
        title="justeval",
        version=__version__,
        description=DESCRIPTION,
        openapi_tags=TAGS,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.service = service
    app.openapi = describer(app)  # type: ignore[method-assign]
    for router in (api_router(), reference_router(), page_router()):
        app.include_router(router)
    add_handlers(app, chosen.data)
    app.add_middleware(Gate, settings=chosen)
    return app


def api_router() -> APIRouter:
    """All routes under the prefix of this version."""
    router = APIRouter(prefix=PREFIX)
    modules = (
        health, labels, prompts, datasets, plans, runs, results, documents, comparisons, exports,
    )  # fmt: skip
    for module in modules:
        router.include_router(module.router)
    return router
