"""The program's only clock. The game itself never reads the time; it is passed in."""

from datetime import UTC, datetime


def now() -> str:
    """UTC with microseconds, as the log writes it: 2026-01-31T12:00:00.000000Z."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
