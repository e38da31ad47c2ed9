"""Floors are shared evenly over servers; a server that stops has a share of nothing."""

from collections import Counter
from collections.abc import Collection
from hashlib import blake2b

from headsup.house.cluster.placement import receivers, shares

NONE: frozenset[str] = frozenset()


def test_shares_are_even_and_the_richest_keep_one_more() -> None:
    assert shares({"a": 3, "b": 1, "c": 0}, 0, NONE) == {"a": 2, "b": 1, "c": 1}
    assert shares({"a": 2, "b": 2}, 3, NONE) == {"a": 4, "b": 3}
    assert shares({"a": 2, "b": 2, "c": 1}, 0, {"c"}) == {"a": 3, "b": 2, "c": 0}
    assert shares({"a": 2}, 0, {"a"}) == {"a": 2}  # nobody else is there
    assert shares({}, 0, NONE) == {}


def test_a_server_gives_what_it_owns_above_its_share_to_those_below_theirs() -> None:
    counts = {"a": 6, "b": 0, "c": 0}
    assert receivers("a", counts, NONE, {"b", "c"}) == ["b", "c", "b", "c"]
    assert receivers("b", counts, NONE, {"b", "c"}) == []
    assert receivers("a", counts, NONE, {"b"}) == ["b", "b"]  # c has only just started
    assert receivers("a", {"a": 2, "b": 1, "c": 1}, NONE, {"b", "c"}) == []


def test_two_givers_do_not_give_the_same_room_twice() -> None:
    counts = {"a": 5, "b": 5, "c": 2}
    chosen = [receivers(giver, counts, NONE, {"c"}) for giver in counts]
    assert chosen == [["c"], ["c"], []]


def test_a_server_that_stops_gives_everything_away() -> None:
    counts = {"a": 4, "b": 4, "c": 4}
    assert sorted(receivers("a", counts, {"a"}, {"b", "c"})) == ["b", "b", "c", "c"]
    assert receivers("a", counts, {"a", "b", "c"}, NONE) == []


def settled(counts: dict[str, int], draining: Collection[str] = NONE) -> int:
    """Let every server give until nobody has to, all by the same rows. Returns the floors moved."""
    moved = 0
    for _ in range(100):
        ready = counts.keys() - {*draining}
        chosen = {giver: receivers(giver, counts, draining, ready) for giver in counts}
        if not any(chosen.values()):
            return moved
        for giver, receiving in chosen.items():
            for receiver in receiving:
                counts[giver] -= 1
                counts[receiver] += 1
                moved += 1
    raise AssertionError("floors move for ever")


def test_a_hundred_thousand_tables_are_placed_on_ten_databases_of_forty_servers() -> None:
    """The simulation of docs/scale.md. A table's name chooses its database; within each, the rule
    of `placement` shares the floors, survives the loss of a server, and takes in a new one."""
    databases: list[dict[str, int]] = []
    floors = Counter(database_of(f"table {number}", 10) for number in range(100_000))
    assert max(floors.values()) <= 1.05 * 10_000
    for database in range(10):
        counts = {f"s{number:02}": 0 for number in range(40)}
        counts["s00"] = floors[database]
        assert settled(counts) == floors[database] - max(counts.values())
        assert max(counts.values()) - min(counts.values()) <= 1
        free = counts.pop("s07")  # dies
        room = shares(counts, free, NONE)
        assert sum(room.values()) == floors[database]
        assert max(room.values()) <= -(-floors[database] // 39)
        counts = dict(room)
        counts["s07"] = 0  # is back
        assert settled(counts) == counts["s07"] <= -(-floors[database] // 40)
        assert settled(counts, {"s01"}) <= -(-floors[database] // 40)  # drained
        assert counts["s01"] == 0
        databases.append(counts)
    assert sum(sum(counts.values()) for counts in databases) == 100_000


def database_of(table: str, databases: int) -> int:
    """Rendezvous hashing: with one database more, only a table in eleven would move."""
    weights = [blake2b(f"{table} {number}".encode()).digest() for number in range(databases)]
    return max(range(databases), key=weights.__getitem__)
