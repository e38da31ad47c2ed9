"""Lobby routes: where the visitor is, which tables exist, and a ticket for the socket."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field

from headsup.game.round.state import STREET_BY_PHASE
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.state import Table
from headsup.game.values.money import format_cents, format_micros
from headsup.game.views.posted import bonus_notices
from headsup.game.views.viewers import parse_viewer
from headsup.house.floor.host import FloorHost
from headsup.house.house import House
from headsup.house.store.servers import read_lobbies
from headsup.web.api.login import (
    READ_RATE,
    CurrentPerson,
    PersonResponse,
    StrictModel,
    TicketResponse,
    accounts_of,
    describe_person,
    person_from_cookie,
    settings_of,
)
from headsup.web.demo.bots import BUY_IN_CENTS
from headsup.web.demo.tables import Demo, is_automatic
from headsup.web.live.protocol import TableId
from headsup.web.live.sockets import socket_address
from headsup.web.live.visibility import TicketBinding
from headsup.web.server.errors import ApiError
from headsup.web.server.security import SESSION_COOKIE
from headsup.web.workers.strategist import Skill

router = APIRouter(prefix="/api", tags=["lobby"])


class HouseResponse(StrictModel):
    """What every page needs first: who is logged in, and whether this is a demonstration."""

    demo: bool
    person: PersonResponse | None
    automatic_players: Skill | None


class TableResponse(StrictModel):
    """A table in the lobby. Amounts in dollars; null if there is no such limit or meter."""

    id: str
    rules: str
    title: str
    seats: int
    players: dict[int, str]
    automatic: list[int]  # the seats of automatic players
    attended: bool = Field(description="Whether automatic players come to this table.")
    round: int
    real_cards: bool = Field(description="Whether a dealer turns over the cards of a real deck.")
    ante_min: str | None
    ante_max: str | None
    meter: str | None = Field(examples=["25012.25"])
    notices: list[str] = Field(description="Notices required beside the meter's figure (R83).")
    buy_in: str = Field(description="A suggested buy-in.")
    waits: str = Field(default="", description="Why nothing is dealt; empty while cards are dealt.")
    your_turn: bool = Field(
        default=False, description="Whether the table waits for a decision of yours."
    )


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


def demo_of(request: Request) -> Demo | None:
    demo: Demo | None = getattr(request.app.state, "demo", None)
    return demo


@router.get("/here", response_model=HouseResponse)
async def get_house(request: Request) -> HouseResponse:
    """Where am I, and who am I here? Open to everyone."""
    person = await person_from_cookie(request)
    demo = demo_of(request)
    return HouseResponse(
        demo=settings_of(request).demo,
        person=None if person is None else await describe_person(request, person),
        automatic_players=None if demo is None else demo.strategist.skill,
    )


@router.get("/tables", response_model=list[TableResponse], dependencies=[READ_RATE])
async def tables(request: Request, person: CurrentPerson) -> list[TableResponse]:
    """All tables of the house, and who sits where."""
    house, demo = house_of(request), demo_of(request)
    attended = {table.id for table in demo.tables if table.players} if demo else set[str]()
    return [_show_line(line, person.name, attended) for line in await read_lobby(house)]


async def read_lobby(house: House) -> list[dict[str, Any]]:
    """A line for each open table of the house."""
    lines = describe_lobby(house)
    if not house.is_alone:
        lines += await asyncio.to_thread(read_lobbies, house.database, house.server)
    return sorted(lines, key=lambda line: str(line["id"]))


def describe_lobby(house: House) -> list[dict[str, Any]]:
    """A line for each open table of this server, with the players who owe a decision."""
    hosted = ((table, house.host_of(table.id)) for table in house.tables())
    return [
        _describe_table(table, host, house.dealing_modes.pause_reason(table.id))
        for table, host in hosted
        if host is not None and not table.closed
    ]


def _show_line(line: dict[str, Any], viewer: str, attended: set[str]) -> TableResponse:
    """A line as one person may see it: others must not learn who has decided."""
    shown = {**line, "players": {int(seat): name for seat, name in line["players"].items()}}
    your_turn = viewer in shown.pop("owing")
    del shown["raise_label"]
    return TableResponse(**shown, attended=line["id"] in attended, your_turn=your_turn)


def _describe_table(table: Table, host: FloorHost, waits: str) -> dict[str, Any]:
    meter = host.journal.floor.meter_of(table.id)
    display = None if meter is None or meter.is_ended else format_micros(meter.displayed)
    ante = table.rules.limits.get(Wager.ANTE, Limit())
    return {
        "id": table.id,
        "rules": table.rules.id,
        "title": table.rules.book.title,
        "seats": table.rules.book.seats,
        "players": dict(sorted(table.players.items())),
        "automatic": [seat for seat, name in sorted(table.players.items()) if is_automatic(name)],
        "round": table.rounds,
        "real_cards": not table.shuffle.known_at_once,
        "ante_min": format_cents(ante.min) if ante.min else None,
        "ante_max": format_cents(ante.max) if ante.max else None,
        "meter": display,
        "notices": [] if display is None else list(bonus_notices(table.rules)),
        "buy_in": format_cents(BUY_IN_CENTS),
        "waits": waits,
        "raise_label": table.rules.book.label(Wager.RAISE),
        "owing": sorted(_owing_players(table)),
    }


def _owing_players(table: Table) -> set[str]:
    """The players whose decision the table waits for."""
    round = table.round
    if round is None or round.phase not in STREET_BY_PHASE:
        return set()
    owing = round.seats_owing()[:1] if round.clockwise else round.seats_owing()
    return {table.players[seat] for seat in owing if seat in table.players}


class TicketRequest(StrictModel):
    """What the socket is for. `table` leads it to the server that runs the table; `viewer`
    restricts it to that viewer of that table. Without it, the socket may do whatever its person
    may."""

    table: TableId
    viewer: str | None = Field(
        None, pattern=r"^(seat [1-9]|dealer|rail|tablevision)$", examples=["seat 3"]
    )


@router.post("/ticket", response_model=TicketResponse)
async def ticket(
    request: Request, person: CurrentPerson, body: TicketRequest | None = None
) -> TicketResponse:
    """A ticket that opens one socket, and that socket's address; valid for half a minute. Behind a
    proxy, each table has the address of the server that runs it."""
    if not request.app.state.ticket_rates.take(person.id):
        raise ApiError(429, "too_many_tickets")
    token = request.cookies[SESSION_COOKIE]
    binding = ""
    if body is not None and body.viewer is not None:
        binding = str(TicketBinding(body.table, parse_viewer(body.viewer)))
    socket = await socket_address(house_of(request), "" if body is None else body.table)
    ticket = await asyncio.to_thread(accounts_of(request).ticket, person, "table", token, binding)
    return TicketResponse(ticket=ticket, socket=socket)
