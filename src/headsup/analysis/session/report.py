"""One seat's session at certain stakes: everything that its answer tells."""

from collections.abc import Mapping
from dataclasses import dataclass

from headsup.analysis.counts.caps import best_play_label, is_capped_alone
from headsup.analysis.joint.joint import RoundDistribution
from headsup.analysis.session.ruin import UltimateRuin, UnknownRuin, ultimate_ruin
from headsup.analysis.session.session import (
    GridTooWide,
    RoundNets,
    SessionDistribution,
    SessionRuin,
    TableHold,
    session_distribution,
    session_ruin,
    table_hold,
)
from headsup.analysis.solver.chunks import Progress
from headsup.analysis.strategies.examples import BEST
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.values.money import Cents


@dataclass(frozen=True)
class SessionReport:
    rules: TableRules
    stakes: Mapping[Wager, Cents]
    one: RoundNets
    totals: SessionDistribution
    hold: TableHold
    pace: int  # rounds in an hour
    needed: Cents  # what a round may take
    fortune: SessionRuin | None = None
    # Of the bankroll, if nobody stops after these rounds.
    final: UltimateRuin | UnknownRuin | None = None
    strategy: str = BEST  # how it is played, by name
    bankroll: Cents | None = None
    target: Cents | None = None
    exact: bool = True  # no chance is wrong by more than what rounding does

    @property
    def play(self) -> str:
        """How it is played, truly: best play may be that of another game."""
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
    names: tuple[str, str] = ("bankroll", "target"),
    strategy: str = BEST,
) -> SessionReport:
    """So many rounds; with a bankroll also what becomes of it.

    `names` are what whoever asks calls bankroll and target, for refusals.
    """
    most = max(multiple for street in Street for multiple in rules.raises[street])
    needed = stakes[Wager.ANTE] * (1 + most) + sum(stakes.values())
    _check(bankroll, target, needed, names)
    if not all(is_capped_alone(rules, stakes, wager) for wager in stakes):
        raise Refused(Code.NOT_SOLVABLE, "shared_cap", rules=rules.id)
    one = RoundNets.of(joint)
    try:
        totals = session_distribution(one, rounds)
        found = final = None
        if bankroll is not None:
            found = session_ruin(one, rounds, bankroll, needed, target, progress)
            final = ultimate_ruin(one, bankroll, needed, target)
    except GridTooWide as error:
        raise Refused(Code.BAD_ARGUMENTS, "too_wide", places=error.places) from None
    hold = table_hold(one, totals)
    return SessionReport(
        *(rules, stakes, one, totals, hold, pace, needed, found, final),
        *(strategy, bankroll, target, joint.exact),
    )


def _check(
    bankroll: Cents | None, target: Cents | None, needed: Cents, names: tuple[str, str]
) -> None:
    if bankroll is not None and bankroll < needed:
        raise Refused(Code.BAD_BANKROLL, "round", where=names[0], needed=needed)
    if target is not None and (bankroll is None or target <= bankroll):
        raise Refused(Code.BAD_BANKROLL, "target", where=names[1], bankroll=bankroll or 0)
