"""An immutable map from names to values that is cheap to change and to hash.

A changed copy shares all nodes with the original except the path to the change, and each node
caches its hash. So both cost about the same with ten entries as with a hundred thousand. The shape
depends only on the names, not on the order of insertion: equal maps have equal hashes.

A name's place follows from its SHA-256, so that nobody can choose names that crowd one branch.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar, overload

V = TypeVar("V")
D = TypeVar("D")

FANOUT = 16  # children of a branch, one for each hexadecimal digit of a name's hash
MAX_LEAF_ENTRIES = 4  # a leaf with more becomes a branch

REMOVED: Any = object()  # as a value: removes the entry


@lru_cache(maxsize=65536)
def path_of(name: str) -> bytes:
    """The index of the child to follow at each branch."""
    hexadecimal = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return bytes(int(digit, FANOUT) for digit in hexadecimal)


class Leaf(Generic[V]):
    __slots__ = ("count", "entries", "hash", "memo")

    def __init__(self, entries: dict[str, V], memo: Any = None) -> None:
        self.entries = entries
        self.count = len(entries)
        self.hash = b""  # computed on first use
        self.memo = memo  # the hash function's own cache, passed on to the leaf that replaces this


class Branch(Generic[V]):
    """Sixteen children and their hashes.

    The hashes are copied from the branch that this one replaced; `stale` lists the children that
    have changed since, nearly always one.
    """

    __slots__ = ("children", "count", "hash", "hashes", "stale")

    def __init__(
        self,
        children: "list[Node[V]]",
        count: int,
        hashes: list[bytes],
        stale: tuple[int, ...],
    ) -> None:
        self.children = children
        self.count = count
        self.hash = b""
        self.hashes = hashes
        self.stale = stale


Node = Leaf[V] | Branch[V]
HashLeaf = Callable[[dict[str, V], Any], tuple[bytes, Any]]


class Trie(Mapping[str, V]):
    """The map. Iterates in the order of the names."""

    __slots__ = ("root",)

    def __init__(self, entries: Mapping[str, V] | None = None) -> None:
        self.root: Node[V] = _node(dict(entries or {}), 0)

    def with_changes(self, entries: Mapping[str, V]) -> "Trie[V]":
        """A copy with these entries set, or removed if the value is REMOVED."""
        root = self.root
        for name, value in entries.items():
            root = _put(root, name, value, 0)
        return _trie(root)

    def with_entry(self, name: str, value: V) -> "Trie[V]":
        return _trie(_put(self.root, name, value, 0))

    def _leaf_entries(self, name: str) -> dict[str, V]:
        """The entries of the leaf where this name belongs."""
        node = self.root
        if isinstance(node, Branch):
            for index in path_of(name):
                node = node.children[index]
                if isinstance(node, Leaf):
                    break
        return node.entries  # type: ignore[union-attr]  # a path ends in a leaf

    @overload
    def get(self, key: str, /) -> V | None: ...
    @overload
    def get(self, key: str, /, default: V | D) -> V | D: ...
    def get(self, key: str, /, default: Any = None) -> Any:
        node = self.root  # several calls for each command; many tries are a single leaf
        entries = node.entries if isinstance(node, Leaf) else self._leaf_entries(key)
        return entries.get(key, default)

    def __getitem__(self, name: str) -> V:
        return self._leaf_entries(name)[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._leaf_entries(name)

    def __len__(self) -> int:
        return self.root.count

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(name for name, _ in self.unsorted()))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Trie) and self.root is other.root:
            return True
        return isinstance(other, Mapping) and dict(self.unsorted()) == dict(other)

    __hash__: Any = None

    def __repr__(self) -> str:
        return f"Trie({dict(self)!r})"

    def unsorted(self) -> Iterator[tuple[str, V]]:
        """All entries in an unspecified order, for sums and comparisons."""
        for leaf in _leaves(self.root):
            yield from leaf.entries.items()

    def hash(self, hash_leaf: HashLeaf[V]) -> bytes:
        """The hash of all entries: SHA-256 over the hashes of a branch's children.

        `hash_leaf` takes a leaf's entries and the memo from the leaf that this one replaced, and
        returns the hash and a new memo. Nodes cache their hashes, so always pass the same function.
        """
        return self.root.hash or _hash(self.root, hash_leaf)


def _trie(root: Node[V]) -> Trie[V]:
    trie: Trie[V] = Trie.__new__(Trie)
    trie.root = root
    return trie


def _leaves(node: Node[V]) -> Iterator[Leaf[V]]:
    if isinstance(node, Leaf):
        yield node
    else:
        for child in node.children:
            yield from _leaves(child)


def _put(node: Node[V], name: str, value: V, depth: int) -> Node[V]:
    """The node that replaces this one, with the entry set or removed."""
    if isinstance(node, Leaf):
        entries = node.entries.copy()
        if value is REMOVED:
            entries.pop(name, None)
        else:
            entries[name] = value
        return (
            _replace_leaf(node, entries)
            if len(entries) <= MAX_LEAF_ENTRIES
            else _node(entries, depth)
        )
    index, children = path_of(name)[depth], node.children.copy()
    before = children[index]
    children[index] = after = _put(before, name, value, depth + 1)
    count = node.count + after.count - before.count
    stale = node.stale if index in node.stale else (*node.stale, index)
    branch = Branch(children, count, node.hashes, stale)
    return branch if count > MAX_LEAF_ENTRIES else _collapse(branch)


def _replace_leaf(leaf: Leaf[V], entries: dict[str, V]) -> Leaf[V]:
    """Move the memo to the new leaf: old states stay in memory for a while and should not hold a
    memo that is larger than they are."""
    memo, leaf.memo = leaf.memo, None
    return Leaf(entries, memo)


def _node(entries: dict[str, V], depth: int) -> Node[V]:
    if len(entries) <= MAX_LEAF_ENTRIES:
        return Leaf(entries)
    parts: list[dict[str, V]] = [{} for _ in range(FANOUT)]
    for name, value in entries.items():
        parts[path_of(name)[depth]][name] = value
    children = [_node(part, depth + 1) for part in parts]
    return Branch(children, len(entries), [b""] * FANOUT, tuple(range(FANOUT)))


def _collapse(branch: Branch[V]) -> Leaf[V]:
    return Leaf({name: value for leaf in _leaves(branch) for name, value in leaf.entries.items()})


def _hash(node: Node[V], hash_leaf: HashLeaf[V]) -> bytes:
    if isinstance(node, Leaf):
        node.hash, node.memo = hash_leaf(node.entries, node.memo)
        return node.hash
    hashes = node.hashes.copy()
    for index in node.stale:
        child = node.children[index]
        hashes[index] = child.hash or _hash(child, hash_leaf)
    node.hashes, node.stale = hashes, ()
    node.hash = sha256(b"".join(hashes)).digest()
    return node.hash
