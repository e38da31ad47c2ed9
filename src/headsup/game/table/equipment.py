"""The tabulator at its table: what the staff and the sensors report, and what follows (App. E)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from headsup.game.bank.meter import Meter
from headsup.game.bank.meter_changes import (
    MeterChange,
    contribute,
    mark_table_down,
    mark_table_up,
    refuse_unless_two_people,
    reverse_contribution,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import (
    CorrectFlag,
    CountByHand,
    EquipmentCommand,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
)
from headsup.game.table.events import (
    Answer,
    EquipmentEvent,
    EquipmentRestored,
    EquipmentWentDown,
    FlagCorrected,
    MeterCorrected,
    SensorRead,
    WagersCountedByHand,
    WagersRegistered,
)
from headsup.game.table.floor_update import (
    BrokenRecord,
    unwrap_change,
    with_meter,
    with_table,
    with_transfers,
)
from headsup.game.table.postings import posting_reference
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import (
    Tabulator,
    classify_reading,
    correct_flag,
    count_by_hand,
    count_stakes,
    mismatches,
    press_button,
    record_reading,
    resume_counting,
)
from headsup.game.table.tabulator import stop_counting as tabulator_down
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros

_BETWEEN = (SensorRead, EquipmentWentDown, EquipmentRestored)


def decide_equipment(floor: Floor, table: Table, command: EquipmentCommand) -> Answer:
    tabulator = table.tabulator
    if tabulator is None:
        return refusal(Code.NO_SUCH_SENSOR, "no_tabulator", table=table.id)
    match command:
        case ReadSensor(seat, wager, chip):
            meaning = classify_reading(tabulator, seat, wager, chip)
            if isinstance(meaning, Refusal):
                return replace(meaning, data={**meaning.data, "wager": _wager_label(table, wager)})
            return (SensorRead(seat, wager, chip, meaning),)
        case CorrectFlag():
            return _correct_flag(table, tabulator, command)
        case ReportEquipmentDown(reason):
            if tabulator.down:
                return refusal(Code.EQUIPMENT_DOWN, reason=tabulator.down)
            if not reason.strip():
                return refusal(Code.TABULATOR_RECORD)
            return (EquipmentWentDown(reason),)
        case CountByHand():
            return _count_by_hand(table, tabulator, command)
        case RestoreEquipment(approvals):
            return _restore(floor, table, tabulator, approvals)
        case _:
            assert_never(command)


def register_wagers(table: Table) -> tuple[WagersRegistered, ...]:
    """What the dealer's button at the close of bets adds, where the equipment runs."""
    tabulator = table.tabulator
    if tabulator is None or tabulator.down:
        return ()
    return (WagersRegistered(tabulator.chips),)


def refuse_uncounted(table: Table, round: Round) -> Refusal | None:
    """Why no card may be dealt yet: the wagers are not counted, or not those on the felt."""
    tabulator = table.tabulator
    if tabulator is None or round.phase is not Phase.NO_MORE_BETS:
        return None
    if tabulator.round != round.number:
        return refusal(Code.EQUIPMENT_DOWN, "count_first", reason=tabulator.down)
    differ = mismatches(tabulator, _stakes(round))
    if not differ:
        return None
    wager, seats = next(iter(differ.items()))
    return refusal(Code.FLAG_MISMATCH, wager=_wager_label(table, wager), seats=seats)


def _wager_label(table: Table, wager: Wager) -> str:
    """As the felt has it."""
    return table.rules.book.label(wager)


def _correct_flag(table: Table, tabulator: Tabulator, command: CorrectFlag) -> Answer:
    if refused := _refuse_undocumented(command):
        return refused
    round = table.round
    if round is None or round.phase is not Phase.NO_MORE_BETS or tabulator.round != round.number:
        return refusal(Code.NO_ROUND_REGISTERED)
    differ = mismatches(tabulator, _stakes(round)).get(command.wager, ())
    placed = command.seat in round.seats and command.wager in round.seats[command.seat].stakes
    if command.seat not in differ or command.wagered is not placed:
        return refusal(
            Code.NO_MISMATCH, seat=command.seat, wager=_wager_label(table, command.wager)
        )
    return (
        FlagCorrected(
            command.seat,
            command.wager,
            command.wagered,
            command.reason,
            command.dealer.strip(),
            command.supervisor.strip(),
        ),
    )


