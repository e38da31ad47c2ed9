"""Everything the answer to a session question contains, for one seat at given stakes."""

from collections.abc import Mapping
from dataclasses import dataclass

from headsup.analysis.counts.caps import best_play_label, is_payout_independent
from headsup.analysis.joint.joint import RoundDistribution
from headsup.analysis.session.hold import TableHold, table_hold
from headsup.analysis.session.ruin import (
    SessionRuin,
    UltimateRuin,
    UnknownRuin,
    session_ruin,
    ultimate_ruin,
)
from headsup.analysis.session.session import (
    GridTooWide,
    RoundNets,
    SessionDistribution,
    session_distribution,
)
from headsup.analysis.strategies.examples import BEST
from headsup.analysis.workers.executor import Progress
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.values.money import Cents


@dataclass(frozen=True)
class SessionReport:
    """A session of so many rounds and, with a bankroll, its risk of ruin."""

    rules: TableRules
    stakes: Mapping[Wager, Cents]
    round_nets: RoundNets
    totals: SessionDistribution
    hold: TableHold
    pace: int  # rounds per hour
    round_cost: Cents  # the most that a round can cost
    session_ruin: SessionRuin | None = None  # within these rounds
    ultimate_ruin: UltimateRuin | UnknownRuin | None = None  # without a limit on rounds
    strategy: str = BEST
    bankroll: Cents | None = None
    target: Cents | None = None
    exact: bool = True  # whether probabilities are exact but for rounding

    @property
    def play(self) -> str:
        """How to name the strategy; `best_play_label` says what kind of best play it is."""
        if self.strategy == BEST:
            return best_play_label(self.rules, self.stakes)
        return f"played by {self.strategy}"


def report_session(
    rules: TableRules,
    stakes: Mapping[Wager, Cents],
    joint: RoundDistribution,
    rounds: int,
    pace: int,
    bankroll: Cents | None = None,
    target: Cents | None = None,
    progress: Progress | None = None,
    option_names: tuple[str, str] = ("bankroll", "target"),
    strategy: str = BEST,
) -> SessionReport:
    """Compute the report. `option_names` name bankroll and target in refusals."""
    highest_raise = max(multiple for street in Street for multiple in rules.raises[street])
    round_cost = stakes[Wager.ANTE] * (1 + highest_raise) + sum(stakes.values())
    _check_bankroll(bankroll, target, round_cost, option_names)
    if not all(is_payout_independent(rules, stakes, wager) for wager in stakes):
        raise Refused(Code.NOT_SOLVABLE, "shared_cap", rules=rules.id)
    round_nets = RoundNets.of(joint)
    try:
        totals = session_distribution(round_nets, rounds)
        session_result = ultimate_result = None
        if bankroll is not None:
            session_result = session_ruin(
                round_nets, rounds, bankroll, round_cost, target, progress
            )
            ultimate_result = ultimate_ruin(round_nets, bankroll, round_cost, target)
    except GridTooWide as error:
        raise Refused(Code.BAD_ARGUMENTS, "too_wide", places=error.points) from None
    hold = table_hold(round_nets, totals)
    return SessionReport(
        *(
            rules,
            stakes,
            round_nets,
            totals,
            hold,
            pace,
            round_cost,
            session_result,
            ultimate_result,
        ),
        *(strategy, bankroll, target, joint.exact),
    )


def _check_bankroll(
    bankroll: Cents | None, target: Cents | None, round_cost: Cents, option_names: tuple[str, str]
) -> None:
    if bankroll is not None and bankroll < round_cost:
        raise Refused(Code.BAD_BANKROLL, "round", where=option_names[0], needed=round_cost)
    if target is not None and (bankroll is None or target <= bankroll):
        raise Refused(Code.BAD_BANKROLL, "target", where=option_names[1], bankroll=bankroll or 0)
