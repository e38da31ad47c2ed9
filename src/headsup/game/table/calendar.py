"""Applies what depends on the day: coupons expire, and a Progressive ends (R12, R84).

The caller passes the day, since rules have no clock. Days are UTC and sort as text.
"""

from headsup.game.bank.meter_closing import refuse_after_plan, refuse_before_plan
from headsup.game.refusal import Refusal
from headsup.game.round.commands import PlaceBets
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Command
from headsup.game.table.coupon_control import IssueCoupon, refuse_expired
from headsup.game.table.events import Answer, Event
from headsup.game.table.meter_control import MeterClosingDue, TransferPool
from headsup.game.table.rounds import OpenRound
from headsup.game.table.state import Floor


def apply_day(
    floor: Floor, table_id: str, command: Command, events: tuple[Event, ...], day: str
) -> Answer:
    """The answer on this day to a command that leads to these events on some days."""
    match command:
        case PlaceBets():
            return (
                refuse_expired(floor.tables[table_id], command, day)
                or _refuse_progressive(floor, table_id, command, day)
                or events
            )
        case IssueCoupon():
            return refuse_expired(floor.tables[table_id], command, day) or events
        case TransferPool():
            meter = floor.meter_of(table_id)
            return (refuse_before_plan(meter, day) if meter else None) or events
        case OpenRound():
            return (*events, MeterClosingDue()) if _comes_due(floor, table_id, day) else events
        case _:
            return events


def _refuse_progressive(
    floor: Floor, table_id: str, command: PlaceBets, day: str
) -> Refusal | None:
    meter = floor.meter_of(table_id)
    if meter is None or Wager.PROGRESSIVE not in command.stakes:
        return None
    return refuse_after_plan(meter, day)


def _comes_due(floor: Floor, table_id: str, day: str) -> bool:
    """Whether the first round on or after the planned day opens, so that all are told."""
    meter = floor.meter_of(table_id)
    return meter is not None and meter.is_offered and refuse_after_plan(meter, day) is not None
