"""Other hands seen: one hand against every deal, and the blind strategy against the whole game."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from headsup.analysis.protect.blind import BlindStrategy
from headsup.analysis.protect.face_up import average_seen_hand, estimate_seen_hands, value_layout
from headsup.analysis.solver.deck import Deck
from headsup.analysis.workers.executor import Threads
from headsup.game.rulebook.table_rules import table_rules
from headsup.report.sheets.protection import seen_hands_sheet
from tests.oracles.exposed import exposed_edge
from tests.oracles.solver import Game
from tests.support.analysis.games import HEADS_UP, PAIR, payoffs

ANY_RAISE = replace(HEADS_UP, pocket=(1, 4), flop=(1, 2), river=(1, 2), qualifier=PAIR | 9 << 16)


@pytest.mark.slow(seconds=20)
def test_one_hand_seen_matches_every_deal_of_a_small_deck() -> None:
    deck = Deck(ranks=(8, 9, 10))
    average = average_seen_hand(payoffs(ANY_RAISE), deck=deck)
    layouts = [
        exposed_edge(ANY_RAISE, [card for card in range(32, 44) if card not in hand])
        for hand in combinations(range(32, 44), 2)
    ]
    assert average.result.player_edge == sum(edge for edge, _ in layouts) / len(layouts)
    assert average.result.raise_pocket == sum(raised for _, raised in layouts) / len(layouts)
    assert average.layouts == 3 + 2 * 3  # pairs, suited and unsuited hands
    assert average.gain == average.result.player_edge - average.unseen > 0
    answer = seen_hands_sheet(table_rules("galaxy"), average).json()
    assert Fraction(answer["player_edge"]["exact"]) == average.result.player_edge
    assert (answer["hands"], answer["layouts"]) == (1, 9)


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize("game", [HEADS_UP, ANY_RAISE])
def test_the_blind_strategy_is_worth_the_game_over_all_layouts(game: Game) -> None:
    """A card out of the deck is like one never dealt, as long as the player does not know it."""
    deck = Deck(ranks=(6, 7, 8, 9, 10, 11))
    blind = BlindStrategy.of(payoffs(game), deck)
    values = [value_layout(blind, (4 * rank,)) for rank in deck.ranks]
    assert sum(value.blind for value in values) / len(values) == blind.player_edge
    assert all(value.best > value.blind for value in values)


@pytest.mark.slow(seconds=10)
def test_the_blind_strategy_is_best_if_nothing_is_out() -> None:
    blind = BlindStrategy.of(payoffs(HEADS_UP))
    assert blind.player_edge == -Fraction(840_983_767, 35_658_730_800)
    assert value_layout(blind, ()) == (blind.player_edge, blind.player_edge)


@pytest.mark.slow(seconds=30)
def test_an_estimate_is_the_gain_over_the_blind_strategy_on_the_same_layouts() -> None:
    estimate = estimate_seen_hands(payoffs(HEADS_UP), 5, 4, seed=1, workforce=Threads(2))
    blind = BlindStrategy.of(payoffs(HEADS_UP))
    generator = np.random.Generator(np.random.Philox(key=1))
    layouts = [tuple(generator.permutation(52)[:10].tolist()) for _ in range(4)]
    values = [value_layout(blind, layout) for layout in layouts]
    gains = [float(value.best - value.blind) for value in values]
    assert estimate.gain == pytest.approx(sum(gains) / 4, abs=1e-12)
    assert estimate.standard_error == pytest.approx(float(np.std(gains, ddof=1)) / 2, abs=1e-12)
    assert estimate.mean == float(blind.player_edge) + estimate.gain
    low, high = estimate.interval
    assert low < estimate.mean < high
    assert min(gains) > 0
    # Twenty layouts are enough to tell the gain from nothing.
    assert estimate.standard_error * sqrt(4 / 20) < 0.001
