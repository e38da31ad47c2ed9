"""Reporting thresholds: from which amounts a table's wins, wagers and cash are significant.

The house sets one set of thresholds for all its tables. Each table has them in its log, so what
has to be reported follows from the log alone.
"""

from dataclasses import dataclass

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import ConsoleOnly
from headsup.game.table.state import Floor, ReportingThresholds, Table, with_table
from headsup.game.values.money import Cents

MIN_THRESHOLD_CENTS, MAX_THRESHOLD_CENTS = 1, 10**12


@dataclass(frozen=True, slots=True)
class SetThresholds:
    """Set the amounts that are significant at this table from now on."""

    win: Cents
    wager: Cents
    transaction: Cents


@dataclass(frozen=True, slots=True)
class ThresholdsSet:
    win: Cents
    wager: Cents
    transaction: Cents

    audience = ConsoleOnly()


def decide_thresholds(command: SetThresholds) -> tuple[ThresholdsSet] | Refusal:
    thresholds = ReportingThresholds(command.win, command.wager, command.transaction)
    return refuse_thresholds(thresholds) or (ThresholdsSet(*thresholds),)


def evolve_thresholds(floor: Floor, table: Table, event: ThresholdsSet) -> Floor:
    thresholds = ReportingThresholds(event.win, event.wager, event.transaction)
    return with_table(floor, table._replace(thresholds=thresholds))


def refuse_thresholds(thresholds: ReportingThresholds) -> Refusal | None:
    for name, cents in thresholds._asdict().items():
        if not MIN_THRESHOLD_CENTS <= cents <= MAX_THRESHOLD_CENTS:
            least, most = MIN_THRESHOLD_CENTS, MAX_THRESHOLD_CENTS
            return refusal(Code.BAD_THRESHOLD, where=name, least=least, most=most)
    return None
