"""Plans: counted in a worker, nothing kept and nothing sent."""

from __future__ import annotations

from justeval_api.schemas.plans import Plan, PlanRequest
from justeval_api.services.core import Core
from justeval_api.services.datasets import Datasets
from justeval_api.services.ordering import order_of

PLAN_SECONDS = 300.0


class Plans:
    """What a run would ask, cost and find."""

    def __init__(self, core: Core, datasets: Datasets) -> None:
        self.core = core
        self.datasets = datasets

    async def plan(self, body: PlanRequest) -> Plan:
        dataset = self.datasets.ready(body.dataset)
        asked = {
            "order": order_of(body, dataset),
            "places": self.core.places_json(),
            "allowed": self.core.allowed,
            "power": {
                name: getattr(body, name) for name in ("effect", "responding", "noise", "alpha")
            },
        }
        return Plan(**await self.core.pool.do("plan", asked, PLAN_SECONDS))
