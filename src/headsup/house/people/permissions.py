"""Which role may ask what: one table, read by the server, the console and the tests alike.

A player asks for the own seat and nothing else, an auditor nothing at all. What is sensitive takes
two persons: the one who asks and a supervisor, who gives their own password for it (ASVS 2.3.5;
N.J.A.C. 13:69D-1.52(c)). Who they are is known to the house: names that stand in a command are
replaced by theirs, and what two persons decided is signed by both. The accounts of those persons
are kept by two as well: who could make a supervisor alone would be both.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

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
    Actor,
    AddSeed,
    BuyIn,
    CashOut,
    CloseTable,
    Command,
    CorrectFlag,
    CorrectMeter,
    CorrectPayout,
    CountByHand,
    EndBonus,
    FreezeMeter,
    Leave,
    OpenRound,
    OpenShuffle,
    OpenTable,
    PlanMeterClosing,
    PlayerAt,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
    SealShuffle,
    SetBonusCell,
    SetBonusPrize,
    Sit,
    Staff,
    TransferPool,
)
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.str_enum import TextEnum
from headsup.house.people.accounts import Person, Role
from headsup.house.people.approvers import ApproverCount


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may ask one kind of command."""

    roles: frozenset[Role]
    two_persons: bool = False  # a supervisor other than the asker approves
    by_hand: bool = False  # only where a dealer enters real cards: elsewhere the house deals


class Act(TextEnum):
    """What is asked of the house and is no command of a table."""

    FIND_ROUNDS = "find_rounds"
    READ_ROUNDS = "read_rounds"  # with all their cards
    SEE_PEOPLE = "see_people"
    KEEP_PEOPLE = "keep_people"
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
    SET_PAGES = "set_pages"  # of displays
    SEE_PROGRAM = "see_program"
    SEE_FLOORS = "see_floors"
    SPREAD_FLOORS = "spread_floors"


_STAFF = frozenset(Role) - {Role.PLAYER}
_OVERSIGHT = frozenset({Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR})
ACTS: Mapping[Act, frozenset[Role]] = {
    Act.FIND_ROUNDS: _STAFF,
    Act.READ_ROUNDS: _OVERSIGHT,
    Act.SEE_PEOPLE: _OVERSIGHT,
    Act.KEEP_PEOPLE: frozenset({Role.ADMINISTRATOR}),
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
    Act.SET_PAGES: frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR}),
    Act.SEE_PROGRAM: _OVERSIGHT,
    Act.SEE_FLOORS: _OVERSIGHT,
    Act.SPREAD_FLOORS: frozenset({Role.ADMINISTRATOR}),
}


def may(person: Person, act: Act) -> bool:
    return person.role in ACTS[act]


class StaffChange(TextEnum):
    """What opens an account of the staff to somebody. Locking one does not: it gives nobody
    anything, and cannot wait for a second person."""

    CREATED = "created"
    INVITED = "invited"  # a new password: whoever holds the link sets it
    UNLOCKED = "unlocked"


SUPERVISORS = frozenset({Role.SUPERVISOR})
# Who keeps the accounts of the staff together with an administrator.
STAFF_APPROVERS = frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR})


