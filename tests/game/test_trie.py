"""The persistent map: what it holds is what a dict would, and its hash follows from that alone."""

from collections.abc import Callable
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.ledger import Account, AccountKind
from headsup.game.trie import CROWD, REMOVED, Branch, Leaf, Node, Trie

keys = st.sampled_from([f"k{i}" for i in range(60)])
batches = st.lists(
    st.dictionaries(keys, st.one_of(st.just(REMOVED), st.integers(0, 9)), max_size=30), max_size=12
)


def hashed(trie: Trie[str, int]) -> str:
    return trie.hash(
        lambda entries: sha256(repr(sorted(entries.items())).encode()).hexdigest(),
        lambda children: sha256("".join(children).encode()).hexdigest(),
    )


@given(batches)
def test_it_holds_what_a_dict_would(changes: list[dict[str, int]]) -> None:
    trie, twin = Trie[str, int](), dict[str, int]()
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


def nodes(node: Node[str, int]) -> list[Node[str, int]]:
    inner = [n for child in node.children for n in nodes(child)] if isinstance(node, Branch) else []
    return [node, *inner]


@pytest.mark.parametrize("size", [10, 1_000, 100_000])
def test_a_change_makes_few_new_nodes_and_hashes_however_large_the_map_is(size: int) -> None:
    trie = Trie({f"k{i}": i for i in range(size)})
    hashed(trie)
    changed = trie.with_entry("k5", -1)
    old = {id(node) for node in nodes(trie.root)}
    new = [node for node in nodes(changed.root) if id(node) not in old]
    assert 1 <= len(new) <= 6
    counted = Counted(lambda entries: str(len(entries)))
    changed.hash(counted, lambda children: "".join(children)[:8])
    assert counted.times == 1


class Counted:
    def __init__(self, then: Callable[[dict[str, int]], str]) -> None:
        self.then, self.times = then, 0

    def __call__(self, entries: dict[str, int]) -> str:
        self.times += 1
        return self.then(entries)


def test_no_leaf_is_crowded_and_no_branch_is_nearly_empty() -> None:
    random, trie = Random(1), Trie[str, int]()
    for number in range(3_000):
        key = f"k{random.randrange(200)}"
        removed = random.random() < 0.4
        trie = trie.with_changes({key: REMOVED if removed else number})
        for node in nodes(trie.root)[:: 1 + number // 100]:
            assert node.count <= CROWD if isinstance(node, Leaf) else node.count > CROWD


def test_accounts_are_keys_too() -> None:
    accounts = {Account(AccountKind.PLAYER, f"T{i}/Ann"): i for i in range(100)}
    trie = Trie(accounts)
    assert trie == accounts
    assert trie[Account(AccountKind.PLAYER, "T7/Ann")] == 7
    assert Account(AccountKind.BANK, "T7/Ann") not in trie
    assert repr(Trie({"a": 1})) == "Trie({'a': 1})"
