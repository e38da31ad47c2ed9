"""Settles Ante, Odds and Raise: the player's hand against the dealer's."""

from fractions import Fraction
from functools import lru_cache
from typing import assert_never

from headsup.game.rulebook.model import LOSS, PUSH, Pay, PayKind
from headsup.game.rulebook.outcomes import Outcome, hand_outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Comparison, Wager
from headsup.game.settlement.lines import make_line
from headsup.game.settlement.model import Line
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents

_EVEN = Pay(PayKind.PAYS, Fraction(1), "1")


@lru_cache(maxsize=4096)
def main_lines(
    rules: TableRules,
    ante: Cents,
    multiple: int,
    category: Category,
    comparison: Comparison,
    qualifies: bool,
) -> tuple[Line, ...]:
    """The lines of Ante, Odds and Raise; a `multiple` of 0 is a fold.

    Cached: the arguments decide everything, and the same cases recur.
    """
    if not multiple:
        why, clause = "the hand was folded", rules.book.clauses["fold"]
        return tuple(
            make_line(rules, wager, ante, LOSS, Outcome.FOLD, why, clause)
            for wager in (Wager.ANTE, Wager.ODDS)
        )
    return (
        _ante_line(rules, ante, comparison, qualifies),
        _odds_line(rules, ante, category, comparison),
        _raise_line(rules, ante * multiple, comparison),
    )


def _ante_line(rules: TableRules, ante: Cents, comparison: Comparison, qualifies: bool) -> Line:
    if not qualifies:  # R36: pushes even when the dealer's hand is the better one
        why, clause = _not_qualified_reason(comparison), rules.book.clauses["not_qualified"]
        return make_line(rules, Wager.ANTE, ante, PUSH, Outcome.NOT_QUALIFIED, why, clause)
    return _even_line(rules, Wager.ANTE, ante, comparison, "ante_tie")


def _not_qualified_reason(comparison: Comparison) -> str:
    """The reason for the push, which mentions that the hand itself lost."""
    why = "the dealer does not qualify"
    return f"{why}: a push, though the hand loses" if comparison is Comparison.LOSE else why


def _raise_line(rules: TableRules, stake: Cents, comparison: Comparison) -> Line:
    return _even_line(rules, Wager.RAISE, stake, comparison, "tie")


def _even_line(
    rules: TableRules, wager: Wager, stake: Cents, comparison: Comparison, tie: str
) -> Line:
    """The line of a wager that pays even money."""
    clauses, name = rules.book.clauses, wager.value
    match comparison:
        case Comparison.WIN:
            pay, outcome, clause = _EVEN, Outcome.WIN, clauses[f"{name}_win"]
        case Comparison.TIE:
            pay, outcome, clause = PUSH, Outcome.TIE, clauses[tie]
        case Comparison.LOSE:
            pay, outcome, clause = LOSS, Outcome.LOSE, clauses[f"{name}_lose"]
        case _:
            assert_never(comparison)
    return make_line(rules, wager, stake, pay, outcome, _WHY[comparison], clause)


_WHY = {
    Comparison.WIN: "the player's hand wins",
    Comparison.TIE: "the hands are copies",
    Comparison.LOSE: "the dealer's hand wins",
}


def _odds_line(rules: TableRules, stake: Cents, category: Category, comparison: Comparison) -> Line:
    """Odds pays on a win and, as a Bad Beat, on a loss. A copy always pushes."""
    clauses = rules.book.clauses
    if comparison is Comparison.TIE:
        why = _WHY[comparison]
        return make_line(rules, Wager.ODDS, stake, PUSH, Outcome.TIE, why, clauses["tie"])
    won = comparison is Comparison.WIN
    table = rules.paytables.get("odds" if won else "bad_beat")
    default = PUSH if won else LOSS
    pay, outcome = default, Outcome.OTHER
    if table is not None:
        hand = hand_outcome(category)
        outcome = hand if hand in table.pays else Outcome.OTHER
        pay = table.pays.get(outcome, default)
    paid, pushes = pay.kind is PayKind.PAYS, pay.kind is PayKind.PUSH
    if won:
        clause = "odds_win" if paid else "odds_push"
        why = f"wins with {_with_article(category)}" + (": a push" if pushes else "")
    else:
        clause = "bad_beat" if paid else "odds_lose"
        why = f"{_with_article(category)} loses" + (
            ": a Bad Beat" if paid else ": a push" if pushes else ""
        )
    return make_line(rules, Wager.ODDS, stake, pay, outcome, why, clauses[clause])


_WITHOUT_ARTICLE = (
    Category.HIGH_CARD,
    Category.ONE_PAIR,
    Category.TWO_PAIR,
    Category.THREE_OF_A_KIND,
    Category.FOUR_OF_A_KIND,
)


def _with_article(category: Category) -> str:
    return category.words if category in _WITHOUT_ARTICLE else f"a {category.words}"
