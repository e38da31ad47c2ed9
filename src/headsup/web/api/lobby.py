"""Tables to choose from, and sitting down."""

import asyncio

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.game.round.state import STREETS
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.state import Table
from headsup.game.values.money import format_cents, format_micros
from headsup.game.views.posted import bonus_notices
from headsup.game.views.viewers import parse_viewer
from headsup.house.floor.host import Host
from headsup.house.house import House
from headsup.web.api.login import (
    Asker,
    PersonShown,
    TicketGiven,
    _Strict,
    accounts_of,
    known_person,
    not_looked_too_often,
    settings_of,
    shown,
)
from headsup.web.demo.bots import BUY_IN
from headsup.web.demo.tables import Demonstration, is_automatic
from headsup.web.live.protocol import TableId
from headsup.web.live.visibility import BoundPlace
from headsup.web.server.errors import ApiError
from headsup.web.server.security import COOKIE
from headsup.web.workers.strategist import Skill

router = APIRouter(prefix="/api", tags=["lobby"])


class HouseShown(_Strict):
    """What a page must know first: who has come in, if anybody, and whether guests are welcome."""

    demo: bool
    person: PersonShown | None
    automatic_players: Skill | None


class TableShown(_Strict):
    """Amounts in dollars; null where there is no such limit, and no meter."""

    id: str
    rules: str
    title: str
    seats: int
    players: dict[int, str]
    automatic: list[int]  # the seats of automatic players
    attended: bool = Field(description="Whether automatic players come there by themselves.")
    round: int
    ante_min: str | None
    ante_max: str | None
    meter: str | None = Field(examples=["25012.25"])
    notices: list[str] = Field(description="What must stand beside the meter's figure (R83).")
    buy_in: str = Field(description="What a newcomer may well buy in for.")
    waits: str = Field(default="", description="Why nothing is dealt there; empty while it plays.")
    your_turn: bool = Field(default=False, description="Whether a decision of who asks is due.")


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


def demonstration_of(request: Request) -> Demonstration | None:
    demonstration: Demonstration | None = getattr(request.app.state, "demonstration", None)
    return demonstration


@router.get("/here", response_model=HouseShown)
async def here(request: Request) -> HouseShown:
    """Where am I, and who am I here? Answered to everyone."""
    person = await known_person(request)
    demonstration = demonstration_of(request)
    return HouseShown(
        demo=settings_of(request).demo,
        person=None if person is None else await shown(request, person),
        automatic_players=None if demonstration is None else demonstration.strategist.skill,
    )


@router.get("/tables", response_model=list[TableShown])
async def tables(request: Request, person: Asker) -> list[TableShown]:
    """Every table of the house, and who sits where."""
    not_looked_too_often(request, person)
    house, demonstration = house_of(request), demonstration_of(request)
    attended = {one.id for one in demonstration.tables} if demonstration else set[str]()
    found = ((table, house.host_of(table.id)) for table in house.tables())
    return [
        _shown(table, host, person.name, house.attendances.why_waits(table.id), attended)
        for table, host in found
        if host is not None and not table.closed
    ]


def _shown(table: Table, host: Host, asker: str, waits: str, attended: set[str]) -> TableShown:
    meter = host.journal.floor.meter_of(table.id)
    shown = None if meter is None or meter.ended else format_micros(meter.shown)
    ante = table.rules.limits.get(Wager.ANTE, Limit())
    return TableShown(
        id=table.id,
        rules=table.rules.id,
        title=table.rules.book.title,
        seats=table.rules.book.seats,
        players=dict(sorted(table.players.items())),
        automatic=[seat for seat, name in sorted(table.players.items()) if is_automatic(name)],
        attended=table.id in attended,
        round=table.rounds,
        ante_min=format_cents(ante.min) if ante.min else None,
        ante_max=format_cents(ante.max) if ante.max else None,
        meter=shown,
        notices=[] if shown is None else list(bonus_notices(table.rules)),
        buy_in=format_cents(BUY_IN),
        waits=waits,
        your_turn=_owes(table, asker),
    )


def _owes(table: Table, name: str) -> bool:
    """Told to that player alone: whether others have decided is not for everyone to see."""
    round = table.round
    if round is None or round.phase not in STREETS:
        return False
    owing = round.owing()[:1] if round.clockwise else round.owing()
    return any(table.players.get(seat) == name for seat in owing)


class TicketAsked(_Strict):
    """Where alone the socket is good: it sees this table as this viewer, and asks for nothing else.
    Without it, it sees and asks what its person may."""

    table: TableId
    viewer: str = Field(pattern=r"^(seat [1-9]|dealer|rail|tablevision)$", examples=["seat 3"])


@router.post("/ticket", response_model=TicketGiven)
async def ticket(request: Request, person: Asker, asked: TicketAsked | None = None) -> TicketGiven:
    """A ticket that opens one socket, within half a minute."""
    if not request.app.state.ticket_rates.take(person.id):
        raise ApiError(429, "too_many_tickets")
    token = request.cookies[COOKIE]
    place = "" if asked is None else str(BoundPlace(asked.table, parse_viewer(asked.viewer)))
    given = await asyncio.to_thread(accounts_of(request).ticket, person, "table", token, place)
    return TicketGiven(ticket=given)
