"""Someone looking over the player's shoulder."""

from collections.abc import Sequence
from typing import Protocol

from rich.text import Text

from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.state import Round

# What a player may do with a hand.
Action = Check | Raise | Fold


class Adviser(Protocol):
    """Each answer is lines to show, or none."""

    @property
    def active(self) -> bool:
        """Whether it has anything to say at all."""

    def switch(self) -> str:
        """Asked by the player's key: speak otherwise, or not at all."""

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:
        """Asked when a decision is open; `choices` are those the chips allow."""

    def after(self, round: Round, seat: int, choices: Sequence[Action], action: Action) -> str:
        """Asked with the round and the choices as they were when the player acted."""

    def at_end(self, round: Round, seat: int) -> str:
        """Asked when the round is settled."""

    def farewell(self) -> Sequence[Text]:
        """Asked once, when the player leaves."""
