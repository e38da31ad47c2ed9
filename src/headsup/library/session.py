"""Many rounds of one seat: how its result is distributed, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from headsup.analysis.joint.seating import seat_distribution
from headsup.analysis.par.exact_numbers import square_root
from headsup.analysis.par.table_par import meter_or_seed
from headsup.analysis.session.limits import (
    DEFAULT_ROUNDS_PER_HOUR,
    MAX_BANKROLL_ROUNDS,
    MAX_ROUNDS_PER_HOUR,
    MAX_SESSION_ROUNDS,
)
from headsup.analysis.session.report import SessionReport, report_session
from headsup.analysis.session.ruin import UltimateRuin, UnknownRuin
from headsup.analysis.session.session import TableHold
from headsup.analysis.strategies.examples import BEST
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.amounts import parse_cents
from headsup.game.values.counts import parse_count, show_count
from headsup.library.game import get_one_deck_counts, get_round_counts, get_strategy
from headsup.library.rules import CountLike, RulesLike, rules
from headsup.library.staking import read_meter, read_stakes
from headsup.library.written import read_strategy_or_best
from headsup.report.json.session import session_json


@dataclass(frozen=True)
class SessionResult:
    """A session. Amounts are dollars, from the player's side."""

    sitting: SessionReport = field(repr=False)

    @property
    def rules(self) -> TableRules:
        return self.sitting.rules

    @property
    def rounds(self) -> int:
        return self.sitting.totals.rounds

    @property
    def mean(self) -> Fraction:
        """Exact."""
        return self.sitting.one.mean * self.rounds / 100

    @property
    def variance(self) -> Fraction:
        """Exact, in dollars squared."""
        return self.sitting.one.variance * self.rounds / 10_000

    @property
    def standard_deviation(self) -> Decimal:
        return square_root(self.variance)

    @property
    def ahead(self) -> float:
        """The chance to be ahead, wrong by no more than `error`; likewise all chances here."""
        return self.sitting.totals.ahead

    @property
    def even(self) -> float:
        return self.sitting.totals.even

    @property
    def exact(self) -> bool:
        """Whether `error` bounds all chances."""
        return self.sitting.exact

    @property
    def error(self) -> float | None:
        """None where chances are near ones only."""
        return self.sitting.totals.error if self.exact else None

    def quantile(self, chance: float) -> Decimal:
        """The result that such a share of sessions does not exceed."""
        is_number = isinstance(chance, int | float | Fraction) and not isinstance(chance, bool)
        if not is_number or not 0 <= chance <= 1:
            raise Refused(Code.BAD_ARGUMENTS, "chance", where="chance", value=chance)
        return Decimal(self.sitting.totals.quantile(float(chance))).scaleb(-2)

    @property
    def ruin(self) -> float | None:
        """The chance that the bankroll no longer covers a round; None without one."""
        return None if self.sitting.fortune is None else self.sitting.fortune.ruin

    @property
    def target(self) -> float | None:
        """The chance that the target is reached."""
        return None if self.sitting.fortune is None else self.sitting.fortune.target

    @property
    def forever(self) -> UltimateRuin | None:
        """Ruin and target if nobody stops; None without a bankroll, or where it is too large."""
        return None if isinstance(self.sitting.final, UnknownRuin) else self.sitting.final

    @property
    def hold(self) -> TableHold:
        """The house's side."""
        return self.sitting.hold

    def to_json(self) -> dict[str, Any]:
        """As `headsup session --json` answers."""
        return session_json(self.sitting)

    def __repr__(self) -> str:
        mean = f"{float(self.mean):+,.2f}"
        return f"<{show_count(self.rounds, 'round')}: mean {mean} dollars, ahead {self.ahead:.2%}>"


def session(
    rounds: CountLike = 1000,
    bets: Mapping[str, object] | None = None,
    bankroll: object = None,
    target: object = None,
    meter: object = None,
    name: RulesLike = "galaxy",
    strategy: str = BEST,
    pace: CountLike = DEFAULT_ROUNDS_PER_HOUR,
    **chosen: Any,
) -> SessionResult:
    """`session(1000, {"ante": 10, "trips_plus": 5}, bankroll=500)`; amounts in dollars.

    `strategy` is a written one, as in `evaluate`; else best play. `pace` is rounds in an hour.
    """
    table = rules(name, **chosen)
    most = MAX_SESSION_ROUNDS if bankroll is None else MAX_BANKROLL_ROUNDS
    count = parse_count(rounds, "rounds", most)
    hourly = parse_count(pace, "pace", MAX_ROUNDS_PER_HOUR)
    if target is not None and bankroll is None:
        raise Refused(Code.BAD_ARGUMENTS, "target", where="target")
    stakes = read_stakes(table, {"ante": 10} if bets is None else bets)
    stands = meter_or_seed(table, read_meter(table, stakes, meter))
    written = read_strategy_or_best(strategy)
    play = strategy.splitlines()[0] if "\n" in strategy else strategy, written
    joint = seat_distribution(
        table, stakes, stands, play, get_strategy, get_round_counts, get_one_deck_counts
    )
    own = None if bankroll is None else parse_cents(bankroll, "bankroll")
    goal = None if target is None else parse_cents(target, "target")
    return SessionResult(
        report_session(table, stakes, joint, count, hourly, own, goal, strategy=play[0])
    )
