"""A6: awards of linked meters that are won at the same time in three processes on one PostgreSQL.

There are three floors with three tables each; the tables of a floor are linked to one meter. Each
process owns one floor and plays its tables at the same time. AWARDS=10000 makes it a long run.
"""

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection as Pipe
from typing import Any

import pytest

from headsup.game.record.journal import Journal
from headsup.game.round.commands import DealCards, PlaceBets, Raise
from headsup.game.round.events import BetsClosed, RoundSettled
from headsup.game.round.state import Phase
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.audit.floor import audit_floor
from headsup.house.cash.books import reconcile
from headsup.house.floor.log_reader import replay_to_end
from headsup.house.floor.request import CommandRequest
from headsup.house.store import servers
from headsup.house.store.database import Database
from tests.support.databases import postgres_database
from tests.support.house import awarding
from tests.support.house.awarding import SOON, Paid, Script, paid
from tests.support.house.houses import all_done, pay_in, started
from tests.support.postgres import PostgresServer
from tests.support.scripted import SEATS, ScriptRecorder
from tests.support.tables import opening, stakes

WANTED = int(os.environ.get("AWARDS", "84"))
PROCESSES = range(3)
CHIPS = 100_000_000
SEED, CONTRIBUTION, CENT = 10_000 * 10**6, 6 * 250_000, 10_000  # micros
COMMUNITY = {"board": "AhKhQhJhTh", "dealer": "9s9c"}
FLOPPED = {"board": "7h8h9h2c4d", "dealer": "KsQd"}


@dataclass(frozen=True)
class Linked:
    """A floor: what its meter pays in each round, and to whom."""

    shares: Fraction
    winners: tuple[int, ...]  # in paying order: right to left (R97)
    cards: dict[str, str]
    holes: dict[int, str]
    sequential: bool = False
    paytable: str = "1"

    def opening(self, meter: str) -> Any:
        chosen = "sequential" if self.sequential else "snapshot"
        paytables = {"progressive": self.paytable}
        return opening(meter=meter, paytables=paytables, percentage_awards=chosen)

    def pays(self, pool: int) -> tuple[dict[int, int], int]:
        """Worked out by hand: each winner's cents, and the pool afterwards."""
        if self.shares == 1:
            each = pool // len(self.winners) // CENT
            return dict.fromkeys(self.winners, each), pool - each * CENT * len(self.winners) + SEED
        awards, left = {}, pool
        for seat in self.winners:
            awards[seat] = int((left if self.sequential else pool) * self.shares / CENT)
            left -= awards[seat] * CENT
        return awards, left


