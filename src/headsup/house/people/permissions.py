"""Which role may do what: one table for the server, the console and the tests.

Players act for their own seat only, auditors not at all. Sensitive commands need two people: the
one who sends the command, and a supervisor who approves it with their password (ASVS 2.3.5;
N.J.A.C. 13:69D-1.52(c)). Names within a command are replaced by the real ones, and a command of
two people is signed by both. Staff accounts need two people as well: otherwise an administrator
could create a supervisor to approve their own requests.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealCards,
    DealFaceDown,
    ExtendTime,
    Fold,
    PlaceBets,
    PlayerCommand,
    Proceed,
    Raise,
    ReadCards,
    ReportIrregularity,
    TimeOut,
    TurnOver,
    WithdrawBets,
)
from headsup.game.table.chips.held_awards import (
    AwardCommand,
    PayAward,
    RefuseAward,
    VerifyAward,
)
from headsup.game.table.chips.shifts import (
    CloseShift,
    CountBox,
    CreditTray,
    FillTray,
    OpenShift,
    PullBox,
    SetFelt,
    ShiftCommand,
)
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.coupon_control import CancelCoupon, CouponCommand, IssueCoupon
from headsup.game.table.dealing import SetDealing
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
)
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    MeterCommand,
    PlanMeterClosing,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, OpenTable, SetBonusCell
from headsup.game.table.pacing import SetPace
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed, OpenShuffle, ReportLostSeal, SealShuffle
from headsup.game.table.seating import BuyIn, CashOut, Leave, SeatingCommand, Sit, SitGuest
from headsup.game.table.state import Table
from headsup.game.values.str_enum import TextEnum
from headsup.house.people.person import Person, Role


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may send one kind of command."""

    roles: frozenset[Role]
    two_persons: bool = False  # another person, a supervisor, has to approve
    by_hand: bool = False  # only at tables with real cards: elsewhere the house deals
    for_guests: frozenset[Role] = frozenset()  # who may send it for a seat without an account


class Act(TextEnum):
    """Things done in the back office that are not commands to a table."""

    FIND_ROUNDS = "find_rounds"
    READ_ROUNDS = "read_rounds"  # with all their cards
    SEE_PEOPLE = "see_people"
    MANAGE_PEOPLE = "keep_people"
    MOVE_CASH = "move_cash"
    SEE_CASH = "see_cash"
    SEE_INCIDENTS = "see_incidents"
    SEE_BOOKS = "see_books"
    EXPORT = "export"
    SEE_METERS = "see_meters"
    SEE_PACE = "see_pace"
    SET_PACE = "set_pace"
    SEE_THRESHOLDS = "see_thresholds"
    SET_THRESHOLDS = "set_thresholds"
    SEE_TRAYS = "see_trays"  # of tables with real chips: guests, shifts and slips
    SET_GAMING_DAY = "set_gaming_day"
    SET_PAGES = "set_pages"  # of displays
    SEE_PROGRAM = "see_program"
    SEE_FLOORS = "see_floors"


_STAFF = frozenset(Role) - {Role.PLAYER}
_OVERSIGHT = frozenset({Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR})
ACTS: Mapping[Act, frozenset[Role]] = {
    Act.FIND_ROUNDS: _STAFF,
    Act.READ_ROUNDS: _OVERSIGHT,
    Act.SEE_PEOPLE: _OVERSIGHT,
    Act.MANAGE_PEOPLE: frozenset({Role.ADMINISTRATOR}),
    Act.MOVE_CASH: frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR}),
    Act.SEE_CASH: _OVERSIGHT,
    Act.SEE_INCIDENTS: _OVERSIGHT,
    Act.SEE_BOOKS: _OVERSIGHT,
    Act.EXPORT: frozenset({Role.AUDITOR, Role.ADMINISTRATOR}),
    Act.SEE_METERS: _STAFF,
    Act.SEE_PACE: _STAFF,
    Act.SET_PACE: frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR}),
    Act.SEE_THRESHOLDS: _OVERSIGHT,
    Act.SET_THRESHOLDS: frozenset({Role.ADMINISTRATOR}),
    Act.SEE_TRAYS: _STAFF,
    Act.SET_GAMING_DAY: frozenset({Role.ADMINISTRATOR}),
    Act.SET_PAGES: frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR}),
    Act.SEE_PROGRAM: _OVERSIGHT,
    Act.SEE_FLOORS: _OVERSIGHT,
}


