"""Which amounts were large at a time, as far as the events about it tell."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from headsup.game.refusal import Refused
from headsup.house.cash.thresholds import USUAL, Large
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.schema import INCIDENTS
from headsup.house.store.settings import kept_large

# Clocks of several servers differ, and a log's time stands still while a clock was put back.
UNSURE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Between:
    """From the lowest to the highest that may have counted; mostly they are one."""

    lowest: Large
    highest: Large


@dataclass(frozen=True, slots=True)
class _Counted:
    large: Large
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class Thresholds:
    counted: tuple[_Counted, ...]
    differences: tuple[str, ...] = ()

    def at(self, time: str) -> Between:
        """`time` as a log has it."""
        if len(self.counted) == 1:
            return Between(self.counted[0].large, self.counted[0].large)
        moment = time[:19]
        large = [one.large for one in self.counted if one.since <= moment <= one.until]
        return Between(_each(min, large), _each(max, large))


def read_thresholds(connection: Connection) -> Thresholds:
    row = INCIDENTS.c
    query = select(row.number, row.at, row.what).where(
        row.kind == IncidentKind.CONFIGURATION.value,
        row.what.contains('"act": "thresholds"', autoescape=True),
    )
    changes: list[tuple[datetime, Large]] = [(datetime.min, USUAL)]
    wrong = []
    for number, at, what in connection.execute(query.order_by(row.number)):
        try:
            changes.append((datetime.fromisoformat(at[:19]), Large(**json.loads(what)["now"])))
        except (ValueError, TypeError, LookupError, Refused):
            wrong.append(f"event {number}: which amounts were large from then on cannot be read")
    if changes[-1][1] != kept_large(connection):
        wrong.append("which amounts are large is set otherwise than the last event about it tells")
    return Thresholds(tuple(_counted(changes)), tuple(wrong))


def _counted(changes: list[tuple[datetime, Large]]) -> Iterator[_Counted]:
    for place, (since, large) in enumerate(changes):
        last = place + 1 == len(changes)
        until = "9999" if last else _written(changes[place + 1][0] + UNSURE)
        yield _Counted(large, _written(since - UNSURE) if place else "", until)


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _each(choice: Callable[[Iterable[int]], int], large: list[Large]) -> Large:
    """One by one: the least or the most that may have counted."""
    return Large(*(choice(getattr(one, name.name) for one in large) for name in fields(Large)))
