"""Plans: what a run would ask and cost, before anything is sent."""

from __future__ import annotations

from fastapi import APIRouter

from justeval_api.routes.shared import ServiceDep, errors
from justeval_api.schemas.plans import Plan, PlanRequest

router = APIRouter(tags=["plans"])


@router.post("/plans", operation_id="make_plan", responses=errors(403, 404))
async def make_plan(body: PlanRequest, service: ServiceDep) -> Plan:
    """Count requests, tokens, cost and power. Nothing is sent and nothing is kept."""
    return await service.plans.plan(body)
