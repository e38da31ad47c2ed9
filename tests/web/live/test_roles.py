"""A20, item 6: every role against every command. Sensitive commands need two different people, and
the names in a command are those of its real senders, whatever the client wrote."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    ReportIrregularity,
    TimeOut,
)
from headsup.game.rulebook.model import Cause
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.chips.felt import Felt, FeltSettings
from headsup.game.table.chips.held_awards import PayAward, PayWay, RefuseAward, VerifyAward
from headsup.game.table.chips.shifts import (
    CloseShift,
    CountBox,
    CreditTray,
    FillTray,
    OpenShift,
    PullBox,
    SetFelt,
)
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.equipment import CorrectFlag, RestoreEquipment
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    ReceivePool,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import CloseTable, SetBonusCell
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import ReportLostSeal
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.house.people.accounts import Accounts
from headsup.house.people.permissions import (
    approver_refusal,
    permission,
    permission_refusal,
    sign_command,
)
from headsup.house.people.person import AccountRefusal, Person, Role
from headsup.web.live.examples import EXAMPLES, OPENING, example_of
from headsup.web.live.protocol import Approval, OpenTableRequest, RefusalMessage, ReplyMessage
from headsup.web.live.schemas import command_kinds
from tests.support.tables import opened, opening
from tests.support.web.office import PASSWORD, PEOPLE, RICH, database_with_people, office

# P: a player, for their own seat; D: dealers, S: supervisors, A: administrators. With + a second
# person must approve; * only where people deal the cards. Auditors give no commands.
WHO = {
    "PlaceBets": "P",
    "WithdrawBets": "P",
    "Check": "P",
    "Raise": "P",
    "Fold": "P",
    "AddSeed": "P",
    "SealShuffle": "",
    "OpenShuffle": "",
    "SetDealing": "",
    "SetPace": "",
    "SetThresholds": "",
    "Sit": "P",
    "SitGuest": "DS*",
    "BuyIn": "P",
    "CashOut": "P",
    "Leave": "PDS",
    "OpenRound": "DS",
    "CloseBets": "DS",
    "Proceed": "DS",
    "ExtendTime": "DS",
    "DealCards": "DS*",
    "DealFaceDown": "DS*",
    "TurnOver": "DS*",
    "ReadCards": "DS*",
    "CorrectCards": "DS*",
    "CorrectDecision": "DS*",
    "CorrectStakes": "DS*",
    "TimeOut": "DS*",
    "ReadSensor": "DS*",
    "ReportEquipmentDown": "DS",
    "CountByHand": "DS",
    "FreezeMeter": "DS+",
    "ReportIrregularity": "DS+",
    "CorrectPayout": "DS+",
    "IssueCoupon": "DS+",
    "CancelCoupon": "DS+",
    "CorrectMeter": "DS+",
    "CorrectFlag": "DS+",
    "RestoreEquipment": "DS+",
    "ReportLostSeal": "DS+",
    "VerifyAward": "DS+",
    "RefuseAward": "DS+",
    "PayAward": "DS+",
    "OpenShift": "DS+*",
    "FillTray": "DS+*",
    "CreditTray": "DS+*",
    "PullBox": "DS+*",
    "CloseShift": "DS+*",
    "SetFelt": "SA+",
    "CountBox": "SA+",
    "OpenTable": "SA+",
    "CloseTable": "SA+",
    "PlanMeterClosing": "SA+",
    "TransferPool": "SA+",
    "ReceivePool": "SA+",
    "SetBonusPrize": "SA+",
    "SetBonusCell": "SA+",
    "EndBonus": "SA+",
}
LETTERS = {
    Role.PLAYER: "P",
    Role.DEALER: "D",
    Role.SUPERVISOR: "S",
    Role.ADMINISTRATOR: "A",
    Role.AUDITOR: "-",
}
KINDS = command_kinds()


def person(role: Role, name: str = "P1") -> Person:
    return Person(f"id of {name}", name, role)


def of_seat(command: Command, seat: int) -> Command:
    """The same command for another seat, with the name of its player."""
    if isinstance(command, Sit):
        return Sit(seat, f"P{seat}")
    # Not every class of the union has a seat.
    changed: Any = command
    return replace(changed, seat=seat) if hasattr(command, "seat") else command


@pytest.fixture(scope="module")
def table() -> Table:
    return opened("galaxy", seats=(1, 2)).table


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("kind", [PlaceBets, Check, Fold, BuyIn])
def test_r109_only_who_stands_at_the_table_acts_for_a_guest(role: Role, kind: type[Any]) -> None:
    at = opened("galaxy", seats=(1,)).table
    guest = at._replace(players={1: "seat 1"}, felt=Felt({1: "P1"}))
    refused = permission_refusal(person(role), guest, of_seat(example_of(kind), 1))
    assert (refused is None) == (role in (Role.DEALER, Role.SUPERVISOR))


def test_the_matrix_knows_every_command_and_there_is_an_example_of_each() -> None:
    assert {kind.__name__ for kind in KINDS} == set(WHO)
    assert [type(command) for command in EXAMPLES] == list(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("by_hand", [False, True])
def test_a20_every_role_against_every_command(
    table: Table, kind: type[Any], role: Role, by_hand: bool
) -> None:
    who = WHO[kind.__name__]
    allowed = LETTERS[role] in who and (by_hand or "*" not in who)
    command = of_seat(example_of(kind), 1)
    at = table._replace(shuffle=ShuffleSource.ENTERED) if by_hand else table
    refused = permission_refusal(person(role), at, command)
    assert (refused is None) == allowed
    assert permission(command).two_persons == ("+" in who)
    if refused is not None:
        assert refused.code == "not_allowed"
        assert refused.message


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_player_cannot_command_for_another_seat(table: Table, kind: type[Any]) -> None:
    for seat in (2, 3, 0, 99):  # another player's, a free one, and two that do not exist
        command = of_seat(example_of(kind), seat)
        for at in (table, table._replace(shuffle=ShuffleSource.ENTERED), None):
            assert permission_refusal(person(Role.PLAYER), at, command) is not None


def test_a_meter_is_frozen_and_unfrozen_by_two_people() -> None:
    assert permission(FreezeMeter("dark")).two_persons
    assert permission(FreezeMeter("")).two_persons


@pytest.mark.parametrize("role", Role)
def test_only_another_person_who_is_a_supervisor_can_approve(role: Role) -> None:
    asker = person(Role.SUPERVISOR, "Sue")
    code = approver_refusal(asker, person(role, "Sam"))
    assert (code is None) == (role is Role.SUPERVISOR)
    for same in (asker, person(role, "SUE"), replace(person(role, "Sam"), id=asker.id)):
        refused = approver_refusal(asker, same)
        assert refused is not None
        assert refused.code == "needs_two_people"


FORGED: tuple[Command, ...] = (
    ReportIrregularity(Cause.FOUL_DECK, "Ann", "Bob"),
    CorrectPayout(1, 100, "why", "Ann", "Bob"),
    CorrectFlag(1, Wager.PROGRESSIVE, True, "why", "Ann", "Bob"),
    CorrectMeter(1, "why", ("Ann", "Bob")),
    SetBonusCell("trips_plus", "flush", "6", "why", ("Ann", "Bob")),
    RestoreEquipment(("Ann", "Bob")),
    IssueCoupon("Cem", Wager.ANTE, 500, "2026-12-31", ("Ann", "Bob")),
    CancelCoupon(1, "why", ("Ann", "Bob")),
    SetBonusPrize(1, "why", "Ann"),
    EndBonus("why", "Ann"),
    CloseTable("why", "Ann"),
    TransferPool("M", ("Ann", "Bob")),
    ReceivePool("Main / M", 5, "A-1", ("Ann", "Bob")),
    ReportLostSeal("why", ("Ann", "Bob")),
    VerifyAward(1, ("Ann", "Bob")),
    RefuseAward(1, "why", ("Ann", "Bob")),
    PayAward(1, PayWay.CAGE, ("Ann", "Bob")),
    SetFelt(FeltSettings(), ("Ann", "Bob")),
    OpenShift(1, ("Ann", "Bob")),
    FillTray(1, ("Ann", "Bob")),
    CreditTray(1, ("Ann", "Bob")),
    PullBox(("Ann", "Bob")),
    CountBox(1, 1, ("Ann", "Bob")),
    CloseShift(1, ("Ann", "Bob")),
)


@pytest.mark.parametrize("command", FORGED, ids=lambda command: type(command).__name__)
def test_forged_names_are_replaced(command: Command) -> None:
    dee, sue = person(Role.DEALER, "Dee"), person(Role.SUPERVISOR, "Sue")
    by, real = sign_command(dee, sue, command)
    assert by == Staff("Dee / Sue")
    assert "Ann" not in repr(real)
    assert "Bob" not in repr(real)
    names = repr(real)
    assert "Dee" in names
    assert "Sue" in names


def test_every_command_that_names_people_needs_two() -> None:
    """So names written by a client are never used."""
    named = {"dealer", "supervisor", "approvals", "by"}
    for command in EXAMPLES:
        if named & set(type(command).__dataclass_fields__):
            assert permission(command).two_persons, command
            assert type(command) in map(type, FORGED)


def test_a_player_signs_with_the_seat() -> None:
    assert sign_command(person(Role.PLAYER), None, Fold(3)) == (PlayerAt(3), Fold(3))


# The same through the command desk, with real accounts.


async def test_a20_every_role_and_command_at_the_desk(tmp_path: Path) -> None:
    """Without an approval, and approved by the sender; nothing forbidden is written."""
    async with office(tmp_path) as at:
        await at.does("Ann", Sit(1, "Ann"))
        for name, role in PEOPLE.items():
            for kind in KINDS:
                command = example_of(kind)
                who = WHO[kind.__name__]
                before = at.host.journal.head
                if name != "Ann":
                    code = await at.code(name, command)
                    if LETTERS[role] not in who or "*" in who or role is Role.PLAYER:
                        assert code == "not_allowed", (name, command)
                        assert at.host.journal.head == before
                    elif "+" in who:
                        assert code == "needs_two_people", (name, command)
                        assert await at.code(name, command, (name, PASSWORD)) == "needs_two_people"
                        assert at.host.journal.head == before
                    else:
                        assert code not in ("not_allowed", "needs_two_people"), (name, command)


async def test_both_people_sign_in_the_log(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        forged = CorrectMeter(1_000_000, "counted twice", ("Ann", "Bob"))
        index = await at.does("Dee", forged, ("Sue", PASSWORD))
        text = list(at.house.database.entry_texts("T1"))[index][1]
        entry = json.loads(text)
        assert entry["by"] == "Dee / Sue"
        assert entry["events"][0]["approvals"] == ["Dee", "Sue"]
        assert "Ann" not in text


async def test_a_second_person_must_give_a_password(tmp_path: Path) -> None:
    correction = CorrectMeter(1_000_000, "counted twice", ("", ""))
    async with office(tmp_path) as at:
        before = at.host.journal.head
        for approval, code in (
            (("Sue", "wrong password"), "bad_approval"),
            (("Nobody", PASSWORD), "bad_approval"),
            (("Ada", PASSWORD), "bad_approval"),  # an administrator is not a supervisor
            (("Ann", PASSWORD), "bad_approval"),
            (("Dee", PASSWORD), "needs_two_people"),
        ):
            assert await at.code("Dee", correction, approval) == code
        assert at.host.journal.head == before
        assert await at.code("Sue", correction, ("Sam", PASSWORD)) == ""


async def test_three_wrong_approvals_lock_the_named_account(tmp_path: Path) -> None:
    correction = CorrectMeter(1_000_000, "counted twice", ("", ""))
    async with office(tmp_path) as at:
        for _ in range(3):
            assert await at.code("Dee", correction, ("Sue", "wrong password")) == "bad_approval"
        assert at.accounts.log_in("Sue", PASSWORD) is AccountRefusal.LOCKED
        answer = await at.ask("Dee", correction, ("Sue", PASSWORD))
        assert isinstance(answer, RefusalMessage)
        assert answer.say == "the approver's account is locked"


async def test_people_without_the_right_cannot_try_passwords(tmp_path: Path) -> None:
    correction = CorrectMeter(1_000_000, "counted twice", ("", ""))
    async with office(tmp_path) as at:
        for name in ("Ann", "Art", "Ada"):
            for _ in range(3):
                assert await at.code(name, correction, ("Sue", "wrong")) == "not_allowed"
        assert await at.code("Dee", correction, ("Sue", PASSWORD)) == ""


async def test_a_table_is_opened_by_two_and_once(tmp_path: Path) -> None:
    async with office(tmp_path) as at:

        def asked(id: str, approval: Approval | None, floor: str = "F2") -> OpenTableRequest:
            written = write_command(OPENING)
            return OpenTableRequest(
                id=id, floor=floor, table="T2", command=written, approval=approval
            )

        sue = Approval(name="Sue", password=PASSWORD)
        for who, approval, code in (
            ("Ann", sue, "not_allowed"),
            ("Dee", sue, "not_allowed"),
            ("Art", sue, "not_allowed"),
            ("Ada", None, "needs_two_people"),
        ):
            answer = await at.desk.open(at.people[who], asked("opening-2", approval))
            assert isinstance(answer, RefusalMessage)
            assert answer.code == code
        assert at.house.database.floors() == ["T1"]
        first = await at.desk.open(at.people["Ada"], asked("opening-2", sue))
        assert isinstance(first, ReplyMessage)
        assert await at.desk.open(at.people["Ada"], asked("opening-2", sue)) == first
        again = await at.desk.open(at.people["Ada"], asked("opening-3", sue, "F3"))
        assert isinstance(again, RefusalMessage)
        assert again.code == "table_open"
        assert at.house.database.floors() == ["F2", "T1"]
        assert await at.code("Dee", FreezeMeter("dark")) == "needs_two_people"
        assert await at.code("Dee", FreezeMeter("dark"), ("Sue", PASSWORD)) == ""


async def test_players_take_money_only_from_their_own_wallet(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.does("Ann", Sit(1, "Ann"))
        for name in ("Bob", "Dee", "Sue", "Ada", "Art"):
            assert await at.code(name, BuyIn(1, 1_000)) == "not_allowed"
            assert await at.code(name, Sit(2, "Ann")) == "not_allowed"
        assert at.house.database.wallet("Ann") == RICH


async def test_only_the_house_deals_from_its_shoe(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        for name in PEOPLE:
            assert await at.code(name, example_of(DealCards)) == "not_allowed"


async def test_a_dealer_enters_the_cards_of_a_real_table(tmp_path: Path) -> None:
    real = replace(opening("galaxy"), shuffle=ShuffleSource.ENTERED)
    async with office(tmp_path, real) as at:
        await at.does("Ann", Sit(1, "Ann"))
        await at.does("Ann", BuyIn(1, 10_000))
        await at.does("Dee", OpenRound())
        await at.does("Ann", PlaceBets(1, {Wager.ANTE: 1_000, Wager.ODDS: 1_000}))
        await at.does("Dee", CloseBets())
        for name in ("Ann", "Bob", "Ada", "Art"):
            assert await at.code(name, example_of(DealCards)) == "not_allowed"
            assert await at.code(name, TimeOut(1, None)) == "not_allowed"
        await at.does("Dee", example_of(DealCards))
        assert await at.code("Dee", TimeOut(1, 1)) == "too_soon"
        await at.does("Dee", TimeOut(1, 120))


async def test_an_unreadable_command_is_refused_first(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        for raw in ({}, {"command": "Nothing"}, {"command": "Check", "seat": "1"}, {"command": 7}):
            assert await at.code("Ann", raw) == "bad_command"
        answer = await at.ask("Ann", Check(1), table="T9")
        assert isinstance(answer, RefusalMessage)
        assert answer.code == "no_such_table"
        stakes = {Wager.ANTE: 1_000, Wager.ODDS: 1_000}
        assert await at.code("Ann", PlaceBets(1, stakes)) == "not_allowed"


def test_no_person_may_have_a_name_the_house_signs_with(tmp_path: Path) -> None:
    database = database_with_people(tmp_path)
    accounts = Accounts(database)
    for name in ("seat 3", "dealer", "House", "clock", "a/b", " Ann", ""):
        assert accounts.create(name, Role.PLAYER, PASSWORD, "") is AccountRefusal.BAD_NAME, name
    database.close()
