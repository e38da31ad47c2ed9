"""Who is told of an event. Every event says it in its class.

`game/views/announcements` makes from an audience what each viewer is told, and `game/words` has the
sentences. What an event hides is shown in no view either.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class AtTheTable:
    """Everybody at the table. The display does not show the felt."""


@dataclass(frozen=True, slots=True)
class TableAndDisplay:
    """Everybody at the table. The display must be updated, and learns no more than that."""


@dataclass(frozen=True, slots=True)
class StaffOnly:
    """Every view shows the change, but only staff see its reason and who made it."""


@dataclass(frozen=True, slots=True)
class HeadlineOnly:
    """Everybody learns that it happened, and the details from their view."""


@dataclass(frozen=True, slots=True)
class ConsoleOnly:
    """Staff. It changes nothing that anybody else sees."""


@dataclass(frozen=True, slots=True)
class Nobody:
    """Nobody: what it leads to is announced, if anything."""


@dataclass(frozen=True, slots=True)
class SeatOnly:
    """The player in the seat, and the dealer."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayerOnly:
    """The player, wherever they sit now, and the dealer; not a seat's new player."""

    player: str


@dataclass(frozen=True, slots=True)
class AmountHidden:
    """The player in the seat, and the dealer; the others at the table learn it without the sum."""

    seat: int


@dataclass(frozen=True, slots=True)
class DecisionOf:
    """Everybody at the table if seats act in turn; otherwise only the seat itself (R34).

    The others learn of it when the street closes. This includes the last decision on the street:
    announced at once, it would be announced twice.
    """

    seat: int


Audience: TypeAlias = (
    AtTheTable
    | TableAndDisplay
    | StaffOnly
    | HeadlineOnly
    | ConsoleOnly
    | Nobody
    | SeatOnly
    | PlayerOnly
    | AmountHidden
    | DecisionOf
)
AT_THE_TABLE = AtTheTable()
