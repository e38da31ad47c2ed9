"""A strategy short enough to learn, and what it costs against best play, exactly.

Its rules are made by hand. Every decision they lead to is evaluated over all deals, as best play
is; so the cost is no estimate.
"""

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.actions import Actions, BestActions, PocketValues, RiverActions
from headsup.analysis.bestplay import ABSENT
from headsup.analysis.categories import flush_categories, rank_categories
from headsup.analysis.chunks import Crew
from headsup.analysis.deck import Deck
from headsup.analysis.distribution import Distributor
from headsup.analysis.kernels.arrays import LEAST, MOST, PASSIVE, DealerCounts
from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.kernels.numbering import HOLES, RANKS
from headsup.analysis.lessons import CardCost
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.showdowns import Showdowns
from headsup.analysis.solution import Solution, class_name
from headsup.game.cards import ACE, JACK, KING, QUEEN
from headsup.game.hands import Category

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

CALLS = 190  # of kernels, about: for progress
_THREE, _TEN = 1, 8
# The lowest second card with which a queen, a king … is raised: offsuit, suited.
_KICKERS = {JACK: (99, _TEN), QUEEN: (_TEN, 6), KING: (5, 2), ACE: (0, 0)}
# How many ranks may stand above the player's high card, by what the board makes alone.
_HIGHER = np.array([1, 2, *[RANKS] * 8])


def card_cost(best: Solution) -> CardCost:
    deck, payoffs = Deck(), best.payoffs
    with Crew(CALLS, None) as crew:
        showdowns = Showdowns.count(deck, payoffs.qualifier, crew)
        actions = card_actions(payoffs, showdowns)
        joint = Distributor(deck, showdowns, crew).distribute(actions)
    edge = Solution(payoffs, deck, actions.pocket, joint).house_edge
    return CardCost(edge, edge - best.house_edge)


def card_actions(payoffs: Payoffs, showdowns: Showdowns) -> BestActions:
    """The card's decision everywhere."""
    pocket, flop, river = payoffs.multiples_by_street
    actions = [_raise(pocket) if raises_pocket(number) else PASSIVE for number in range(RANKS**2)]
    values = PocketValues(actions, [[]], [])  # what they are worth is not asked for
    return BestActions(values, _flop(_raise(flop)), _river(_raise(river), showdowns))


def _raise(multiples: tuple[int, ...]) -> int:
    """The most; where there is one multiple it is the least too, and known as that."""
    return MOST if min(multiples) != max(multiples) else LEAST


def raises_pocket(number: int) -> bool:
    row, column = divmod(number, RANKS)
    if row == column:
        return row >= _THREE
    offsuit, suited = _KICKERS.get(max(row, column), (99, 99))
    return min(row, column) >= (suited if class_name(number).endswith("s") else offsuit)


# On the flop.


def _flop(action: int) -> Actions:
    known = lattice()
    holes = known.holes.cards.astype(np.int64)
    ranks, suits = holes >> 2, holes & 3
    counts = (ranks[:, :, None] == np.arange(RANKS)).sum(1)
    bits = (1 << holes).sum(1)
    high = ranks.max(1)
    deuces = (ranks == 0).all(1)
    rows = np.full((len(known.flops.cards), HOLES), ABSENT, np.uint8)
    for number, cards in enumerate(known.flops.cards.astype(np.int64)):
        category, on_board = made_with(counts, cards >> 2), flop_category(cards >> 2)
        flush, draw = suited_with(suits, cards & 3)
        paired = (category == Category.ONE_PAIR) & deuces
        raises = (category > on_board) & ~paired | flush | draw & (high >= _TEN)
        free = bits & int((1 << cards).sum()) == 0
        rows[number] = np.where(free, np.where(raises, action, PASSIVE), ABSENT)
    return rows


def suited_with(suits: Numbers, flop: Numbers) -> tuple[Flags, Flags]:
    """Whether each hole makes a flush with the flop, or four of a suit with a card of its own."""
    both = [((suits == suit).sum(1), int((flop == suit).sum())) for suit in range(4)]
    flush: Flags = np.any([own + there == 5 for own, there in both], 0)
    draw: Flags = np.any([(own + there == 4) & (own > 0) for own, there in both], 0)
    return flush, draw


def made_with(holes: Numbers, flop: Numbers) -> Numbers:
    """What each hole's ranks make with the flop's."""
    both = holes + np.bincount(flop, minlength=RANKS)
    return rank_categories(both.T.astype(np.int8))


def flop_category(ranks: Numbers) -> Category:
    kinds = {3: Category.HIGH_CARD, 2: Category.ONE_PAIR, 1: Category.THREE_OF_A_KIND}
    return kinds[len(set(ranks.tolist()))]


# On the river.


def _river(action: int, showdowns: Showdowns) -> RiverActions:
    known = lattice()
    by_ranks, above = rank_boards()
    suited = known.suited_boards
    by_suit = by_ranks[suited.ranks].copy()
    masks = suited.suited.astype(np.int64)[:, None] >> np.arange(RANKS) & 1
    whole = masks.sum(1) == 5
    by_suit[whole] = flush_categories(masks[whole].T.astype(np.int8))
    pairs = known.types.ranks.astype(np.int64).max(1)
    types = (known.types.kinds.astype(np.int64) % RANKS).max(1)
    return RiverActions(
        _by_rule(action, showdowns.rank_boards, by_ranks, above[:, pairs]),
        _by_rule(action, showdowns.suited_boards, by_suit, above[suited.ranks][:, types]),
    )


def rank_boards() -> tuple[Numbers, Numbers]:
    """[board]: what its ranks make alone; [board, rank]: ranks above with no card on it."""
    boards = lattice().rank_boards.ranks.astype(np.int64)
    held = (boards[:, :, None] == np.arange(RANKS)).sum(1)
    free = (held == 0).astype(np.int64)
    above = np.cumsum(free[:, ::-1], 1)[:, ::-1] - free
    return rank_categories(held.T.astype(np.int8)), above


def _by_rule(action: int, counts: DealerCounts, boards: Numbers, above: Numbers) -> Actions:
    category = counts.verdict.astype(np.int64) & 15
    raises: Flags = (category > boards[:, None]) | (above <= _HIGHER[boards][:, None])
    return np.where(raises, action, PASSIVE).astype(np.uint8)