FLOORS = {
    "snapshot": Linked(Fraction(1, 10), SEATS[::-1], COMMUNITY, {1: "2c7d"}),
    "sequential": Linked(Fraction(1, 10), SEATS[::-1], COMMUNITY, {1: "2c7d"}, sequential=True),
    "whole": Linked(Fraction(1), (2, 1), FLOPPED, {1: "5h6h", 2: "ThJh", 3: "Ts3s"}, paytable="9"),
}
ROUNDS = -(-WANTED // sum(len(PROCESSES) * len(of.winners) for of in FLOORS.values()))


def scripts(floor: str) -> Iterator[tuple[list[CommandRequest], Script]]:
    """For each table of a floor, the commands that set it up and those that play it."""
    of, first = FLOORS[floor], ""
    play = ScriptRecorder()
    for number in PROCESSES:
        play.id, play.requests = f"{floor} {number}", []
        play.does(of.opening(first))
        first = first or f"{play.id} meter"
        for seat in SEATS:
            play.does(Sit(seat, f"{play.id} {seat}"), BuyIn(seat, CHIPS))
        set_up, due = len(play.requests), 0
        for _ in range(ROUNDS):
            play.does(OpenRound())
            play.does(*(PlaceBets(seat, stakes(progressive=100)) for seat in SEATS))
            play.bets_close()
            play.does(DealCards(play.deck(of.holes, **of.cards)))
            play.does(*(Raise(seat, 3) for seat in SEATS))
            play.reaches(Phase.SETTLEMENT_DUE)
            due = due or len(play.requests)
            play.reaches(Phase.CLOSED)
        yield play.requests[:set_up], (play.requests[set_up:due], play.requests[due:])


async def furnish(database: Database) -> list[list[Script]]:
    """Open and fill every table. Returns what each process has to play."""
    found = {floor: list(scripts(floor)) for floor in FLOORS}
    people = [
        f"{floor} {number} {seat}" for floor in found for number in PROCESSES for seat in SEATS
    ]
    pay_in(database, dict.fromkeys(people, CHIPS))
    async with started(database, "first") as house:
        for floor, tables in found.items():
            host = await house.open_floor(floor)
            for set_up, _ in tables:
                await all_done(host, set_up)
    for number, floor in enumerate(FLOORS):  # each server then finds that it owns its floor
        servers.join(database, f"server {number}", f"s{number}", int(SOON * 1_000_000))
        assert database.take_lease(floor, f"server {number}") is not None
    return [[played for _, played in tables] for tables in found.values()]


@contextmanager
def process(number: int, database: Database, played: list[Script]) -> Iterator[Pipe]:
    here, there = multiprocessing.Pipe()
    address = database.engine.url.render_as_string(hide_password=False)
    spawn = multiprocessing.get_context("spawn")
    arguments = (address, f"server {number}", played, there)
    running = spawn.Process(target=awarding.run, args=arguments)
    running.start()
    there.close()
    try:
        yield here
        running.join(SOON)
        assert running.exitcode == 0
    finally:
        running.kill()
        running.join()


def answer(pipe: Pipe, seconds: float = SOON) -> Any:
    assert pipe.poll(seconds), "no answer"
    return pipe.recv()


def played_by_all(database: Database, played: list[list[Script]]) -> dict[str, Any]:
    """Play every table up to its first settlement, then all at once. Returns the awards in the
    order in which the floor's owner saw them, by floor."""
    with ExitStack() as stack:
        pipes = [stack.enter_context(process(n, database, played[n])) for n in PROCESSES]
        assert [answer(pipe) for pipe in pipes] == [[floor] for floor in FLOORS]
        for stage in ("due", "played"):
            for pipe in pipes:
                pipe.send("play")
            for pipe in pipes:
                assert answer(pipe, SOON + WANTED) == stage
        reports = [answer(pipe) for pipe in pipes]
        for pipe in pipes:
            pipe.send("done")
    return {floor: rounds for report in reports for floor, rounds in report.items()}


def reckoned(database: Database, floor: str) -> tuple[list[Paid], int]:
    """Check a floor's log by hand: every award must be what the pool gives at that moment. Returns
    the rounds in order and the final pool."""
    of, pool, closed, rounds = FLOORS[floor], SEED, 0, []
    for step in replay_to_end(database, floor, Journal()):
        for event in step.events:
            if isinstance(event, BetsClosed):
                pool, closed = pool + CONTRIBUTION, closed + 1
            if isinstance(event, RoundSettled):
                assert closed >= len(PROCESSES), "all tables were there when the first one won"
                awards, left = of.pays(pool)
                assert sum(awards.values()) * CENT <= pool
                rounds.append(paid(event, step.table))
                assert rounds[-1] == (step.table, tuple(sorted(awards.items())))
                pool = left
                assert event.settlement.meter_after == pool >= 0
    return rounds, pool


@pytest.mark.slow
async def test_a6_awards_of_linked_meters_won_at_once_in_three_processes(
    postgres: PostgresServer,
) -> None:
    database = postgres_database(postgres)
    reports = played_by_all(database, await furnish(database))
    journals, awards = {}, 0
    for floor in FLOORS:
        rounds, pool = reckoned(database, floor)
        assert reports[floor] == rounds
        assert len(rounds) == ROUNDS * len(PROCESSES)
        audited = audit_floor(database, floor)
        assert audited.holds, audited
        report = audited.report
        (meter,) = report.journal.floor.meters.values()
        assert meter.pool == report.journal.floor.ledger.balance(meter.account) == pool
        journals[floor] = report.journal
        awards += sum(len(seats) for _, seats in rounds)
    assert awards >= WANTED
    books = reconcile(database, journals)
    assert books.differences == ()
    assert books.paid_in == books.in_wallets + books.on_floors
    database.close()
