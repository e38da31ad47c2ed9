"""Rounds as their text tells them, as values."""

from dataclasses import dataclass
from typing import NamedTuple

from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.state import Phase
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.settlement import Deal, SeatPlay
from headsup.game.values.cards import Cards
from headsup.game.values.money import Micros


class WrittenReport(NamedTuple):
    """An irregularity as a round's text tells it: where the round stood, and the report."""

    at: Phase
    report: ReportIrregularity


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """Everything settlement needs, checked against the table's rules."""

    rules: TableRules
    deal: Deal
    plays: tuple[SeatPlay, ...]
    meter: Micros | None
    id: str | int | None = None


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round as its text says, before what it says is played out.

    Cards may be missing and hands undecided where an irregularity voids them.
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
    auto: frozenset[int] = frozenset()  # seats for which the clock decided
    reports: tuple[WrittenReport, ...] = ()

    @property
    def finished(self) -> FinishedRound:
        return FinishedRound(self.rules, self.deal, self.plays, self.meter, self.id)

    @property
    def players(self) -> dict[int, str]:
        """Who holds which seat, where the text says so."""
        return {play.seat: play.player for play in self.plays if play.player}
