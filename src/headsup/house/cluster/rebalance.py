"""Spreads the floors of a house evenly over its servers.

This happens when an administrator asks for it, or when a server owns fewer floors than its share.
A floor changes hands by an update of one row, which holds its owner and its fence. The old owner
can no longer append: it halts and follows. The new owner resumes the floor from its log. Commands
on their way are forwarded. Floors in play stay where they are, because moving them would restart
the players' clocks.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from headsup.game.table.state import Floor
from headsup.house.floor.host import FloorHost
from headsup.house.store.database import Database
from headsup.house.store.ownership import HandOver, hand_over, present_servers, read_owners
from headsup.house.store.projection_rows import Incident, IncidentKind


@dataclass(frozen=True, slots=True)
class Spread:
    """The floors that have a new owner, those that stayed because they were in play, and the number
    of servers."""

    moved: tuple[str, ...]
    in_play: tuple[str, ...]
    servers: int


def is_in_play(floor: Floor) -> bool:
    return any(table.is_playing for table in floor.tables.values())


def plan_moves(
    owned: Mapping[str, str], servers: Collection[str], movable: Collection[str]
) -> dict[str, str]:
    """The new server of each floor that moves: one at a time from the server with the most to the
    one with the fewest, until no two differ by more than one floor."""
    held: dict[str, list[str]] = {server: [] for server in sorted(servers)}
    for floor, server in sorted(owned.items()):
        held.setdefault(server, []).append(floor)
    moves: dict[str, str] = {}
    while True:
        free = {
            server: [floor for floor in floors if floor in movable]
            for server, floors in held.items()
        }
        givers = [server for server in held if free[server]]
        taker = min(sorted(servers), key=lambda server: len(held[server]))
        giver = max(givers, key=lambda server: len(held[server]), default=taker)
        if len(held[giver]) - len(held[taker]) < 2:
            return moves
        floor = free[giver][0]
        held[giver].remove(floor)
        held[taker].append(floor)
        moves[floor] = taker


def spread_floors(
    database: Database,
    server: str,
    hosts: Mapping[str, FloorHost],
    by: str,
    at: str,
    lease_microseconds: int,
    max_taken: int | None = None,
) -> Spread:
    """Give floors to servers that are present. With `max_taken`, only this server takes floors, and
    at most that many. Blocks: call it in a thread.

    A new owner has `lease_microseconds` to start running its floor. A floor whose log has grown
    since this server last read it stays: a round may have begun.
    """
    servers = present_servers(database) | {server}
    leases = {floor: lease for floor, lease in read_owners(database).items() if floor in hosts}
    journals = {floor: hosts[floor].journal for floor in leases}
    playing = {floor for floor in leases if is_in_play(journals[floor].floor)}
    owners = {floor: lease.owner for floor, lease in leases.items()}
    moves = [
        HandOver(leases[floor], journals[floor].head.count, new_owner)
        for floor, new_owner in plan_moves(owners, servers, leases.keys() - playing).items()
        if max_taken is None or new_owner == server
    ][:max_taken]

    def make_incident(moved: Collection[HandOver]) -> Incident:
        new_owners = {move.lease.floor: move.new_owner for move in moved}
        details = {"act": "floors spread", "moved": new_owners}
        return Incident(IncidentKind.CONFIGURATION, at, by, json.dumps(details, sort_keys=True))

    moved = tuple(
        move.lease.floor for move in hand_over(database, moves, lease_microseconds, make_incident)
    )
    return Spread(moved, tuple(sorted(playing)), len(servers))
