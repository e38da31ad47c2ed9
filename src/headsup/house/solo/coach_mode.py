"""When the coach speaks: not at all, before a decision, or after it."""

from headsup.game.values.str_enum import TextEnum


class CoachMode(TextEnum):
    OFF = "off"
    BEFORE = "before"
    AFTER = "after"

    @property
    def next(self) -> "CoachMode":
        """The one a key switches to."""
        return _NEXT[self]


_NEXT = {
    CoachMode.OFF: CoachMode.AFTER,
    CoachMode.AFTER: CoachMode.BEFORE,
    CoachMode.BEFORE: CoachMode.OFF,
}
