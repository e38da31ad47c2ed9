"""Stored sums agree with the whole record, and the audit finds those that do not.

They exist so that answers do not get slower as the record grows.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

import pytest
from sqlalchemy import text

from headsup.game.record.journal import Header, actor_name, record_decision
from headsup.game.refusal import Code, Refusal
from headsup.game.table.commands import Actor, Command, Staff
from headsup.game.table.decide import decide
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.state import Floor
from headsup.house.audit.floor import audit_floor
from headsup.house.cash.books import audit_books, reconcile
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import Projection
from headsup.house.store.projection_tables import write_projections
from tests.support.house.houses import FLOOR, NOON, all_done, opened, with_wallets
from tests.support.logs import Recorder, open_table, play_round
from tests.support.scripted import scripted_commands


@dataclass
class Noting(Recorder):
    """A table with a long history, and its projections."""

    notes: list[Projection] = field(default_factory=list)
    floors: list[Floor] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(Header(FLOOR))

    def ask(self, table: str, by: Actor, command: Command) -> bool:
        before = self.journal
        events = decide(before.floor, table, by, command)
        if isinstance(events, Refusal):
            return False
        self.journal, links = record_decision(before, NOON, table, by, command, events)
        self.links += links
        name = actor_name(before.floor, table, by, command)
        decision = FloorDecision(before.floor, self.journal, table, name, events)
        self.notes.append(project_decision(decision))
        self.floors.append(self.journal.floor)
        return True


def long_past(rounds: int) -> Noting:
    log, random = Noting(), Random(95)
    open_table(log, "galaxy", "T1", seats=(1, 4))
    while log.journal.floor.tables["T1"].rounds < rounds:
        play_round(log, "T1", random, trouble=0.01)
    return log


@pytest.fixture(scope="module")
def past() -> Noting:
    return long_past(80)


def keep(database: Database, notes: Iterable[Projection]) -> None:
    with database.engine.begin() as connection:
        write_projections(connection, [(FLOOR, one) for one in notes])


def test_r95_the_house_knows_who_played_in_every_settled_round(
    database: Database, past: Noting
) -> None:
    keep(database, past.notes)
    expected = {}
    for floor in past.floors:
        if (table := floor.tables.get("T1")) is not None and table.last_settled is not None:
            expected[table.last_settled.number] = table.last_settled
    rounds = past.journal.floor.tables["T1"].rounds
    assert len(expected) > 50
    for number in range(rounds + 2):
        assert database.find_settled_round(FLOOR, "T1", number) == expected.get(number), number
        assert database.find_settled_round(FLOOR, "T2", number) is None


async def test_r95_a_house_corrects_only_payouts_of_rounds_that_were_settled(
    database: Database,
) -> None:
    with_wallets(database)

    def claim(player: str, round: int) -> CommandRequest:
        command = CorrectPayout(1, 100, "why", "Dee", "Sue", player, round)
        return CommandRequest(f"{player} {round}", "T1", Staff("Dee / Sue"), command)

    async with opened(database) as (_, host):
        await all_done(host, scripted_commands(rounds=3)[:-4])
        assert isinstance(await host.submit(claim("P1", 1)), Acceptance)
        for wrong, code in (
            (claim("P2", 1), Code.NOT_IN_ROUND),
            (claim("P1", 9), Code.NO_ROUND),
        ):
            refused = await host.submit(wrong)
            assert isinstance(refused, Refusal)
            assert refused.code is code
    assert audit_floor(database, FLOOR).holds


async def test_wallet_sums_are_updated_with_every_move(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        script = scripted_commands()
        await all_done(host, script)
        journal = host.journal
    books = audit_books(database, {FLOOR: journal})
    assert books.differences == ()
    assert books.paid_in == 6 * 200_000
    assert books.in_wallets + books.on_floors == books.paid_in


async def test_moves_beyond_a_journal_are_not_compared_with_it(
    database: Database,
) -> None:
    """The floor plays on while its books are checked."""
    with_wallets(database)
    async with opened(database) as (_, host):
        script = scripted_commands()
        await all_done(host, script[:-2])
        journal = host.journal
        before = reconcile(database, {FLOOR: journal})
        await all_done(host, script[-2:])  # players who leave are paid out
        after = reconcile(database, {FLOOR: journal})
        now = reconcile(database, {FLOOR: host.journal})
    assert before.differences == after.differences == now.differences == ()
    assert before.on_floors == after.on_floors > now.on_floors


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE wallet_sums SET cents = cents + 1 WHERE person = 'P1'",
        "DELETE FROM wallet_sums WHERE person = 'P2'",
        "INSERT INTO wallet_sums VALUES ('F9', 'P3', 5)",
    ],
)
def test_a_stored_sum_that_differs_from_the_moves_is_found(database: Database, change: str) -> None:
    with_wallets(database)
    assert audit_books(database, {}).differences == ()
    with database.engine.begin() as connection:
        connection.execute(text(change))
    assert any(
        "the stored sum is" in difference for difference in audit_books(database, {}).differences
    )
    assert any(
        difference.startswith("wallet P") for difference in reconcile(database, {}).differences
    )
