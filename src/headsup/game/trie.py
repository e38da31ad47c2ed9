"""A map that never changes: one with other entries shares all but the path to them.

Putting an entry costs the same in a map of ten and of a hundred thousand, and so does the hash of
all entries, since each node remembers its own. The shape follows from the keys alone, never from
the order in which they came: equal maps have equal hashes.

Keys are placed by SHA-256 of their text, so that nobody can choose names that crowd one another.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")

WAYS = 16  # children of a branch, one for each hexadecimal digit of a key's place
CROWD = 16  # entries that a leaf holds before it becomes a branch
DEEPEST = 12  # branches on the way to a leaf

Place = str
Changes = list[tuple[Place, Any, Any]]  # place, key, new value or REMOVED
REMOVED: Any = object()


@lru_cache(maxsize=65536)
def _place(key: Any) -> Place:
    text = key if type(key) is str else key.place
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Leaf(Generic[K, V]):
    __slots__ = ("entries", "hash")

    def __init__(self, entries: dict[K, V]) -> None:
        self.entries = entries
        self.hash = ""  # remembered once it was asked for

    @property
    def count(self) -> int:
        return len(self.entries)


class Branch(Generic[K, V]):
    __slots__ = ("children", "count", "hash")

    def __init__(self, children: "tuple[Node[K, V], ...]", count: int) -> None:
        self.children = children
        self.count = count
        self.hash = ""


Node = Leaf[K, V] | Branch[K, V]


class Trie(Mapping[K, V]):
    """Keys are text, or sort and have a `place`: a text that is the same for keys which change
    together and so lie together, a dozen at most. Iterated in the order of the keys.
    """

    __slots__ = ("root",)

    def __init__(self, entries: Mapping[K, V] | None = None) -> None:
        self.root: Node[K, V] = Leaf({})
        if entries:
            self.root = _changed(self.root, _placed(entries), 0)

    def with_changes(self, entries: Mapping[K, V]) -> "Trie[K, V]":
        """These entries put or, where the value is REMOVED, taken out."""
        return _trie(_changed(self.root, _placed(entries), 0))

    def with_entry(self, key: K, value: V) -> "Trie[K, V]":
        return _trie(_changed(self.root, [(_place(key), key, value)], 0))

    def _leaf_of(self, key: K) -> dict[K, V]:
        """The entries among which this key is, if it is here at all."""
        node, depth = self.root, 0
        while isinstance(node, Branch):
            node = node.children[int(_place(key)[depth], WAYS)]
            depth += 1
        return node.entries

    @overload
    def get(self, key: K, /) -> V | None: ...
    @overload
    def get(self, key: K, /, default: V | D) -> V | D: ...
    def get(self, key: K, /, default: Any = None) -> Any:
        return self._leaf_of(key).get(key, default)

    def __getitem__(self, key: K) -> V:
        return self._leaf_of(key)[key]

    def __contains__(self, key: object) -> bool:
        return key in self._leaf_of(key)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return self.root.count

    def __iter__(self) -> Iterator[K]:
        return iter(sorted(key for leaf in _leaves(self.root) for key in leaf.entries))  # type: ignore[type-var]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Trie) and self.root is other.root:
            return True
        return isinstance(other, Mapping) and dict(self.unsorted()) == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Trie({dict(self)!r})"

    def unsorted(self) -> Iterator[tuple[K, V]]:
        """All entries in no order to rely on, for sums and comparisons."""
        for leaf in _leaves(self.root):
            yield from leaf.entries.items()

    def hash(self, leaf: Callable[[dict[K, V]], str], branch: Callable[[list[str]], str]) -> str:
        """A hash of parts' hashes, of a leaf by its entries and of a branch by its children's.

        Remembered in each node: one kind of map is always asked with the same two functions.
        """
        return _hash(self.root, leaf, branch)


def _trie(root: Node[K, V]) -> Trie[K, V]:
    made: Trie[K, V] = Trie()
    made.root = root
    return made


def _placed(entries: Mapping[K, V]) -> Changes:
    return [(_place(key), key, value) for key, value in entries.items()]


def _leaves(node: Node[K, V]) -> Iterator[Leaf[K, V]]:
    if isinstance(node, Leaf):
        yield node
    else:
        for child in node.children:
            yield from _leaves(child)


def _changed(node: Node[K, V], changes: Changes, depth: int) -> Node[K, V]:
    if isinstance(node, Leaf):
        entries = dict(node.entries)
        for _, key, value in changes:
            if value is REMOVED:
                entries.pop(key, None)
            else:
                entries[key] = value
        return Leaf(entries) if _fits(entries, depth) else _split(entries, depth)
    children = list(node.children)
    count = node.count
    for way, part in _by_way(changes, depth).items():
        before = children[way]
        children[way] = after = _changed(before, part, depth + 1)
        count += after.count - before.count
    branch = Branch(tuple(children), count)
    return branch if count > CROWD else _joined(branch)


def _by_way(changes: Changes, depth: int) -> dict[int, Changes]:
    if len(changes) == 1:
        return {int(changes[0][0][depth], WAYS): changes}
    parts: dict[int, Changes] = {}
    for change in changes:
        parts.setdefault(int(change[0][depth], WAYS), []).append(change)
    return parts


def _split(entries: dict[K, V], depth: int) -> Branch[K, V]:
    parts: list[dict[K, V]] = [{} for _ in range(WAYS)]
    for key, value in entries.items():
        parts[int(_place(key)[depth], WAYS)][key] = value
    children: list[Node[K, V]] = [
        Leaf(part) if _fits(part, depth + 1) else _split(part, depth + 1) for part in parts
    ]
    return Branch(tuple(children), len(entries))


def _fits(entries: dict[K, V], depth: int) -> bool:
    """A leaf is not crowded, or there is no way left to tell its keys apart."""
    return len(entries) <= CROWD or depth == DEEPEST


def _joined(branch: Branch[K, V]) -> Leaf[K, V]:
    return Leaf({key: value for leaf in _leaves(branch) for key, value in leaf.entries.items()})


def _hash(
    node: Node[K, V], leaf: Callable[[dict[K, V]], str], branch: Callable[[list[str]], str]
) -> str:
    if not node.hash:
        if isinstance(node, Leaf):
            node.hash = leaf(node.entries)
        else:
            node.hash = branch([_hash(child, leaf, branch) for child in node.children])
    return node.hash
