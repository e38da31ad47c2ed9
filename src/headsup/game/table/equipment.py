"""The commands and events of a table's wager tabulator (Washington App. E)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
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
from headsup.game.round.audience import (
    AT_THE_TABLE,
    Audience,
    SeatOnly,
    StaffOnly,
    TableAndDisplay,
)
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.postings import posting_reference
from headsup.game.table.state import (
    BrokenRecord,
    Floor,
    Table,
    unwrap_change,
    with_meter,
    with_table,
    with_transfers,
)
from headsup.game.table.tabulator import (
    Reading,
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


@dataclass(frozen=True, slots=True)
class ReadSensor:
    """A sensor at a real table reports that a chip was placed or taken away."""

    seat: int
    wager: Wager
    chip: bool


@dataclass(frozen=True, slots=True)
class CorrectFlag:
    """A supervisor resolves a mismatch between flag and felt before the deal (R87)."""

    seat: int
    wager: Wager
    wagered: bool
    reason: str
    dealer: str
    supervisor: str


@dataclass(frozen=True, slots=True)
class ReportEquipmentDown:
    """The tabulator is down: wagers are counted by hand and the display is frozen (R88)."""

    reason: str


@dataclass(frozen=True, slots=True)
class CountByHand:
    """The dealer's count of the wagers on the felt, in place of the tabulator's button."""

    counts: Mapping[Wager, int]


@dataclass(frozen=True, slots=True)
class RestoreEquipment:
    """The tabulator works again; two people approve what was counted by hand."""

    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SensorRead:
    """A sensor reported that a chip was placed or taken away, and what that means."""

    seat: int
    wager: Wager
    chip: bool
    reading: Reading

    @property
    def audience(self) -> Audience:
        return SeatOnly(self.seat)


@dataclass(frozen=True, slots=True)
class WagersRegistered:
    """The dealer pressed the button: the seats counted for each wager (App. E)."""

    flags: Mapping[Wager, tuple[int, ...]]

    audience = TableAndDisplay()


@dataclass(frozen=True, slots=True)
class WagersCountedByHand:
    counts: Mapping[Wager, int]

    audience = AT_THE_TABLE


@dataclass(frozen=True, slots=True)
class FlagCorrected:
    seat: int
    wager: Wager
    wagered: bool
    reason: str
    dealer: str
    supervisor: str

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class EquipmentWentDown:
    reason: str

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class EquipmentRestored:
    approvals: tuple[str, str]

    audience = StaffOnly()


EquipmentCommand = ReadSensor | CorrectFlag | ReportEquipmentDown | CountByHand | RestoreEquipment
EquipmentEvent = (
    SensorRead
    | WagersRegistered
    | WagersCountedByHand
    | FlagCorrected
    | EquipmentWentDown
    | EquipmentRestored
)
EquipmentAnswer = tuple[EquipmentEvent, ...] | Refusal


_ALLOWED_OUTSIDE_ROUNDS = (SensorRead, EquipmentWentDown, EquipmentRestored)


def decide_equipment(table: Table, command: EquipmentCommand) -> EquipmentAnswer:
    tabulator = table.tabulator
    if tabulator is None:
        return refusal(Code.NO_SUCH_SENSOR, "no_tabulator", table=table.id)
    match command:
        case ReadSensor(seat, wager, chip):
            reading = classify_reading(tabulator, seat, wager, chip)
            if isinstance(reading, Refusal):
                return replace(reading, data={**reading.data, "wager": _wager_label(table, wager)})
            return (SensorRead(seat, wager, chip, reading),)
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
            return _restore(table, tabulator, approvals)
        case _:
            assert_never(command)


def register_wagers(table: Table) -> tuple[WagersRegistered, ...]:
    """The event of the dealer's button at the close of bets, unless the equipment is down."""
    tabulator = table.tabulator
    if tabulator is None or tabulator.down:
        return ()
    return (WagersRegistered(tabulator.chips),)


def refuse_uncounted(table: Table, round: Round) -> Refusal | None:
    """Why no card may be dealt yet: wagers are not counted, or the count and the felt differ."""
    tabulator = table.tabulator
    if tabulator is None or round.phase is not Phase.NO_MORE_BETS:
        return None
    if tabulator.round != round.number:
        return refusal(Code.EQUIPMENT_DOWN, "count_first", reason=tabulator.down)
    mismatched = mismatches(tabulator, _counted_stakes(tabulator, round))
    if not mismatched:
        return None
    wager, seats = next(iter(mismatched.items()))
    return refusal(Code.FLAG_MISMATCH, wager=_wager_label(table, wager), seats=seats)


def _wager_label(table: Table, wager: Wager) -> str:
    """The wager's name as printed on the felt."""
    return table.rules.book.label(wager)


