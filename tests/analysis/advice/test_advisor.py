"""Advice in every situation, against brute force with the simple evaluator."""

import random
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.advisor import BadQuestion, advise
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy
from headsup.game.values.cards import parse_cards
from headsup.game.values.hands import strength
from tests.oracles.solver import Game
from tests.support.analysis.games import HEADS_UP, PAIR, ULTIMATE, payoffs

Cards = tuple[int, ...]
CUSTOM = replace(
    HEADS_UP, pocket=(1, 3), flop=(1, 2), river=(1, 2), qualifier=PAIR | 5 << 16, bad_beat={5: 9}
)
WITH_TRIPS = replace(HEADS_UP, side={c: 12 if c >= 3 else -4 for c in range(10)})
FORFEITING = replace(WITH_TRIPS, forfeits=4)


def values(game: Game, hole: Cards, board: Cards, unknown: Cards) -> dict[int, int]:
    """The river's options in units, over every dealer hand: folding and each multiple."""
    player = strength(hole + board)
    multiples = {*game.pocket, *game.flop, *game.river}
    totals = dict.fromkeys((0, *multiples), 0)
    for dealer in combinations([card for card in unknown if card not in board], 2):
        theirs = strength(dealer + board)
        result = (player > theirs) - (player < theirs)
        totals[0] += game.fold(player >> 20)
        for multiple in multiples:
            qualifies = theirs >= game.qualifier
            totals[multiple] += game.net(multiple, player >> 20, result, qualifies)
    return totals


def brute_force(game: Game, hole: Cards, board: Cards, seen: Cards) -> dict[int, Fraction]:
    """Each option's value in Antes, from all remaining deals; 0 checks or folds."""
    unknown = tuple(card for card in range(52) if card not in {*hole, *board, *seen})
    to_come = 5 - len(board)
    dealers = comb(len(unknown) - to_come, 2)
    flops: defaultdict[Cards, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    raised: dict[int, int] = defaultdict(int)
    for rest in combinations(unknown, to_come):
        worth = values(game, hole, board + rest, unknown)
        if len(board) == 5:
            return {m: Fraction(worth[m], dealers * game.unit) for m in (0, *game.river)}
        for multiple, value in worth.items():
            raised[multiple] += value
        for flop in combinations(rest, 3) if not board else [board]:
            flops[flop][0] += max(worth[m] for m in (0, *game.river))
            for m in game.flop:
                flops[flop][m] += worth[m]
    deals = comb(len(unknown), to_come) * dealers * game.unit
    if board:
        [options] = flops.values()
        return {m: Fraction(options[m], deals) for m in (0, *game.flop)}
    check = sum(max(options.values()) for options in flops.values())
    return {0: Fraction(check, 10 * deals)} | {m: Fraction(raised[m], deals) for m in game.pocket}


def action_values(advice: Advice) -> dict[int, Fraction]:
    return {value.multiple: value.ev for value in advice.values}


def situation(seed: int, board: int, seen: int) -> tuple[Cards, Cards, Cards]:
    cards = random.Random(seed).sample(range(52), 2 + board + seen)
    return tuple(cards[:2]), tuple(cards[2 : 2 + board]), tuple(cards[2 + board :])


@pytest.mark.parametrize("game", [HEADS_UP, ULTIMATE, CUSTOM, WITH_TRIPS, FORFEITING])
@pytest.mark.parametrize(("board", "seen"), [(5, 0), (5, 9), (3, 33), (0, 38)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_option_matches_brute_force(game: Game, board: int, seen: int, seed: int) -> None:
    hole, on_board, out = situation(seed, board, seen)
    advice = advise(payoffs(game), hole, on_board, out)
    assert action_values(advice) == brute_force(game, hole, on_board, out)


def test_seen_cards_of_the_flush_suit_match_brute_force() -> None:
    """Boards of three, four and five hearts, where the dealer's hearts are the question."""
    seen = parse_cards("2h3h4h9s9c" + "2c2d2s3c3d3s4c4d4s5c5d5s6c6d6s7c7d7s8c8d8s")
    for board in ("KhQhJh9d", "KhQhJh9h", "KhQhTh9h"):
        for last in ("7h", "Ts", "5h"):
            hole, on_board = parse_cards("AhAd"), parse_cards(board + last)
            advice = advise(payoffs(HEADS_UP), hole, on_board, seen)
            assert action_values(advice) == brute_force(HEADS_UP, hole, on_board, seen)


def test_a_fold_costs_two_antes() -> None:
    advice = advise(payoffs(HEADS_UP), parse_cards("2c3d"), parse_cards("KsQsJh9h7c"))
    assert advice.best.action == "fold"
    assert advice.best.ev == -2


def test_chances_add_up_to_one() -> None:
    advice = advise(payoffs(HEADS_UP), parse_cards("AsKd"), parse_cards("Ah7c2d"))
    assert advice.win is not None
    assert advice.tie is not None
    assert advice.lose is not None
    assert advice.win + advice.tie + advice.lose == 1
    edge = advice.win - advice.lose
    options = action_values(advise(payoffs(CUSTOM), parse_cards("AsKd"), parse_cards("Ah7c2d")))
    assert options[2] - options[1] == edge


def test_ties_go_to_the_smaller_wager() -> None:
    """A royal flush on the board copies every hand: raising once or twice is the same."""
    advice = advise(payoffs(CUSTOM), parse_cards("2c3d"), parse_cards("AsKsQsJsTs"))
    assert action_values(advice) == {0: -2, 1: 0, 2: 0}
    assert advice.best.multiple == 1


def test_advice_before_the_flop_comes_from_the_strategy(
    strategy: Strategy, heads_up: Solution
) -> None:
    advice = advise(payoffs(HEADS_UP), parse_cards("AsKd"), strategy=strategy)
    pocket = heads_up.pocket["AKo"]
    assert action_values(advice) == {0: pocket.check, 3: pocket.raises[3]}


def test_a_strategy_for_other_payoffs_is_not_used(strategy: Strategy) -> None:
    hole, _, seen = situation(4, 0, 38)
    game = payoffs(ULTIMATE)
    assert advise(game, hole, (), seen, strategy) == advise(game, hole, (), seen)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["AKs", "K5o", "33", "72o"])
def test_all_boards_of_one_hole_agree_with_the_solve(name: str, heads_up: Solution) -> None:
    hole = parse_cards(f"{name[0]}c{name[1]}{'c' if name[2:] == 's' else 'd'}")
    pocket = heads_up.pocket[name]
    advice = advise(payoffs(HEADS_UP), hole)
    assert action_values(advice) == {0: pocket.check, **pocket.raises}


@pytest.mark.parametrize(
    ("hole", "board", "seen", "reason"),
    [
        ("As", "", "", "a hole has two cards"),
        ("AsKd", "Qd", "", "zero, three or five cards, not 1"),
        ("AsKd", "QdJd", "", "not 2"),
        ("AsKd", "QdJdTd9d", "", "not 4"),
        ("AsKd", "AsQdJd", "", "appears twice"),
        ("AsKd", "QdJdTd", "Qd", "appears twice"),
        ("AsKd", "", "2c2c", "appears twice"),
    ],
)
def test_bad_cards_are_refused(hole: str, board: str, seen: str, reason: str) -> None:
    with pytest.raises(BadQuestion, match=reason):
        advise(payoffs(HEADS_UP), parse_cards(hole), parse_cards(board), parse_cards(seen))


def test_too_few_cards_left_is_refused() -> None:
    with pytest.raises(BadQuestion, match="too few cards"):
        advise(payoffs(HEADS_UP), (0, 1), (), tuple(range(2, 46)))
