"""Pauses a table, or has it dealt by hand instead of by the automatic dealer."""

from dataclasses import dataclass

from headsup.game.round.audience import TableAndDisplay
from headsup.game.table.state import DealingMode, Floor, Table, with_table


@dataclass(frozen=True, slots=True)
class SetDealing:
    """Pause the table for a reason, which everyone may read, or let it go on if there is none.

    `by_hand` means that a dealer at the console does each step.
    """

    paused: str
    by_hand: bool


@dataclass(frozen=True, slots=True)
class DealingSet:
    paused: str
    by_hand: bool

    @property
    def audience(self) -> TableAndDisplay:
        return TableAndDisplay()


def decide_dealing(command: SetDealing) -> tuple[DealingSet]:
    return (DealingSet(command.paused, command.by_hand),)


def evolve_dealing(floor: Floor, table: Table, event: DealingSet) -> Floor:
    return with_table(floor, table._replace(dealing=DealingMode(event.paused, event.by_hand)))
