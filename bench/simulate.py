"""Simulated rounds per second on one core, against PokerKit, and two workers against one.

One worker is measured in processor time, which other load does not change.
"""

from time import perf_counter, process_time

from pokerkit import Automation, NoLimitTexasHoldem

from headsup.analysis.simulation.dealing import SimulationRun, TableSetup
from headsup.analysis.strategies.examples import BEST
from headsup.analysis.workbench import Workbench
from headsup.analysis.workers.executor import Threads
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager

GOAL, SPEEDUP_GOAL, PEER_GOAL = 3_000_000, 1.7, 1_000
ROUNDS = 12_000_000  # a few seconds on one core, so start-up does not matter
BETS = {Wager.ANTE: 1000}


def rows() -> list[tuple[str, str, str, str]]:
    seats = Workbench().seats(table_rules("galaxy"), BETS, [(BEST, None)])
    table = TableSetup(seats)
    _seconds(table, 1, 1000)  # compiles
    start = process_time()
    one = _seconds(table, 1)
    core = ROUNDS / (process_time() - start)
    two = _seconds(table, 2)
    for _ in range(2):  # in turn, so that other load slows both
        one, two = min(one, _seconds(table, 1)), min(two, _seconds(table, 2))
    gain = one / two
    peer = _pokerkit()
    rate = f"{core / 1e6:.1f} M rounds/s"
    return [
        ("simulate, one seat, one core", rate, f"goal {GOAL / 1e6:.0f} M", f"{core / GOAL:.1f}×"),
        (
            "  against hands that PokerKit deals and settles",
            f"{core / peer:,.0f}×",
            f"goal {PEER_GOAL:,}× of {peer:,.0f} hands/s",
            f"{core / peer / PEER_GOAL:.1f}×",
        ),
        (
            "  two workers against one",
            f"{gain:.2f}",
            f"goal {SPEEDUP_GOAL}",
            f"{gain / SPEEDUP_GOAL:.1f}×",
        ),
    ]


def _seconds(table: TableSetup, threads: int, rounds: int = ROUNDS) -> float:
    start = perf_counter()
    SimulationRun(table, 1).deal(rounds, Threads(threads))
    return perf_counter() - start


def _pokerkit(hands: int = 100) -> float:
    """Hands per second between two players who check to the end."""
    start = process_time()
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, 200, 2)
        while state.status:
            state.check_or_call()
    return hands / (process_time() - start)