def needs_second_person(role: Role, change: StaffChange, others: ApproverCount) -> bool:
    """Whether an administrator changes an account of this role only with a second person.

    The first administrator sets the house up alone. Locking all others makes nobody the first
    again; but who is locked may be let in again alone where nobody is left to approve, since that
    takes their own password still.
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


_NOBODY = Permission(frozenset())  # the house's own business
_PLAYER = Permission(frozenset({Role.PLAYER}))
_AT_THE_TABLE = frozenset({Role.DEALER, Role.SUPERVISOR})
_DEALER = Permission(_AT_THE_TABLE)
_DEALER_OF_CARDS = Permission(_AT_THE_TABLE, by_hand=True)
_DEALER_AND_SUPERVISOR = Permission(_AT_THE_TABLE, two_persons=True)
# Setting a table up is the office's work.
_OFFICE = Permission(frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR}), two_persons=True)


def permission(command: Command) -> Permission:
    match command:
        case PlaceBets() | WithdrawBets() | Check() | Raise() | Fold() | AddSeed():
            return _PLAYER
        case Sit() | BuyIn() | CashOut():
            return _PLAYER  # it is the player's own wallet
        case Leave():
            return Permission(_AT_THE_TABLE | {Role.PLAYER})
        case OpenRound() | CloseBets() | Proceed() | ExtendTime():
            return _DEALER
        case DealCards() | TimeOut() | ReadSensor():
            return _DEALER_OF_CARDS
        case SealShuffle() | OpenShuffle():
            return _NOBODY
        case ReportEquipmentDown() | CountByHand():
            return _DEALER
        case FreezeMeter(reason):
            # Standing still cannot wait and moves nothing; running again can, and does.
            return _DEALER if reason.strip() else _DEALER_AND_SUPERVISOR
        case (
            ReportIrregularity()
            | CorrectPayout()
            | CorrectMeter()
            | CorrectFlag()
            | RestoreEquipment()
        ):
            return _DEALER_AND_SUPERVISOR
        case (
            OpenTable()
            | CloseTable()
            | PlanMeterClosing()
            | TransferPool()
            | SetBonusPrize()
            | SetBonusCell()
            | EndBonus()
        ):
            return _OFFICE
        case _:
            assert_never(command)


def role_refusal(person: Person, table: Table | None, command: Command) -> Refusal | None:
    """Why nobody of this person's role may ask this of the table."""
    allowed = permission(command)
    by_hand = table is not None and table.shuffle is ShuffleSource.ENTERED
    if person.role not in allowed.roles or (allowed.by_hand and not by_hand):
        return refusal(Code.NOT_ALLOWED, role=person.role)
    return None


def permission_refusal(person: Person, table: Table | None, command: Command) -> Refusal | None:
    """Why this person may not ask this of the table; None for a table that is yet to be opened.
    Who sits where is known for sure only to the floor's owner when it decides."""
    if refused := role_refusal(person, table, command):
        return refused
    if person.role is Role.PLAYER and not _is_own_seat(person, table, command):
        return refusal(Code.NOT_ALLOWED, "seat", name=person.name)
    return None


def _is_own_seat(person: Person, table: Table | None, command: Command) -> bool:
    """A player speaks in the own name and for the seat that is theirs."""
    if isinstance(command, Sit):
        return command.player == person.name
    seat = _players_seat(command)
    return table is not None and seat is not None and table.players.get(seat) == person.name


def _players_seat(command: Command) -> int | None:
    """The seat that a player speaks for with it; None where it is no player's command."""
    match command:
        case (
            PlaceBets(seat)
            | WithdrawBets(seat)
            | Check(seat)
            | Raise(seat)
            | Fold(seat)
            | AddSeed(seat)
            | Sit(seat)
            | Leave(seat)
            | BuyIn(seat)
            | CashOut(seat)
        ):
            return seat
        case _:
            return None


def approver_refusal(
    asker: Person, approver: Person, roles: frozenset[Role] = SUPERVISORS
) -> Refusal | None:
    """Why this second person, whose password was right, does not do."""
    if approver.id == asker.id or approver.name.casefold() == asker.name.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "same", name=asker.name)
    if approver.role not in roles:
        case = "role" if roles == SUPERVISORS else "staff"
        return refusal(Code.BAD_APPROVAL, case, name=approver.name)
    return None


def sign_command(asker: Person, approver: Person | None, command: Command) -> tuple[Actor, Command]:
    """As whom the command is asked, and the command with the names of those who really ask it."""
    if asker.role is Role.PLAYER and (seat := _players_seat(command)) is not None:
        return PlayerAt(seat), command
    if approver is None:
        return Staff(asker.name), command
    both = f"{asker.name} / {approver.name}"  # no name has a slash in it
    return Staff(both), _with_signers(command, asker.name, approver.name, both)


def _with_signers(command: Command, asker: str, approver: str, both: str) -> Command:
    match command:
        case ReportIrregularity() | CorrectPayout() | CorrectFlag():
            return replace(command, dealer=asker, supervisor=approver)
        case CorrectMeter() | SetBonusCell() | RestoreEquipment():
            return replace(command, approvals=(asker, approver))
        case SetBonusPrize() | EndBonus() | CloseTable():
            return replace(command, by=both)
        case _:
            return command
