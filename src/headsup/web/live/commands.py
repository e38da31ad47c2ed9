"""Commands by HTTP, with the same body and the same answer as over a socket.

For the console, for scripts and for what is too long for a socket: a rule book of the house's own.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse

from headsup.game.refusal import Code, Refusal
from headsup.web.api.login import CurrentPerson
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.protocol import (
    AnsweredMessage,
    DeclinedMessage,
    OpenTableRequest,
    SubmitCommandRequest,
)
from headsup.web.server.errors import ApiError, ErrorResponse

router = APIRouter(prefix="/api", tags=["commands"])

_FORBIDDEN = {
    Code.NOT_ALLOWED,
    Code.BAD_APPROVAL,
    Code.NEEDS_TWO_PEOPLE,
    Code.STAFF_ONLY,
    Code.PLAYER_ONLY,
    Code.NOT_YOUR_SEAT,
}
_DECLINED: dict[int | str, dict[str, Any]] = {
    status: {"model": DeclinedMessage | ErrorResponse, "description": said}
    for status, said in (
        (400, "The command or the request cannot be read."),
        (403, "That is not for this person to ask, or not alone."),
        (404, "There is no such table."),
        (409, "The command was refused by the rules, and changed nothing."),
        (503, "The table is not to be had at this moment."),
    )
}


@router.post("/tables", response_model=AnsweredMessage, responses=_DECLINED)
async def open_table(
    asked: OpenTableRequest, request: Request, person: CurrentPerson
) -> JSONResponse:
    """Open a table; the floor is opened with its first one. A supervisor approves."""
    limit_commands(request, person.id)
    return command_response(await desk_of(request).open(person, asked))


@router.post("/tables/{table}/commands", response_model=AnsweredMessage, responses=_DECLINED)
async def submit_command(
    table: Annotated[str, Path(min_length=1, max_length=60)],
    asked: SubmitCommandRequest,
    request: Request,
    person: CurrentPerson,
) -> JSONResponse:
    """Ask a table to carry out a command; the answer comes once it is durable."""
    limit_commands(request, person.id)
    return command_response(await desk_of(request).ask(person, table, asked))


def desk_of(request: Request) -> CommandDesk:
    desk: CommandDesk = request.app.state.desk
    return desk


def limit_commands(request: Request, person: str) -> None:
    if not request.app.state.command_rates.take(person):
        raise ApiError(429, "too_many_commands")


def command_response(answer: AnsweredMessage | DeclinedMessage) -> JSONResponse:
    status = 200 if isinstance(answer, AnsweredMessage) else _status(Code(answer.code))
    return JSONResponse(answer.model_dump(), status)


def refusal_error(refused: Refusal) -> ApiError:
    """A refusal of what is no command."""
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
