"""Shifts at a table with real chips: the tray is counted in, filled, credited and counted out.

Every movement of chips and cash has a slip with a number and two names. The book says what should
be in the tray; the count says what is. The difference is the shift's variance, and it is posted,
so that the book goes on from what was counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from headsup.game.bank.balances import AccountKind
from headsup.game.bank.ledger import (
    Account,
    Reason,
    Transfer,
    drop_account,
    tray_account,
    variance_account,
    vault_account,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import ConsoleOnly
from headsup.game.round.state import Round
from headsup.game.table.chips.felt import Box, Felt, FeltSettings, Shift
from headsup.game.table.state import BrokenRecord, Floor, Table, with_table, with_transfers
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros

# Pieces by denomination in cents: {500: 40} is forty chips of $5. Empty if only a sum was counted.
Pieces = Mapping[Cents, int]
MAX_COUNT_CENTS = 10**12
HOUSE_CHIPS = (AccountKind.TRAY, AccountKind.DROP, AccountKind.VAULT, AccountKind.VARIANCE)


@dataclass(frozen=True, slots=True)
class SetFelt:
    """Set what the house demands of this table's real chips, between rounds."""

    settings: FeltSettings
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class OpenShift:
    """Count the tray in. `pieces` is the number of chips by denomination in cents; if it is empty,
    `amount` is the whole count."""

    amount: Cents
    approvals: tuple[str, str]
    pieces: Pieces = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FillTray:
    """Bring chips from the cage to the tray."""

    amount: Cents
    approvals: tuple[str, str]
    pieces: Pieces = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CreditTray:
    """Bring chips from the tray to the cage."""

    amount: Cents
    approvals: tuple[str, str]
    pieces: Pieces = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PullBox:
    """Take the box with the guests' cash away, to be counted elsewhere."""

    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CountBox:
    """What the count room found in a box; `box` is the number of the slip it was pulled with."""

    box: int
    amount: Cents
    approvals: tuple[str, str]
    pieces: Pieces = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CloseShift:
    """Count the tray out, between rounds."""

    amount: Cents
    approvals: tuple[str, str]
    pieces: Pieces = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FeltSet:
    settings: FeltSettings
    approvals: tuple[str, str]

    audience = ConsoleOnly()


@dataclass(frozen=True, slots=True)
class ShiftOpened:
    """`issued` is what the cage gave a tray that never had a shift; otherwise `variance` is what
    the count differs from the book."""

    shift: int
    slip: int
    amount: Cents
    pieces: Pieces
    expected: Cents
    issued: Cents
    variance: Cents
    approvals: tuple[str, str]

    audience = ConsoleOnly()


@dataclass(frozen=True, slots=True)
class TrayFilled:
    shift: int
    slip: int
    amount: Cents
    pieces: Pieces
    approvals: tuple[str, str]

    audience = ConsoleOnly()


@dataclass(frozen=True, slots=True)
class TrayCredited:
    shift: int
    slip: int
    amount: Cents
    pieces: Pieces
    approvals: tuple[str, str]

    audience = ConsoleOnly()


@dataclass(frozen=True, slots=True)
class BoxPulled:
    shift: int
    slip: int
    amount: Cents  # by the book
    approvals: tuple[str, str]

    audience = ConsoleOnly()


@dataclass(frozen=True, slots=True)
class BoxCounted:
    shift: int  # in which the box was pulled
    slip: int
    box: int
    amount: Cents
    pieces: Pieces
    expected: Cents
    approvals: tuple[str, str]

    audience = ConsoleOnly()

    @property
    def variance(self) -> Cents:
        return self.amount - self.expected


@dataclass(frozen=True, slots=True)
class ShiftClosed:
    """The count and what it must be, with all figures of the shift, so that its slip and its
    reports follow from this event alone."""

    shift: int
    slip: int
    amount: Cents
    pieces: Pieces
    expected: Cents
    opening: Cents
    fills: Cents
    credits: Cents
    drop: Cents
    approvals: tuple[str, str]

    audience = ConsoleOnly()

    @property
    def variance(self) -> Cents:
        return self.amount - self.expected


ShiftCommand = SetFelt | OpenShift | FillTray | CreditTray | PullBox | CountBox | CloseShift
ShiftEvent = (
    FeltSet | ShiftOpened | TrayFilled | TrayCredited | BoxPulled | BoxCounted | ShiftClosed
)
ShiftAnswer = tuple[ShiftEvent] | Refusal


