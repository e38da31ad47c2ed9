"""The cost of a journalled command on floors of any size.

A command is decided, folded, chained and formatted as the line that goes to disk. Times are per
command in the fastest round, without checkpoints; one of 100 tables is measured by itself.
"""

import random
from collections.abc import Callable
from time import perf_counter
from typing import Any

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import format_link, parse_lines, parse_link, verify_chain
from headsup.game.record.journal import Checkpoint, Journal, record_checkpoint, record_command
from headsup.game.refusal import Refusal
from headsup.game.round.commands import Check, CloseBets, DealCards, Fold, PlaceBets, Proceed, Raise
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import PlayerAt, Staff
from headsup.game.table.decide import act as act_unwritten
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.values.frozen_json import FrozenJson

FLOORS = (1, 10, 100, 200)
ROUNDS = 100_000
SEATS = range(1, 7)
STAKES = {
    Wager.ANTE: 1_000,
    Wager.ODDS: 1_000,
    Wager.TRIPS_PLUS: 500,
    Wager.POCKET_BONUS: 500,
    Wager.ALL_6: 500,
    Wager.PROGRESSIVE: 100,
}
METER = {"meter_seed": "10000.00", "meter_contribution": "0.25"}
NOON = "2026-01-31T12:00:00Z"
_SHUFFLER = random.Random(52)
_DECKS = [tuple(_SHUFFLER.sample(range(52), 52)) for _ in range(500)]


class JournalledFloor:
    """A floor of six-seat tables, and its log."""

    def __init__(self, tables: int, keep: bool = False) -> None:
        self.journal, self.commands, self.rng = Journal(), 0, random.Random(1)
        self.lines: list[str] = []
        self._keep = keep
        self.tables = [f"T{number}" for number in range(tables)]
        for table in self.tables:
            self.ask(table, Staff(), OpenTable("galaxy", options=FrozenJson(METER)))
            for seat in SEATS:
                self.ask(table, PlayerAt(seat), Sit(seat, f"player {seat}"))
                self.ask(table, PlayerAt(seat), BuyIn(seat, 10**9))

    def ask(self, table: str, by: Any, command: Any) -> None:
        self.journal, links = record_command(self.journal, NOON, table, by, command)
        if isinstance(links, Refusal):
            raise RuntimeError(links.message)
        lines = [format_link(link) for link in links]
        if self._keep:
            self.lines += lines
        self.commands += 1

    def check(self) -> Checkpoint:
        """Add a checkpoint, as a server does every 40 entries per table."""
        checkpoint = record_checkpoint(self.journal, NOON)
        self.journal = checkpoint.journal
        if self._keep:
            self.lines.append(format_link(checkpoint.link))
        return checkpoint

    def play(self, table: str, seats: Any = SEATS) -> None:
        dealer = Staff()
        self.ask(table, dealer, OpenRound())
        for seat in seats:
            self.ask(table, PlayerAt(seat), PlaceBets(seat, STAKES))
        self.ask(table, dealer, CloseBets())
        self.ask(table, dealer, DealCards(self.rng.choice(_DECKS)))
        for multiple in (3, 2, 1):
            round = self.journal.floor.tables[table].round
            for seat in round.seats_owing() if round else ():
                self.ask(table, PlayerAt(seat), self._choice(seat, multiple))
            self.ask(table, dealer, Proceed())
        while self.journal.floor.tables[table].is_playing:
            self.ask(table, dealer, Proceed())

    def _choice(self, seat: int, multiple: int) -> Check | Raise | Fold:
        if self.rng.random() < 0.5:
            return Raise(seat, multiple)
        return Fold(seat) if multiple == 1 else Check(seat)

    def microseconds(self, rounds: int) -> float:
        """Microseconds per command in the fastest round."""
        best = float("inf")
        for number in range(rounds):
            table = self.tables[number % len(self.tables)]
            before, start = self.commands, perf_counter()
            self.play(table)
            best = min(best, (perf_counter() - start) / (self.commands - before))
        return best * 1_000_000


class LongPast(JournalledFloor):
    """One table with a hundred thousand rounds behind it, played without logging them."""

    def __init__(self) -> None:
        super().__init__(1)
        for _ in range(ROUNDS):
            self.play("T0", seats=(1,))
        self.ask = super().ask  # type: ignore[method-assign]

    def ask(self, table: str, by: Any, command: Any) -> None:
        floor, answer = act_unwritten(self.journal.floor, table, by, command)
        if isinstance(answer, Refusal):
            raise RuntimeError(answer.message)
        self.journal = self.journal._replace(floor=floor)


def measure(tables: int) -> float:
    floor = JournalledFloor(tables)
    for table in floor.tables:  # so that every table has had a round
        floor.play(table)
    return floor.microseconds(max(400, tables))


def verification_rows() -> list[tuple[str, str, str, str]]:
    """How fast the log of a few rounds is verified, and fully audited."""
    floor = JournalledFloor(1, keep=True)
    for _ in range(4):  # short, so that a measurement is rarely interrupted
        floor.play("T0")
    events = sum(len(parse_link(line).entry.get("events", ())) for line in floor.lines)
    chain = _fastest(lambda: verify_chain(parse_lines(floor.lines)))
    whole = _fastest(lambda: audit(floor.lines))
    return [
        ("verify the chain of a log", f"{events / chain:,.0f} events/s", "50,000", ""),
        ("audit a log: decide and fold again", f"{events / whole:,.0f} events/s", "", ""),
    ]


def checkpoint_row() -> tuple[str, str, str, str]:
    """The time a checkpoint of a large floor holds up its commands; there are 4,000 in between."""
    floor = JournalledFloor(100)
    for table in floor.tables:
        floor.play(table)
    best = float("inf")
    for table in floor.tables:
        floor.play(table)
        start = perf_counter()
        floor.check()
        best = min(best, perf_counter() - start)
    return ("a checkpoint, floor of 100 tables", f"{best * 1e3:.1f} ms", "", "")


def _fastest(task: Callable[[], object], times: int = 60) -> float:
    """Seconds of the fastest run."""
    best = float("inf")
    for _ in range(times):
        start = perf_counter()
        task()
        best = min(best, perf_counter() - start)
    return best


def rows() -> list[tuple[str, str, str, str]]:
    one = measure(1)
    costs = [(f"floor of {tables} tables", measure(tables)) for tables in FLOORS[1:]]
    costs.append((f"one table after {ROUNDS:,} rounds", LongPast().microseconds(400)))
    return [
        ("journalled commands, one table", f"{1e6 / one:,.0f} commands/s", "", ""),
        *(
            (
                f"the same, {name}",
                f"{1e6 / cost:,.0f} commands/s",
                "at most 1.3×",
                f"{cost / one:.2f}×",
            )
            for name, cost in costs
        ),
        checkpoint_row(),
        *verification_rows(),
    ]
