"""What is made of a value, made once: found again by identity, since values never change."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
M = TypeVar("M")

MOST = 4096  # values held by one memory; the longest known go first


class Remembered(Generic[T, M]):
    """`make`, asked once for each value as long as it is among the last that were asked for.

    An equal value is another one: comparing what is large would cost more than it saves.
    """

    def __init__(self, make: Callable[[T], M], most: int = MOST) -> None:
        self._make, self._most = make, most
        self._made: dict[int, tuple[T, M]] = {}  # holds the value: its id is nobody else's

    def __call__(self, value: T) -> M:
        found = self._made.get(id(value))
        if found is not None:
            return found[1]
        made = self._make(value)
        if len(self._made) >= self._most:
            self._made.pop(next(iter(self._made)), None)
        self._made[id(value)] = value, made
        return made
