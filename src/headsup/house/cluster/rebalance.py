"""Spreading the floors of a house over its servers, when an administrator asks for it or a server
has come to own fewer than its share.

A floor changes hands by one row of the database, where its owner and its fence stand together: the
old owner cannot append a thing any more, halts and follows; the new one finds the floor to be its
own and goes on where the log ends. A command that was on its way is forwarded. Floors in play are
left where they are: whoever has time to decide would have all of it again.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from headsup.game.table.state import Floor
from headsup.house.floor.host import FloorHost
from headsup.house.store.database import Database
from headsup.house.store.ownership import HandOver, hand_over, present_servers, read_owners
from headsup.house.store.projection_tables import Incident, IncidentKind


@dataclass(frozen=True, slots=True)
class Spread:
    """Which floors have another owner now, which were in play and stay, and between how many
    servers they are spread."""

    moved: tuple[str, ...]
    in_play: tuple[str, ...]
    servers: int


def is_in_play(floor: Floor) -> bool:
    return any(table.playing for table in floor.tables.values())


def wanted_moves(
    owned: Mapping[str, str], servers: Collection[str], movable: Collection[str]
) -> dict[str, str]:
    """To which server each floor goes, one at a time from the one with the most to the one with
    the fewest, until no two differ by more than one floor."""
    held: dict[str, list[str]] = {server: [] for server in sorted(servers)}
    for floor, server in sorted(owned.items()):
        held.setdefault(server, []).append(floor)
    moves: dict[str, str] = {}
    while True:
        free = {one: [floor for floor in of if floor in movable] for one, of in held.items()}
        givers = [one for one in held if free[one]]
        to = min(sorted(servers), key=lambda one: len(held[one]))
        most = max(givers, key=lambda one: len(held[one]), default=to)
        if len(held[most]) - len(held[to]) < 2:
            return moves
        floor = free[most][0]
        held[most].remove(floor)
        held[to].append(floor)
        moves[floor] = to


def spread_floors(
    database: Database,
    server: str,
    hosts: Mapping[str, FloorHost],
    by: str,
    at: str,
    lease: int,
    own: int | None = None,
) -> Spread:
    """Blocks: for a thread. `lease` is how long, in microseconds, a new owner has to come. Floors
    go to servers that are surely there, by their own word, and come from any; with `own`, to this
    one alone, and at most so many. What is known here of a floor may be behind its log: such a
    floor stays, since a round may have begun."""
    servers = present_servers(database) | {server}
    found = read_owners(database)
    known = {floor: held for floor, held in found.items() if floor in hosts}
    journals = {floor: hosts[floor].journal for floor in known}
    playing = {floor for floor in known if is_in_play(journals[floor].floor)}
    owned = {floor: held.owner for floor, held in known.items()}
    moves = [
        HandOver(known[floor], journals[floor].head.count, to)
        for floor, to in wanted_moves(owned, servers, known.keys() - playing).items()
        if own is None or to == server
    ][:own]

    def told(moved: Collection[HandOver]) -> Incident:
        said = {"act": "floors spread", "moved": {one.lease.floor: one.to for one in moved}}
        return Incident(IncidentKind.CONFIGURATION, at, by, json.dumps(said, sort_keys=True))

    moved = tuple(one.lease.floor for one in hand_over(database, moves, lease, told))
    return Spread(moved, tuple(sorted(playing)), len(servers))
