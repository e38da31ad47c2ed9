"""Decides a table's commands: floor + actor + command → events, or a refusal."""

from functools import lru_cache
from typing import assert_never

from headsup.game.record.message_codec import refuse_malformed_request
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import PlayerCommand, RoundCommand
from headsup.game.table import meter_control, opening, rounds
from headsup.game.table.chips.felt import is_guest_name
from headsup.game.table.chips.held_awards import AwardCommand, decide_award
from headsup.game.table.chips.shifts import CountBox, ShiftCommand, decide_shift
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.coupon_control import CancelCoupon, CouponCommand, decide_coupon
from headsup.game.table.dealing import SetDealing, decide_dealing
from headsup.game.table.equipment import EquipmentCommand, decide_equipment
from headsup.game.table.events import Answer
from headsup.game.table.evolve import evolve
from headsup.game.table.pacing import SetPace, decide_pace
from headsup.game.table.payout_corrections import CorrectPayout, decide_correction
from headsup.game.table.reporting import SetThresholds, decide_thresholds
from headsup.game.table.sealed_shuffles import AddSeed, SealCommand, decide_seal
from headsup.game.table.seating import (
    BuyIn,
    CashOut,
    Leave,
    SeatingCommand,
    Sit,
    decide_seating,
)
from headsup.game.table.state import Floor, Table

_PLAYER_ONLY_COMMANDS = PlayerCommand | AddSeed
_PLAYER_COMMANDS = PlayerCommand | AddSeed | Sit | Leave | BuyIn | CashOut


def decide(floor: Floor, table_id: str, actor: Actor, command: Command) -> Answer:
    """The events that follow from the command at this table, or a refusal."""
    if refused := refuse_malformed_request(table_id, actor, command):
        return refused
    if refused := _refuse_bad_name(actor):
        return refused
    if isinstance(command, opening.OpenTable):
        return _refuse_player(actor) or opening.open_table(floor, table_id, command)
    table = floor.tables.get(table_id)
    if table is None:
        return refusal(Code.NO_SUCH_TABLE, table=table_id)
    return (
        _refuse_wrong_actor(table, actor, command)
        or _refuse_closed(table, command)
        or _dispatch(floor, table, command)
    )


def act(floor: Floor, table_id: str, actor: Actor, command: Command) -> tuple[Floor, Answer]:
    """Decide the command and apply its events: the floor after it, and the events or refusal."""
    answer = decide(floor, table_id, actor, command)
    if isinstance(answer, Refusal):
        return floor, answer
    for event in answer:
        floor = evolve(floor, table_id, event)
    return floor, answer


def _dispatch(floor: Floor, table: Table, command: Command) -> Answer:
    # Round commands first: nearly all commands are of this kind.
    if isinstance(command, RoundCommand):
        return rounds.decide_round(floor, table, command)
    if isinstance(command, rounds.OpenRound):
        return rounds.decide_opening(table)
    if isinstance(command, SeatingCommand):
        return decide_seating(floor, table, command)
    if isinstance(command, SealCommand):
        return decide_seal(table, command)
    if isinstance(command, EquipmentCommand):
        return decide_equipment(table, command)
    if isinstance(command, meter_control.MeterCommand):
        return meter_control.decide_meter(floor, table, command)
    if isinstance(command, AwardCommand):
        return decide_award(floor, table, command)
    if isinstance(command, ShiftCommand):
        return decide_shift(floor, table, command)
    if isinstance(command, CouponCommand):
        return decide_coupon(table, command)
    if isinstance(command, CorrectPayout):
        return decide_correction(floor, table, command)
    if isinstance(command, opening.SetBonusCell):
        return opening.decide_bonus_cell(table, command)
    if isinstance(command, opening.CloseTable):
        return opening.close_table(floor, table, command)
    if isinstance(command, opening.OpenTable):
        return opening.open_table(floor, table.id, command)
    if isinstance(command, SetDealing):
        return decide_dealing(command)
    if isinstance(command, SetPace):
        return decide_pace(command)
    if isinstance(command, SetThresholds):
        return decide_thresholds(command)
    assert_never(command)


# A closed table's last rounds may still be disputed, and its meter still holds players' money.
# Coupons that nobody can use any more are still on the books.
_ALLOWED_WHEN_CLOSED = (
    CorrectPayout
    | CancelCoupon
    | CountBox
    | meter_control.CorrectMeter
    | meter_control.FreezeMeter
    | meter_control.PlanMeterClosing
    | meter_control.TransferPool
    | meter_control.ReceivePool
)


def _refuse_closed(table: Table, command: Command) -> Refusal | None:
    if not table.closed or isinstance(command, _ALLOWED_WHEN_CLOSED):
        return None
    return refusal(Code.TABLE_CLOSED, table=table.id, reason=table.closed)


# Who may send which command.


def _refuse_bad_name(actor: Actor) -> Refusal | None:
    named = isinstance(actor, PlayerAt) or _is_staff_name(actor.name)
    return None if named else refusal(Code.BAD_NAME, "staff")


@lru_cache(maxsize=1024)
def _is_staff_name(name: str) -> bool:
    """Whether the name is printable and does not look like a seat's."""
    printable = name == name.strip() and name.isprintable()
    return bool(name) and printable and not is_guest_name(name)


def _refuse_player(actor: Actor) -> Refusal | None:
    return refusal(Code.STAFF_ONLY) if isinstance(actor, PlayerAt) else None


def _refuse_wrong_actor(table: Table, actor: Actor, command: Command) -> Refusal | None:
    """Players act for their own seat only, the dealer for guests. Some commands are for staff."""
    if isinstance(actor, PlayerAt):
        if not isinstance(command, _PLAYER_COMMANDS):
            return refusal(Code.STAFF_ONLY)
        if command.seat != actor.seat:
            return refusal(Code.NOT_YOUR_SEAT, own=actor.seat, seat=command.seat)
        if table.is_guest(actor.seat):
            return refusal(Code.GUEST_SEAT, seat=actor.seat)
    elif isinstance(command, _PLAYER_ONLY_COMMANDS) and not _is_guests(table, command):
        return refusal(Code.PLAYER_ONLY, seat=command.seat)
    return None


def _is_guests(table: Table, command: PlayerCommand | AddSeed) -> bool:
    """Whether the dealer may send it, for a guest."""
    return isinstance(command, PlayerCommand) and table.is_guest(command.seat)
