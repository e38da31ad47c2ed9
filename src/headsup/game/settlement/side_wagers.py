"""Settles the side wagers: finds the row of the paytable and pays it."""

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
    """The lines of the seat's side wagers. Shares of the pool are added later, by `pay_pool`."""
    stakes = play.stakes
    folded = play.folded
    outcomes = [
        # The cards of a forfeited wager may never be known.
        (wager, stakes[wager], Outcome.FOLD)
        if folded and not rules.after_fold[wager]
        else (wager, stakes[wager], _side_outcome(rules, deal, play, wager, category))
        for wager in SIDE_WAGERS
        if wager in stakes
    ]
    return _lines(rules, tuple(outcomes), folded)


@lru_cache(maxsize=4096)  # a few hundred cases come up; one lookup for each seat
def _lines(
    rules: TableRules, outcomes: tuple[tuple[SideWager, Cents, Outcome], ...], folded: bool
) -> tuple[Line, ...]:
    return tuple(
        _forfeit_line(rules, wager, stake)
        if outcome is Outcome.FOLD
        else paid_line(rules, wager, stake, outcome, folded)
        for wager, stake, outcome in outcomes
    )


def _forfeit_line(rules: TableRules, wager: SideWager, stake: Cents) -> Line:
    why, clause = "forfeited with the folded hand", rules.book.clauses["forfeit"]
    return make_line(rules, wager, stake, LOSS, Outcome.FOLD, why, clause)


@lru_cache(maxsize=4096)
def paid_line(
    rules: TableRules, wager: SideWager, stake: Cents, outcome: Outcome, folded: bool = False
) -> Line:
    """The line of a side wager for this outcome, which its paytable may or may not list.

    For a folded hand it cites the clause that keeps the wager in play.
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
