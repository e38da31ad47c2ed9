"""The persistent map: what it holds is what a dict would, and its hash follows from that alone."""

from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.values.trie import MAX_LEAF_ENTRIES, REMOVED, Branch, Leaf, Node, Trie

keys = st.sampled_from([f"k{i}" for i in range(60)])
batches = st.lists(
    st.dictionaries(keys, st.one_of(st.just(REMOVED), st.integers(0, 9)), max_size=30), max_size=12
)


def hashed(trie: Trie[int]) -> bytes:
    return trie.hash(
        lambda entries, _: (sha256(repr(sorted(entries.items())).encode()).digest(), 0)
    )


@given(batches)
def test_it_holds_what_a_dict_would(changes: list[dict[str, int]]) -> None:
    trie, twin = Trie[int](), dict[str, int]()
    for batch in changes:
        before, held = trie, dict(trie)
        trie = trie.with_changes(batch)
        twin |= batch
        twin = {key: value for key, value in twin.items() if value is not REMOVED}
        assert trie == twin
        assert dict(before) == held, "the map before is as it was"
        assert (len(trie), list(trie)) == (len(twin), sorted(twin))
        assert dict(trie.unsorted()) == twin
        for key in ("k1", "k30", "other"):
            assert (key in trie, trie.get(key)) == (key in twin, twin.get(key))
        assert hashed(trie) == hashed(Trie(twin)), "the shape tells nothing of how it came about"


def test_one_entry_more_or_less_is_another_hash() -> None:
    trie = Trie({f"k{i}": i for i in range(100)})
    assert (
        len({hashed(trie), hashed(trie.with_entry("k7", 8)), hashed(trie.with_entry("k", 0))}) == 3
    )
    assert hashed(trie.with_entry("k", 0).with_changes({"k": REMOVED})) == hashed(trie)


def test_what_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Trie({"a": 1})["b"]


def nodes(node: Node[int]) -> list[Node[int]]:
    inner = [n for child in node.children for n in nodes(child)] if isinstance(node, Branch) else []
    return [node, *inner]


@pytest.mark.parametrize("size", [10, 1_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_change_makes_few_new_nodes_and_hashes_however_large_the_map_is(size: int) -> None:
    trie = Trie({f"k{i}": i for i in range(size)})
    trie.hash(Counted())
    changed = trie.with_entry("k5", -1)
    old = {id(node) for node in nodes(trie.root)}
    new = [node for node in nodes(changed.root) if id(node) not in old]
    assert 1 <= len(new) <= 9
    counted = Counted()
    changed.hash(counted)
    assert counted.times == 1


class Counted:
    """Hashes leaves, and hands on the number of those that were hashed in this place before."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, entries: dict[str, int], before: int | None) -> tuple[bytes, int]:
        self.times += 1
        return repr(sorted(entries.items())).encode(), (before or 0) + 1


def test_a_leaf_hands_on_what_helps_to_hash_the_next_in_its_place() -> None:
    counted = Counted()
    trie = Trie({"a": 0})
    for number in range(5):
        trie = trie.with_entry("a", -1).with_entry("a", number)
        trie.hash(counted)
    assert isinstance(trie.root, Leaf)
    assert trie.root.memo == counted.times == 5


def test_what_helps_to_hash_is_held_by_the_newest_leaf_alone() -> None:
    """States that are over are remembered by the hundred."""
    trie = Trie({"a": 0})
    first = trie.hash(Counted())
    newer = trie.with_entry("a", 1)
    again = trie.with_entry("a", 2)  # of a state whose help has gone to another
    assert isinstance(trie.root, Leaf)
    assert (trie.root.memo, trie.hash(Counted())) == (None, first)
    made = Trie({"a": 1}), Trie({"a": 2})
    assert [one.hash(Counted()) for one in (newer, again)] == [one.hash(Counted()) for one in made]


def test_no_leaf_is_crowded_and_no_branch_is_nearly_empty() -> None:
    random, trie = Random(1), Trie[int]()
    for number in range(3_000):
        key = f"k{random.randrange(200)}"
        removed = random.random() < 0.4
        trie = trie.with_changes({key: REMOVED if removed else number})
        for node in nodes(trie.root)[:: 1 + number // 100]:
            assert (
                node.count <= MAX_LEAF_ENTRIES
                if isinstance(node, Leaf)
                else node.count > MAX_LEAF_ENTRIES
            )


def test_it_shows_what_it_holds() -> None:
    assert repr(Trie({"b": 2, "a": 1})) == "Trie({'a': 1, 'b': 2})"