def _refuse_undocumented(command: CorrectFlag) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "correction")
    return None if command.reason.strip() else refusal(Code.NEEDS_REASON, "correction")


def _count_by_hand(table: Table, tabulator: Tabulator, command: CountByHand) -> Answer:
    if not tabulator.down:
        return refusal(Code.EQUIPMENT_RUNS)
    round = table.round
    if round is None or round.phase is not Phase.NO_MORE_BETS or tabulator.round == round.number:
        return refusal(Code.NO_ROUND_REGISTERED, "nothing_to_count")
    counted = count_stakes(tabulator, _stakes(round))
    for wager, count in command.counts.items():
        if counted.get(wager) != count:
            felt = counted.get(wager, 0)
            name = _wager_label(table, wager)
            return refusal(Code.HAND_COUNT, wager=name, counted=count, felt=felt)
    if len(command.counts) != len(counted):
        names = tuple(_wager_label(table, wager) for wager in counted)
        return refusal(Code.HAND_COUNT, "missing", wagers=names)
    return (WagersCountedByHand(counted),)


def _restore(
    floor: Floor, table: Table, tabulator: Tabulator, approvals: tuple[str, str]
) -> Answer:
    """R88: the equipment counts again, and a correction of the meter makes good what was counted
    by hand; what other tables counted meanwhile goes onto a meter that runs again by itself."""
    if not tabulator.down:
        return refusal(Code.EQUIPMENT_RUNS)
    if table.playing:
        return refusal(Code.ROUND_OPEN, "equipment", round=table.rounds)
    if refused := refuse_unless_two_people(approvals):
        return refused
    restored = EquipmentRestored(tabulator.owed, approvals)
    wagers = tabulator.owed.get(Wager.PROGRESSIVE, 0)
    meter = _fed_meter(floor, table)
    amount = wagers * meter.rules.contribution_of(_stake(table)) if meter else 0
    if not amount:
        return (restored,)
    reason = f"{wagers} wagers counted by hand: {tabulator.down}"
    return (restored, MeterCorrected(amount, reason, approvals))


# What happened.


def evolve_equipment(floor: Floor, table: Table, event: EquipmentEvent) -> Floor:
    """The floor after it, a meter that counts with it included."""
    tabulator = table.tabulator
    if tabulator is None or (table.round is None and not isinstance(event, _BETWEEN)):
        raise BrokenRecord(f"table {table.id}: {type(event).__name__} without a tabulator")
    number, meter = table.rounds, _fed_meter(floor, table)
    moved: MeterChange | Refusal | None = None
    match event:
        case SensorRead(seat, wager, chip):
            tabulator = record_reading(tabulator, seat, wager, chip)
        case WagersRegistered(flags):
            tabulator = press_button(tabulator._replace(chips=flags), number)
            wagers = len(flags.get(Wager.PROGRESSIVE, ()))
            moved = (
                contribute(meter, wagers, _stake(table), posting_reference(table))
                if meter
                else None
            )
        case WagersCountedByHand(counts):
            tabulator = count_by_hand(tabulator, number, counts)
        case FlagCorrected(seat, wager, wagered):
            tabulator = correct_flag(tabulator, seat, wager, wagered)
            change = contribute if wagered else reverse_contribution
            moved = change(meter, 1, _stake(table), posting_reference(table)) if meter else None
        case EquipmentWentDown(reason):
            tabulator = tabulator_down(tabulator, reason)
            moved = (
                (mark_table_down(floor.meters[table.meter], reason), ()) if table.meter else None
            )
        case EquipmentRestored():
            tabulator = resume_counting(tabulator)
            moved = (
                mark_table_up(floor.meters[table.meter], posting_reference(table))
                if table.meter
                else None
            )
        case _:
            assert_never(event)
    floor = with_table(floor, table._replace(tabulator=tabulator))
    if moved is None:
        return floor
    changed, transfers = unwrap_change(moved, table.id)
    return with_meter(with_transfers(floor, transfers) if transfers else floor, changed)


def _fed_meter(floor: Floor, table: Table) -> Meter | None:
    """The meter that wagers at this table add to, if any does."""
    meter = floor.meters.get(table.meter)
    return meter if meter is not None and meter.fed else None


def _stake(table: Table) -> Micros:
    return table.rules.progressive_stake * MICROS_PER_CENT


def _stakes(round: Round) -> dict[int, Mapping[Wager, Cents]]:
    return {number: seat.stakes for number, seat in round.seats.items()}
