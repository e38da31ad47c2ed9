"""Routes for the dealer's next step, which the console shows and carries out on one key.

At tables with real cards the dealer enters them. Elsewhere the house's shoe deals, and its
shuffles are sealed and opened along the way.
"""

from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from headsup.game.record.message_codec import write_command
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import DealCards
from headsup.game.table.commands import Command, Staff
from headsup.game.table.sealed_shuffles import OpenShuffle, SealShuffle
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import DealingMode, Table
from headsup.game.values.cards import Cards
from headsup.house.dealing.known_cards import has_known_cards
from headsup.house.dealing.real_cards import places_to_enter
from headsup.house.dealing.shoe import shuffle_deck
from headsup.house.fairness.lost_seals import lost_seal_refusal
from headsup.house.fairness.sealed_shuffles import LostSeal
from headsup.house.floor.host import CommandRequest, FloorHost, FloorUnavailable, Reply
from headsup.house.floor.next_step import (
    DealerStep,
    command_for,
    next_step,
    step_from_key,
    step_key,
)
from headsup.house.house import House
from headsup.house.people.person import Person
from headsup.web.api.commands import apply_to_table, command_response, desk_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import COMMAND_RATE, CurrentPerson, StrictModel
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
# The step has passed, or nothing is dealt: no mistake in the command.
_NOTHING_TO_DO = (Code.NOT_DUE_ANY_MORE.value, Code.PAUSED.value)
TablePath = Annotated[str, Path(min_length=1, max_length=60)]


class NextStepResponse(StrictModel):
    """The step that is due. Send `key` back to do it, so that nothing is done twice."""

    step: DealerStep
    key: str
    seats: list[int]
    places: list[str]  # of the cards to enter, in dealing order
    paused: str  # why nothing is dealt at this table; empty while it plays
    known: str  # why the round must stop, and what to do: known cards or a lost seal; else empty
    automatic: bool  # the automatic dealer is dealing
    by_hand: bool  # a dealer has taken over


class DealingModeRequest(StrictModel):
    """`paused` is the reason shown to everyone; empty lets the table go on."""

    paused: Annotated[str, Field(max_length=100)]
    by_hand: bool


class DoStepRequest(StrictModel):
    id: RequestId
    key: str


@router.get("/tables/{table}/due", response_model=NextStepResponse)
async def get_next_step(
    table: TablePath, request: Request, person: CurrentPerson
) -> NextStepResponse:
    """What the dealer does next, or whom the table is waiting for."""
    house, state = house_of(request), require_table_to_deal(request, person, table)[1]
    return describe_next_step(house, state, house.dealing_modes.get(table))


@router.post(
    "/tables/{table}/attendance", response_model=NextStepResponse, dependencies=[COMMAND_RATE]
)
async def set_dealing_mode(
    table: TablePath, body: DealingModeRequest, request: Request, person: CurrentPerson
) -> NextStepResponse:
    """Pause the table, let it go on, take over from the automatic dealer, or hand back to it."""
    house, state = house_of(request), require_table_to_deal(request, person, table)[1]
    mode = DealingMode(body.paused.strip(), body.by_hand)
    if not mode.stops_dealer and has_known_cards(state, house.known_rounds):
        raise _conflict(refusal(Code.KNOWN_CARDS, round=state.rounds))
    await apply_to_table(house.set_dealing_mode(table, mode, person.name))
    log.info("dealing mode changed", table=table, who=person.name, paused=mode.paused)
    return describe_next_step(house, state, mode)


@router.post("/tables/{table}/due", response_model=AnsweredMessage, dependencies=[COMMAND_RATE])
async def do_next_step(
    table: TablePath, body: DoStepRequest, request: Request, person: CurrentPerson
) -> JSONResponse:
    """Do the step that is due, if it is still the one the dealer saw."""
    state = require_table_to_deal(request, person, table)[1]
    answer = await _do_step(request, person, state, body)
    if isinstance(answer, DeclinedMessage) and answer.code in _NOTHING_TO_DO:
        raise ApiError(409, answer.code, answer.message)
    return command_response(answer)


async def _do_step(
    request: Request, person: Person, table: Table, body: DoStepRequest
) -> AnsweredMessage | DeclinedMessage:
    """Even a step that has passed goes to the floor's owner: only it knows whether the step was
    done under this id, in which case the client gets the same answer again."""
    try:
        return await _do_checked_step(request, person, table, body)
    except LostSeal as lost:
        house = house_of(request)
        now = house.table(table.id)
        if now is None or house.lost_seals.of(now) is None:  # another server has opened the seal
            raise _step_passed_error() from None
        raise _conflict(lost_seal_refusal(lost)) from None


