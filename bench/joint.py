"""The processor time of counting All 6 together with the other wagers, without a cache."""

from time import process_time

from headsup.analysis.joint.counting import count_one_deck
from headsup.analysis.joint.one_deck import ExtraAxes
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.table_rules import table_rules

GOAL_SECONDS = 20.0


def rows() -> list[tuple[str, str, str, str]]:
    strategy = Workbench().strategy(compile_payoffs(table_rules("galaxy")))
    start = process_time()
    count_one_deck(strategy, ExtraAxes(packets=True, both_hole_cards=False))
    taken = process_time() - start
    ratio = f"{GOAL_SECONDS / taken:.1f}×"
    return [
        ("All 6 with every round, no cache", f"{taken:.0f} s", f"goal {GOAL_SECONDS:g} s", ratio)
    ]