def decide_shift(floor: Floor, table: Table, command: ShiftCommand) -> ShiftAnswer:
    if refused := _refuse_one_person(command.approvals):
        return refused
    match command:
        case SetFelt(settings, approvals):
            return (
                _refuse_in_round(table)
                or _refuse_settings(settings)
                or (FeltSet(settings, approvals),)
            )
        case OpenShift():
            return _open(floor, table, command)
        case FillTray() | CreditTray():
            return _move_chips(table, command)
        case PullBox(approvals):
            return _pull_box(floor, table, approvals)
        case CountBox():
            return _count_box(table, command)
        case CloseShift():
            return _close(floor, table, command)
        case _:
            assert_never(command)


def refuse_without_shift(table: Table) -> Refusal | None:
    """Why no round with guests may open: the house wants the tray to be counted in first."""
    felt = table.felt
    if felt.settings.shift_required and felt.shift is None and felt.guests:
        return refusal(Code.NO_SHIFT, "required", table=table.id)
    return None


def _open(floor: Floor, table: Table, command: OpenShift) -> ShiftAnswer:
    felt = table.felt
    if felt.shift is not None:
        return refusal(Code.SHIFT_OPEN, table=table.id, shift=felt.shift.number)
    counted = _counted(command.amount, command.pieces)
    if refused := _refuse_in_round(table):
        return refused
    if isinstance(counted, Refusal):
        return counted
    expected = _cents(floor, tray_account(table.id))
    is_first, difference = not felt.shifts, counted - expected
    issued, variance = (difference, 0) if is_first else (0, difference)
    number, slip = felt.shifts + 1, felt.slips + 1
    opened = ShiftOpened(
        number, slip, counted, command.pieces, expected, issued, variance, command.approvals
    )
    return (opened,)


def _move_chips(table: Table, command: FillTray | CreditTray) -> ShiftAnswer:
    shift = table.felt.shift
    if shift is None:
        return refusal(Code.NO_SHIFT, table=table.id)
    counted = _counted(command.amount, command.pieces)
    if isinstance(counted, Refusal):
        return counted
    if not counted:
        return refusal(Code.BAD_COUNT, "nothing")
    kind = TrayFilled if isinstance(command, FillTray) else TrayCredited
    slip = table.felt.slips + 1
    return (kind(shift.number, slip, counted, command.pieces, command.approvals),)


def _pull_box(floor: Floor, table: Table, approvals: tuple[str, str]) -> ShiftAnswer:
    shift = table.felt.shift
    if shift is None:
        return refusal(Code.NO_SHIFT, table=table.id)
    booked = _cents(floor, drop_account(table.id))
    return (BoxPulled(shift.number, table.felt.slips + 1, booked, approvals),)


def _count_box(table: Table, command: CountBox) -> ShiftAnswer:
    box = table.felt.boxes.get(command.box)
    if box is None:
        waiting = tuple(sorted(table.felt.boxes))
        return refusal(Code.NO_SUCH_BOX, box=command.box, waiting=waiting)
    counted = _counted(command.amount, command.pieces)
    if isinstance(counted, Refusal):
        return counted
    slip = table.felt.slips + 1
    pieces, approvals = command.pieces, command.approvals
    return (BoxCounted(box.shift, slip, command.box, counted, pieces, box.amount, approvals),)


def _close(floor: Floor, table: Table, command: CloseShift) -> ShiftAnswer:
    shift = table.felt.shift
    if shift is None:
        return refusal(Code.NO_SHIFT, table=table.id)
    if refused := _refuse_in_round(table):
        return refused
    counted = _counted(command.amount, command.pieces)
    if isinstance(counted, Refusal):
        return counted
    closed = ShiftClosed(
        shift.number,
        table.felt.slips + 1,
        counted,
        command.pieces,
        _cents(floor, tray_account(table.id)),
        shift.opening,
        shift.fills,
        shift.credits,
        shift.drop,
        command.approvals,
    )
    return (closed,)


def _counted(amount: Cents, pieces: Pieces) -> Cents | Refusal:
    """The sum of a count; a sum that is given beside the pieces must be theirs."""
    for denomination, number in pieces.items():
        if denomination <= 0 or number < 0:
            return refusal(Code.BAD_COUNT, "pieces")
    total = sum(denomination * number for denomination, number in pieces.items())
    if pieces and amount not in (0, total):
        return refusal(Code.BAD_COUNT, "sum", amount=amount, total=total)
    counted = total if pieces else amount
    if not 0 <= counted <= MAX_COUNT_CENTS:
        return refusal(Code.BAD_COUNT, most=MAX_COUNT_CENTS)
    return counted


def _refuse_settings(settings: FeltSettings) -> Refusal | None:
    if min(settings.lock_above, settings.tax_notice) < 0:
        return refusal(Code.BAD_AMOUNT, "felt")
    return None


def _refuse_in_round(table: Table) -> Refusal | None:
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "not_closed", round=table.rounds)
    return None


