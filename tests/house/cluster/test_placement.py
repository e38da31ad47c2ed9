"""Floors are shared evenly over servers; a server that stops has a share of nothing."""

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
