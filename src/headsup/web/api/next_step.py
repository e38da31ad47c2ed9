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
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.cards import Cards
from headsup.house.dealing.dealing_mode import DealingMode
from headsup.house.dealing.real_cards import places_to_enter
from headsup.house.dealing.shoe import shuffle_deck
from headsup.house.floor.host import CommandRequest, FloorHost, FloorUnavailable, Reply
from headsup.house.floor.next_step import DealerStep, next_step, step_from_key, step_key
from headsup.house.house import House
from headsup.house.integrity.restore_guard import has_known_cards
from headsup.house.people.accounts import Person
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.live.commands import command_response, desk_of, limit_commands
from headsup.web.live.protocol import (
    AnsweredMessage,
    DeclinedMessage,
    RequestId,
    SubmitCommandRequest,
)
from headsup.web.live.visibility import may_deal
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["dealing"])
SHOE_STAFF = Staff("dealer")
TablePath = Annotated[str, Path(min_length=1, max_length=60)]


class NextStepResponse(StrictModel):
    """What is due; `key` is to be sent back, so that nothing is done twice."""

    step: DealerStep
    key: str
    seats: list[int]
    places: list[str]  # of the cards to enter, in the order of the deal
    paused: str  # why nothing is dealt at this table; empty while it plays
    known: str  # why this round is not played on, and what the dealer does; empty where it is
    automatic: bool  # the house deals by itself, unless a dealer takes over
    by_hand: bool  # a dealer has taken over


class DealingModeRequest(StrictModel):
    """`paused` is the reason that everyone reads; empty lets the table go on."""

    paused: Annotated[str, Field(max_length=100)]
    by_hand: bool


class DoStepRequest(StrictModel):
    id: RequestId
    key: str


@router.get("/tables/{table}/due", response_model=NextStepResponse)
async def get_next_step(
    table: TablePath, request: Request, person: CurrentPerson
) -> NextStepResponse:
    """What the dealer does next, or whom the table waits for."""
    house, at = house_of(request), require_table_to_deal(request, person, table)[1]
    return describe_next_step(house, at, house.attendances.of(table))


@router.post("/tables/{table}/attendance", response_model=NextStepResponse)
async def set_dealing_mode(
    table: TablePath, asked: DealingModeRequest, request: Request, person: CurrentPerson
) -> NextStepResponse:
    """Pause the table, let it go on, take over from the automatic dealer, or hand back to it."""
    limit_commands(request, person.id)
    house, at = house_of(request), require_table_to_deal(request, person, table)[1]
    attendance = DealingMode(asked.paused.strip(), asked.by_hand)
    if not attendance.waits and has_known_cards(house, at):
        raise _conflict(refusal(Code.KNOWN_CARDS, round=at.rounds))
    await house.attend(table, attendance, person.name)
    log.info("a table is attended", table=table, who=person.name, paused=attendance.paused)
    return describe_next_step(house, at, attendance)


@router.post("/tables/{table}/due", response_model=AnsweredMessage)
async def do_next_step(
    table: TablePath, asked: DoStepRequest, request: Request, person: CurrentPerson
) -> JSONResponse:
    """Do what is due, if it still is what the dealer was shown."""
    limit_commands(request, person.id)
    at = require_table_to_deal(request, person, table)[1]
    answer = await _do_step(request, person, at, asked)
    if isinstance(answer, DeclinedMessage) and answer.code == Code.NOT_DUE_ANY_MORE.value:
        raise _step_passed_error()
    return command_response(answer)


async def _do_step(
    request: Request, person: Person, at: Table, asked: DoStepRequest
) -> AnsweredMessage | DeclinedMessage:
    """What is over here may have been done with this very id: that, the floor's owner knows."""
    house, step, current = house_of(request), step_from_key(asked.key), step_key(at) == asked.key
    if current and (why := house.attendances.of(at.id).paused):
        raise _conflict(refusal(Code.PAUSED, why=why))
    if step is DealerStep.DEAL:
        deck = await _deck(house, at) if current else ()
        return await _deal_from_shoe(house, _shoe_request(at, DealCards(deck), asked.key, asked.id))
    command = None if step is None else _command(step)
    if command is None and current:
        raise ApiError(409, "nothing_due", "the table waits for somebody else")
    if command is None:
        raise _step_passed_error()
    if current and step is DealerStep.OPEN_ROUND:
        await _seal(house, at, asked.key)
    message = SubmitCommandRequest(id=asked.id, command=write_command(command))
    return await desk_of(request).ask(person, at.id, message, asked.key)


def _step_passed_error() -> ApiError:
    return _conflict(refusal(Code.NOT_DUE_ANY_MORE))


def _conflict(refused: Refusal) -> ApiError:
    return ApiError(409, refused.code.value, refused.message)


def describe_next_step(house: House, table: Table, attendance: DealingMode) -> NextStepResponse:
    step, seats = next_step(table)
    known = has_known_cards(house, table)
    round = table.round
    places = places_to_enter(round) if step is DealerStep.ENTER_CARDS and round is not None else ()
    return NextStepResponse(
        step=step,
        key=step_key(table),
        seats=list(seats),
        places=list(places),
        paused=attendance.paused,
        known=refusal(Code.KNOWN_CARDS, round=table.rounds).message if known else "",
        automatic=table.shuffle is not ShuffleSource.ENTERED and not attendance.by_hand,
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


def require_table_to_deal(request: Request, person: Person, id: str) -> tuple[FloorHost, Table]:
    """The table, for who may deal at it."""
    if not may_deal(person):
        raise ApiError(403, "not_allowed", "that is for dealers and supervisors")
    return require_table(request, id)


def require_table(request: Request, id: str) -> tuple[FloorHost, Table]:
    host = house_of(request).host_of(id)
    table = None if host is None else host.journal.floor.tables.get(id)
    if host is None or table is None:
        raise ApiError(404, "no_such_table")
    return host, table


# The house's own shoe.


async def _deck(house: House, table: Table) -> Cards:
    if table.sealed is None:
        return shuffle_deck()
    return (await house.sealer_of(table.id).kept(table)).deck(table.sealed.seeds)


async def _deal_from_shoe(house: House, asked: CommandRequest) -> AnsweredMessage | DeclinedMessage:
    reply = await _ask_floor(house, asked)
    if isinstance(reply, Refusal):
        return DeclinedMessage(id=asked.id, code=reply.code.value, message=reply.message)
    return AnsweredMessage(id=asked.id, index=reply.index)


async def _seal(house: House, table: Table, key: str) -> None:
    """Open what the last round was sealed with, and seal the next."""
    if table.shuffle is not ShuffleSource.SEALED:
        return
    sealed = table.sealed
    if sealed is not None and sealed.round == table.rounds:
        seal = await house.sealer_of(table.id).kept(table)
        await _ask_floor(house, _shoe_request(table, OpenShuffle(seal.server_seed.hex()), key))
        sealed = None
    if sealed is None:
        seal = await house.sealer_of(table.id).fresh(table)
        await _ask_floor(house, _shoe_request(table, SealShuffle(seal.commitment), key))


def _shoe_request(table: Table, command: Command, key: str, id: str = "") -> CommandRequest:
    return CommandRequest(id or uuid4().hex, table.id, SHOE_STAFF, command, due=key)


async def _ask_floor(house: House, asked: CommandRequest) -> Reply:
    """Of the owner of the floor, on whichever server that is."""
    try:
        reply = await house.ask(asked)
    except FloorUnavailable:
        return refusal(Code.UNAVAILABLE)
    return refusal(Code.NO_SUCH_TABLE, table=asked.table) if reply is None else reply
