"""What stands behind the routes, put together once; started and stopped with the application."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from justeval import __version__
from justeval.errors import JustevalError
from justeval.labels import load_shipped_packs
from justeval_api.errors import UnauthorizedError
from justeval_api.jobs.supervisor import Supervisor
from justeval_api.page import is_built
from justeval_api.safety.tokens import same
from justeval_api.schemas.service import Health
from justeval_api.services.core import Core
from justeval_api.services.datasets import Datasets
from justeval_api.services.documents import Documents
from justeval_api.services.labels import Labels
from justeval_api.services.plans import Plans
from justeval_api.services.prompts import Prompts
from justeval_api.services.results import Results
from justeval_api.services.runs import Runs
from justeval_api.settings import Settings
from justeval_api.state.database import Database
from justeval_api.state.folders import Folders
from justeval_api.state.records import WAITING, RunRecord
from justeval_api.work.pool import Pool


class Service:
    """One service on one folder. Its parts exist while `running` lasts."""

    labels: Labels
    prompts: Prompts
    datasets: Datasets
    plans: Plans
    runs: Runs
    results: Results
    documents: Documents
    supervisor: Supervisor

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Starts everything, and stops it in the end."""
        self.settings.check()
        folders = Folders(self.settings.data)
        folders.make()
        with folders.held(), contextlib.closing(Database(folders.database)) as database:
            core = Core(self.settings, folders, database, Pool(self.settings.workers))
            self._put_together(core)
            await asyncio.to_thread(load_shipped_packs)
            await self.supervisor.start()
            try:
                yield
            finally:
                await self.supervisor.stop()
                await core.pool.close()

    def _put_together(self, core: Core) -> None:
        self.supervisor = Supervisor(core.settings, core.folders, core.database, self._ended)
        self.labels = Labels(core)
        self.datasets = Datasets(core)
        self.plans = Plans(core, self.datasets)
        self.runs = Runs(core, self.datasets, self.supervisor)
        self.prompts = Prompts(core, self.runs)
        self.results = Results(core, self.runs)
        self.documents = Documents(core, self.runs, self.results)

    async def _ended(self, record: RunRecord) -> None:
        """A run has ended: results and documents are made before someone waits for them."""
        with contextlib.suppress(JustevalError):
            await self.results.prepare(record)
            await self.documents.prepare(record)

    def stopping(self) -> None:
        """The service is about to stop: event streams end."""
        self.supervisor.stopping.set()

    def health(self) -> Health:
        """Whether it works, and what it is doing."""
        active = self.supervisor.database.active_runs()
        waiting = sum(record.state == WAITING for record in active)
        return Health(
            status="ok",
            version=__version__,
            api="v1",
            page=is_built(),
            token_required=self.settings.token is not None,
            collecting=len(active) - waiting,
            waiting=waiting,
        )

    def check_token(self, token: str) -> None:
        """Raises UnauthorizedError where a token is needed and this is none."""
        wanted = self.settings.token
        if wanted is not None and not same(token, wanted):
            raise UnauthorizedError("this is not the token of the service")
