"""A house that has played for two days, stored as a server does, with every kind of projection."""

from dataclasses import dataclass, field
from functools import cache
from random import Random

from sqlalchemy import insert

from headsup.game.record.chain import Head
from headsup.game.record.journal import Header, Origin, actor_name, record_decision
from headsup.game.refusal import Refusal
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.decide import decide
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.seating import Leave
from headsup.game.table.state import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult, Lease
from headsup.house.store.schema import WALLETS
from tests.support.databases import set_identity
from tests.support.house.houses import FLOOR
from tests.support.logs import DEALER, Recorder, open_table, play_round

DAYS = ("2026-01-31", "2026-02-01")
RICH = 1_000_000_000
LEASE = Lease(FLOOR, "one", 1)
IDENTITY = "5f0c2a9e41d7b836"


@dataclass
class LongLog(Recorder):
    """One table, and the append for each of its decisions."""

    at: str = f"{DAYS[0]}T12:00:00Z"
    id: str = ""  # of all commands; otherwise those of players are numbered
    appends: list[Append] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(Header(FLOOR, IDENTITY))

    def ask(self, table: str, by: Actor, command: Command) -> bool:
        before, head = self.journal.floor, self.journal.head
        events = decide(before, table, by, command)
        if isinstance(events, Refusal):
            return False
        id = self.id or (f"command {head.count}" if isinstance(by, PlayerAt) else "")
        self.journal, links = record_decision(
            self.journal, self.at, table, by, command, events, Origin(id)
        )
        name = actor_name(before, table, by, command)
        decision = FloorDecision(before, self.journal, table, name, events, id)
        if not self.appends:
            head, links = Head(), (*self.links, *links)
        append = Append(LEASE, head, links, projections=(project_decision(decision),))
        self.appends.append(append)
        return True


def long_log(rounds: int = 70, second: ReportingThresholds = DEFAULT_THRESHOLDS) -> LongLog:
    """Large buy-ins, irregularities, a payout corrected at the cage after the player left; `second`
    are the thresholds of the second day."""
    seats = 1, 4
    log, random = LongLog(), Random(7)
    open_table(log, "galaxy", "T1", seats)
    for number in range(rounds):
        if number == rounds // 2:
            log.at = f"{DAYS[1]}T12:00:00Z"
            if second != DEFAULT_THRESHOLDS:
                log.do("T1", DEALER, SetThresholds(*second))
        play_round(log, "T1", random, trouble=0.01)
    last = seats[-1]
    log.do("T1", PlayerAt(last), Leave(last))
    log.do("T1", DEALER, CorrectPayout(last, 500, "wrong chips", "Ann", "Bob", f"P{last}"))
    return log


@cache
def played() -> LongLog:
    return long_log()


def keep(database: Database, log: LongLog) -> None:
    """Store many decisions in one append, as under load."""
    database.open_floor(FLOOR)
    assert database.take_lease(FLOOR, LEASE.owner) == LEASE
    people = sorted({move.person for one in log.appends for move in one.moves})
    with database.engine.begin() as connection:
        rows = [{"person": name, "cents": RICH} for name in people]
        connection.execute(insert(WALLETS), rows)
    set_identity(database, IDENTITY)
    for start in range(0, len(log.appends), 50):
        together = log.appends[start : start + 50]
        append = Append(
            LEASE,
            together[0].expected_head,
            tuple(link for one in together for link in one.links),
            projections=tuple(notes for one in together for notes in one.projections),
        )
        assert database.commit([append]) == [AppendResult.STORED]
    assert database.head(FLOOR) == Head(log.journal.head.count, log.journal.head.hash)
