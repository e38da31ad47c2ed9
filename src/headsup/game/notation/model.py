"""Rounds read from text, before and after they are played out."""

from dataclasses import dataclass
from typing import NamedTuple

from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.state import Phase
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.settlement import Deal, SeatPlay
from headsup.game.values.cards import Cards
from headsup.game.values.money import Micros

# The value of `cards` in the text of a round with a real deck that was turned over.
TURNED_OVER = "turned_over"


class WrittenReport(NamedTuple):
    """An irregularity in a round's text: the phase of the round, and the report."""

    at: Phase
    report: ReportIrregularity


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A complete round, checked against the rules and ready for settlement."""

    rules: TableRules
    deal: Deal
    plays: tuple[SeatPlay, ...]
    meter: Micros | None
    id: str | int | None = None


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round as its text gives it, before it is played out.

    Cards may be missing and hands undecided if an irregularity voids them.
    """

    rules: TableRules
    rules_name: str
    deal: Deal
    plays: tuple[SeatPlay, ...]
    meter: Micros | None
    id: str | int | None = None
    table: str = ""
    number: int = 1
    deck: Cards = ()
    auto: frozenset[int] = frozenset()  # seats that ran out of time
    reports: tuple[WrittenReport, ...] = ()
    turned_over: bool = False  # a real deck: only the cards that were turned over are known

    @property
    def finished(self) -> FinishedRound:
        return FinishedRound(self.rules, self.deal, self.plays, self.meter, self.id)

    @property
    def players(self) -> dict[int, str]:
        """The named players by seat."""
        return {play.seat: play.player for play in self.plays if play.player}
