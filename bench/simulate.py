"""Rounds dealt by chance in a second of one core, and two workers against one."""

from time import perf_counter

from headsup.analysis.compile import compile_payoffs
from headsup.analysis.counting import count_by_class
from headsup.analysis.joint import RoundJoint, joint_counts, round_joint
from headsup.analysis.simulation import simulate
from headsup.analysis.solver import solve
from headsup.analysis.strategy import Strategy, load_or_build
from headsup.game.rulebook.tablerules import TableRules, table_rules
from headsup.game.wagers import Wager

GOAL, TWICE = 3_000_000, 1.7
ROUNDS = 4_000_000
BETS = {Wager.ANTE: 1000}


def rows() -> list[tuple[str, str, str, str]]:
    rules = table_rules("galaxy")
    payoffs = compile_payoffs(rules)
    strategy = load_or_build(payoffs, solve)
    counts = joint_counts(payoffs, strategy, count_by_class)
    joint = round_joint(rules, payoffs, counts, BETS, 0)
    _rate(rules, strategy, joint, 1, 1000)  # compiles
    one, two = (max(_rate(rules, strategy, joint, workers) for _ in range(3)) for workers in (1, 2))
    return [
        (
            "simulate, one seat, one worker",
            f"{one / 1e6:.1f} M rounds/s",
            f"goal {GOAL / 1e6:.0f} M",
            f"{one / GOAL:.1f}×",
        ),
        (
            "  two workers against one",
            f"{two / one:.2f}",
            f"goal {TWICE}",
            f"{two / one / TWICE:.1f}×",
        ),
    ]


def _rate(
    rules: TableRules, strategy: Strategy, joint: RoundJoint, workers: int, rounds: int = ROUNDS
) -> float:
    start = perf_counter()
    simulate(rules, strategy, joint, BETS, rounds, 1, 1, workers=workers)
    return rounds / (perf_counter() - start)
