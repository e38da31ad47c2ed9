"""Stops play with cards that may be known after a house was restored from a backup.

Play went on after the backup, so people may know the cards of rounds that were open then, and the
seeds of sealed shuffles have been published. Backups and restored databases are marked. Before the
first server deals, it ends rounds without bets, sealed or open, and pauses every table where chips
are at stake on cards that may be known. Staff then have to void the round; nothing else can be
done at that table.

A demonstration pauses no table: there is no real money, and no staff who could void a round.
Everything else is the same.
"""

import asyncio
from uuid import uuid4

from headsup.game.refusal import Refusal
from headsup.game.round.commands import Proceed
from headsup.game.round.state import Phase
from headsup.game.table.commands import Command
from headsup.game.table.rounds import OpenRound
from headsup.game.table.state import DealingMode, Table
from headsup.house.dealing.known_cards import dealt_round, may_have_known_cards
from headsup.house.floor.decide import HOUSE
from headsup.house.floor.host import CommandRequest, FloorUnavailable
from headsup.house.house import House
from headsup.house.log import log
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.settings import put_known_rounds, read_restored_at, unmark_restored

PAUSE_REASON = "restored from a backup; this round will be void and its stakes returned"


async def guard_restored_house(house: House, for_play: bool) -> None:
    """Guard a house that was just restored. It runs once: a table that staff have released is not
    paused again. `for_play` means a demonstration's play money."""
    at = await asyncio.to_thread(_read_restored_at, house)
    if at is None:
        return
    for table in house.tables():
        await _end_empty(house, table)
    to_pause = [table for table in house.tables() if not for_play and may_have_known_cards(table)]
    rounds = {table.id: dealt_round(table) for table in to_pause if not table.shuffle.by_hand}
    await asyncio.to_thread(put_known_rounds, house.database.engine, rounds, at)
    house.known_rounds = rounds
    for table in to_pause:
        # Whoever releases the table has to deal by hand, as with real cards.
        await house.set_dealing_mode(
            table.id, DealingMode(paused=PAUSE_REASON, by_hand=table.id in rounds)
        )
    paused = [table.id for table in to_pause]
    details: dict[str, object] = {"why": "restored from a backup", "at": at, "paused": paused}
    house.incident_queue.add(IncidentKind.DATA_LOSS, details)
    await house.incident_queue.flush()
    await asyncio.to_thread(unmark_restored, house.database.engine)
    log.warning("house opened from a backup", restored=at, paused=paused)


def _read_restored_at(house: House) -> str | None:
    with house.database.read_connection() as connection:
        return read_restored_at(connection)


async def _end_empty(house: House, table: Table) -> None:
    """End a round without bets, so that the next one gets a new seal. If another server owns the
    floor, the table stays as it is and is paused later."""
    host = house.host_of(table.id)
    if (
        table.closed
        or table.sealed is None
        or not _has_no_bets(table)
        or host is None
        or host.halt_reason
    ):
        return
    if not table.is_playing and table.sealed.round > table.rounds:
        await _submit(house, table.id, OpenRound())
    if (after := house.table(table.id)) is not None and after.is_playing:
        await _submit(house, table.id, Proceed())


def _has_no_bets(table: Table) -> bool:
    round = table.round
    return not table.is_playing or (
        round is not None and round.phase is Phase.BETTING and not round.seats
    )


async def _submit(house: House, table: str, command: Command) -> None:
    """A failure is only logged: the table is then paused."""
    try:
        reply = await house.submit(CommandRequest(uuid4().hex, table, HOUSE, command))
    except FloorUnavailable:
        reply = None
    if reply is None or isinstance(reply, Refusal):
        log.warning("round not ended", table=table, command=type(command).__name__)
