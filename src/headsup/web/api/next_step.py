"""Routes for the dealer's next step, which the console shows and carries out on one key.

At tables with real cards the dealer enters them. Elsewhere the house's shoe deals, and its
shuffles are sealed and opened along the way.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from headsup.game.refusal import Code, refusal
from headsup.game.table.commands import Staff
from headsup.game.table.state import DealingMode, Table
from headsup.house.dealing.known_cards import has_known_cards
from headsup.house.dealing.real_cards import places_to_enter
from headsup.house.fairness.lost_seals import stop_notice
from headsup.house.floor.host import FloorHost
from headsup.house.floor.next_step import (
    DealerStep,
    is_doable,
    next_step,
    step_from_key,
    step_key,
)
from headsup.house.house import House
from headsup.house.people.person import Person
from headsup.web.api.commands import apply_to_table, command_response, desk_of, refusal_error
from headsup.web.api.lobby import house_of
from headsup.web.api.login import COMMAND_RATE, CurrentPerson, StrictModel
from headsup.web.live.protocol import (
    RefusalMessage,
    ReplyMessage,
    RequestId,
)
from headsup.web.live.visibility import may_deal
from headsup.web.server.errors import ApiError
from headsup.web.server.log import log

router = APIRouter(prefix="/api", tags=["dealing"])
SHOE_STAFF = Staff("dealer")
# The step has passed, or nothing is dealt: no mistake in the command.
_NOTHING_TO_DO = (Code.NOT_DUE_ANY_MORE.value, Code.PAUSED.value, Code.SEAL_LOST.value)
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
        raise refusal_error(refusal(Code.KNOWN_CARDS, round=state.rounds))
    await apply_to_table(house.set_dealing_mode(table, mode, person.name))
    log.info("dealing mode changed", table=table, who=person.name, paused=mode.paused)
    return describe_next_step(house, state, mode)


@router.post("/tables/{table}/due", response_model=ReplyMessage, dependencies=[COMMAND_RATE])
async def do_next_step(
    table: TablePath, body: DoStepRequest, request: Request, person: CurrentPerson
) -> Response:
    """Do the step that is due, if it is still the one the dealer saw."""
    state = require_table_to_deal(request, person, table)[1]
    step, is_current = step_from_key(body.key), step_key(state) == body.key
    if is_current and step is not None and not is_doable(step):
        raise ApiError(409, "nothing_due", "the table is waiting for somebody else")
    answer = await desk_of(request).do_step(person, state.id, body.id, body.key)
    if isinstance(answer, RefusalMessage) and answer.code in _NOTHING_TO_DO:
        raise ApiError(409, answer.code, answer.say)
    return command_response(answer)


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
        known=stop_notice(table, house.known_rounds, house.lost_seals),
        automatic=not table.shuffle.by_hand and not mode.by_hand,
        by_hand=mode.by_hand,
    )


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