def _refuse_one_person(approvals: tuple[str, str]) -> Refusal | None:
    names = {name.strip().casefold() for name in approvals} - {""}
    return None if len(names) == 2 else refusal(Code.NEEDS_TWO_PEOPLE, "tray")


# Applying events.


def evolve_shift(floor: Floor, table: Table, event: ShiftEvent) -> Floor:
    felt, id = table.felt, table.id
    tray, vault, variance = tray_account(id), vault_account(id), variance_account(id)
    transfers: tuple[Transfer, ...] = ()
    match event:
        case FeltSet(settings):
            felt = felt._replace(settings=settings)
        case ShiftOpened():
            ref = _slip_reference(id, event.slip)
            transfers = (
                *_between(vault, tray, event.issued, Reason.FLOAT, ref),
                *_between(variance, tray, event.variance, Reason.VARIANCE, ref),
            )
            floor = with_transfers(floor, transfers) if transfers else floor
            transfers = ()
            shift = Shift(event.shift, event.amount, house_chips(floor, id))
            felt = felt._replace(shift=shift, shifts=event.shift, slips=event.slip)
        case TrayFilled(_, slip, amount):
            shift = _open_shift(table)
            felt = felt._replace(shift=shift._replace(fills=shift.fills + amount), slips=slip)
            transfers = _between(vault, tray, amount, Reason.FILL, _slip_reference(id, slip))
        case TrayCredited(_, slip, amount):
            shift = _open_shift(table)
            felt = felt._replace(shift=shift._replace(credits=shift.credits + amount), slips=slip)
            transfers = _between(tray, vault, amount, Reason.CREDIT, _slip_reference(id, slip))
        case BoxPulled(number, slip, amount):
            felt = felt._replace(boxes={**felt.boxes, slip: Box(amount, number)}, slips=slip)
            ref = _slip_reference(id, slip)
            transfers = _between(drop_account(id), vault, amount, Reason.BOX_PULLED, ref)
        case BoxCounted(_, slip, pulled):
            boxes = {number: box for number, box in felt.boxes.items() if number != pulled}
            felt = felt._replace(boxes=boxes, slips=slip)
            ref = _slip_reference(id, slip)
            transfers = _between(variance, vault, event.variance, Reason.VARIANCE, ref)
        case ShiftClosed(_, slip):
            felt = felt._replace(shift=None, slips=slip)
            ref = _slip_reference(id, slip)
            transfers = _between(variance, tray, event.variance, Reason.VARIANCE, ref)
        case _:
            assert_never(event)
    floor = with_transfers(floor, transfers) if transfers else floor
    return with_table(floor, table._replace(felt=felt))


def _open_shift(table: Table) -> Shift:
    if table.felt.shift is None:
        raise BrokenRecord(f"table {table.id} has no shift open")
    return table.felt.shift


def _slip_reference(table: str, slip: int) -> str:
    return f"{table} slip {slip}"


def _between(
    source: Account, target: Account, cents: Cents, reason: Reason, reference: str
) -> tuple[Transfer, ...]:
    """A transfer of this many cents, the other way round if they are negative."""
    if not cents:
        return ()
    debit, credit = (source, target) if cents > 0 else (target, source)
    return (Transfer(debit, credit, abs(cents) * MICROS_PER_CENT, reason, reference),)


def with_drop(felt: Felt, amount: Cents) -> Felt:
    """A guest paid cash for chips."""
    shift = felt.shift
    return felt if shift is None else felt._replace(shift=shift._replace(drop=shift.drop + amount))


def with_paid_award(table: Table, round: Round, seat: int) -> Table:
    """An award paid from the tray counts as a credit: the cage owes it to the tray."""
    shift, settlement = table.felt.shift, round.settlement
    if shift is None or settlement is None or not table.is_guest(seat):
        return table
    award = sum(line.award for line in settlement.seat(seat).lines)
    shift = shift._replace(credits=shift.credits + award)
    is_paid = award > 0 and not 0 < table.felt.settings.lock_above < award
    return table._replace(felt=table.felt._replace(shift=shift)) if is_paid else table


# What the shift has won so far.


def house_chips(floor: Floor, table: str) -> Micros:
    """What the house has at a table in chips and cash, variances aside. Only play changes it."""
    return sum(floor.ledger.balance(Account(kind, table)) for kind in HOUSE_CHIPS)


def recorded_win(floor: Floor, table: Table) -> Cents:
    """The win of the open shift by its rounds and corrections."""
    return (house_chips(floor, table.id) - _open_shift(table).start) // MICROS_PER_CENT


def _cents(floor: Floor, account: Account) -> Cents:
    return floor.ledger.balance(account) // MICROS_PER_CENT
