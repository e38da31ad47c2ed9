"""Works out what each kind of dealer error costs if the dealer always makes it.

An error settles certain rounds the wrong way. Both settlements come from the game itself, so the
difference is exact. Players keep to best play for the correct rules.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from headsup.analysis.solver.compile import units_per_ante
from headsup.analysis.solver.solution import RoundResult, Solution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Comparison, Wager
from headsup.game.settlement import main_lines
from headsup.game.values.hands import Category


@dataclass(frozen=True, slots=True)
class DealerError:
    key: str
    description: str
    probability: Fraction  # that a round gives occasion to it
    gain: Fraction  # the player's gain in such a round, in Antes; negative is a loss
    per_round: Fraction  # average over all rounds


@dataclass(frozen=True, slots=True)
class _Round:
    """One way a round may end, with what each wager nets in Antes."""

    rules: TableRules
    unit: int
    multiple: int
    category: Category
    comparison: Comparison
    qualifies: bool

    @property
    def nets(self) -> dict[Wager, Fraction]:
        lines = main_lines(
            self.rules, self.unit, self.multiple, self.category, self.comparison, self.qualifies
        )
        return {line.wager: Fraction(line.net, self.unit) for line in lines}

    @property
    def net(self) -> Fraction:
        return sum(self.nets.values(), Fraction())

    @property
    def odds(self) -> Fraction:
        return self.nets[Wager.ODDS]


# The player's gain from the error, or None if the round gives no occasion to it.
_Gain = Callable[[_Round], Fraction | None]


def _missed_qualifier(round: _Round) -> Fraction | None:
    return None if round.qualifies else replace(round, qualifies=True).net - round.net


def _doubted_qualifier(round: _Round) -> Fraction | None:
    return replace(round, qualifies=False).net - round.net if round.qualifies else None


def _missed_bad_beat(round: _Round) -> Fraction | None:
    applies = round.comparison is Comparison.LOSE and round.odds > -1
    return -1 - round.odds if applies else None


def _pushed_lost_odds(round: _Round) -> Fraction | None:
    applies = round.comparison is Comparison.LOSE and round.odds == -1
    return Fraction(1) if applies else None


def _paid_pushing_odds(round: _Round) -> Fraction | None:
    applies = round.comparison is Comparison.WIN and round.odds == 0
    return Fraction(1) if applies else None


def _missed_odds(round: _Round) -> Fraction | None:
    applies = round.comparison is Comparison.WIN and round.odds > 0
    return -round.odds if applies else None


def _paid_row_above(round: _Round) -> Fraction | None:
    wins = round.comparison is Comparison.WIN and round.odds > 0
    if not wins or round.category is Category.ROYAL_FLUSH:
        return None
    return replace(round, category=Category(round.category + 1)).odds - round.odds


def _paid_tie(round: _Round) -> Fraction | None:
    if round.comparison is not Comparison.TIE:
        return None
    return replace(round, comparison=Comparison.WIN).net - round.net


def _taken_tie(round: _Round) -> Fraction | None:
    if round.comparison is not Comparison.TIE:
        return None
    return replace(round, comparison=Comparison.LOSE).net - round.net


ERRORS: tuple[tuple[str, str, _Gain], ...] = (
    ("missed_qualifier", "the Ante is settled though the dealer does not qualify",
     _missed_qualifier),
    ("doubted_qualifier", "the Ante pushes though the dealer qualifies", _doubted_qualifier),
    ("missed_odds", "a winning hand's Odds are pushed, not paid", _missed_odds),
    ("odds_row_above", "winning Odds are paid by the next better hand's row", _paid_row_above),
    ("paid_pushing_odds", "Odds that push are paid even money", _paid_pushing_odds),
    ("missed_bad_beat", "Odds are taken where the Bad Beat pays", _missed_bad_beat),
    ("pushed_lost_odds", "lost Odds are pushed", _pushed_lost_odds),
    ("paid_tie", "a tie is paid as a win", _paid_tie),
    ("taken_tie", "a tie is taken as a loss", _taken_tie),
)  # fmt: skip


def dealer_errors(rules: TableRules, solution: Solution) -> list[DealerError]:
    """The errors that are possible under these rules."""
    exact = replace(rules, chip_unit=1, cap=None)
    unit = units_per_ante(rules)
    rounds = [
        (result.deals, _round(exact, unit, result))
        for result in solution.results
        if result.multiple
    ]
    errors = []
    for key, description, gain_of in ERRORS:
        deals, total_gain = 0, Fraction()
        for count, round in rounds:
            gain_here = gain_of(round)
            if gain_here:
                deals += count
                total_gain += count * gain_here
        if deals:
            probability = Fraction(deals, solution.deals)
            errors.append(
                DealerError(
                    key, description, probability, total_gain / deals, total_gain / solution.deals
                )
            )
    return errors


def _round(rules: TableRules, unit: int, result: RoundResult) -> _Round:
    comparison = Comparison(result.result + 1)
    return _Round(
        rules, unit, result.multiple, Category(result.category), comparison, result.dealer_qualifies
    )
