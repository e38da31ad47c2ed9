"""The processor time of sessions from a solved strategy."""

from time import process_time

from headsup.analysis.joint.joint import round_distribution
from headsup.analysis.session.ruin import session_ruin
from headsup.analysis.session.session import RoundNets, session_distribution
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager

GOAL_SECONDS = 2.0
RUIN_GOAL_SECONDS = 10.0
ROUNDS, RUIN_ROUNDS = 1000, 100_000
BANKROLL, ROUND_COST = 100_000, 5000  # cents
STAKES = {
    "the main game": {Wager.ANTE: 1000},
    "every side wager": {
        Wager.ANTE: 1000,
        Wager.TRIPS_PLUS: 500,
        Wager.POCKET_BONUS: 500,
        Wager.ALL_6: 500,
        Wager.PROGRESSIVE: 100,
    },
}


def rows() -> list[tuple[str, str, str, str]]:
    rules = table_rules("galaxy")
    payoffs = compile_payoffs(rules)
    workbench = Workbench()
    strategy = workbench.strategy(payoffs)
    workbench.round_counts(strategy)
    table = []
    for bets, stakes in STAKES.items():
        start = process_time()
        counts = workbench.round_counts(strategy)
        joint = round_distribution(rules, payoffs, counts, stakes, 10**11)
        session_distribution(RoundNets.of(joint), ROUNDS)
        taken = process_time() - start
        name = f"session of {ROUNDS:,} rounds, {bets}"
        table.append(
            (
                name,
                f"{taken * 1000:,.0f} ms",
                f"goal {GOAL_SECONDS} s",
                f"{GOAL_SECONDS / taken:,.1f}×",
            )
        )
    main = round_distribution(rules, payoffs, counts, STAKES["the main game"], 10**11)
    return [*table, _ruin_row(RoundNets.of(main))]


def _ruin_row(nets: RoundNets) -> tuple[str, str, str, str]:
    start = process_time()
    session_ruin(nets, RUIN_ROUNDS, BANKROLL, ROUND_COST)
    taken = process_time() - start
    return (
        f"ruin within {RUIN_ROUNDS:,} rounds",
        f"{taken:,.1f} s",
        f"goal {RUIN_GOAL_SECONDS:g} s",
        f"{RUIN_GOAL_SECONDS / taken:,.1f}×",
    )
