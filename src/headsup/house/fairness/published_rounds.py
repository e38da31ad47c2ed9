"""What the house published of its sealed shuffles, round by round: for one round again, and for
every round that a player was in, to be checked all at once (`headsup verify`)."""

import json
from collections.abc import Collection, Iterator
from dataclasses import astuple
from typing import Any

from sqlalchemy import and_, select, tuple_

from headsup.game.record.event_codec import read_event
from headsup.game.table.events import ShuffleOpened
from headsup.game.table.sealing import PublishedShuffle
from headsup.house.store.database import Database
from headsup.house.store.schema import HANDS, ROUNDS, ROUNDS_ENDED

MAX_PLAYER_ROUNDS = 10_000  # of a player's rounds in one answer
# Entries of a floor after a round in which the opening of its shuffle is looked for, so many at a
# time: mostly it is the next one, but a dealer may be called away while other tables play on.
_MAX_ENTRIES_AFTER, _PAGE_ENTRIES = 6_000, 60


def published_for_player(
    database: Database, player: str, sealed: Collection[tuple[str, str]]
) -> Iterator[PublishedShuffle]:
    """Of the rounds that the player was in at these tables, by floor and name, whose shuffles are
    sealed: the newest first."""
    hand, ended = HANDS.c, ROUNDS_ENDED.c
    same = and_(hand.floor == ended.floor, hand.table == ended.table, hand.number == ended.number)
    query = (
        select(ended.floor, ended.table, ended.number, ended.index, hand.at)
        .join_from(HANDS, ROUNDS_ENDED, same)
        .where(hand.player == player, tuple_(hand.floor, hand.table).in_(sealed))
        .distinct()
        .order_by(hand.at.desc(), ended.table, ended.number.desc())
        .limit(MAX_PLAYER_ROUNDS)
    )
    with database.reading() as connection:
        rows = connection.execute(query).all()
    for floor, table, number, last, _ in rows:
        if (found := find_published(database, floor, table, number, last)) is not None:
            yield found


def find_published(
    database: Database, floor: str, table: str, number: int, last: int
) -> PublishedShuffle | None:
    """What the house opened of a sealed shuffle when the round, which ends with the entry `last`,
    was over. The table opens no further round before, so there is no need to look behind it."""
    start, end = last + 1, _search_end(database, floor, table, number, last)
    while start < end:
        until = min(start + _PAGE_ENTRIES, end)
        texts = [text for _, text in database.texts(floor, start, until)]
        for text in (text for text in texts if f'"{ShuffleOpened.__name__}"' in text):
            if (found := _published_in(json.loads(text), table, number)) is not None:
                return found
        if len(texts) < until - start:
            break
        start = until
    return None


def _search_end(database: Database, floor: str, table: str, number: int, last: int) -> int:
    """Behind the entry that opens the table's next round."""
    begun = ROUNDS.c
    query = (
        select(begun.index)
        .where(begun.floor == floor, begun.table == table, begun.number > number)
        .order_by(begun.number)
        .limit(1)
    )
    with database.reading() as connection:
        found: int | None = connection.execute(query).scalar_one_or_none()
    end = last + 1 + _MAX_ENTRIES_AFTER
    return end if found is None else min(end, found + 1)


def _published_in(entry: dict[str, Any], table: str, number: int) -> PublishedShuffle | None:
    for event in map(read_event, entry["events"] if entry["table"] == table else ()):
        if isinstance(event, ShuffleOpened) and event.round == number:
            _, commitment, server_seed, seeds, deck = astuple(event)
            return PublishedShuffle(table, number, commitment, server_seed, seeds, deck)
    return None
