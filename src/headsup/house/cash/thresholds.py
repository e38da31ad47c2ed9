"""Reporting thresholds: from which amount a win, wager or cash transaction is significant.

Significant amounts are recorded for the regulator, and large cash moves need two people. An
administrator sets the thresholds for the whole house, on every server.
"""

from dataclasses import asdict, dataclass, fields

from headsup.game.refusal import Code, Refused
from headsup.game.values.money import Cents

THRESHOLDS = "thresholds"  # what the event of a change is filed under
MIN_THRESHOLD_CENTS, MAX_THRESHOLD_CENTS = 1, 10**12


@dataclass(frozen=True, slots=True)
class ReportingThresholds:
    """An amount of cents that reaches its threshold is significant."""

    win: Cents = 1_000_000
    wager: Cents = 500_000  # of one seat in one round
    transaction: Cents = 1_000_000

    def __post_init__(self) -> None:
        for field in fields(self):
            cents = getattr(self, field.name)
            if type(cents) is not int or not MIN_THRESHOLD_CENTS <= cents <= MAX_THRESHOLD_CENTS:
                raise Refused(
                    Code.BAD_THRESHOLD,
                    where=field.name,
                    least=MIN_THRESHOLD_CENTS,
                    most=MAX_THRESHOLD_CENTS,
                )

    def is_large(self, cents: Cents) -> bool:
        """Whether a cash move of this amount, in or out, is significant."""
        return abs(cents) >= self.transaction

    def changes(self, new: "ReportingThresholds") -> dict[str, object]:
        """The details of the significant event for a change to `new`."""
        return {"act": THRESHOLDS, "was": asdict(self), "now": asdict(new)}


DEFAULT_THRESHOLDS = ReportingThresholds()
