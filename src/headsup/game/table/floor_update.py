"""A floor with one thing changed: what every fold of an event is made of."""

from collections.abc import Iterable
from typing import TypeVar

from headsup.game.bank.ledger import Transfer, post
from headsup.game.bank.meter import Meter
from headsup.game.refusal import Refusal
from headsup.game.table.state import Floor, Table

T = TypeVar("T")


class BrokenRecord(ValueError):
    """An event that cannot have happened to this floor: nothing is refused once it is recorded."""


def unwrap_change(change: T | Refusal, what: str) -> T:
    """What a recorded event changed; that it could not is a broken record."""
    if isinstance(change, Refusal):
        raise BrokenRecord(f"{what}: {change.message}")
    return change


def with_table(floor: Floor, table: Table) -> Floor:
    return Floor(floor.ledger, floor.meters, floor.tables.with_entry(table.id, table))


def with_meter(floor: Floor, meter: Meter) -> Floor:
    meters = floor.meters.with_entry(meter.rules.name, meter)
    return Floor(floor.ledger, meters, floor.tables)


def with_transfers(floor: Floor, transfers: Iterable[Transfer]) -> Floor:
    return Floor(post(floor.ledger, transfers), floor.meters, floor.tables)
