"""A17: frames from people with rights: seated players, the dealer, a supervisor. Their commands are
right, nearly right and wrong in turn. Nothing fails, no money is lost or created, and an audit
confirms every decision."""

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headsup.game.bank.balances import AccountKind
from headsup.game.record.message_codec import write_command
from headsup.game.round.commands import CloseBets, DealCards, PlaceBets, Proceed
from headsup.game.round.decide import legal_actions
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Command
from headsup.game.table.equipment import CorrectFlag, CountByHand
from headsup.game.table.opening import CloseTable, OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.tabulator import count_stakes
from headsup.game.values.cards import DECK
from headsup.game.values.money import MICROS_PER_CENT
from headsup.house.audit.floor import audit_floor
from headsup.house.floor.next_step import DealerStep, next_step
from headsup.house.people.permissions import permission
from headsup.house.people.person import Person, Role
from headsup.web.live import command_requests
from headsup.web.live.examples import EXAMPLES
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.support.tables import opening, stakes
from tests.support.web.fuzzer import VALUES, Fuzzer
from tests.support.web.office import Office, office
from tests.support.web.wires import Memory, memory, settled

SEATS = (1, 2, 3)
PLAYERS = tuple(f"P{seat}" for seat in SEATS)
EVERYBODY = (*PLAYERS, "Dee", "Sue")
# The code of an internal error, which nobody may get while the store works.
FAILED = {"fault", "unavailable", "internal_error"}
# Besides nonsense, plausible values: amounts, seats, wagers, names.
NEAR: tuple[Any, ...] = (
    *(*SEATS, 4, 6, 7, 100, 500, 1_000, 2_000, -100, 10**12),
    *("ante", "odds", "progressive", "bad_beat", "60", "1/3", "T2", "2026-12-31", "void"),
    *({"ante": 1_000, "odds": 1_000}, {"ante": 1_000, "odds": 500}, {"progressive": 3}),
)
BOOKS = {
    "galaxy": opening("galaxy"),
    "new-york": opening("new-york"),
    "washington": opening("washington"),
    "sugarhouse": opening("sugarhouse"),
}
# Closing the table would end the test.
COMMANDS = tuple(one for one in EXAMPLES if not isinstance(one, CloseTable | OpenTable))


class Insider:
    """Chooses the next message at a table and its sender."""

    def __init__(self, at: Office, seed: str) -> None:
        self.at, self.random, self.fuzzer = at, Random(seed), Fuzzer(seed)
        self.said = 0

    def frame(self) -> tuple[str, str]:
        command = self.likely() if self.random.random() < 0.6 else self.random.choice(COMMANDS)
        written = json.loads(json.dumps(write_command(command)))
        if "seat" in written and self.random.random() < 0.9:
            seats = SEATS if command in COMMANDS else (written["seat"],)
            written["seat"] = self.random.choice(seats)
        who = self.asker(command, written)
        self.said += 1
        message = {
            "type": "ask",
            "id": f"command-{self.said}",
            "table": "T1",
            "command": written,
            "approval": {"name": "Sam", "password": "never looked at"},
        }
        match self.random.random():
            case chance if chance < 0.15:
                self.change(written)
            case chance if chance < 0.2:
                self.fuzzer.change(message)
        return who, json.dumps(message)

    def change(self, written: dict[str, Any]) -> None:
        """Change one field, but keep the kind of command."""
        fields = [key for key in written if key != "command"] or ["more"]
        values = NEAR if self.random.random() < 0.7 else VALUES
        written[self.random.choice(fields)] = self.random.choice(values)

    def asker(self, command: Command, written: dict[str, Any]) -> str:
        roles = permission(command).roles
        if Role.PLAYER in roles and written.get("seat") in SEATS and self.random.random() < 0.95:
            return f"P{written['seat']}"
        return "Dee" if Role.DEALER in roles and self.random.random() < 0.8 else "Sue"

    def likely(self) -> Command:
        """A command that moves the round on."""
        table = self.at.host.journal.floor.tables["T1"]
        seat = self.random.choice(SEATS)
        if seat not in table.players:
            return self.random.choice((Sit(seat, f"P{seat}"), BuyIn(seat, 50_000)))
        step, waited_for = next_step(table)
        round = table.round
        match step:
            case DealerStep.OPEN_ROUND:
                return OpenRound()
            case DealerStep.CLOSE_BETS:
                return CloseBets() if self.random.random() < 0.3 else PlaceBets(seat, stakes())
            case DealerStep.ENTER_CARDS | DealerStep.DEAL:
                return DealCards(tuple(self.random.sample(DECK, len(DECK))))
            case DealerStep.COUNT_BY_HAND:
                assert table.tabulator is not None
                assert round is not None
                laid = {number: one.stakes for number, one in round.seats.items()}
                return CountByHand(count_stakes(table.tabulator, laid))
            case DealerStep.CORRECT_FLAG:
                lit = self.random.random() < 0.5
                return CorrectFlag(seat, Wager.PROGRESSIVE, lit, "seen on the felt", "", "")
            case _ if round is not None and waited_for:
                decides = self.random.choice(waited_for)
                return self.random.choice(
                    legal_actions(round, decides) or (PlaceBets(decides, stakes()),)
                )
            case _:
                return Proceed()


