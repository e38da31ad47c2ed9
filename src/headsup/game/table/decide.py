"""Decides a table's commands: floor + actor + command → events, or a refusal."""

from functools import lru_cache
from typing import assert_never

from headsup.game.record.message_codec import refuse_malformed_request
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReportIrregularity,
    TimeOut,
    WithdrawBets,
)
from headsup.game.table.commands import (
    SEAT_NAME,
    Actor,
    AddSeed,
    BuyIn,
    CancelCoupon,
    CashOut,
    CloseTable,
    Command,
    CorrectFlag,
    CorrectMeter,
    CorrectPayout,
    CountByHand,
    EndBonus,
    FreezeMeter,
    IssueCoupon,
    Leave,
    OpenRound,
    OpenShuffle,
    OpenTable,
    PlanMeterClosing,
    PlayerAt,
    ReadSensor,
    ReportEquipmentDown,
    ReportLostSeal,
    RestoreEquipment,
    SealShuffle,
    SetBonusCell,
    SetBonusPrize,
    Sit,
    TransferPool,
)
from headsup.game.table.coupon_control import decide_coupon
from headsup.game.table.equipment import decide_equipment
from headsup.game.table.events import Answer
from headsup.game.table.evolve import evolve
from headsup.game.table.meter_control import decide_meter
from headsup.game.table.opening import close_table, decide_bonus_cell, open_table, refuse_closed
from headsup.game.table.payout_corrections import correct_payout
from headsup.game.table.rounds import decide_round, open_round
from headsup.game.table.sealed_shuffles import decide_seal
from headsup.game.table.seating import buy_in, cash_out, leave, sit
from headsup.game.table.state import Floor, Table

_PLAYER_ROUND_COMMANDS = (PlaceBets, WithdrawBets, Check, Raise, Fold)
_PLAYER_ONLY_COMMANDS = (*_PLAYER_ROUND_COMMANDS, AddSeed)
_PLAYER_COMMANDS = (*_PLAYER_ONLY_COMMANDS, Sit, Leave, BuyIn, CashOut)
_ROUND_COMMANDS = (
    *_PLAYER_ROUND_COMMANDS,
    CloseBets,
    DealCards,
    Proceed,
    ReportIrregularity,
    TimeOut,
    ExtendTime,
)


def decide(floor: Floor, table_id: str, actor: Actor, command: Command) -> Answer:
    """The events that follow from the command at this table, or a refusal."""
    if refused := refuse_malformed_request(table_id, actor, command):
        return refused
    if refused := _refuse_bad_name(actor):
        return refused
    if isinstance(command, OpenTable):
        return _refuse_player(actor) or open_table(floor, table_id, command)
    table = floor.tables.get(table_id)
    if table is None:
        return refusal(Code.NO_SUCH_TABLE, table=table_id)
    return (
        _refuse_wrong_actor(actor, command)
        or refuse_closed(table, command)
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
    if isinstance(command, _ROUND_COMMANDS):
        return decide_round(floor, table, command)
    match command:
        case OpenTable():
            return open_table(floor, table.id, command)
        case CloseTable():
            return close_table(table, command)
        case Sit(seat, name):
            return sit(table, seat, name)
        case Leave(seat):
            return leave(floor, table, seat)
        case BuyIn(seat, amount):
            return buy_in(table, seat, amount)
        case CashOut(seat, amount):
            return cash_out(floor, table, seat, amount)
        case IssueCoupon() | CancelCoupon():
            return decide_coupon(table, command)
        case OpenRound():
            return open_round(table)
        case SealShuffle() | AddSeed() | OpenShuffle() | ReportLostSeal():
            return decide_seal(table, command)
        case CorrectPayout():
            return correct_payout(floor, table, command)
        case SetBonusCell():
            return decide_bonus_cell(table, command)
        case (
            CorrectMeter()
            | FreezeMeter()
            | PlanMeterClosing()
            | TransferPool()
            | SetBonusPrize()
            | EndBonus()
        ):
            return decide_meter(floor, table, command)
        case (
            ReadSensor()
            | CorrectFlag()
            | ReportEquipmentDown()
            | CountByHand()
            | RestoreEquipment()
        ):
            return decide_equipment(table, command)
        case _:
            assert_never(command)


# Who may send which command.


def _refuse_bad_name(actor: Actor) -> Refusal | None:
    named = isinstance(actor, PlayerAt) or _is_staff_name(actor.name)
    return None if named else refusal(Code.BAD_NAME, "staff")


@lru_cache(maxsize=1024)
def _is_staff_name(name: str) -> bool:
    """Whether the name is printable and does not look like a seat's."""
    printable = name == name.strip() and name.isprintable()
    return bool(name) and printable and SEAT_NAME.fullmatch(name) is None


def _refuse_player(actor: Actor) -> Refusal | None:
    return refusal(Code.STAFF_ONLY) if isinstance(actor, PlayerAt) else None


def _refuse_wrong_actor(actor: Actor, command: Command) -> Refusal | None:
    """Players act for their own seat only; some commands are for staff only."""
    if isinstance(actor, PlayerAt):
        if not isinstance(command, _PLAYER_COMMANDS):
            return refusal(Code.STAFF_ONLY)
        if command.seat != actor.seat:
            return refusal(Code.NOT_YOUR_SEAT, own=actor.seat, seat=command.seat)
    elif isinstance(command, _PLAYER_ONLY_COMMANDS):
        return refusal(Code.PLAYER_ONLY, seat=command.seat)
    return None
