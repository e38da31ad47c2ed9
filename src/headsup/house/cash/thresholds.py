"""Which amounts are large: those that a regulator wants to be shown as significant events, and
cash that takes two persons. The house's own figures, the same on every server."""

from dataclasses import asdict, dataclass, fields

from headsup.game.refusal import Code, Refused
from headsup.game.values.money import Cents

MIN_THRESHOLD_CENTS, MAX_THRESHOLD_CENTS = 1, 10**12  # cents


@dataclass(frozen=True, slots=True)
class ReportingThresholds:
    """From which amount on, in cents."""

    win: Cents = 1_000_000
    wager: Cents = 500_000  # of one seat in one round
    transaction: Cents = 1_000_000

    def __post_init__(self) -> None:
        for one in fields(self):
            cents = getattr(self, one.name)
            if type(cents) is not int or not MIN_THRESHOLD_CENTS <= cents <= MAX_THRESHOLD_CENTS:
                raise Refused(
                    Code.BAD_THRESHOLD,
                    where=one.name,
                    least=MIN_THRESHOLD_CENTS,
                    most=MAX_THRESHOLD_CENTS,
                )

    def is_large(self, cents: Cents) -> bool:
        """Cash of this amount, in or out."""
        return abs(cents) >= self.transaction

    def changes(self, new: "ReportingThresholds") -> dict[str, object]:
        """What is told where they are set."""
        return {"act": "thresholds", "was": asdict(self), "now": asdict(new)}


DEFAULT_THRESHOLDS = ReportingThresholds()
