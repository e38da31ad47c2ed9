"""Bets that lie on the same cards, taken together: their covariances, and what they add up to.

All share the player's two cards, and all but Pocket Bonus and All 6 the board, so they are not
independent. Ante, Odds and Raise are one game here, with best play.

Exact are the main game with Trips Plus and with Pocket Bonus, and these two with each other; and
Trips Plus with the Progressive. In the other pairs with the Progressive the kinds of a straight
flush (on the flop, in spades) are averaged. All 6 is taken with the others through the hole cards
they share: that its four cards are then missing from the board is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import comb

from headsup.analysis.categories import category_counts
from headsup.analysis.kernels.numbering import RANKS
from headsup.analysis.numbers import square_root
from headsup.analysis.par import ParSheet, SideSheet
from headsup.analysis.pockets import CLASSES, categories_of, six_card_royals
from headsup.analysis.solution import Pocket, class_hands, class_name
from headsup.game.hands import CATEGORIES, Category
from headsup.game.outcomes import NOTHING, pocket_outcome
from headsup.game.wagers import Wager

ROUNDS = (100, 1_000, 10_000, 100_000, 1_000_000)  # after which a band is given
BAND = Fraction(1645, 1000)  # deviations on both sides of the mean: nine times in ten

_HANDS = comb(52, 2)
_EXACT = (
    {Wager.ANTE, Wager.TRIPS_PLUS},
    {Wager.ANTE, Wager.POCKET_BONUS},
    {Wager.TRIPS_PLUS, Wager.POCKET_BONUS},
    {Wager.TRIPS_PLUS, Wager.PROGRESSIVE},
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two wagers' covariance, per unit of each; the main game's unit is the Ante."""

    first: Wager
    second: Wager
    covariance: Fraction
    exact: bool


@dataclass(frozen=True, slots=True)
class Together:
    """A round's whole result at certain stakes, in cents; `mean` is what the house wins."""

    mean: Fraction
    variance: Fraction
    if_independent: Fraction  # the variance without the covariances
    pairs: tuple[Pair, ...]

    @property
    def exact(self) -> bool:
        return all(pair.exact for pair in self.pairs)

    @property
    def standard_deviation(self) -> Decimal:
        return square_root(self.variance)

    @property
    def deviation_if_independent(self) -> Decimal:
        return square_root(self.if_independent)

    def band(self, rounds: int, deviations: Fraction) -> tuple[Decimal, Decimal]:
        """What the house wins in so many rounds, from so many deviations below the mean to as
        many above; rounds are independent of each other."""
        middle = Decimal(self.mean.numerator * rounds) / self.mean.denominator
        spread = square_root(self.variance * rounds * deviations**2)
        return middle - spread, middle + spread


def together(sheet: ParSheet, bets: Mapping[Wager, int]) -> Together | None:
    """These bets as one; None where a fold forfeits one of them, or a hand that the solver does
    not keep decides it: then no figure of the sheet tells how it goes with the main game."""
    sides = [side for side in sheet.sides if side.wager in bets]
    if any(side.forfeited for side in sides) or sheet.rules.both_hole_cards:
        return None
    stakes = {Wager.ANTE: bets[Wager.ANTE]} | {side.wager: bets[side.wager] for side in sides}
    edges = {Wager.ANTE: sheet.solution.house_edge} | {s.wager: s.house_edge for s in sides}
    variances = {Wager.ANTE: sheet.solution.variance} | {s.wager: s.variance for s in sides}
    products = _Products(sheet)
    pairs = tuple(
        Pair(
            one,
            other,
            products.mean(one, other) - edges[one] * edges[other],
            {one, other} in _EXACT,
        )
        for one, other in combinations(stakes, 2)
    )
    alone = sum((variances[wager] * stake**2 for wager, stake in stakes.items()), Fraction())
    shared = sum(
        (2 * pair.covariance * stakes[pair.first] * stakes[pair.second] for pair in pairs),
        Fraction(),
    )
    mean = sum((edges[wager] * stake for wager, stake in stakes.items()), Fraction())
    return Together(mean, alone + shared, alone, pairs)


