"""The one ordered list of checks that a request passes before the game decides it."""

import pytest

from headsup.game.refusal import Code, refusal
from headsup.game.round.commands import CloseBets, Fold, PlaceBets, Proceed, WithdrawBets
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import Leave
from headsup.game.table.state import DealingMode, Table
from headsup.house.floor.gate import HOUSE, Gate
from headsup.house.floor.next_step import step_key
from headsup.house.floor.request import CommandRequest
from headsup.house.people.person import Person, Role
from tests.support.tables import opened, stakes

P1 = Person("1", "P1", Role.PLAYER)
DEE = Person("d", "Dee", Role.DEALER)
DEALER = Staff("dealer")
KNOWN = Gate(has_known_cards=lambda _: True)
ALTERED = Gate(program_refusal=lambda _: refusal(Code.PROGRAM_CHANGED, file="x"))


@pytest.fixture
def table() -> Table:
    """A table with a round open and one bet."""
    play = opened(seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes()))
    return play.table


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
