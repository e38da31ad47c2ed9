"""What a seat has decided so far in a round, from the felt to the views and the written text.

The commands are `Raise`, `Check` and `Fold`, the events `Raised`, `Checked` and `Folded`; this is
what they leave behind.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from headsup.game.rulebook.wagers import Street


@dataclass(frozen=True, slots=True)
class Undecided:
    """Has not acted on the street now open, and neither raised nor folded before."""


@dataclass(frozen=True, slots=True)
class HasChecked:
    """On the street now open, or where the hand was void since, on the last it acted on."""


@dataclass(frozen=True, slots=True)
class HasRaised:
    """A Raise closes the hand's decisions: there is one to a round (R30)."""

    street: Street
    multiple: int


@dataclass(frozen=True, slots=True)
class HasFolded:
    """On the river: no hand folds earlier (R32)."""


Decision: TypeAlias = Undecided | HasChecked | HasRaised | HasFolded

UNDECIDED, HAS_CHECKED, HAS_FOLDED = Undecided(), HasChecked(), HasFolded()


@lru_cache(maxsize=64)
def raise_decision(street: Street, multiple: int) -> HasRaised:
    """The same one each time: a table has a few."""
    return HasRaised(street, multiple)