class _Products:
    """Means of the product of two wagers' results."""

    def __init__(self, sheet: ParSheet) -> None:
        self._sheet = sheet
        self._hands: dict[Wager, dict[Category, Fraction]] = {
            side.wager: _given_hand(side)
            for side in sheet.sides
            if side.wager in (Wager.TRIPS_PLUS, Wager.PROGRESSIVE)
        }

    def mean(self, one: Wager, other: Wager) -> Fraction:
        """The main game is always the first of the two."""
        if {one, other} & {Wager.ALL_6, Wager.POCKET_BONUS}:
            first, second = self._given_class(one), self._given_class(other)
            return (
                sum((class_hands(n) * first[n] * second[n] for n in range(CLASSES)), Fraction())
                / _HANDS
            )
        first_of = self._main_by_hand() if one is Wager.ANTE else self._by_hand(one)
        return sum((first_of[hand] * self._hands[other][hand] for hand in Category), Fraction())

    def _main_by_hand(self) -> dict[Category, Fraction]:
        """The main game's result where this hand is made, and nought elsewhere, on average."""
        nets = dict.fromkeys(Category, Fraction())
        solution = self._sheet.solution
        for one in solution.results:
            nets[Category(one.category)] += Fraction(one.deals, solution.deals) * one.net
        return nets

    def _by_hand(self, wager: Wager) -> dict[Category, Fraction]:
        return {hand: _made(hand) * net for hand, net in self._hands[wager].items()}

    def _given_class(self, wager: Wager) -> Sequence[Fraction]:
        """What each of the 169 starting hands wins on average."""
        if wager is Wager.ANTE:
            pockets = self._sheet.solution.pocket
            return [_best(pockets[class_name(n)]) for n in range(CLASSES)]
        side = self._sheet.side(wager)
        nets = {row.outcome: row.net for row in side.outcomes}
        if wager is Wager.POCKET_BONUS:
            return [nets.get(_pocket_of(n), nets[NOTHING]) for n in range(CLASSES)]
        if wager is Wager.ALL_6:
            return [_all_6_of(nets, n) for n in range(CLASSES)]
        by_hand = self._hands[wager]
        return [
            sum(
                (ways * by_hand[Category(k)] for k, ways in enumerate(categories_of(n, 5))),
                Fraction(),
            )
            / comb(50, 5)
            for n in range(CLASSES)
        ]


def _best(pocket: Pocket) -> Fraction:
    return pocket.raises[pocket.best] if pocket.best else pocket.check


def _made(hand: Category) -> Fraction:
    return Fraction(category_counts(7)[hand.key], comb(52, 7))


def _given_hand(side: SideSheet) -> dict[Category, Fraction]:
    """What the wager wins on average with each hand of seven cards.

    A row counts for the hand it is a kind of; what a row takes beyond that hand are royal flushes
    that the table does not list.
    """
    won = dict.fromkeys(Category, Fraction())
    left = {hand: _made(hand) for hand in Category}
    nets = {row.outcome: row.net for row in side.outcomes}
    for row in side.outcomes:
        if row.outcome == NOTHING:
            continue
        hand = _hand_of(row.outcome)
        own = min(row.probability, left[hand])
        won[hand] += own * row.net
        left[hand] -= own
        won[Category.ROYAL_FLUSH] += (row.probability - own) * row.net
        left[Category.ROYAL_FLUSH] -= row.probability - own
    return {hand: (won[hand] + left[hand] * nets[NOTHING]) / _made(hand) for hand in Category}


def _hand_of(outcome: str) -> Category:
    if "royal" in outcome:
        return Category.ROYAL_FLUSH
    return Category.STRAIGHT_FLUSH if "straight_flush" in outcome else CATEGORIES[outcome]


def _pocket_of(number: int) -> str:
    """The outcome of any hand of this class; below the diagonal they are of two suits."""
    row, column = divmod(number, RANKS)
    return pocket_outcome((4 * row, 4 * column + (row <= column)))


def _all_6_of(nets: Mapping[str, Fraction], number: int) -> Fraction:
    """What All 6 wins on average; one of the four suits of a royal flush of six is diamonds."""
    counts = dict(zip(Category, categories_of(number, 4), strict=True))
    six = six_card_royals(number)
    nothing = nets[NOTHING]
    royal = nets.get("five_card_royal", nothing)
    total = (counts.pop(Category.ROYAL_FLUSH) - six) * royal
    total += six * Fraction(1, 4) * nets.get("six_card_royal_diamonds", nothing)
    total += six * Fraction(3, 4) * nets.get("six_card_royal", nothing)
    total += sum((ways * nets.get(hand.key, nothing) for hand, ways in counts.items()), Fraction())
    return total / comb(50, 4)
