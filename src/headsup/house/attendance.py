"""How a table stands with its automatic dealer: dealt by it, taken over by a person, or paused.

It is this server's own knowledge: a server that starts again deals its tables again.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attendance:
    """`paused` is why nothing is dealt, for everyone to read; empty while the table plays."""

    paused: str = ""
    by_hand: bool = False  # a dealer at the console does what is due

    @property
    def waits(self) -> bool:
        """Whether the automatic dealer keeps its hands off."""
        return bool(self.paused) or self.by_hand


class Attendances:
    """Of all tables here; those that are not listed are simply dealt."""

    def __init__(self) -> None:
        self._of: dict[str, Attendance] = {}

    def of(self, table: str) -> Attendance:
        return self._of.get(table, Attendance())

    def put(self, table: str, attendance: Attendance) -> None:
        self._of[table] = attendance
