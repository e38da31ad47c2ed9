"""What was made of a value that is still about: the same value is not written or hashed twice."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from headsup.game.record.codec.base import Codec

T = TypeVar("T")


class Memory(Generic[T]):
    """By identity, which asks for nothing but that values never change.

    The value is kept beside what was made of it, so that its identity is not given to another.
    What was not asked for since the memory was last full is forgotten.
    """

    def __init__(self, make: Callable[[Any], T], most: int) -> None:
        self._make, self.most = make, most
        self._recent: dict[int, tuple[object, T]] = {}
        self._older: dict[int, tuple[object, T]] = {}

    def of(self, value: Any) -> T:
        held = self._recent.get(id(value))
        if held is not None and held[0] is value:
            return held[1]
        held = self._older.get(id(value))
        if held is None or held[0] is not value:
            held = value, self._make(value)
        if len(self._recent) >= self.most:
            self._recent, self._older = {}, self._recent
        self._recent[id(value)] = held
        return held[1]


def cached_codec(form: Codec, most: int) -> Codec:
    """The form, remembering texts and that values were found to be of their type."""
    return form._replace(text=Memory(form.text, most).of, check=Memory(form.check, most).of)
