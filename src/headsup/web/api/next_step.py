"""What a dealer does next at a table: said by the server, and done on one key of the console.

Where real cards are dealt, the dealer enters them; elsewhere the house's own shoe deals, and its
shuffles are sealed and opened on the way.
"""

from typing import Annotated, assert_never
from uuid import uuid4

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from headsup.game.record.command_codec import write_command
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import CloseBets, DealCards, Proceed
from headsup.game.table.commands import Command, OpenRound, OpenShuffle, SealShuffle, Staff
from headsup.game.table.shuffle import Shuffle
from headsup.game.table.state import Table
from headsup.game.values.cards import Cards
from headsup.house.dealing.dealing_mode import Attendance
from headsup.house.dealing.real_cards import to_enter
from headsup.house.dealing.shoe import shuffled
from headsup.house.floor.host import Asked, Host, Reply, Unavailable
from headsup.house.floor.next_step import DealerStep, due_key, keyed_step, step_due
from headsup.house.house import House
from headsup.house.integrity.restore_guard import is_known
from headsup.house.people.accounts import Person
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, _Strict
from headsup.web.live.commands import answered, desk_of, not_too_often
from headsup.web.live.protocol import AnsweredMessage, CommandAsked, DeclinedMessage, Id
from headsup.web.live.visibility import may_deal
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["dealing"])
THE_SHOE = Staff("dealer")
TablePath = Annotated[str, Path(min_length=1, max_length=60)]


class DueShown(_Strict):
    """What is due; `key` is to be sent back, so that nothing is done twice."""

    step: DealerStep
    key: str
    seats: list[int]
    places: list[str]  # of the cards to enter, in the order of the deal
    paused: str  # why nothing is dealt at this table; empty while it plays
    known: str  # why this round is not played on, and what the dealer does; empty where it is
    automatic: bool  # the house deals by itself, unless a dealer takes over
    by_hand: bool  # a dealer has taken over


class AttendanceAsked(_Strict):
    """`paused` is the reason that everyone reads; empty lets the table go on."""

    paused: Annotated[str, Field(max_length=100)]
    by_hand: bool


class DueAsked(_Strict):
    id: Id
    key: str


@router.get("/tables/{table}/due", response_model=DueShown)
async def due(table: TablePath, request: Request, person: Asker) -> DueShown:
    """What the dealer does next, or whom the table waits for."""
    house, at = house_of(request), dealt_at(request, person, table)[1]
    return shown(house, at, house.attendances.of(table))


@router.post("/tables/{table}/attendance", response_model=DueShown)
async def stand(
    table: TablePath, asked: AttendanceAsked, request: Request, person: Asker
) -> DueShown:
    """Pause the table, let it go on, take over from the automatic dealer, or hand back to it."""
    not_too_often(request, person.id)
    house, at = house_of(request), dealt_at(request, person, table)[1]
    attendance = Attendance(asked.paused.strip(), asked.by_hand)
    if not attendance.waits and is_known(house, at):
        raise _conflict(refusal(Code.KNOWN_CARDS, round=at.rounds))
    await house.attend(table, attendance, person.name)
    log.info("a table is attended", table=table, who=person.name, paused=attendance.paused)
    return shown(house, at, attendance)


@router.post("/tables/{table}/due", response_model=AnsweredMessage)
async def do(table: TablePath, asked: DueAsked, request: Request, person: Asker) -> JSONResponse:
    """Do what is due, if it still is what the dealer was shown."""
    not_too_often(request, person.id)
    at = dealt_at(request, person, table)[1]
    answer = await _done(request, person, at, asked)
    if isinstance(answer, DeclinedMessage) and answer.code == Code.NOT_DUE_ANY_MORE.value:
        raise _moved_on()
    return answered(answer)


async def _done(
    request: Request, person: Person, at: Table, asked: DueAsked
) -> AnsweredMessage | DeclinedMessage:
    """What is over here may have been done with this very id: that, the floor's owner knows."""
    house, step, current = house_of(request), keyed_step(asked.key), due_key(at) == asked.key
    if current and (why := house.attendances.of(at.id).paused):
        raise _conflict(refusal(Code.PAUSED, why=why))
    if step is DealerStep.DEAL:
        deck = await _deck(house, at) if current else ()
        return await _shoe_deals(house, _of_shoe(at, DealCards(deck), asked.key, asked.id))
    command = None if step is None else _command(step)
    if command is None and current:
        raise ApiError(409, "nothing_due", "the table waits for somebody else")
    if command is None:
        raise _moved_on()
    if current and step is DealerStep.OPEN_ROUND:
        await _seal(house, at, asked.key)
    message = CommandAsked(id=asked.id, command=write_command(command))
    return await desk_of(request).ask(person, at.id, message, asked.key)


