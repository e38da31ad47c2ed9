"""How a table is dealt: automatically, by a person who took it over, or not at all (paused).

The database stores it, so every server knows it, even after a restart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DealingMode:
    """`paused` is the reason for a pause, shown to everybody; empty while the table plays."""

    paused: str = ""
    by_hand: bool = False  # a dealer at the console does each step

    @property
    def stops_dealer(self) -> bool:
        """Whether the automatic dealer must not deal."""
        return bool(self.paused) or self.by_hand


_AUTOMATIC = DealingMode()
DEALER_AWAY = "taken over by a dealer, who is away"


class DealingModes:
    """The dealing modes of all tables. A table without one is dealt automatically."""

    def __init__(self) -> None:
        self._modes: dict[str, DealingMode] = {}
        self._unattended: frozenset[str] = frozenset()

    def get(self, table: str) -> DealingMode:
        return self._modes.get(table, _AUTOMATIC)

    def pause_reason(self, table: str) -> str:
        """Why nothing is dealt, for everybody to read; empty while the table plays."""
        mode = self.get(table)
        is_dealer_away = mode.by_hand and table in self._unattended
        return mode.paused or (DEALER_AWAY if is_dealer_away else "")

    def set_unattended(self, tables: Iterable[str]) -> tuple[str, ...]:
        """Set which tables have lost their dealer. Returns the tables for which that changed."""
        before, self._unattended = self._unattended, frozenset(tables)
        return tuple(sorted(before ^ self._unattended))

    def set(self, table: str, mode: DealingMode) -> None:
        self._modes[table] = mode

    def replace(self, modes: Mapping[str, DealingMode]) -> tuple[str, ...]:
        """Replace all modes by those from the database. Returns the tables that changed."""
        before, self._modes = self._modes, dict(modes)
        return tuple(
            table
            for table in sorted(before.keys() | modes.keys())
            if before.get(table, _AUTOMATIC) != modes.get(table, _AUTOMATIC)
        )
