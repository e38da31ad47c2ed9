"""A house that goes on from a backup: rounds that were open when it was made wait for a person.

In the house of which it is a copy they went on: whoever was there knows their cards, and the seed
of a round that was sealed is published. So `headsup restore` leaves a mark, and before the first
server deals anything it pauses each table whose next cards may be known.
"""

import asyncio

from headsup.game.table.state import Table
from headsup.house.attendance import Attendance
from headsup.house.house import House
from headsup.house.log import log
from headsup.house.store.notes import IncidentKind
from headsup.house.store.settings import kept_restored, unmark_restored

WHY = "restored from a backup; staff end the round that was open then"


async def pause_open_rounds(house: House) -> None:
    """Once after a restore: what a person has let go on since is not paused again. Who lets a
    table go on deals it by hand, until the house is told to deal again."""
    at = await asyncio.to_thread(_marked, house)
    if at is None:
        return
    paused = [table.id for table in house.tables() if _may_be_known(table)]
    for table in paused:
        await house.attend(table, Attendance(paused=WHY, by_hand=True))
    house.diary.tell(IncidentKind.DATA_LOSS, {"why": "restored from a backup", "at": at})
    await house.diary.write()
    await asyncio.to_thread(unmark_restored, house.database.engine)
    log.warning("a restored house is open", restored=at, paused=paused)


def _marked(house: House) -> str | None:
    with house.database.reading() as connection:
        return kept_restored(connection)


def _may_be_known(table: Table) -> bool:
    return not table.closed and (table.playing or table.sealed is not None)
