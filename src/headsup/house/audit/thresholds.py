"""Reconstructs the reporting thresholds at any past time, from the events that changed them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from headsup.game.refusal import Refused
from headsup.house.cash.thresholds import DEFAULT_THRESHOLDS, THRESHOLDS, ReportingThresholds
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.schema import INCIDENTS
from headsup.house.store.settings import read_reporting_thresholds

# Servers' clocks differ, and a log's time stands still after a clock was set back.
CLOCK_TOLERANCE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class _ThresholdPeriod:
    thresholds: ReportingThresholds
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class ThresholdHistory:
    periods: tuple[_ThresholdPeriod, ...]
    differences: tuple[str, ...] = ()

    def at(self, time: str) -> tuple[ReportingThresholds, ...]:
        """The thresholds that may have been in force at a log entry's time; usually one."""
        seconds = time[:19]
        return tuple(
            period.thresholds for period in self.periods if period.since <= seconds <= period.until
        )


def read_threshold_history(connection: Connection) -> ThresholdHistory:
    row = INCIDENTS.c
    query = select(row.number, row.at, row.what).where(
        row.kind == IncidentKind.CONFIGURATION.value,
        row.floor == "",
        row.table == THRESHOLDS,
    )
    changes: list[tuple[datetime, ReportingThresholds]] = [(datetime.min, DEFAULT_THRESHOLDS)]
    differences = []
    for number, at, what in connection.execute(query.order_by(row.number)):
        try:
            changes.append(
                (datetime.fromisoformat(at[:19]), ReportingThresholds(**json.loads(what)["now"]))
            )
        except (ValueError, TypeError, LookupError, Refused):
            differences.append(f"event {number}: the reporting thresholds it set are unreadable")
    if changes[-1][1] != read_reporting_thresholds(connection):
        differences.append("the reporting thresholds differ from those in the last event")
    return ThresholdHistory(tuple(_threshold_periods(changes)), tuple(differences))


def _threshold_periods(
    changes: list[tuple[datetime, ReportingThresholds]],
) -> Iterator[_ThresholdPeriod]:
    for i, (since, thresholds) in enumerate(changes):
        is_last = i + 1 == len(changes)
        until = "9999" if is_last else _format_seconds(changes[i + 1][0] + CLOCK_TOLERANCE)
        yield _ThresholdPeriod(
            thresholds, _format_seconds(since - CLOCK_TOLERANCE) if i else "", until
        )


def _format_seconds(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
