"""Errors that a client is told: a status, a code, a sentence; never what went wrong inside.

A person whose browser asks for a page that is not there is shown one that leads back.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel
from sqlalchemy.exc import DataError, DBAPIError, InterfaceError, InternalError, OperationalError
from starlette.exceptions import HTTPException

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.refusal.text import escape_unprintable, truncate
from headsup.house.log import short_traceback
from headsup.house.store.projection_tables import IncidentKind
from headsup.web.server.log import log


class Problem(BaseModel):
    code: str
    message: str


class ErrorResponse(BaseModel):
    error: Problem


class ApiError(Exception):
    def __init__(self, status: int, code: str, message: str = "") -> None:
        self.status, self.code = status, code
        self.message = message or code.replace("_", " ")


# What any request may be answered with; what else, its own page of the schema says.
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse, "description": said}
    for status, said in (
        (400, "The request cannot be read."),
        (401, "Nobody has logged in, or not with this name and password."),
        (403, "That is not for this person, or not from this page."),
        (404, "There is no such thing."),
        (409, "That does not fit how things stand."),
        (413, "The request is too large."),
        (429, "Too many requests; try again later."),
        (503, "The house cannot read or write at this moment; try again."),
    )
}


MAX_PROBLEMS = 5  # of all that is wrong with one request
_HTTP_ERROR_CODES = {400: "bad_request", 404: "no_such_page", 405: "no_such_method"}


def error_response(
    status: int, code: str, message: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    told = {"code": code, "message": escape_unprintable(message)}
    return JSONResponse({"error": told}, status, headers)


def _refuse_field(error: Mapping[str, Any]) -> Refusal:
    """What is wrong with one field, in words of ours and not of whatever reads requests."""
    place = [str(part) for part in error["loc"][1:]]
    where = truncate(".".join(place).replace("_", " "), 60)
    bounds = error.get("ctx") or {}
    if not where or error["type"] == "json_invalid":
        return refusal(Code.BAD_MESSAGE)
    match error["type"]:
        case "missing":
            return refusal(Code.BAD_MESSAGE, "missing", where=where)
        case "extra_forbidden":
            return refusal(Code.BAD_MESSAGE, "unknown", where=where)
        case "string_pattern_mismatch":
            return refusal(Code.BAD_MESSAGE, "pattern", where=where)
        case "string_too_short":
            return refusal(Code.BAD_MESSAGE, "short", where=where, least=bounds["min_length"])
        case "string_too_long":
            return refusal(Code.BAD_MESSAGE, "long", where=where, most=bounds["max_length"])
        case _:
            return refusal(Code.BAD_MESSAGE, "unfit", where=where)


def _is_page_request(request: Request) -> bool:
    """Programs take anything, or JSON; only browsers name pages. The API answers none."""
    accepts = request.headers.get("accept", "").casefold()
    return "text/html" in accepts and not request.scope["path"].startswith("/api/")


def install(app: FastAPI, missing: Path) -> None:
    """`missing` is the page for an address that leads nowhere."""

    @app.exception_handler(ApiError)
    async def known(_request: Request, error: ApiError) -> JSONResponse:
        return error_response(error.status, error.code, error.message)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        said = "; ".join(_refuse_field(one).message for one in error.errors()[:MAX_PROBLEMS])
        return error_response(400, "bad_request", said or refusal(Code.BAD_MESSAGE).message)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and _is_page_request(request):
            return FileResponse(missing, 404, {"vary": "accept", "cache-control": "no-store"})
        return error_response(
            error.status_code,
            _HTTP_ERROR_CODES.get(error.status_code, "refused"),
            str(error.detail),
            error.headers,
        )

    @app.exception_handler(DBAPIError)
    async def lost(request: Request, error: DBAPIError) -> JSONResponse:
        """The database is gone or its disk is full: nothing was done, and it may soon be better.
        Anything else that it did not like is a bug of ours."""
        if isinstance(error, OperationalError | InterfaceError | InternalError):
            log.error("no database", path=request.scope["path"], kind=type(error).__name__)
            return error_response(
                503, "unavailable", "the house cannot read or write now; try again"
            )
        if isinstance(error, DataError):  # such as a zero byte, which PostgreSQL takes in no text
            return error_response(400, "bad_request", "there is a text that cannot be kept")
        return await unknown(request, error)

    @app.exception_handler(Exception)
    async def unknown(request: Request, error: Exception) -> JSONResponse:
        what: dict[str, object] = {"kind": type(error).__name__, "at": short_traceback(error)}
        log.error("internal error", path=request.scope["path"], **what)
        request.app.state.house.diary.tell(IncidentKind.PROGRAM_ERROR, what)
        return error_response(500, "internal_error", "something went wrong here; it has been noted")
