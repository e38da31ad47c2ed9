"""Advisers comment on a player's decisions. The only one so far is the coach."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from rich.text import Text

from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.state import Round
from headsup.house.training.seat_decision import CoachMode

if TYPE_CHECKING:
    from headsup.cli.play.coach import Coach


Action = Check | Raise | Fold


class Adviser(Protocol):
    """Each method returns lines to show, or an empty text."""

    @property
    def active(self) -> bool:
        """Whether it is switched on."""

    def switch(self) -> str:
        """Change to the next mode, at the press of a key."""

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:
        """Comment before a decision. `choices` are the actions that the player's chips allow."""

    def after(self, round: Round, seat: int, choices: Sequence[Action], action: Action) -> str:
        """Comment on a decision. `round` and `choices` are from before the player acted."""

    def at_end(self, round: Round, seat: int) -> str:
        """Comment on a settled round."""

    def farewell(self) -> Sequence[Text]:
        """The closing words when the player leaves."""


_MODE_SENTENCES = {
    CoachMode.OFF: "The coach is off.",
    CoachMode.AFTER: "The coach speaks after each decision.",
    CoachMode.BEFORE: "The coach speaks before each decision.",
}


class CoachSwitch:
    """The coach with its key: off, after decisions, or before them.

    The coach needs the solver, so it is created when it is first switched on.
    """

    def __init__(self, make_coach: "Callable[[], Coach]", mode: CoachMode = CoachMode.OFF) -> None:
        self._make_coach, self.mode = make_coach, mode
        self._coach: Coach | None = None
        if self.active:
            self._get_coach()  # solve before the first deal

    @property
    def active(self) -> bool:
        return self.mode is not CoachMode.OFF

    def switch(self) -> str:
        self.mode = self.mode.next
        if self.active:
            self._get_coach()
        return _MODE_SENTENCES[self.mode]

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:
        if self.mode is not CoachMode.BEFORE or len(choices) < 2:
            return ""
        return self._get_coach().before(round, seat, choices)

    def after(self, round: Round, seat: int, choices: Sequence[Action], action: Action) -> str:
        if not self.active or len(choices) < 2:  # the chips left nothing to decide
            return ""
        values_shown = self.mode is CoachMode.BEFORE
        return self._get_coach().after(round, seat, choices, action, values_shown)

    def at_end(self, round: Round, seat: int) -> str:  # noqa: ARG002 (part of the protocol)
        return ""  # each decision has had its comment

    def farewell(self) -> list[Text]:
        return [] if self._coach is None else self._coach.farewell()

    def _get_coach(self) -> "Coach":
        if self._coach is None:
            self._coach = self._make_coach()
        return self._coach
