"""The side wagers: which row of its paytable each makes, and what that pays."""

from functools import lru_cache
from typing import assert_never

from headsup.game.rulebook.model import LOSS
from headsup.game.rulebook.outcomes import (
    Outcome,
    all_6_outcome,
    both_hole_cards_outcome,
    hand_outcome,
    pocket_outcome,
    progressive_outcome,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, SideWager, Wager
from headsup.game.settlement.lines import make_line
from headsup.game.settlement.model import Deal, Line, SeatPlay
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents


def side_lines(
    rules: TableRules, deal: Deal, play: SeatPlay, category: Category
) -> tuple[Line, ...]:
    """The seat's side wagers; a share of the pool is paid later, when all claims are known."""
    stakes = play.stakes
    made = [
        (wager, stakes[wager], _side_outcome(rules, deal, play, wager, category))
        for wager in SIDE_WAGERS
        if wager in stakes
    ]
    return _lines(rules, tuple(made), play.folded)


@lru_cache(maxsize=4096)  # of a few hundred that come up, once for each seat instead of each wager
def _lines(
    rules: TableRules, made: tuple[tuple[SideWager, Cents, Outcome], ...], folded: bool
) -> tuple[Line, ...]:
    return tuple(
        _forfeit_line(rules, wager, stake)
        if folded and not rules.after_fold[wager]
        else paid_line(rules, wager, stake, outcome, folded)
        for wager, stake, outcome in made
    )


def _forfeit_line(rules: TableRules, wager: SideWager, stake: Cents) -> Line:
    why, clause = "forfeited with the folded hand", rules.book.clauses["forfeit"]
    return make_line(rules, wager, stake, LOSS, Outcome.FOLD, why, clause)


@lru_cache(maxsize=4096)
def paid_line(
    rules: TableRules, wager: SideWager, stake: Cents, outcome: Outcome, folded: bool = False
) -> Line:
    """What a side wager pays for a row of its paytable, or for a hand that it does not list.

    That a folded hand is paid at all is by the clause, or the decision, that keeps it in play.
    """
    table = rules.paytables[wager]
    pay = table.pays.get(outcome, LOSS)
    clause = rules.book.clauses[wager]
    if folded:
        clause = rules.book.options[f"{wager.value}_after_fold"].clause
    return make_line(rules, wager, stake, pay, outcome, outcome.words, clause, table.basis)


def _side_outcome(
    rules: TableRules, deal: Deal, play: SeatPlay, wager: SideWager, category: Category
) -> Outcome:
    match wager:
        case Wager.TRIPS_PLUS:
            if rules.both_hole_cards:
                return both_hole_cards_outcome(play.hole, deal.board)
            return hand_outcome(category)
        case Wager.POCKET_BONUS:
            return pocket_outcome(play.hole)
        case Wager.ALL_6:
            return all_6_outcome(play.hole, deal.all_6)
        case Wager.PROGRESSIVE:
            rows = rules.paytables[wager].pays
            return progressive_outcome(play.hole, deal.board, category, rows)
        case _:
            assert_never(wager)
