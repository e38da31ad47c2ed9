"""The coach of `headsup play`, switched on and off with a key; asleep until it is wanted."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from headsup.cli.play.adviser import Action
from headsup.game.round.state import Round
from headsup.house.solo.coach_mode import CoachMode

if TYPE_CHECKING:
    from headsup.cli.play.coach import Coach

_MODE_SENTENCES = {
    CoachMode.OFF: "The coach is off.",
    CoachMode.AFTER: "The coach speaks after each decision.",
    CoachMode.BEFORE: "The coach speaks before each decision.",
}


class CoachSwitch:
    """An adviser. What the coach needs, the solver above all, is loaded when it is first on."""

    def __init__(self, made: "Callable[[], Coach]", mode: CoachMode = CoachMode.OFF) -> None:
        self._made, self.mode = made, mode
        self._held: Coach | None = None
        if self.active:
            self._coach()  # solved before the first card

    @property
    def active(self) -> bool:
        return self.mode is not CoachMode.OFF

    def switch(self) -> str:
        self.mode = self.mode.next
        if self.active:
            self._coach()
        return _MODE_SENTENCES[self.mode]

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:
        if self.mode is not CoachMode.BEFORE or len(choices) < 2:
            return ""
        return self._coach().before(round, seat, choices)

    def after(self, round: Round, seat: int, choices: Sequence[Action], action: Action) -> str:
        if not self.active or len(choices) < 2:  # the chips left nothing to decide
            return ""
        told = self.mode is CoachMode.BEFORE
        return self._coach().after(round, seat, choices, action, told)

    def at_end(self, round: Round, seat: int) -> str:  # noqa: ARG002 (as `Adviser` asks)
        return ""  # everything was said decision by decision

    def farewell(self) -> list[Text]:
        return [] if self._held is None else self._held.farewell()

    def _coach(self) -> "Coach":
        if self._held is None:
            self._held = self._made()
        return self._held
