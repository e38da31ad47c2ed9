"""A written strategy played on a small deck, deal by deal, its rules restated in plain Python."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np

from headsup.game.values import hands
from tests.oracles.solver import Board, Cards, Game, deck_of

Raises = Callable[[Cards, Cards], bool]  # hole, board


def hidden_pair(hole: Cards, board: Cards) -> bool:
    ranks = [card >> 2 for card in hole]
    return ranks[0] == ranks[1] or any(card >> 2 in ranks for card in board)


def category(*cards: Cards) -> int:
    return hands.strength([card for part in cards for card in part]) >> 20


def hidden_pair_or_better(hole: Cards, board: Cards) -> bool:
    return hidden_pair(hole, board) or category(hole, board) > _alone(board)


def _alone(board: Cards) -> int:
    if len(board) == 5:
        return category(board)
    ranks = [card >> 2 for card in board]
    return {3: 0, 2: 1, 1: 3}[len({*ranks})]


def four_to_a_flush(hole: Cards, board: Cards) -> bool:
    for suit in range(4):
        held = sum(card & 3 == suit for card in hole)
        if held and held + sum(card & 3 == suit for card in board) >= 4:
            return True
    return False


def dealer_outs(hole: Cards, board: Cards) -> int:
    own = hands.strength((*hole, *board))
    rest = [card for card in range(52) if card not in hole + board]
    return sum(hands.strength((card, *board)) > own for card in rest)


def hands_that_beat(hole: Cards, board: Cards) -> int:
    own = hands.strength((*hole, *board))
    rest = [card for card in range(52) if card not in hole + board]
    return sum(hands.strength((*dealer, *board)) > own for dealer in combinations(rest, 2))


def is_connected(flop: Cards) -> bool:
    """Whether two more cards can make a straight of these three."""
    ranks = {card >> 2 for card in flop}
    straights = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
    return len(ranks) == 3 and any(ranks <= straight for straight in straights)


def played_edge(
    game: Game, ranks: Cards, pocket: Callable[[Cards], bool], flop: Raises, river: Raises
) -> Fraction:
    """The house's edge; every street raises its most."""
    deck = deck_of(ranks)
    nets = {m: game.nets(m) for m in (0, max(game.pocket), max(game.flop), max(game.river))}
    value, deals = 0, 0
    raised = np.array([pocket(hole) for hole in deck.holes])
    on_flop = {
        three: np.array([not {*hole} & {*three} and flop(hole, three) for hole in deck.holes])
        for three in combinations(deck.cards, 3)
    }
    for cards in combinations(deck.cards, 5):
        board = Board(cards, deck, game.qualifier)
        worth = {m: board.values(nets[m]) for m in nets}
        late = np.array([river(deck.holes[hole], cards) for hole in board.holes])
        last = np.where(late, worth[max(game.river)], worth[0])
        for three in combinations(cards, 3):
            later = np.where(on_flop[three][board.holes], worth[max(game.flop)], last)
            value += int(np.where(raised[board.holes], worth[max(game.pocket)], later).sum())
            deals += board.dealers * len(board.holes)
    return -Fraction(value, deals * game.unit)
