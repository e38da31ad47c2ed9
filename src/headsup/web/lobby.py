"""Tables to choose from, and sitting down."""

import asyncio

from fastapi import APIRouter, Request

from headsup.house.house import House
from headsup.web.people import Asker, TicketGiven, _Strict, accounts_of

router = APIRouter(prefix="/api", tags=["lobby"])


class TableShown(_Strict):
    id: str
    rules: str
    seats: int
    players: dict[int, str]
    round: int


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


@router.get("/tables", response_model=list[TableShown])
async def tables(request: Request, _person: Asker) -> list[TableShown]:
    """Every table of the house, and who sits where."""
    return [
        TableShown(
            id=table.id,
            rules=table.rules.id,
            seats=table.rules.book.seats,
            players=dict(table.players),
            round=table.rounds,
        )
        for table in house_of(request).tables()
    ]


@router.post("/ticket", response_model=TicketGiven)
async def ticket(request: Request, person: Asker) -> TicketGiven:
    """A ticket that opens one socket, within half a minute."""
    given = await asyncio.to_thread(accounts_of(request).ticket, person, "table")
    return TicketGiven(ticket=given)
