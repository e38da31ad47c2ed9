"""What a console or a display tells of the rounds before it was switched on."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from headsup.game.views.announcements import write_announcement
from headsup.game.views.viewers import Watcher
from headsup.game.views.wire import write_last_round, write_view
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.history.recent_history import RecentHistory, recent_history
from headsup.web.api.displays import require_display_maker
from headsup.web.api.lobby import house_of
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.api.next_step import TablePath
from headsup.web.api.records import database_of, limit_recalls
from headsup.web.live.protocol import TableId
from headsup.web.live.visibility import may_view
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["records"])


class PastEventView(StrictModel):
    """What was told with entry `index` of the floor's log."""

    index: int
    at: str
    event: dict[str, Any]
    players: dict[int, str] = Field(description="Who sat where then.")
    round: dict[str, Any] | None = Field(
        description="The round as its viewer saw it then, with a result; null with all else."
    )


class RecentHistoryResponse(StrictModel):
    """`rounds` are results as the display shows them, the newest first; `told` is what its viewer
    was told in these rounds and the one that is played, the oldest first."""

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
) -> RecentHistoryResponse:
    """What happened in the last rounds at a table, as one saw it who watched from no seat."""
    who = Watcher(viewer)
    host = house_of(request).host_of(table)
    if host is None:
        raise ApiError(404, "no_such_table")
    if not may_view(person, who, host.journal.floor, table):
        raise ApiError(403, "not_your_view")
    limit_recalls(request, person.id)
    return await _load_history(request, table, who)


@router.post("/displays/lately", response_model=RecentHistoryResponse)
async def get_display_history(
    asked: DisplayHistoryRequest, request: Request
) -> RecentHistoryResponse:
    """The same for a display, by its key."""
    maker = await require_display_maker(request, asked.key)
    if house_of(request).table(asked.table) is None:
        raise ApiError(404, "no_such_table")
    limit_recalls(request, f"display of {maker.id}")
    return await _load_history(request, asked.table, Watcher.TABLEVISION)


async def _load_history(request: Request, table: str, viewer: Watcher) -> RecentHistoryResponse:
    try:
        found = await asyncio.to_thread(recent_history, database_of(request), table, viewer)
    except BrokenLog as broken:
        raise ApiError(409, "broken_log", str(broken)) from None
    return _describe_history(found)


def _describe_history(found: RecentHistory) -> RecentHistoryResponse:
    return RecentHistoryResponse(
        rounds=[write_last_round(one) for one in found.rounds],
        told=[
            PastEventView(
                index=one.index,
                at=one.at,
                event=write_announcement(one.news),
                players=dict(one.players),
                round=None if one.view is None else write_view(one.view)["round"],
            )
            for one in found.told
        ],
    )
