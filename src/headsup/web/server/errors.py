"""Error responses: a status, a code and a sentence for people. Internal details stay in the log.

A browser that asks for a missing page gets an HTML page with a link back.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.refusal.formatter import escape_unprintable, truncate
from headsup.house.log import short_traceback
from headsup.house.store.errors import (
    AnsweredError,
    ConnectionsInUse,
    is_unavailable,
    is_unstorable,
)
from headsup.house.store.projection_rows import IncidentKind
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


# Possible for every request; routes add their own to the schema.
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse, "description": description}
    for status, description in (
        (400, "The request cannot be read."),
        (401, "Not logged in, or wrong name or password."),
        (403, "Not allowed for this person, or from this page."),
        (404, "Not found."),
        (408, "The body of the request did not arrive in time."),
        (409, "Not possible in the current state."),
        (413, "The request is too large."),
        (429, "Too many requests; try again later."),
        (503, "The house cannot read or write right now; try again."),
    )
}


MAX_PROBLEMS = 5  # listed in one answer
_HTTP_ERROR_CODES = {400: "bad_request", 404: "no_such_page", 405: "no_such_method"}


def error_response(
    status: int, code: str, message: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    problem = {"code": code, "message": escape_unprintable(message)}
    return JSONResponse({"error": problem}, status, headers)


def _field_refusal(error: Mapping[str, Any]) -> Refusal:
    """The problem with one field in our own words, not pydantic's."""
    path = [str(part) for part in error["loc"][1:]]
    where = truncate(".".join(path).replace("_", " "), 60)
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
    """Only browsers ask for text/html; programs accept JSON or anything. The API has no pages."""
    accepts = request.headers.get("accept", "").casefold()
    return "text/html" in accepts and not request.scope["path"].startswith("/api/")


def install(app: FastAPI, missing: Path) -> None:
    """Add the error handlers; `missing` is the page shown for an unknown address."""

    @app.exception_handler(ApiError)
    async def handle_api_error(_request: Request, error: ApiError) -> JSONResponse:
        return error_response(error.status, error.code, error.message)

    @app.exception_handler(RequestValidationError)
    async def handle_invalid_request(
        _request: Request, error: RequestValidationError
    ) -> JSONResponse:
        problems = [_field_refusal(problem).message for problem in error.errors()[:MAX_PROBLEMS]]
        message = "; ".join(problems) or refusal(Code.BAD_MESSAGE).message
        return error_response(400, "bad_request", message)

    @app.exception_handler(HTTPException)
    async def handle_http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and _is_page_request(request):
            return FileResponse(missing, 404, {"vary": "accept", "cache-control": "no-store"})
        return error_response(
            error.status_code,
            _HTTP_ERROR_CODES.get(error.status_code, "refused"),
            str(error.detail),
            error.headers,
        )

    @app.exception_handler(ConnectionsInUse)
    @app.exception_handler(AnsweredError)
    async def handle_database_error(
        request: Request, error: AnsweredError | ConnectionsInUse
    ) -> JSONResponse:
        """503 if the database is gone, damaged or overloaded, or its disk full: nothing was done,
        so a client may retry. Other errors from the database are bugs of ours."""
        if is_unavailable(error):
            log.error("database unavailable", path=request.scope["path"], kind=type(error).__name__)
            return error_response(
                503, "unavailable", "the house cannot read or write right now; try again"
            )
        if is_unstorable(error):
            return error_response(400, "bad_request", "a text cannot be stored")
        return await handle_unknown_error(request, error)

    @app.exception_handler(Exception)
    async def handle_unknown_error(request: Request, error: Exception) -> JSONResponse:
        details: dict[str, object] = {"kind": type(error).__name__, "at": short_traceback(error)}
        log.error("internal error", path=request.scope["path"], **details)
        request.app.state.house.incident_queue.add(IncidentKind.PROGRAM_ERROR, details)
        return error_response(500, "internal_error", "internal error; it has been logged")