def _correct_flag(table: Table, tabulator: Tabulator, command: CorrectFlag) -> EquipmentAnswer:
    if refused := _refuse_undocumented(command):
        return refused
    round = table.round
    if round is None or round.phase is not Phase.NO_MORE_BETS or tabulator.round != round.number:
        return refusal(Code.NO_ROUND_REGISTERED)
    seats = mismatches(tabulator, _counted_stakes(tabulator, round)).get(command.wager, ())
    is_placed = command.seat in round.seats and command.wager in round.seats[command.seat].stakes
    if command.seat not in seats or command.wagered is not is_placed:
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


def _count_by_hand(table: Table, tabulator: Tabulator, command: CountByHand) -> EquipmentAnswer:
    if not tabulator.down:
        return refusal(Code.EQUIPMENT_RUNS)
    round = table.round
    if round is None or round.phase is not Phase.NO_MORE_BETS or tabulator.round == round.number:
        return refusal(Code.NO_ROUND_REGISTERED, "nothing_to_count")
    on_felt = count_stakes(tabulator, _live_stakes(round))
    for wager, count in command.counts.items():
        if on_felt.get(wager) != count:
            felt = on_felt.get(wager, 0)
            name = _wager_label(table, wager)
            return refusal(Code.HAND_COUNT, wager=name, counted=count, felt=felt)
    if len(command.counts) != len(on_felt):
        names = tuple(_wager_label(table, wager) for wager in on_felt)
        return refusal(Code.HAND_COUNT, "missing", wagers=names)
    return (WagersCountedByHand(on_felt),)


def _restore(table: Table, tabulator: Tabulator, approvals: tuple[str, str]) -> EquipmentAnswer:
    """R88: the equipment counts again. What was counted by hand is on the meter already."""
    if not tabulator.down:
        return refusal(Code.EQUIPMENT_RUNS)
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "equipment", round=table.rounds)
    if refused := refuse_unless_two_people(approvals):
        return refused
    return (EquipmentRestored(approvals),)


# Applying events.


def evolve_equipment(floor: Floor, table: Table, event: EquipmentEvent) -> Floor:
    """The floor after the event, including the meter if it counts the table's wagers."""
    tabulator, name = table.tabulator, type(event).__name__
    if tabulator is None:
        raise BrokenRecord(f"table {table.id}: {name} without a tabulator")
    if table.round is None and not isinstance(event, _ALLOWED_OUTSIDE_ROUNDS):
        raise BrokenRecord(f"table {table.id}: {name} before the first round")
    number, meter = table.rounds, _fed_meter(floor, table)
    meter_change: MeterChange | Refusal | None = None
    match event:
        case SensorRead(seat, wager, chip):
            tabulator = record_reading(tabulator, seat, wager, chip)
        case WagersRegistered(flags):
            tabulator = press_button(tabulator._replace(chips=flags), number)
            wagers = len(flags.get(Wager.PROGRESSIVE, ()))
            meter_change = _contribute(table, meter, wagers)
        case WagersCountedByHand(counts):
            tabulator = count_by_hand(tabulator, number, counts)
            meter_change = _contribute(table, meter, counts.get(Wager.PROGRESSIVE, 0))
        case FlagCorrected(seat, wager, wagered):
            tabulator = correct_flag(tabulator, seat, wager, wagered)
            apply = contribute if wagered else reverse_contribution
            meter_change = (
                apply(meter, 1, _stake(table), posting_reference(table)) if meter else None
            )
        case EquipmentWentDown(reason):
            tabulator = tabulator_down(tabulator, reason)
            meter_change = (
                (mark_table_down(floor.meters[table.meter], reason), ()) if table.meter else None
            )
        case EquipmentRestored():
            tabulator = resume_counting(tabulator)
            meter_change = (mark_table_up(floor.meters[table.meter]), ()) if table.meter else None
        case _:
            assert_never(event)
    floor = with_table(floor, table._replace(tabulator=tabulator))
    if meter_change is None:
        return floor
    changed, transfers = unwrap_change(meter_change, table.id)
    return with_meter(with_transfers(floor, transfers) if transfers else floor, changed)


def _contribute(table: Table, meter: Meter | None, wagers: int) -> MeterChange | Refusal | None:
    return contribute(meter, wagers, _stake(table), posting_reference(table)) if meter else None


def _fed_meter(floor: Floor, table: Table) -> Meter | None:
    """The meter that this table's wagers add to, if there is one."""
    meter = floor.meters.get(table.meter)
    return meter if meter is not None and meter.takes_contributions else None


def _stake(table: Table) -> Micros:
    return table.rules.progressive_stake * MICROS_PER_CENT


def _live_stakes(round: Round) -> dict[int, Mapping[Wager, Cents]]:
    """The stakes that are counted by hand: those of a void hand go back uncounted."""
    return {number: seat.stakes for number, seat in round.seats.items() if seat.void is None}


def _counted_stakes(tabulator: Tabulator, round: Round) -> dict[int, Collection[Wager]]:
    """The wagers that must be flagged. Those of a void hand go back, so none is counted late."""
    flags = tabulator.flags
    return {
        number: seat.stakes
        if seat.void is None
        else [wager for wager in seat.stakes if number in flags.get(wager, ())]
        for number, seat in round.seats.items()
    }