def may(person: Person, act: Act) -> bool:
    return person.role in ACTS[act]


class StaffChange(TextEnum):
    """Changes that give somebody access to a staff account. Locking one is not among them: it
    cannot wait for a second person."""

    CREATED = "created"
    INVITED = "invited"  # a new password, set by the holder of the link
    UNLOCKED = "unlocked"


SUPERVISORS = frozenset({Role.SUPERVISOR})
# Who may approve an administrator's changes to staff accounts.
STAFF_APPROVERS = frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR})


@dataclass(frozen=True, slots=True)
class ApproverCount:
    """How many other people could approve; those without a password yet do not count."""

    with_password: int  # locked or not
    not_locked: int  # of these


def needs_second_person(role: Role, change: StaffChange, others: ApproverCount) -> bool:
    """Whether an administrator needs approval to change an account of this role.

    The first administrator sets up the house alone. Locking everybody else does not bring that
    back, but if nobody is left to approve, an account may be unlocked alone: using it still takes
    its owner's password.
    """
    if role is Role.PLAYER:
        return False
    match change:
        case StaffChange.CREATED | StaffChange.INVITED:
            return others.with_password > 0
        case StaffChange.UNLOCKED:
            return others.not_locked > 0
        case _:
            assert_never(change)


_NOBODY = Permission(frozenset())  # only the house itself
_PLAYER = Permission(frozenset({Role.PLAYER}))
_AT_THE_TABLE = frozenset({Role.DEALER, Role.SUPERVISOR})
_PLAYER_OR_DEALER = Permission(frozenset({Role.PLAYER}), for_guests=_AT_THE_TABLE)
_DEALER = Permission(_AT_THE_TABLE)
_DEALER_OF_CARDS = Permission(_AT_THE_TABLE, by_hand=True)
_DEALER_AND_SUPERVISOR_OF_CHIPS = Permission(_AT_THE_TABLE, two_persons=True, by_hand=True)
_DEALER_AND_SUPERVISOR = Permission(_AT_THE_TABLE, two_persons=True)
# Tables are set up by the back office.
_OFFICE = Permission(frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR}), two_persons=True)


# What two people sign. `permission` says so as well, and a test compares both.
TwoPersonCommand = (
    ReportIrregularity
    | CorrectPayout
    | CorrectFlag
    | RestoreEquipment
    | ReportLostSeal
    | CouponCommand
    | MeterCommand
    | ShiftCommand
    | AwardCommand
    | OpenTable
    | CloseTable
    | SetBonusCell
)


def permission(command: Command) -> Permission:
    match command:
        case PlaceBets() | WithdrawBets() | Check() | Raise() | Fold():
            return _PLAYER_OR_DEALER
        case BuyIn():
            return _PLAYER_OR_DEALER  # out of the player's own wallet, or a guest's cash
        case AddSeed() | Sit() | CashOut():
            return _PLAYER
        case Leave():
            return Permission(_AT_THE_TABLE | {Role.PLAYER})
        case OpenRound() | CloseBets() | Proceed() | ExtendTime():
            return _DEALER
        case DealCards() | DealFaceDown() | TurnOver() | ReadCards() | CorrectCards():
            return _DEALER_OF_CARDS
        case CorrectDecision() | CorrectStakes():
            return _DEALER_OF_CARDS
        case TimeOut() | ReadSensor():
            return _DEALER_OF_CARDS
        case SitGuest():
            return _DEALER_OF_CARDS
        case SealShuffle() | OpenShuffle() | SetDealing() | SetPace() | SetThresholds():
            return _NOBODY  # the house itself, some of it when staff ask in another way
        case ReportEquipmentDown() | CountByHand():
            return _DEALER
        case (
            ReportIrregularity()
            | CorrectPayout()
            | IssueCoupon()
            | CancelCoupon()
            | CorrectMeter()
            | FreezeMeter()
            | CorrectFlag()
            | RestoreEquipment()
            | ReportLostSeal()
        ):
            return _DEALER_AND_SUPERVISOR
        case VerifyAward() | RefuseAward() | PayAward():
            return _DEALER_AND_SUPERVISOR
        case OpenShift() | FillTray() | CreditTray() | PullBox() | CloseShift():
            return _DEALER_AND_SUPERVISOR_OF_CHIPS
        case (
            OpenTable()
            | SetFelt()
            | CountBox()
            | CloseTable()
            | PlanMeterClosing()
            | TransferPool()
            | ReceivePool()
            | SetBonusPrize()
            | SetBonusCell()
            | EndBonus()
        ):
            return _OFFICE
        case _:
            assert_never(command)


