"""What a seat has decided so far in a round.

`Raise`, `Check` and `Fold` are commands, `Raised`, `Checked` and `Folded` are events. The classes
here are the state that they lead to, as the round, the views and the notation use it.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from headsup.game.rulebook.wagers import Street


@dataclass(frozen=True, slots=True)
class Undecided:
    """Has neither acted on the open street nor raised or folded before."""


@dataclass(frozen=True, slots=True)
class HasChecked:
    """Has checked on the open street; a void hand, on the last street on which it acted."""


@dataclass(frozen=True, slots=True)
class HasRaised:
    """Has raised, and so makes no more decisions: one Raise per round (R30)."""

    street: Street
    multiple: int


@dataclass(frozen=True, slots=True)
class HasFolded:
    """Has folded, on the river: no hand folds earlier (R32)."""


Decision: TypeAlias = Undecided | HasChecked | HasRaised | HasFolded

UNDECIDED, HAS_CHECKED, HAS_FOLDED = Undecided(), HasChecked(), HasFolded()


@lru_cache(maxsize=64)
def raise_decision(street: Street, multiple: int) -> HasRaised:
    """A Raise decision; equal ones are the same object, since there are only a few."""
    return HasRaised(street, multiple)
