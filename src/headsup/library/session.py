"""The exact distribution of one seat's result over many rounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import square_root
from headsup.analysis.limits import (
    DEFAULT_ROUNDS_PER_HOUR,
    MAX_BANKROLL_ROUNDS,
    MAX_ROUNDS_PER_HOUR,
    MAX_SESSION_ROUNDS,
)
from headsup.analysis.par.table_par import meter_or_seed
from headsup.analysis.session.hold import TableHold
from headsup.analysis.session.report import SessionReport, report_session
from headsup.analysis.session.ruin import UltimateRuin, UnknownRuin
from headsup.analysis.strategies.examples import BEST
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.amounts import parse_cents, parse_count, show_count
from headsup.library.game import WORKBENCH
from headsup.library.rules import CountLike, RulesLike, read_meter, read_stakes, rules
from headsup.library.strategies import read_strategy_or_best
from headsup.report.sheets.session import session_sheet


@dataclass(frozen=True)
class SessionResult:
    """The result of a session, in dollars, from the player's side."""

    sitting: SessionReport = field(repr=False)

    @property
    def rules(self) -> TableRules:
        return self.sitting.rules

    @property
    def rounds(self) -> int:
        return self.sitting.totals.rounds

    @property
    def mean(self) -> Fraction:
        """The mean result; exact."""
        return self.sitting.round_nets.mean * self.rounds / 100

    @property
    def variance(self) -> Fraction:
        """The variance of the result in dollars squared; exact."""
        return self.sitting.round_nets.variance * self.rounds / 10_000

    @property
    def standard_deviation(self) -> Decimal:
        return square_root(self.variance)

    @property
    def ahead(self) -> float:
        """The probability of winning money. Like all probabilities here, it is within `error`."""
        return self.sitting.totals.ahead

    @property
    def even(self) -> float:
        """The probability of breaking even."""
        return self.sitting.totals.even

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact within `error`, or only approximate."""
        return self.sitting.exact

    @property
    def error(self) -> float | None:
        """The largest error of a probability; None if probabilities are only approximate."""
        return self.sitting.totals.error if self.exact else None

    def quantile(self, chance: float) -> Decimal:
        """The result that this share of sessions does not exceed."""
        is_number = isinstance(chance, int | float | Fraction) and not isinstance(chance, bool)
        if not is_number or not 0 <= chance <= 1:
            raise Refused(Code.BAD_ARGUMENTS, "chance", where="chance", value=chance)
        return Decimal(self.sitting.totals.quantile(float(chance))).scaleb(-2)

    @property
    def ruin(self) -> float | None:
        """The probability that the bankroll runs out; None without a bankroll."""
        return None if self.sitting.session_ruin is None else self.sitting.session_ruin.ruin

    @property
    def target(self) -> float | None:
        """The probability of reaching the target; None without a bankroll."""
        return None if self.sitting.session_ruin is None else self.sitting.session_ruin.target

    @property
    def forever(self) -> UltimateRuin | None:
        """Ruin and target without a limit on rounds; None without a bankroll or if too large."""
        return (
            None
            if isinstance(self.sitting.ultimate_ruin, UnknownRuin)
            else self.sitting.ultimate_ruin
        )

    @property
    def hold(self) -> TableHold:
        """The house's hold."""
        return self.sitting.hold

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup session --json`."""
        return session_sheet(self.sitting).json()

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
    **choices: Any,
) -> SessionResult:
    """Play many rounds: `session(1000, {"ante": 10, "trips_plus": 5}, bankroll=500)`.

    Amounts are in dollars. `strategy` is best play or a written strategy, as for `evaluate`. `pace`
    is rounds per hour.
    """
    table = rules(name, **choices)
    max_rounds = MAX_SESSION_ROUNDS if bankroll is None else MAX_BANKROLL_ROUNDS
    count = parse_count(rounds, "rounds", max_rounds)
    rounds_per_hour = parse_count(pace, "pace", MAX_ROUNDS_PER_HOUR)
    if target is not None and bankroll is None:
        raise Refused(Code.BAD_ARGUMENTS, "target", where="target")
    stakes = read_stakes(table, {"ante": 10} if bets is None else bets)
    meter_micros = meter_or_seed(table, read_meter(table, stakes, meter))
    written = read_strategy_or_best(strategy)
    play = strategy.splitlines()[0] if "\n" in strategy else strategy, written
    joint = WORKBENCH.distribution(table, stakes, meter_micros, play)
    bankroll_cents = None if bankroll is None else parse_cents(bankroll, "bankroll")
    target_cents = None if target is None else parse_cents(target, "target")
    return SessionResult(
        report_session(
            table,
            stakes,
            joint,
            count,
            rounds_per_hour,
            bankroll_cents,
            target_cents,
            strategy=play[0],
        )
    )