def _moved_on() -> ApiError:
    return _conflict(refusal(Code.NOT_DUE_ANY_MORE))


def _conflict(refused: Refusal) -> ApiError:
    return ApiError(409, refused.code.value, refused.message)


def shown(house: House, table: Table, attendance: Attendance) -> DueShown:
    step, seats = step_due(table)
    known = is_known(house, table)
    round = table.round
    places = to_enter(round) if step is DealerStep.ENTER_CARDS and round is not None else ()
    return DueShown(
        step=step,
        key=due_key(table),
        seats=list(seats),
        places=list(places),
        paused=attendance.paused,
        known=refusal(Code.KNOWN_CARDS, round=table.rounds).message if known else "",
        automatic=table.shuffle is not Shuffle.ENTERED and not attendance.by_hand,
        by_hand=attendance.by_hand,
    )


def _command(step: DealerStep) -> Command | None:
    """What the dealer asks in the own name; None where it is somebody else's turn, or takes more
    than a key."""
    match step:
        case DealerStep.OPEN_ROUND:
            return OpenRound()
        case DealerStep.CLOSE_BETS:
            return CloseBets()
        case (
            DealerStep.FLOP
            | DealerStep.TURN_AND_RIVER
            | DealerStep.REVEAL
            | DealerStep.SETTLE
            | DealerStep.RESOLVE
        ):
            return Proceed()
        case DealerStep.CLOSE | DealerStep.BETS:
            return Proceed()  # a round that nobody bets in is closed
        case (
            DealerStep.PLAYERS
            | DealerStep.CORRECT_FLAG
            | DealerStep.DECISIONS
            | DealerStep.DEAL
            | DealerStep.ENTER_CARDS
            | DealerStep.COUNT_BY_HAND
        ):
            return None
        case _:
            assert_never(step)


def dealt_at(request: Request, person: Person, id: str) -> tuple[Host, Table]:
    """The table, for who may deal at it."""
    if not may_deal(person):
        raise ApiError(403, "not_allowed", "that is for dealers and supervisors")
    return table_at(request, id)


def table_at(request: Request, id: str) -> tuple[Host, Table]:
    host = house_of(request).host_of(id)
    table = None if host is None else host.journal.floor.tables.get(id)
    if host is None or table is None:
        raise ApiError(404, "no_such_table")
    return host, table


# The house's own shoe.


async def _deck(house: House, table: Table) -> Cards:
    if table.sealed is None:
        return shuffled()
    return (await house.sealer_of(table.id).kept(table)).deck(table.sealed.seeds)


async def _shoe_deals(house: House, asked: Asked) -> AnsweredMessage | DeclinedMessage:
    reply = await _house_asks(house, asked)
    if isinstance(reply, Refusal):
        return DeclinedMessage(id=asked.id, code=reply.code.value, message=reply.message)
    return AnsweredMessage(id=asked.id, index=reply.index)


async def _seal(house: House, table: Table, key: str) -> None:
    """Open what the last round was sealed with, and seal the next."""
    if table.shuffle is not Shuffle.SEALED:
        return
    sealed = table.sealed
    if sealed is not None and sealed.round == table.rounds:
        seal = await house.sealer_of(table.id).kept(table)
        await _house_asks(house, _of_shoe(table, OpenShuffle(seal.server_seed.hex()), key))
        sealed = None
    if sealed is None:
        seal = await house.sealer_of(table.id).fresh(table)
        await _house_asks(house, _of_shoe(table, SealShuffle(seal.commitment), key))


def _of_shoe(table: Table, command: Command, key: str, id: str = "") -> Asked:
    return Asked(id or uuid4().hex, table.id, THE_SHOE, command, due=key)


async def _house_asks(house: House, asked: Asked) -> Reply:
    """Of the owner of the floor, on whichever server that is."""
    try:
        reply = await house.ask(asked)
    except Unavailable:
        return refusal(Code.UNAVAILABLE)
    return refusal(Code.NO_SUCH_TABLE, table=asked.table) if reply is None else reply
