"""Which amounts the house holds to be large: shown to those who look into it, set by two."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BeforeValidator, Field

from headsup.game.refusal import Refused
from headsup.house.cash.thresholds import (
    MAX_THRESHOLD_CENTS,
    MIN_THRESHOLD_CENTS,
    ReportingThresholds,
)
from headsup.house.people.permissions import Act
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel, accounts_of, require_permission
from headsup.web.live.command_requests import prove_approver
from headsup.web.live.commands import limit_commands, refusal_error
from headsup.web.live.protocol import Approval, normalize_numbers
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["oversight"])
# What is out of bounds is refused in words, by the one rule that knows them.
Threshold = Annotated[
    int,
    BeforeValidator(normalize_numbers),
    Field(json_schema_extra={"minimum": MIN_THRESHOLD_CENTS, "maximum": MAX_THRESHOLD_CENTS}),
]


class ThresholdsResponse(StrictModel):
    """Cents from which on a win, a seat's wagers in one round, and cash in or out are large: they
    are significant events, and such cash takes two persons."""

    win: Threshold
    wager: Threshold
    transaction: Threshold


class ThresholdsRequest(ThresholdsResponse):
    """All of them, which a supervisor approves."""

    approval: Approval | None = None


@router.get("/thresholds", response_model=ThresholdsResponse)
async def thresholds(request: Request, person: CurrentPerson) -> ThresholdsResponse:
    """Which amounts are large in this house."""
    require_permission(person, Act.SEE_THRESHOLDS)
    return ThresholdsResponse(**asdict(house_of(request).large))


@router.post("/thresholds", response_model=ThresholdsResponse)
async def set_thresholds(
    asked: ThresholdsRequest, request: Request, person: CurrentPerson
) -> ThresholdsResponse:
    """Other amounts are large from now on, on every server; a supervisor approves."""
    require_permission(person, Act.SET_THRESHOLDS)
    limit_commands(request, person.id)
    try:
        large = ReportingThresholds(asked.win, asked.wager, asked.transaction)
        second = await prove_approver(accounts_of(request), person, asked.approval)
    except Refused as refused:
        raise refusal_error(refused.refusal) from None
    house = house_of(request)
    await house.set_large(large, f"{person.name} / {second.name}")
    log.info("other amounts are large", who=person.name)
    return ThresholdsResponse(**asdict(house.large))
