"""Finds published shuffles: of one round, or of all rounds of a player.

They can be checked with `headsup verify`.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import astuple
from typing import Any

from headsup.game.record.message_codec import read_event
from headsup.game.table.sealed_shuffles import ShuffleOpened
from headsup.game.table.sealing import PublishedShuffle
from headsup.house.store.database import Database
from headsup.house.store.rounds import next_round_entry, rounds_of_player

MAX_PLAYER_ROUNDS = 10_000
# How many entries after the end of a round to search for its published shuffle, and how many to
# read at a time. Mostly it is the next entry, but if the dealer is away, other tables may play on.
_MAX_ENTRIES_AFTER, _PAGE_ENTRIES = 6_000, 60


def published_for_player(
    database: Database, player: str, sealed: Collection[tuple[str, str]]
) -> Iterator[PublishedShuffle]:
    """The published shuffles of a player's rounds, newest first. `sealed` names tables with sealed
    shuffles, as floor and table."""
    for floor, table, number, last in rounds_of_player(database, player, sealed, MAX_PLAYER_ROUNDS):
        if (shuffle := find_published(database, floor, table, number, last)) is not None:
            yield shuffle


def find_published(
    database: Database, floor: str, table: str, number: int, last: int
) -> PublishedShuffle | None:
    """The published shuffle of a round that ended with entry `last`. It comes before the table's
    next round, so the search ends there."""
    start, end = last + 1, _search_end(database, floor, table, number, last)
    while start < end:
        until = min(start + _PAGE_ENTRIES, end)
        texts = [text for _, text in database.entry_texts(floor, start, until)]
        for text in (text for text in texts if f'"{ShuffleOpened.__name__}"' in text):
            if (shuffle := _published_in(json.loads(text), table, number)) is not None:
                return shuffle
        if len(texts) < until - start:
            break
        start = until
    return None


def _search_end(database: Database, floor: str, table: str, number: int, last: int) -> int:
    """The index after the entry that opens the table's next round."""
    next_round = next_round_entry(database, floor, table, number)
    end = last + 1 + _MAX_ENTRIES_AFTER
    return end if next_round is None else min(end, next_round + 1)


def _published_in(entry: dict[str, Any], table: str, number: int) -> PublishedShuffle | None:
    for event in map(read_event, entry["events"] if entry["table"] == table else ()):
        if isinstance(event, ShuffleOpened) and event.round == number:
            _, commitment, server_seed, seeds, deck = astuple(event)
            return PublishedShuffle(table, number, commitment, server_seed, seeds, deck)
    return None
