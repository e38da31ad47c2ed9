"""What a console or a display tells of the rounds before it was switched on."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from headsup.game.views.announcements import write_announcement
from headsup.game.views.viewers import Watcher
from headsup.game.views.wire import write_last, write_view
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.history.recent_history import Lately, lately
from headsup.web.api.displays import display_key_of
from headsup.web.api.lobby import house_of
from headsup.web.api.login import Asker, _Strict
from headsup.web.api.next_step import TablePath
from headsup.web.api.records import database_of, not_recalled_too_often
from headsup.web.live.protocol import TableId
from headsup.web.live.visibility import may_view
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["records"])


class ToldShown(_Strict):
    """What was told with entry `index` of the floor's log."""

    index: int
    at: str
    event: dict[str, Any]
    players: dict[int, str] = Field(description="Who sat where then.")
    round: dict[str, Any] | None = Field(
        description="The round as its viewer saw it then, with a result; null with all else."
    )


class LatelyShown(_Strict):
    """`rounds` are results as the display shows them, the newest first; `told` is what its viewer
    was told in these rounds and the one that is played, the oldest first."""

    rounds: list[dict[str, Any]]
    told: list[ToldShown]


class DisplayLately(_Strict):
    table: TableId
    key: str = Field(min_length=1, max_length=100)


@router.get("/tables/{table}/lately", response_model=LatelyShown)
async def at_a_table(
    table: TablePath,
    request: Request,
    person: Asker,
    viewer: Annotated[Literal["dealer", "rail", "tablevision"], Query()] = "rail",
) -> LatelyShown:
    """What happened in the last rounds at a table, as one saw it who watched from no seat."""
    who = Watcher(viewer)
    host = house_of(request).host_of(table)
    if host is None:
        raise ApiError(404, "no_such_table")
    if not may_view(person, who, host.journal.floor, table):
        raise ApiError(403, "not_your_view")
    not_recalled_too_often(request, person.id)
    return await _lately(request, table, who)


@router.post("/displays/lately", response_model=LatelyShown)
async def at_a_display(asked: DisplayLately, request: Request) -> LatelyShown:
    """The same for a display, by its key."""
    maker = await display_key_of(request, asked.key)
    if house_of(request).table(asked.table) is None:
        raise ApiError(404, "no_such_table")
    not_recalled_too_often(request, f"display of {maker.id}")
    return await _lately(request, asked.table, Watcher.TABLEVISION)


async def _lately(request: Request, table: str, viewer: Watcher) -> LatelyShown:
    try:
        found = await asyncio.to_thread(lately, database_of(request), table, viewer)
    except BrokenLog as broken:
        raise ApiError(409, "broken_log", str(broken)) from None
    return _shown(found)


def _shown(found: Lately) -> LatelyShown:
    return LatelyShown(
        rounds=[write_last(one) for one in found.rounds],
        told=[
            ToldShown(
                index=one.index,
                at=one.at,
                event=write_announcement(one.news),
                players=dict(one.players),
                round=None if one.view is None else write_view(one.view)["round"],
            )
            for one in found.told
        ],
    )
