"""Which paytable outcome each case of a side wager is.

Kernels number the cases (`kernels.simulate.side_cases`). For each case an example hand is given to
the game's own rules, which name the outcome.
"""

from functools import cache

from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.kernels.simulate.side_cases import (
    ALL_6_CASES,
    COMMUNITY_ROYAL,
    FIVE_CARD_ROYAL,
    FLOPPED_ROYAL,
    FLOPPED_STRAIGHT_FLUSH,
    FLOPPED_THEN_COMMUNITY,
    FLOPPED_THEN_ROYAL,
    LATE_ROYAL,
    LATE_STRAIGHT_FLUSH,
    PROGRESSIVE_CASES,
    SIX_CARD_ROYAL,
)
from headsup.game.rulebook.outcomes import (
    Outcome,
    all_6_outcome,
    hand_outcome,
    pocket_outcome,
    progressive_outcome,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import SUITS, parse_cards
from headsup.game.values.hands import Category, category_of, strength

# An example of each case: hole, then board.
_POOL_EXAMPLES = {
    LATE_STRAIGHT_FLUSH: "5h 6h 7h 8h 2c 9h 3d",
    FLOPPED_STRAIGHT_FLUSH: "5h 6h 7h 8h 9h 2c 3d",
    LATE_ROYAL: "Ah Kh Qh Jh 2c Th 3d",
    COMMUNITY_ROYAL: "2c 3d Ah Kh Qh Jh Th",
    FLOPPED_THEN_ROYAL: "9h Kh Th Jh Qh Ah 2c",
    FLOPPED_THEN_COMMUNITY: "8h 9h Th Jh Qh Kh Ah",
}


@cache
def progressive_outcomes(rules: TableRules) -> tuple[Outcome, ...]:
    """[case]: the Progressive's outcome."""
    rows = rules.paytables[Wager.PROGRESSIVE.value].pays
    outcomes = [hand_outcome(category) for category in Category][:LATE_STRAIGHT_FLUSH]
    flopped = [f"A{s} K{s} Q{s} J{s} T{s} {'2d 3c' if s in 'hs' else '2h 3s'}" for s in SUITS]
    examples = _POOL_EXAMPLES | {FLOPPED_ROYAL + s: cards for s, cards in enumerate(flopped)}
    for case in range(LATE_STRAIGHT_FLUSH, PROGRESSIVE_CASES):
        cards = parse_cards(examples[case])
        best = category_of(strength(cards))
        outcomes.append(progressive_outcome(cards[:2], cards[2:], best, rows))
    return tuple(outcomes)


@cache
def all_6_outcomes() -> tuple[Outcome, ...]:
    """[case]: All 6's outcome."""
    outcomes = [hand_outcome(category) for category in Category][:FIVE_CARD_ROYAL]
    examples = {FIVE_CARD_ROYAL: "Ah Kh Qh Jh Th 2c"}
    examples |= {
        SIX_CARD_ROYAL + s: " ".join(f"{r}{suit}" for r in "AKQJT9") for s, suit in enumerate(SUITS)
    }
    for case in range(FIVE_CARD_ROYAL, ALL_6_CASES):
        cards = parse_cards(examples[case])
        outcomes.append(all_6_outcome(cards[:2], cards[2:]))
    return tuple(outcomes)


@cache
def pocket_outcomes() -> tuple[Outcome, ...]:
    """[pocket class]: Pocket Bonus's outcome."""
    return tuple(
        pocket_outcome((4 * row, 4 * column + (0 if row > column else 1)))
        for row in range(RANKS)
        for column in range(RANKS)
    )


def case_hand(case: int) -> Category:
    """The category of the seven-card hand in this case of the Progressive."""
    if case < LATE_STRAIGHT_FLUSH:
        return Category(case)
    flushes = (LATE_STRAIGHT_FLUSH, LATE_STRAIGHT_FLUSH + 1)
    return Category.STRAIGHT_FLUSH if case in flushes else Category.ROYAL_FLUSH


def pocket_bonus_outcome(number: int) -> Outcome:
    """Pocket Bonus's outcome for this pocket class."""
    return pocket_outcomes()[number]