async def fuzzed_inside(at: Office, frames: int, seed: str) -> set[str]:
    """Send this many frames from everybody with rights, and return the answers."""
    heard: set[str] = set()
    insider = Insider(at, seed)
    async with AsyncExitStack() as stack:
        sockets = Sockets(Metrics())
        wires = {
            who: await stack.enter_async_context(memory(at, sockets, who)) for who in EVERYBODY
        }
        for seat, name in zip(SEATS, PLAYERS, strict=True):
            await at.does(name, Sit(seat, name))
            await at.does(name, BuyIn(seat, 1_000_000))
            wires[name].say(type="watch", table="T1", viewer=f"seat {seat}")
        for _ in range(frames):
            who, text = insider.frame()
            wires[who].frame(text)
            await asyncio.sleep(0)
            await settled(lambda wire=wires[who]: _quiet(wire))  # type: ignore[misc]
            heard |= _heard(wires[who])
    return heard


def _quiet(wire: Memory) -> bool:
    return not wire.socket._tasks and not wire.socket._unsent


def _heard(wire: Memory) -> set[str]:
    codes = {str(one.get("code", one["type"])) for one in wire.messages}
    assert not codes & {*FAILED, "closing"}, wire.messages
    wire.sent.clear()
    return codes


def money(at: Office) -> int:
    """The cents in wallets and on the floor; the floor's accounts must sum to zero."""
    ledger = at.host.journal.floor.ledger
    assert sum(held for _, held in ledger) == 0
    cage = sum(held for account, held in ledger if account.kind is AccountKind.CAGE)
    return sum(at.house.database.wallets().values()) - cage // MICROS_PER_CENT


@pytest.fixture(autouse=True)
def quickly_approved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the slow password check, which has its own tests."""

    async def second(accounts: Any, *_: Any) -> Person:
        found = accounts.find_by_name("Sam")
        assert isinstance(found, Person)
        return found

    monkeypatch.setattr(command_requests, "prove_approver", second)


async def whatever_they_ask(folder: Path, book: str, frames: int) -> None:
    table = replace(BOOKS[book], shuffle=ShuffleSource.ENTERED)
    async with office(folder, table) as at:
        before = money(at)
        heard = await fuzzed_inside(at, frames, f"inside {book}")
        assert {"reply", "wrong_phase", "bad_command", "not_allowed"} <= heard
        assert not at.host.halt_reason
        assert money(at) == before
        played = at.host.journal.floor.tables["T1"].rounds
        assert played > frames // 50
        audited = audit_floor(at.house.database, "T1")
        assert audited.holds, audited
        assert audited.report.journal.head == at.host.journal.head


async def test_a17_five_hundred_frames_from_people_with_rights_break_nothing(
    tmp_path: Path,
) -> None:
    await whatever_they_ask(tmp_path, "galaxy", 500)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
async def test_a17_ten_thousand_frames_from_people_with_rights_break_nothing(
    tmp_path: Path, book: str
) -> None:
    await whatever_they_ask(tmp_path, book, 10_000 // len(BOOKS))
