"""The settled rounds of a table, all of them, where the hashes that are kept of its past (blocks)
do not do: a database that an older server wrote beside the newest has gaps in them.

Rounds are taken from the hands that are noted, and from the log where there were no notes yet. In
either case they are the table's own past, or none.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from sqlalchemy import Connection, select

from headsup.game.record.journal import Journal
from headsup.game.table.round_history import SettledRound, merkle_rows
from headsup.game.table.state import Table
from headsup.house.floor.log_reader import BrokenLog, apply_entry
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import MIN_HASH_HEIGHT, HistoryHash
from headsup.house.store.schema import HANDS


def past_rounds(
    database: Database, floor: str, tables: Collection[Table], logged: bool = True
) -> dict[str, list[SettledRound]]:
    """By table, as far as each of them goes; those left out have a past that is not in here. The
    log, which may be long, is gone through for them only where `logged`."""
    with database.reading() as connection:
        noted = {table.id: _rounds_from_hands(connection, floor, table) for table in tables}
    found = {table.id: noted[table.id] for table in tables if table.past.is_of(noted[table.id])}
    others = [table for table in tables if table.id not in found] if logged else []
    written = _rounds_from_log(database, floor, {table.id for table in others}) if others else {}
    for table in others:
        rounds = written[table.id][: table.past.rounds]
        if table.past.is_of(rounds):
            found[table.id] = rounds
    return found


def _rounds_from_hands(connection: Connection, floor: str, table: Table) -> list[SettledRound]:
    """As far as the table goes; a round that is settled and not closed is in no hands yet."""
    hand, last = HANDS.c, table.past.last
    query = select(hand.number, hand.seat, hand.player).where(
        hand.floor == floor, hand.table == table.id
    )
    players: dict[int, list[tuple[int, str]]] = {}
    for number, seat, player in connection.execute(query.order_by(hand.number, hand.seat)):
        players.setdefault(number, []).append((seat, player))
    rounds = [SettledRound(number, tuple(held)) for number, held in players.items()]
    if last is not None and last.number not in players:
        rounds.append(last)
    return rounds[: table.past.rounds]


def _rounds_from_log(
    database: Database, floor: str, tables: Collection[str]
) -> dict[str, list[SettledRound]]:
    """The chain is verified on the way; the states need not be, a past shows itself."""
    rounds: dict[str, list[SettledRound]] = {table: [] for table in tables}
    with suppress(BrokenLog):  # what stands before shows itself all the same
        journal = Journal()
        for hash, text in database.texts(floor):
            step = apply_entry(journal, hash, text, checked=False)
            journal = step.journal
            if step.table in rounds:
                _add_last(rounds[step.table], journal.floor.tables.get(step.table))
    return rounds


def _add_last(rounds: list[SettledRound], table: Table | None) -> None:
    last = table.past.last if table is not None else None
    if last is not None and (not rounds or rounds[-1].number != last.number):
        rounds.append(last)


def history_hashes(table: str, rounds: Sequence[SettledRound]) -> Iterator[HistoryHash]:
    """What is kept of such a past."""
    for height, row in enumerate(merkle_rows(rounds)):
        if height >= MIN_HASH_HEIGHT:
            for place, hash in enumerate(row):
                last = rounds[(place + 1 << height) - 1]
                yield HistoryHash(table, height, place, last.number, hash)
