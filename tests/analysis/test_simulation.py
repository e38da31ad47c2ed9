"""Tables dealt by chance: near the exact values, the same for any workers, and as the rules say."""

import numpy as np
import pytest

from headsup.analysis.compile import compile_payoffs
from headsup.analysis.counting import count_by_class
from headsup.analysis.joint import round_joint
from headsup.analysis.kernels.tables import TOTAL
from headsup.analysis.running import Threads
from headsup.analysis.simulation import Simulation, simulate
from headsup.analysis.solver import solve
from headsup.analysis.strategy import Strategy, parse, serialise
from headsup.game.hands import category_of, strength
from headsup.game.rulebook.load import SHIPPED
from headsup.game.rulebook.tablerules import TableRules, table_rules
from headsup.game.settlement import main_lines
from headsup.game.wagers import Comparison, Wager

BETS = {Wager.ANTE: 1000, Wager.TRIPS_PLUS: 500, Wager.POCKET_BONUS: 500}


def solved(rules: TableRules) -> Strategy:
    payoffs = compile_payoffs(rules)
    return parse(serialise(solve(payoffs)), payoffs)


def dealt(
    rules: TableRules,
    strategy: Strategy,
    rounds: int,
    seats: int = 1,
    seed: int = 5,
    workers: int | None = None,
) -> Simulation:
    bets = {
        wager: stake for wager, stake in BETS.items() if rules.offers(wager) or wager is Wager.ANTE
    }
    payoffs = strategy.solution.payoffs
    joint = round_joint(rules, payoffs, count_by_class(strategy), bets, 0)
    return simulate(rules, strategy, joint, bets, rounds, seats, seed, workforce=Threads(workers))


@pytest.fixture(scope="module")
def rules() -> TableRules:
    return table_rules("galaxy")


@pytest.fixture(scope="module")
def strategy(rules: TableRules) -> Strategy:
    return solved(rules)


def test_a_million_rounds_are_near_the_exact_values(rules: TableRules, strategy: Strategy) -> None:
    found = dealt(rules, strategy, 1_000_000)
    assert [one.wager for one in found.wagers] == [*BETS]
    for one in found.wagers:
        assert abs(one.z) < 4
    assert found.seat_correlation is None


def test_workers_change_nothing(rules: TableRules, strategy: Strategy) -> None:
    """Rounds that fill three chunks and a part."""
    one, two, four = (dealt(rules, strategy, 400_000, 3, workers=n) for n in (1, 2, 4))
    assert one == two == four


def test_another_seed_deals_other_cards(rules: TableRules, strategy: Strategy) -> None:
    assert dealt(rules, strategy, 1000).sums != dealt(rules, strategy, 1000, seed=6).sums


def test_seats_that_share_a_board_go_together(rules: TableRules, strategy: Strategy) -> None:
    found = dealt(rules, strategy, 200_000, 6)
    assert found.seat_correlation == pytest.approx(0.15, abs=0.05)
    for one in found.wagers:
        assert abs(one.z) < 4


def test_a_round_is_settled_as_the_game_settles_it(rules: TableRules, strategy: Strategy) -> None:
    """The same cards drawn again in plain Python, decided by the strategy, settled by the rules."""
    for seed in range(60):
        dealer, board, hole = _cards(seed)
        multiple = strategy.pocket(hole).best or strategy.on_flop(hole, board[:3])
        multiple = multiple or strategy.on_river(hole, board)
        own, theirs = strength((*hole, *board)), strength((*dealer, *board))
        comparison = Comparison((own > theirs) - (own < theirs) + 1)
        qualifies = theirs >= strategy.solution.payoffs.qualifier
        lines = main_lines(rules, 1000, multiple, category_of(own), comparison, qualifies)
        expected = sum(line.net for line in lines)
        assert dealt_one(rules, strategy, seed) == expected


def dealt_one(rules: TableRules, strategy: Strategy, seed: int) -> int:
    payoffs = strategy.solution.payoffs
    joint = round_joint(rules, payoffs, _no_counts(), {Wager.ANTE: 1000}, 0)
    found = simulate(rules, strategy, joint, {Wager.ANTE: 1000}, 1, 1, seed)
    return found.sums[0][TOTAL]


def _no_counts() -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.zeros((169, 7, 10, 3, 2), np.int64)


def _cards(seed: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The first nine different cards of a seed's first round: dealer, board, hole."""
    drawn: list[int] = []
    counter = 0
    while len(drawn) < 9:
        value = seed + (counter + 1) * 0x9E3779B97F4A7C15
        for shift, mix in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
            value &= 2**64 - 1
            value = (value ^ value >> shift) * mix
        card = ((value & 2**64 - 1) >> 32) * 52 >> 32
        counter += 1
        if card not in drawn:
            drawn.append(card)
    return tuple(drawn[:2]), tuple(drawn[2:7]), tuple(drawn[7:])


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_a_hundred_million_rounds_of_every_rule_book(name: str) -> None:
    rules = table_rules(name)
    for one in dealt(rules, solved(rules), 100_000_000).wagers:
        assert abs(one.z) < 4
