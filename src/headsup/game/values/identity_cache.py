"""A cache keyed by object identity, for immutable values that are expensive to compare."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
M = TypeVar("M")

MAX_ENTRIES = 2048  # in the newer half of a cache


class IdentityCache(Generic[T, M]):
    """Calls `make` once per value, as long as the value is used now and then.

    An equal but different object is a miss: comparing large values would cost more than it saves.
    When the newer half is full it becomes the older half, and the previous older half is dropped;
    entries used since then were moved to the newer half.
    """

    def __init__(self, make: Callable[[T], M], max_entries: int = MAX_ENTRIES) -> None:
        self._make, self._max_entries = make, max_entries
        # The cache holds the values themselves, so that no id is reused.
        self._newer: dict[int, tuple[T, M]] = {}
        self._older: dict[int, tuple[T, M]] = {}

    def __call__(self, value: T) -> M:
        key = id(value)
        entry = self._newer.get(key)
        if entry is None:
            entry = self._older.get(key) or (value, self._make(value))
            if len(self._newer) >= self._max_entries:
                self._older, self._newer = self._newer, {}
            self._newer[key] = entry
        return entry[1]
