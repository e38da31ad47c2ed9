"""How a batch of requests is decided, and the ordered list of checks before the game decides."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from headsup.game.record.journal import Header, start_log
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import Check, CloseBets, Fold, PlaceBets, Proceed, WithdrawBets
from headsup.game.round.state import Phase
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import Leave
from headsup.game.table.state import DealingMode, Floor, ReportingThresholds, Table
from headsup.house.floor.decide import HOUSE, BatchDecision, BatchFacts, Gate, decide_batch
from headsup.house.floor.next_step import step_key
from headsup.house.floor.request import Acceptance, CommandRequest
from headsup.house.people.permissions import TwoPersonCommand, permission
from headsup.house.people.person import Person, Role
from tests.support.tables import opened, stakes, table_at

P1 = Person("1", "P1", Role.PLAYER)
DEE = Person("d", "Dee", Role.DEALER)
DEALER = Staff("dealer")
NOON = "2026-01-31T12:00:00Z"
KNOWN = Gate(has_known_cards=lambda _: True)
ALTERED = Gate(program_refusal=lambda _: refusal(Code.PROGRAM_CHANGED, file="x"))


@pytest.fixture
def table() -> Table:
    """A table with a round open and one bet."""
    play = opened(seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes()))
    return play.table


@pytest.fixture
def pocket() -> Floor:
    return table_at(Phase.POCKET, seats=(1, 2)).floor


def paused(table: Table) -> Table:
    return table._replace(dealing=DealingMode("fire drill"))


def code(
    gate: Gate, command: Command, table: Table | None, person: Person | None = DEE, step: str = ""
) -> Code | None:
    request = CommandRequest("1", "T1", DEALER, command, person, expected_step=step)
    refused = gate.refusal_for(request, table)
    return None if refused is None else refused.code


def test_a_request_without_any_objection_passes(table: Table) -> None:
    assert code(Gate(), CloseBets(), table, step=step_key(table)) is None
    assert code(Gate(), WithdrawBets(1), table, P1) is None


def test_the_checks_come_in_this_order(table: Table) -> None:
    """Everything is wrong at first; then one thing after the other is put right."""
    wrong: dict[Code, dict[str, object]] = {
        Code.NOT_ALLOWED: {"person": P1},
        Code.PAUSED: {"table": paused(table)},
        Code.KNOWN_CARDS: {"has_known_cards": lambda _: True},
        Code.NOT_DUE_ANY_MORE: {"step": "7 deal 0"},
        Code.PROGRAM_CHANGED: {"program_refusal": ALTERED.program_refusal},
    }
    met = []
    while wrong:
        given = {name: value for one in wrong.values() for name, value in one.items()}
        person, step = given.pop("person", DEE), given.pop("step", "")
        at = given.pop("table", table)
        met.append(code(Gate(**given), Proceed(), at, person, step))  # type: ignore[arg-type]
        wrong.pop(next(iter(wrong)))
    assert met == [
        Code.NOT_ALLOWED,
        Code.PAUSED,
        Code.KNOWN_CARDS,
        Code.NOT_DUE_ANY_MORE,
        Code.PROGRAM_CHANGED,
    ]


def test_a_player_acts_for_their_own_seat_only(table: Table) -> None:
    assert code(Gate(), Fold(2), table, P1) is Code.NOT_ALLOWED
    assert code(Gate(), Fold(1), table, P1) is None
    assert code(Gate(), Fold(1), None, P1) is Code.NOT_ALLOWED


def test_a_pause_stops_every_dealer_but_no_player(table: Table) -> None:
    for person in (DEE, None):  # with and without a person: the automatic dealer deals, too
        assert code(Gate(), CloseBets(), paused(table), person) is Code.PAUSED
    assert code(Gate(), PlaceBets(1, stakes()), paused(table), P1) is None
    assert code(Gate(), Leave(1), paused(table), P1) is None


def test_only_the_house_ends_a_round_at_a_paused_table(table: Table) -> None:
    def passes(by: PlayerAt | Staff, person: Person | None) -> bool:
        request = CommandRequest("1", "T1", by, Proceed(), person)
        return Gate().refusal_for(request, paused(table)) is None

    assert passes(HOUSE, None)
    assert not passes(HOUSE, DEE)  # somebody with this name
    assert not passes(DEALER, None)


def test_a_round_with_known_cards_is_not_played(table: Table) -> None:
    for command, person in ((PlaceBets(1, stakes()), P1), (Proceed(), DEE), (Proceed(), None)):
        assert code(KNOWN, command, table, person) is Code.KNOWN_CARDS
    assert code(KNOWN, Leave(1), table, P1) is None
    empty = opened(seats=(1, 2))
    empty.does(OpenRound())
    assert code(KNOWN, Proceed(), empty.table) is None  # nobody bet: it may end


def test_a_step_that_has_passed_is_not_done_again(table: Table) -> None:
    assert code(Gate(), CloseBets(), table, step="1 open_round 0") is Code.NOT_DUE_ANY_MORE
    assert code(Gate(), CloseBets(), None, step="1 open_round 0") is Code.NOT_DUE_ANY_MORE


# Batches.

ANN, BOB = (CommandRequest(f"id {seat}", "T1", PlayerAt(seat), Check(seat)) for seat in (1, 2))


def batch_at(floor: Floor, *requests: CommandRequest, **facts: Any) -> BatchDecision:
    return decide_batch(
        start_log()[0]._replace(floor=floor), requests, BatchFacts(NOON, Header("F"), **facts)
    )


def test_each_request_is_decided_on_top_of_those_before_it(pocket: Floor) -> None:
    again = replace(ANN, id="another id")
    batch = batch_at(pocket, ANN, again, BOB)
    first, refused, second = batch.replies
    assert isinstance(refused, Refusal)
    assert (first, second) == (Acceptance(1), Acceptance(2))
    assert [update.table for update in batch.updates] == ["T1", "T1"]
    assert [answer.id for row in batch.projections for answer in row.answers] == ["id 1", "id 2"]
    assert batch.journal == batch.updates[-1].journal
    assert batch.links[-1].head == batch.journal.head


def test_a_request_twice_in_a_batch_is_decided_once(pocket: Floor) -> None:
    batch = batch_at(pocket, ANN, ANN, replace(BOB, id=ANN.id))
    assert batch.replies[:2] == (Acceptance(1), Acceptance(1))
    assert isinstance(batch.replies[2], Refusal)
    assert batch.replies[2].code is Code.ID_USED
    assert len(batch.updates) == 1


def test_a_request_with_an_earlier_reply_is_not_decided(pocket: Floor) -> None:
    facts = BatchFacts(NOON, Header("F"))
    batch = decide_batch(
        start_log()[0]._replace(floor=pocket), [ANN, BOB], facts, [Acceptance(7), None]
    )
    assert batch.replies == (Acceptance(7), Acceptance(1))


def test_a_bug_affects_its_sender_alone(pocket: Floor) -> None:
    def fails(_: Command) -> Refusal | None:
        raise ZeroDivisionError

    wrong = replace(ANN, by=PlayerAt(1), command=object())  # type: ignore[arg-type]
    batch = batch_at(pocket, wrong, BOB)
    assert isinstance(batch.replies[0], Exception)
    assert batch.replies[1] == Acceptance(1)
    assert batch_at(pocket, ANN, gate=Gate(program_refusal=fails)).links == ()


def test_a_batch_of_refusals_stores_nothing(pocket: Floor) -> None:
    batch = batch_at(pocket, CommandRequest("1", "T1", DEALER, Proceed()))
    assert isinstance(batch.replies[0], Refusal)
    assert (batch.links, batch.updates, batch.projections) == ((), (), ())
    assert batch.journal.head == start_log()[0].head


def test_new_thresholds_come_before_the_decision(pocket: Floor) -> None:
    batch = batch_at(pocket, ANN, thresholds=ReportingThresholds(wager=100))
    events = [type(event).__name__ for update in batch.updates for event in update.events]
    assert events == ["ThresholdsSet", "Checked"]
    assert batch.replies == (Acceptance(2),)


@pytest.mark.parametrize("kind", get_args(Command), ids=lambda kind: kind.__name__)
def test_every_command_has_an_effect_and_a_permission(kind: type[Command]) -> None:
    """No command is forgotten, and two people sign exactly the commands that need them."""
    command = object.__new__(kind)
    request = CommandRequest("1", "T1", DEALER, command)
    assert Gate().refusal_for(request, None) is None
    assert isinstance(command, TwoPersonCommand) == permission(command).two_persons
