"""How a table stands with its automatic dealer: dealt by it, taken over by a person, or paused.

It is kept in the database: whichever server deals the table knows it, also after a start.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DealingMode:
    """`paused` is why nothing is dealt, for everyone to read; empty while the table plays."""

    paused: str = ""
    by_hand: bool = False  # a dealer at the console does what is due

    @property
    def waits(self) -> bool:
        """Whether the automatic dealer keeps its hands off."""
        return bool(self.paused) or self.by_hand


_AUTOMATIC = DealingMode()
DEALER_AWAY = "taken over by a dealer, who is away"


class DealingModes:
    """Of all tables here; those that are not listed are simply dealt."""

    def __init__(self) -> None:
        self._of: dict[str, DealingMode] = {}
        self._left: frozenset[str] = frozenset()

    def of(self, table: str) -> DealingMode:
        return self._of.get(table, _AUTOMATIC)

    def why_waits(self, table: str) -> str:
        """Why nothing is dealt, for everyone to read; also that a dealer who took over has gone."""
        at = self.of(table)
        return at.paused or (DEALER_AWAY if at.by_hand and table in self._left else "")

    def leave(self, tables: Iterable[str]) -> tuple[str, ...]:
        """These are the tables at which nobody stands who could go on; those for which that is
        news."""
        before, self._left = self._left, frozenset(tables)
        return tuple(sorted(before ^ self._left))

    def put(self, table: str, attendance: DealingMode) -> None:
        self._of[table] = attendance

    def renew(self, of: Mapping[str, DealingMode]) -> tuple[str, ...]:
        """As they are kept; the tables for which that is news."""
        before, self._of = self._of, dict(of)
        known = sorted(before.keys() | of.keys())
        return tuple(one for one in known if before.get(one, _AUTOMATIC) != of.get(one, _AUTOMATIC))
