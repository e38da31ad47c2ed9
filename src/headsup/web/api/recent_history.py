"""The last rounds at a table, for a console or display that has just been switched on."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from headsup.game.views.announcements import write_announcement
from headsup.game.views.viewers import Watcher
from headsup.game.views.wire import write_last_round, write_view
from headsup.game.words.catalogue import Catalogue
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.history.recent_history import RecentHistory, recent_history
from headsup.web.api.displays import require_display_maker
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, RequestLanguage, StrictModel
from headsup.web.api.next_step import TablePath
from headsup.web.api.records import database_of, limit_recalls
from headsup.web.live.protocol import TableId
from headsup.web.live.visibility import may_view
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["records"])


class PastEventView(StrictModel):
    """An event that was announced with entry `index` of the floor's log."""

    index: int
    at: str
    event: dict[str, Any]
    say: str = Field(description="What happened, in the language of `Accept-Language`.")
    players: dict[int, str] = Field(description="Who sat where at the time.")
    round: dict[str, Any] | None = Field(
        description="The round as the viewer saw it, for results; null otherwise."
    )


class RecentHistoryResponse(StrictModel):
    """`rounds` are results as the display shows them, newest first. `told` lists the events
    announced to the viewer in these rounds and the open one, oldest first."""

    rounds: list[dict[str, Any]]
    told: list[PastEventView]


class DisplayHistoryRequest(StrictModel):
    table: TableId
    key: str = Field(min_length=1, max_length=100)


@router.get("/tables/{table}/lately", response_model=RecentHistoryResponse)
async def get_table_history(
    table: TablePath,
    request: Request,
    person: CurrentPerson,
    viewer: Annotated[Literal["dealer", "rail", "tablevision"], Query()] = "rail",
    *,
    language: RequestLanguage,
) -> RecentHistoryResponse:
    """The last rounds at a table as a watcher saw them, from no seat."""
    watcher = Watcher(viewer)
    host = house_of(request).host_of(table)
    if host is None:
        raise ApiError(404, "no_such_table")
    if not may_view(person, watcher, host.journal.floor, table):
        raise ApiError(403, "not_your_view")
    limit_recalls(request, person.id)
    return await _load_history(request, table, watcher, language)


@router.post("/displays/lately", response_model=RecentHistoryResponse)
async def get_display_history(
    body: DisplayHistoryRequest, request: Request, language: RequestLanguage
) -> RecentHistoryResponse:
    """The last rounds at a table, for a display with its key."""
    maker = await require_display_maker(request, body.key)
    if not await asyncio.to_thread(database_of(request).floor_of_table, body.table):
        raise ApiError(404, "no_such_table")
    limit_recalls(request, f"display of {maker.id}")
    return await _load_history(request, body.table, Watcher.TABLEVISION, language)


async def _load_history(
    request: Request, table: str, viewer: Watcher, catalogue: Catalogue
) -> RecentHistoryResponse:
    try:
        history = await asyncio.to_thread(recent_history, database_of(request), table, viewer)
    except BrokenLog as error:
        raise ApiError(409, "broken_log", str(error)) from None
    return _describe_history(history, catalogue)


def _describe_history(history: RecentHistory, catalogue: Catalogue) -> RecentHistoryResponse:
    return RecentHistoryResponse(
        rounds=[write_last_round(result) for result in history.rounds],
        told=[
            PastEventView(
                index=past.index,
                at=past.at,
                event=write_announcement(past.announcement),
                say=catalogue.say(past.words),
                players=dict(past.players),
                round=None if past.view is None else write_view(past.view)["round"],
            )
            for past in history.announcements
        ],
    )
