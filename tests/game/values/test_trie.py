"""The trie behaves like a dict, and its hash depends only on its entries."""

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


def hash_text(trie: Trie[int]) -> bytes:
    return trie.hash(
        lambda entries, _: (sha256(repr(sorted(entries.items())).encode()).digest(), 0)
    )


@given(batches)
def test_a_trie_behaves_like_a_dict(changes: list[dict[str, int]]) -> None:
    trie, twin = Trie[int](), dict[str, int]()
    for batch in changes:
        before, held = trie, dict(trie)
        trie = trie.with_changes(batch)
        twin |= batch
        twin = {key: value for key, value in twin.items() if value is not REMOVED}
        assert trie == twin
        assert dict(before) == held, "the original is unchanged"
        assert (len(trie), list(trie)) == (len(twin), sorted(twin))
        assert dict(trie.unsorted()) == twin
        for key in ("k1", "k30", "other"):
            assert (key in trie, trie.get(key)) == (key in twin, twin.get(key))
        assert hash_text(trie) == hash_text(Trie(twin)), "the shape does not depend on the history"


def test_adding_or_removing_an_entry_changes_the_hash() -> None:
    trie = Trie({f"k{i}": i for i in range(100)})
    assert (
        len(
            {
                hash_text(trie),
                hash_text(trie.with_entry("k7", 8)),
                hash_text(trie.with_entry("k", 0)),
            }
        )
        == 3
    )
    assert hash_text(trie.with_entry("k", 0).with_changes({"k": REMOVED})) == hash_text(trie)


def test_a_missing_key_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Trie({"a": 1})["b"]


def nodes(node: Node[int]) -> list[Node[int]]:
    inner = [n for child in node.children for n in nodes(child)] if isinstance(node, Branch) else []
    return [node, *inner]


@pytest.mark.parametrize("size", [10, 1_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_change_makes_few_new_nodes_and_hashes_in_a_map_of_any_size(size: int) -> None:
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
    """Hashes leaves; the memo counts the hashes computed in one place."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, entries: dict[str, int], before: int | None) -> tuple[bytes, int]:
        self.times += 1
        return repr(sorted(entries.items())).encode(), (before or 0) + 1


def test_a_leaf_passes_its_hash_memo_to_its_replacement() -> None:
    counted = Counted()
    trie = Trie({"a": 0})
    for number in range(5):
        trie = trie.with_entry("a", -1).with_entry("a", number)
        trie.hash(counted)
    assert isinstance(trie.root, Leaf)
    assert trie.root.memo == counted.times == 5


def test_only_the_newest_leaf_keeps_the_hash_memo() -> None:
    """Old states stay in memory by the hundred."""
    trie = Trie({"a": 0})
    first = trie.hash(Counted())
    newer = trie.with_entry("a", 1)
    again = trie.with_entry("a", 2)  # of a state whose help has gone to another
    assert isinstance(trie.root, Leaf)
    assert (trie.root.memo, trie.hash(Counted())) == (None, first)
    made = Trie({"a": 1}), Trie({"a": 2})
    assert [leaf.hash(Counted()) for leaf in (newer, again)] == [
        leaf.hash(Counted()) for leaf in made
    ]


def test_leaves_are_never_crowded_nor_branches_nearly_empty() -> None:
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


def test_repr_shows_the_entries() -> None:
    assert repr(Trie({"b": 2, "a": 1})) == "Trie({'a': 1, 'b': 2})"
