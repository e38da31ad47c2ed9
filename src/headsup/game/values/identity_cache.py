"""What is made of a value, made once: found again by identity, since values never change."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
M = TypeVar("M")

MAX_ENTRIES = 2048  # values in the newer half of a memory


class IdentityCache(Generic[T, M]):
    """`make`, asked once for each value as long as it is asked for now and then.

    An equal value is another one: comparing what is large would cost more than it saves. When the
    newer half is full it becomes the older one, whose values that nobody asked for are forgotten.
    """

    def __init__(self, make: Callable[[T], M], most: int = MAX_ENTRIES) -> None:
        self._make, self._most = make, most
        # They hold the values: the id of one that is held is nobody else's.
        self._newer: dict[int, tuple[T, M]] = {}
        self._older: dict[int, tuple[T, M]] = {}

    def __call__(self, value: T) -> M:
        key = id(value)
        found = self._newer.get(key)
        if found is None:
            found = self._older.get(key) or (value, self._make(value))
            if len(self._newer) >= self._most:
                self._older, self._newer = self._newer, {}
            self._newer[key] = found
        return found[1]
