"""Checks the history of a house: what clients were told against what the database has.

It shares no code with the house: its own connection, its own SQL, its own hashing. Every answer
that a client got must stand in the log exactly once, at the index that the client was told, and the
chain of each log must hold.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import psycopg

GENESIS = "0" * 64


@dataclass(frozen=True)
class Acknowledged:
    """A command that a client sent, and the index that it was answered with."""

    table: str
    id: str
    index: int


def history_faults(address: str, acknowledged: Iterable[Acknowledged]) -> list[str]:
    """What is wrong, in sentences; empty if nothing is. `address` is a PostgreSQL address."""
    with psycopg.connect(address.replace("+psycopg", "")) as connection:
        floors = connection.execute("SELECT id, length, hash FROM floors WHERE id <> ''").fetchall()
        entries = {
            floor: connection.execute(
                'SELECT "index", hash, entry FROM entries WHERE floor = %s ORDER BY "index"',
                (floor,),
            ).fetchall()
            for floor, _, _ in floors
        }
    faults = [
        fault
        for floor, length, end in floors
        for fault in _chain_faults(floor, entries[floor], length, end)
    ]
    return faults + list(_answer_faults(entries, acknowledged))


def _chain_faults(
    floor: str, entries: list[tuple[int, str, str]], length: int, end: str
) -> Iterator[str]:
    previous = None
    for expected, (index, hash, text) in enumerate(entries):
        if index != expected:
            yield f"{floor}: entry {expected} is missing"
            return
        before = GENESIS if previous is None else previous
        if hashlib.sha256(f"{before}\n{index}\n{text}".encode()).hexdigest() != hash:
            yield f"{floor}: entry {index} does not follow the one before it"
        previous = hash
    if (len(entries), previous or GENESIS) != (length, end):
        yield f"{floor}: the log ends at {len(entries)}, its row says {length}"


def _answer_faults(
    entries: dict[str, list[tuple[int, str, str]]], acknowledged: Iterable[Acknowledged]
) -> Iterator[str]:
    places: dict[tuple[str, str], list[int]] = {}
    for log in entries.values():
        for index, _, text in log:
            entry = json.loads(text)
            if "id" in entry:
                places.setdefault((entry["table"], entry["id"]), []).append(index)
    for (table, id), found in places.items():
        if len(found) > 1:
            yield f"{table}: command {id} was carried out {len(found)} times"
    told = Counter(acknowledged)
    for answer in told:
        if places.get((answer.table, answer.id)) != [answer.index]:
            stored = places.get((answer.table, answer.id), "nowhere")
            yield f"{answer.table}: {answer.id} was answered {answer.index}, stored {stored}"