def role_refusal(person: Person, table: Table | None, command: Command) -> Refusal | None:
    """Why a person of this role may not send this command to the table, whoever sits there."""
    allowed = permission(command)
    by_hand = table is not None and table.shuffle.by_hand
    if person.role not in allowed.roles | allowed.for_guests or (allowed.by_hand and not by_hand):
        return refusal(Code.NOT_ALLOWED, role=person.role)
    return None


def permission_refusal(person: Person, table: Table | None, command: Command) -> Refusal | None:
    """Why this person may not send this command to the table (None if it is not open yet).

    Only the floor's owner knows the seats for certain, so it checks again when it decides.
    """
    if refused := role_refusal(person, table, command):
        return refused
    if person.role is Role.PLAYER and not _is_own_seat(person, table, command):
        return refusal(Code.NOT_ALLOWED, "seat", name=person.name)
    if person.role not in permission(command).roles and not _is_guests(table, command):
        return refusal(Code.NOT_ALLOWED, role=person.role)
    return None


def _is_guests(table: Table | None, command: Command) -> bool:
    """Whether a command is for the seat of somebody without an account (R109)."""
    seat = _players_seat(command)
    return table is not None and seat is not None and table.is_guest(seat)


def _is_own_seat(person: Person, table: Table | None, command: Command) -> bool:
    """Whether a player's command is for their own seat."""
    if isinstance(command, Sit):
        return command.player == person.name
    seat = _players_seat(command)
    return table is not None and seat is not None and table.players.get(seat) == person.name


def _players_seat(command: Command) -> int | None:
    """The seat of a player's command; None for other commands."""
    if isinstance(command, SitGuest) or not isinstance(
        command, PlayerCommand | AddSeed | SeatingCommand
    ):
        return None
    return command.seat


def approver_refusal(
    asker: Person, approver: Person, roles: frozenset[Role] = SUPERVISORS
) -> Refusal | None:
    """Why this person, whose password was right, cannot approve."""
    if approver.id == asker.id or approver.name.casefold() == asker.name.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "same", name=asker.name)
    if approver.role not in roles:
        case = "role" if roles == SUPERVISORS else "staff"
        return refusal(Code.BAD_APPROVAL, case, name=approver.name)
    return None


def sign_command(asker: Person, approver: Person | None, command: Command) -> tuple[Actor, Command]:
    """The actor to record for a command, and the command with the signers' real names."""
    if asker.role is Role.PLAYER and (seat := _players_seat(command)) is not None:
        if isinstance(command, Sit) and not command.player:
            command = replace(command, player=asker.name)
        return PlayerAt(seat), command
    if approver is None:
        return Staff(asker.name), command
    both = f"{asker.name} / {approver.name}"  # no name has a slash in it
    if not isinstance(command, TwoPersonCommand):
        return Staff(both), command
    return Staff(both), _with_signers(command, asker.name, approver.name, both)


def _with_signers(command: TwoPersonCommand, asker: str, approver: str, both: str) -> Command:
    match command:
        case ReportIrregularity() | CorrectPayout() | CorrectFlag():
            return replace(command, dealer=asker, supervisor=approver)
        case (
            CorrectMeter()
            | TransferPool()
            | ReceivePool()
            | SetBonusCell()
            | RestoreEquipment()
            | ReportLostSeal()
            | IssueCoupon()
            | CancelCoupon()
            | SetFelt()
            | OpenShift()
            | FillTray()
            | CreditTray()
            | PullBox()
            | CountBox()
            | CloseShift()
            | VerifyAward()
            | RefuseAward()
            | PayAward()
        ):
            return replace(command, approvals=(asker, approver))
        case SetBonusPrize() | EndBonus() | CloseTable():
            return replace(command, by=both)
        case OpenTable() | PlanMeterClosing() | FreezeMeter():
            return command  # the entry in the log has both names
        case _:
            assert_never(command)