async def _do_checked_step(
    request: Request, person: Person, table: Table, body: DoStepRequest
) -> AnsweredMessage | DeclinedMessage:
    house, step, current = house_of(request), step_from_key(body.key), step_key(table) == body.key
    if step is DealerStep.DEAL:
        deck = await _next_deck(house, table) if current else ()
        deal = _shoe_request(table, DealCards(deck), body.key, body.id)
        return await _deal_from_shoe(house, deal)
    command = None if step is None else command_for(step)
    if command is None and current:
        raise ApiError(409, "nothing_due", "the table is waiting for somebody else")
    if command is None:
        raise _step_passed_error()
    if current and step is DealerStep.OPEN_ROUND:
        await _seal_next_shuffle(house, table, body.key)
    message = SubmitCommandRequest(id=body.id, command=write_command(command))
    return await desk_of(request).submit(person, table.id, message, body.key)


def _step_passed_error() -> ApiError:
    return _conflict(refusal(Code.NOT_DUE_ANY_MORE))


def _conflict(refused: Refusal) -> ApiError:
    return ApiError(409, refused.code.value, refused.message)


def describe_next_step(house: House, table: Table, mode: DealingMode) -> NextStepResponse:
    step, seats = next_step(table)
    round = table.round
    places = places_to_enter(round) if step is DealerStep.ENTER_CARDS and round is not None else ()
    return NextStepResponse(
        step=step,
        key=step_key(table),
        seats=list(seats),
        places=list(places),
        paused=mode.paused,
        known=_stop_notice(house, table),
        automatic=not table.shuffle.by_hand and not mode.by_hand,
        by_hand=mode.by_hand,
    )


def _stop_notice(house: House, table: Table) -> str:
    if has_known_cards(table, house.known_rounds):
        return refusal(Code.KNOWN_CARDS, round=table.rounds).message
    lost = house.lost_seals.of(table)
    return "" if lost is None else lost_seal_refusal(lost).message


def require_table_to_deal(request: Request, person: Person, id: str) -> tuple[FloorHost, Table]:
    """The table, if the person may deal; raises otherwise."""
    if not may_deal(person):
        raise ApiError(403, "not_allowed", "only dealers and supervisors may do this")
    return require_table(request, id)


def require_table(request: Request, id: str) -> tuple[FloorHost, Table]:
    host = house_of(request).host_of(id)
    table = None if host is None else host.journal.floor.tables.get(id)
    if host is None or table is None:
        raise ApiError(404, "no_such_table")
    return host, table


# The house's own shoe.


async def _next_deck(house: House, table: Table) -> Cards:
    if table.sealed is None:
        return shuffle_deck()
    return (await house.sealer_of(table.id).current_seal(table)).deck(table.sealed.seeds)


async def _deal_from_shoe(
    house: House, request: CommandRequest
) -> AnsweredMessage | DeclinedMessage:
    reply = await _submit_to_floor(house, request)
    if isinstance(reply, Refusal):
        return DeclinedMessage(id=request.id, code=reply.code.value, message=reply.message)
    return AnsweredMessage(id=request.id, index=reply.index)


async def _seal_next_shuffle(house: House, table: Table, key: str) -> None:
    """Open the seal of the last round, and seal the next shuffle."""
    if table.shuffle is not ShuffleSource.SEALED:
        return
    sealed = table.sealed
    if sealed is not None and sealed.round == table.rounds:
        seal = await house.sealer_of(table.id).current_seal(table)
        await _submit_to_floor(
            house, _shoe_request(table, OpenShuffle(seal.server_seed.hex()), key)
        )
        sealed = None
    if sealed is not None:
        await house.sealer_of(table.id).current_seal(table)  # before bets are taken on it
    else:
        seal = await house.sealer_of(table.id).seal_next(table)
        await _submit_to_floor(house, _shoe_request(table, SealShuffle(seal.commitment), key))


def _shoe_request(table: Table, command: Command, key: str, id: str = "") -> CommandRequest:
    return CommandRequest(id or uuid4().hex, table.id, SHOE_STAFF, command, expected_step=key)


async def _submit_to_floor(house: House, request: CommandRequest) -> Reply:
    """Submit to the floor's owner, on whichever server that is."""
    try:
        reply = await house.submit(request)
    except FloorUnavailable:
        return refusal(Code.UNAVAILABLE)
    return refusal(Code.NO_SUCH_TABLE, table=request.table) if reply is None else reply
