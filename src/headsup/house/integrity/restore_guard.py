"""A house that goes on from a backup: no card is played that somebody may know.

In the house of which it is a copy, play went on: whoever was there knows the cards of the rounds
that were open, and the seed of every shuffle that was sealed is published. So a backup is marked,
and what `headsup restore` is told of; before the first server deals anything it ends the rounds in
which nobody has bet, sealed or open, and pauses each table where chips lie on cards that may be
known. A person lets it go on and has the round void; nothing else can be done there until then.

A demonstration pauses no table: its money is nobody's, only those at this machine are there to know
a card, and no staff is on duty who would have a round void. The table would be given back to its
automatic dealer, who may not deal it. All else is done there as in a house.
"""

import asyncio
from uuid import uuid4

from headsup.game.refusal import Refusal
from headsup.game.round.commands import Proceed
from headsup.game.round.state import Phase
from headsup.game.table.commands import Command, OpenRound, Staff
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.house.dealing.dealing_mode import DealingMode
from headsup.house.floor.host import CommandRequest, FloorUnavailable
from headsup.house.house import HOUSE, House
from headsup.house.log import log
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.settings import put_known_rounds, read_restored_at, unmark_restored

PAUSE_REASON = "restored from a backup; this round will be void, and its stakes go back"

# After these nobody has a choice any more: who knows the cards gains nothing.
_PHASES_WITH_CHOICES = frozenset(
    {Phase.BETTING, Phase.NO_MORE_BETS, Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP}
    | {Phase.RIVER_DUE, Phase.RIVER}
)


async def guard_restored_house(house: House, for_play: bool) -> None:
    """Once after a restore: what a person has let go on since is not paused again. `for_play` is
    the money of a demonstration."""
    at = await asyncio.to_thread(_read_restored_at, house)
    if at is None:
        return
    for table in house.tables():
        await _end_empty(house, table)
    known = [table for table in house.tables() if not for_play and _may_have_known_cards(table)]
    rounds = {
        table.id: _round(table) for table in known if table.shuffle is not ShuffleSource.ENTERED
    }
    await asyncio.to_thread(put_known_rounds, house.database.engine, rounds, at)
    house.known = rounds
    for table in known:
        # Who lets it go on deals by hand, as at a table of real cards.
        await house.attend(table.id, DealingMode(paused=PAUSE_REASON, by_hand=table.id in rounds))
    paused = [table.id for table in known]
    what: dict[str, object] = {"why": "restored from a backup", "at": at, "paused": paused}
    house.diary.tell(IncidentKind.DATA_LOSS, what)
    await house.diary.write()
    await asyncio.to_thread(unmark_restored, house.database.engine)
    log.warning("a restored house is open", restored=at, paused=paused)


def has_known_cards(house: House, table: Table) -> bool:
    """Whether the round that is open there is one that must not be played."""
    return house.known.get(table.id) == _round(table) and _may_have_known_cards(table)


def _read_restored_at(house: House) -> str | None:
    with house.database.reading() as connection:
        return read_restored_at(connection)


async def _end_empty(house: House, table: Table) -> None:
    """A sealed shuffle that nobody has bet on is used up, so that the next is sealed anew. Where
    another server has the floor, the table is paused instead."""
    host = house.host_of(table.id)
    if table.closed or table.sealed is None or not _has_no_bets(table) or host is None or host.lost:
        return
    if not table.playing and table.sealed.round > table.rounds:
        await _ask(house, table.id, OpenRound())
    if (after := house.table(table.id)) is not None and after.playing:
        await _ask(house, table.id, Proceed())


def _has_no_bets(table: Table) -> bool:
    round = table.round
    return not table.playing or (
        round is not None and round.phase is Phase.BETTING and not round.seats
    )


async def _ask(house: House, table: str, command: Command) -> None:
    """What is not done leaves the table as it is, to be paused."""
    try:
        reply = await house.ask(CommandRequest(uuid4().hex, table, Staff(HOUSE), command))
    except FloorUnavailable:
        reply = None
    if reply is None or isinstance(reply, Refusal):
        log.warning("a round could not be ended", table=table, command=type(command).__name__)


def _round(table: Table) -> int:
    """The one that is open, or sealed to be the next."""
    return table.sealed.round if table.sealed else table.rounds


def _may_have_known_cards(table: Table) -> bool:
    """Cards were dealt, or are sealed, and somebody may still choose."""
    if table.closed or not table.playing:
        return not table.closed and table.sealed is not None and table.sealed.round > table.rounds
    round = table.round
    dealt = round is not None and (table.sealed is not None or bool(round.deck))
    return dealt and round is not None and not round.void and round.phase in _PHASES_WITH_CHOICES
