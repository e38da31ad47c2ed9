"""Which amounts the house holds to be large: shown to those who look into it, set by two."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BeforeValidator, Field

from headsup.game.refusal import Refused
from headsup.house.cash.thresholds import LEAST, MOST, Large
from headsup.house.people.permissions import Act
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, _Strict, accounts_of, allowed
from headsup.web.live.command_requests import proved_second
from headsup.web.live.commands import declined_as, not_too_often
from headsup.web.live.protocol import Approval, whole_numbers
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["oversight"])
# What is out of bounds is refused in words, by the one rule that knows them.
Threshold = Annotated[
    int,
    BeforeValidator(whole_numbers),
    Field(json_schema_extra={"minimum": LEAST, "maximum": MOST}),
]


class ThresholdsShown(_Strict):
    """Cents from which on a win, a seat's wagers in one round, and cash in or out are large: they
    are significant events, and such cash takes two persons."""

    win: Threshold
    wager: Threshold
    transaction: Threshold


class ThresholdsAsked(ThresholdsShown):
    """All of them, which a supervisor approves."""

    approval: Approval | None = None


@router.get("/thresholds", response_model=ThresholdsShown)
async def thresholds(request: Request, person: Asker) -> ThresholdsShown:
    """Which amounts are large in this house."""
    allowed(person, Act.SEE_THRESHOLDS)
    return ThresholdsShown(**asdict(house_of(request).large))


@router.post("/thresholds", response_model=ThresholdsShown)
async def set_thresholds(
    asked: ThresholdsAsked, request: Request, person: Asker
) -> ThresholdsShown:
    """Other amounts are large from now on, on every server; a supervisor approves."""
    allowed(person, Act.SET_THRESHOLDS)
    not_too_often(request, person.id)
    try:
        large = Large(asked.win, asked.wager, asked.transaction)
        second = await proved_second(accounts_of(request), person, asked.approval)
    except Refused as refused:
        raise declined_as(refused.refusal) from None
    house = house_of(request)
    await house.set_large(large, f"{person.name} / {second.name}")
    log.info("other amounts are large", who=person.name)
    return ThresholdsShown(**asdict(house.large))
