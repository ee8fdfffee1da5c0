"""What all services stand on: settings, folders, database, workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from justeval_api.jobs.places import Places
from justeval_api.settings import Settings
from justeval_api.state.database import Database
from justeval_api.state.folders import Folders
from justeval_api.work.pool import Pool


@dataclass(frozen=True, slots=True)
class Core:
    """Made once when the service starts."""

    settings: Settings
    folders: Folders
    database: Database
    pool: Pool

    @property
    def places(self) -> Places:
        """Where case sets, packs and prompts lie."""
        return Places.of_service(self.folders)

    def places_json(self) -> dict[str, str]:
        """The same for a worker."""
        places = self.places
        return {
            "datasets": str(places.datasets),
            "packs": str(places.packs),
            "prompts": str(places.prompts),
        }

    @property
    def allowed(self) -> Sequence[str] | None:
        """Addresses of models that callers may name; None where the caller is the local user."""
        return None if self.settings.local else list(self.settings.allowed_addresses)
