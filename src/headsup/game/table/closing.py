"""Closing a table: everybody has left, no round is open, and what stays is its record."""

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import (
    CloseTable,
    Command,
    CorrectMeter,
    CorrectPayout,
    FreezeMeter,
    PlanMeterClosing,
    TransferPool,
)
from headsup.game.table.events import Answer, TableClosed
from headsup.game.table.state import Table

# A round may be disputed, and a meter holds players' money, after the last round too.
_ALLOWED_WHEN_CLOSED = (CorrectPayout, CorrectMeter, FreezeMeter, PlanMeterClosing, TransferPool)


def close_table(table: Table, command: CloseTable) -> Answer:
    if table.playing and table.round is not None:
        return refusal(Code.ROUND_OPEN, "not_closed", round=table.round.number)
    if table.players:
        return refusal(Code.TABLE_OCCUPIED, table=table.id, seats=tuple(sorted(table.players)))
    if not command.reason.strip() or not command.by.strip():
        return refusal(Code.CLOSING_RECORD)
    return (TableClosed(command.reason, command.by),)


def refuse_closed(table: Table, command: Command) -> Refusal | None:
    """What a closed table does not take any more."""
    if not table.closed or isinstance(command, _ALLOWED_WHEN_CLOSED):
        return None
    return refusal(Code.TABLE_CLOSED, table=table.id, reason=table.closed)
