"""Which amounts were large at a time, as far as the events about it tell."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from headsup.game.refusal import Refused
from headsup.house.cash.thresholds import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.schema import INCIDENTS
from headsup.house.store.settings import read_reporting_thresholds

# Clocks of several servers differ, and a log's time stands still while a clock was put back.
CLOCK_TOLERANCE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ThresholdRange:
    """From the lowest to the highest that may have counted; mostly they are one."""

    lowest: ReportingThresholds
    highest: ReportingThresholds


@dataclass(frozen=True, slots=True)
class _ThresholdPeriod:
    large: ReportingThresholds
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class ThresholdHistory:
    counted: tuple[_ThresholdPeriod, ...]
    differences: tuple[str, ...] = ()

    def at(self, time: str) -> ThresholdRange:
        """`time` as a log has it."""
        if len(self.counted) == 1:
            return ThresholdRange(self.counted[0].large, self.counted[0].large)
        moment = time[:19]
        large = [one.large for one in self.counted if one.since <= moment <= one.until]
        return ThresholdRange(_combine_fields(min, large), _combine_fields(max, large))


def read_threshold_history(connection: Connection) -> ThresholdHistory:
    row = INCIDENTS.c
    query = select(row.number, row.at, row.what).where(
        row.kind == IncidentKind.CONFIGURATION.value,
        row.what.contains('"act": "thresholds"', autoescape=True),
    )
    changes: list[tuple[datetime, ReportingThresholds]] = [(datetime.min, DEFAULT_THRESHOLDS)]
    wrong = []
    for number, at, what in connection.execute(query.order_by(row.number)):
        try:
            changes.append(
                (datetime.fromisoformat(at[:19]), ReportingThresholds(**json.loads(what)["now"]))
            )
        except (ValueError, TypeError, LookupError, Refused):
            wrong.append(f"event {number}: which amounts were large from then on cannot be read")
    if changes[-1][1] != read_reporting_thresholds(connection):
        wrong.append("which amounts are large is set otherwise than the last event about it tells")
    return ThresholdHistory(tuple(_threshold_periods(changes)), tuple(wrong))


def _threshold_periods(
    changes: list[tuple[datetime, ReportingThresholds]],
) -> Iterator[_ThresholdPeriod]:
    for place, (since, large) in enumerate(changes):
        last = place + 1 == len(changes)
        until = "9999" if last else _format_seconds(changes[place + 1][0] + CLOCK_TOLERANCE)
        yield _ThresholdPeriod(
            large, _format_seconds(since - CLOCK_TOLERANCE) if place else "", until
        )


def _format_seconds(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _combine_fields(
    choice: Callable[[Iterable[int]], int], large: list[ReportingThresholds]
) -> ReportingThresholds:
    """One by one: the least or the most that may have counted."""
    return ReportingThresholds(
        *(choice(getattr(one, name.name) for one in large) for name in fields(ReportingThresholds))
    )
