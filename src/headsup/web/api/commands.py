"""Command routes: submit a command, open a table, list the commands a person may give."""

from collections.abc import Awaitable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.house.floor.host import FloorUnavailable
from headsup.house.people.permissions import permission
from headsup.web.api.login import COMMAND_RATE, CurrentPerson, StrictModel
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.examples import EXAMPLES
from headsup.web.live.protocol import (
    OpenTableRequest,
    RefusalMessage,
    ReplyMessage,
    SubmitCommandRequest,
)
from headsup.web.server.errors import ApiError, ErrorResponse

router = APIRouter(prefix="/api", tags=["commands"])


class PermittedCommandResponse(StrictModel):
    """A command that this person may give at some table."""

    command: str
    two_persons: bool  # another person, a supervisor, must approve
    by_hand: bool  # only at tables with real cards
    for_guests: bool  # only for a seat whose player has no account


@router.get("/orders", response_model=list[PermittedCommandResponse])
async def orders(person: CurrentPerson) -> list[PermittedCommandResponse]:
    """The commands you may give, and which of them need a second person."""
    permitted = []
    for command in EXAMPLES:
        rule = permission(command)
        if person.role in rule.roles | rule.for_guests:
            permitted.append(
                PermittedCommandResponse(
                    command=type(command).__name__,
                    two_persons=rule.two_persons,
                    by_hand=rule.by_hand,
                    for_guests=person.role not in rule.roles,
                )
            )
    return permitted


# Commands over HTTP, with the same bodies and answers as over a socket. For the console, for
# scripts, and for what is too long for a socket, such as a house's own rule book.


_FORBIDDEN = {
    Code.NOT_ALLOWED,
    Code.BAD_APPROVAL,
    Code.NEEDS_TWO_PEOPLE,
    Code.STAFF_ONLY,
    Code.PLAYER_ONLY,
    Code.NOT_YOUR_SEAT,
}
_DECLINED: dict[int | str, dict[str, Any]] = {
    status: {"model": RefusalMessage | ErrorResponse, "description": description}
    for status, description in (
        (400, "The command or the request cannot be read."),
        (403, "This person may not give the command, or not without approval."),
        (404, "There is no such table."),
        (409, "The command was refused by the rules, and changed nothing."),
        (503, "The table is unavailable; try again."),
    )
}


@router.post(
    "/tables", response_model=ReplyMessage, responses=_DECLINED, dependencies=[COMMAND_RATE]
)
async def open_table(body: OpenTableRequest, request: Request, person: CurrentPerson) -> Response:
    """Open a table, with a supervisor's approval. A floor is opened with its first table."""
    return command_response(await desk_of(request).open(person, body))


@router.post(
    "/tables/{table}/commands",
    response_model=ReplyMessage,
    responses=_DECLINED,
    dependencies=[COMMAND_RATE],
)
async def submit_command(
    table: Annotated[str, Path(min_length=1, max_length=60)],
    body: SubmitCommandRequest,
    request: Request,
    person: CurrentPerson,
) -> Response:
    """Submit a command to a table; the answer comes once the result is stored."""
    return command_response(await desk_of(request).submit(person, table, body))


def desk_of(request: Request) -> CommandDesk:
    desk: CommandDesk = request.app.state.command_desk
    return desk


def command_response(answer: ReplyMessage | RefusalMessage) -> Response:
    status = 200 if isinstance(answer, ReplyMessage) else _status(Code(answer.code))
    return Response(answer.text(), status, media_type="application/json")


async def apply_to_table(change: Awaitable[None]) -> None:
    """Wait for a change that the house sends to a table itself, and answer why it was refused."""
    try:
        await change
    except Refused as error:
        raise refusal_error(error.refusal) from None
    except FloorUnavailable:
        raise refusal_error(refusal(Code.UNAVAILABLE)) from None


def refusal_error(refused: Refusal) -> ApiError:
    """The error for a refusal of something other than a command."""
    return ApiError(_status(refused.code), refused.code.value, refused.message)


def _status(code: Code) -> int:
    if code in _FORBIDDEN:
        return 403
    match code:
        case Code.NO_SUCH_TABLE:
            return 404
        case Code.BAD_COMMAND | Code.BAD_MESSAGE:
            return 400
        case Code.BUSY | Code.UNAVAILABLE | Code.PROGRAM_CHANGED:
            return 503
        case _:
            return 409
