"""The gaming day: which day of the reports a moment belongs to (R110). Records stay in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from headsup.game.refusal import Code, Refusal, refusal


@dataclass(frozen=True, slots=True)
class GamingDay:
    """The house's own day: its time zone, and the hour at which a new day begins."""

    zone: str = ""  # as in the time zone database, like Europe/Berlin; empty for the server's own
    hour: int = 0

    def day_of(self, at: str) -> str:
        """The day of a recorded time, like 2026-01-31. At 03:00 with a change at 6 it is still
        the day before."""
        moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
        local = moment.astimezone(ZoneInfo(self.zone) if self.zone else None)
        # By the clock on the wall: on the day on which clocks change, the hour is still this one.
        return (local.replace(tzinfo=None) - timedelta(hours=self.hour)).date().isoformat()


def refuse_gaming_day(day: GamingDay) -> Refusal | None:
    if not 0 <= day.hour <= 23:
        return refusal(Code.BAD_GAMING_DAY, "hour", value=day.hour)
    try:
        if day.zone:
            ZoneInfo(day.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return refusal(Code.BAD_GAMING_DAY, zone=day.zone)
    return None
