"""A map by name that never changes: one with other entries shares all but the path to them.

Putting an entry costs the same in a map of ten and of a hundred thousand, and so does the hash of
all entries, since each node remembers its own. The shape follows from the names alone, never from
the order in which they came: equal maps have equal hashes.

Names are placed by their SHA-256, so that nobody can choose some that crowd one another.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar, overload

V = TypeVar("V")
D = TypeVar("D")

FANOUT = 16  # children of a branch, one for each hexadecimal digit of a name's place
MAX_LEAF_ENTRIES = 4  # entries that a leaf holds before it becomes a branch

REMOVED: Any = object()  # as a value: the entry is taken out


@lru_cache(maxsize=65536)
def path_of(name: str) -> bytes:
    """Which way to go at each branch."""
    hexadecimal = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return bytes(int(digit, FANOUT) for digit in hexadecimal)


class Leaf(Generic[V]):
    __slots__ = ("count", "entries", "hash", "memo")

    def __init__(self, entries: dict[str, V], memo: Any = None) -> None:
        self.entries = entries
        self.count = len(entries)
        self.hash = b""  # remembered once it was asked for
        self.memo = memo  # what helps to hash it, handed on to the leaf that takes its place


class Branch(Generic[V]):
    """Knows the hashes of its children as of the branch whose place it took, and which of the
    children are others since: of sixteen nearly always one."""

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
    """Iterated in the order of the names."""

    __slots__ = ("root",)

    def __init__(self, entries: Mapping[str, V] | None = None) -> None:
        self.root: Node[V] = _node(dict(entries or {}), 0)

    def with_changes(self, entries: Mapping[str, V]) -> "Trie[V]":
        """These entries put or, where the value is REMOVED, taken out."""
        root = self.root
        for name, value in entries.items():
            root = _put(root, name, value, 0)
        return _trie(root)

    def with_entry(self, name: str, value: V) -> "Trie[V]":
        return _trie(_put(self.root, name, value, 0))

    def _among(self, name: str) -> dict[str, V]:
        """The entries among which this one is, if it is here at all."""
        node = self.root
        if isinstance(node, Branch):
            for way in path_of(name):
                node = node.children[way]
                if isinstance(node, Leaf):
                    break
        return node.entries  # type: ignore[union-attr]  # a place ends in a leaf

    @overload
    def get(self, key: str, /) -> V | None: ...
    @overload
    def get(self, key: str, /, default: V | D) -> V | D: ...
    def get(self, key: str, /, default: Any = None) -> Any:
        node = self.root  # asked several times for each command, often of a single leaf
        entries = node.entries if isinstance(node, Leaf) else self._among(key)
        return entries.get(key, default)

    def __getitem__(self, name: str) -> V:
        return self._among(name)[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._among(name)

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
        """All entries in no order to rely on, for sums and comparisons."""
        for leaf in _leaves(self.root):
            yield from leaf.entries.items()

    def hash(self, hash_leaf: HashLeaf[V]) -> bytes:
        """SHA-256 over the hashes of a branch's children; how a leaf is hashed is up to the caller.

        `hash_leaf` is given the entries and what it left behind for the leaf before this one, and
        leaves as much for the next. Hashes are remembered in each node: one kind of map is always
        asked with the same function.
        """
        return self.root.hash or _hash(self.root, hash_leaf)


def _trie(root: Node[V]) -> Trie[V]:
    made: Trie[V] = Trie.__new__(Trie)
    made.root = root
    return made


def _leaves(node: Node[V]) -> Iterator[Leaf[V]]:
    if isinstance(node, Leaf):
        yield node
    else:
        for child in node.children:
            yield from _leaves(child)


def _put(node: Node[V], name: str, value: V, depth: int) -> Node[V]:
    """The node that takes this one's place, with the entry put or taken out."""
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
    way, children = path_of(name)[depth], node.children.copy()
    before = children[way]
    children[way] = after = _put(before, name, value, depth + 1)
    count = node.count + after.count - before.count
    stale = node.stale if way in node.stale else (*node.stale, way)
    branch = Branch(children, count, node.hashes, stale)
    return branch if count > MAX_LEAF_ENTRIES else _collapse(branch)


def _replace_leaf(leaf: Leaf[V], entries: dict[str, V]) -> Leaf[V]:
    """What helps to hash it is not held by both: states that are over are remembered for a while,
    and would hold more of that than of themselves."""
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
    for way in node.stale:
        child = node.children[way]
        hashes[way] = child.hash or _hash(child, hash_leaf)
    node.hashes, node.stale = hashes, ()
    node.hash = sha256(b"".join(hashes)).digest()
    return node.hash
