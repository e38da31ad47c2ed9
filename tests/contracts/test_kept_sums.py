"""Stored sums and hashes agree with the whole record, and the audit finds those that do not.

They exist so that answers do not get slower as the record grows.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import delete, select, text, update

from headsup.game.record.journal import Header, actor_name, record_decision
from headsup.game.refusal import Refusal
from headsup.game.table.commands import Actor, Command
from headsup.game.table.decide import decide
from headsup.game.table.round_history import RoundProof
from headsup.game.table.state import Floor
from headsup.house.cash.books import audit_books, reconcile
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.history.round_proof import (
    backfill_floors,
    backfill_table,
    prove_round,
    tables_missing_hashes,
)
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import Projection
from headsup.house.store.projection_tables import write_projections
from headsup.house.store.schema import PAST_BLOCKS
from tests.game.record.round_proof import find_round_proof as recalled_from
from tests.house.houses import FLOOR, NOON, all_done, opened, with_wallets
from tests.logs import Recorder, open_table, play_round
from tests.scripted import scripted_commands


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
    while log.journal.floor.tables["T1"].past.rounds < rounds:
        play_round(log, "T1", random, trouble=0.01)
    return log


@pytest.fixture(scope="module")
def past() -> Noting:
    return long_past(200)


def keep(database: Database, notes: Iterable[Projection]) -> None:
    with database.engine.begin() as connection:
        write_projections(connection, [(FLOOR, one) for one in notes])


@dataclass(frozen=True)
class Compared:
    """How many stored hashes are not those of the rounds, and how many are missing."""

    wrong: int
    missing: int


def compare_floor(database: Database, past: Noting) -> Compared:
    expected = {astuple(block) for notes in past.notes for block in notes.history_hashes}
    with database.read_connection() as connection:
        stored = {tuple(row)[1:] for row in connection.execute(select(PAST_BLOCKS))}
    there = {row[:3] for row in stored}
    return Compared(len(stored - expected), sum(row[:3] not in there for row in expected))


def round_shown(database: Database, past: Noting, number: int) -> RoundProof | None:
    return prove_round(database, past.journal.floor.tables["T1"], number)


def test_r95_every_round_of_a_long_past_is_shown_as_from_the_whole_record(
    database: Database, past: Noting
) -> None:
    keep(database, past.notes)
    last = past.journal.floor.tables["T1"].rounds
    settled = 0
    for number in (*range(1, 6), *range(60, 70), *range(125, 135), *range(last - 12, last + 2)):
        whole = recalled_from(past.floors, "T1", number)
        assert round_shown(database, past, number) == whole, number
        settled += whole is not None
    assert settled > 30
    assert compare_floor(database, past) == Compared(wrong=0, missing=0)


def test_r95_showing_a_round_reads_no_other_blocks(database: Database, past: Noting) -> None:
    """Their hands are deleted, and the round is still shown."""
    blocks = [block for notes in past.notes for block in notes.history_hashes if block.height == 6]
    first, second = (block.number for block in blocks[:2])
    number = second - 3
    whole = recalled_from(past.floors, "T1", number)

    def in_second(notes: Projection) -> Projection:
        return replace(
            notes, round_ends=tuple(one for one in notes.round_ends if first < one.number <= second)
        )

    keep(database, map(in_second, past.notes))
    assert whole is not None
    assert round_shown(database, past, number) == whole
    assert round_shown(database, past, first - 3) is None


def test_r95_a_settled_round_not_yet_closed_hides_no_earlier_round(
    database: Database,
) -> None:
    log = long_past(7)
    end = max(i for i, floor in enumerate(log.floors) if floor.tables["T1"].past.rounds == 6)
    table = log.floors[end + 1].tables["T1"]  # its seventh round has just been settled
    assert table.is_playing
    keep(database, log.notes[: end + 2])
    for number in range(1, table.rounds + 1):
        whole = recalled_from(log.floors[: end + 2], "T1", number)
        assert prove_round(database, table, number) == whole, number


def test_a_stored_hash_that_contradicts_the_past_is_found(database: Database, past: Noting) -> None:
    def with_changed_hash(notes: Projection) -> Projection:
        return replace(
            notes,
            history_hashes=tuple(replace(one, hash="0" * 64) for one in notes.history_hashes[:1]),
        )

    keep(database, map(with_changed_hash, past.notes))
    assert compare_floor(database, past).wrong


def without_blocks(notes: Iterable[Projection]) -> Iterable[Projection]:
    """Projections as an older server writes them."""
    return (replace(one, history_hashes=()) for one in notes)


def all_shown(database: Database, past: Noting) -> None:
    last = past.journal.floor.tables["T1"].rounds
    for number in (1, 2, 30, 63, 64, 65, 90, 127, 128, 129, 160, last):
        whole = recalled_from(past.floors, "T1", number)
        assert round_shown(database, past, number) == whole, number


async def test_missing_hashes_are_computed_after_an_upgrade(past: Noting, tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'upgraded.db'}")
    database.migrate()
    keep(database, without_blocks(past.notes))
    table, journals = past.journal.floor.tables["T1"], {FLOOR: past.journal}
    assert tables_missing_hashes(database, FLOOR, [table]) == [table]
    await backfill_floors(database, journals)
    assert compare_floor(database, past) == Compared(wrong=0, missing=0)
    assert tables_missing_hashes(database, FLOOR, [table]) == []
    all_shown(database, past)
    database.close()


async def test_a_past_only_in_the_log_is_read_on_demand(past: Noting, tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'older.db'}")
    database.migrate()
    table = past.journal.floor.tables["T1"]
    assert backfill_table(database, FLOOR, table) == 0
    await backfill_floors(database, {FLOOR: past.journal})
    assert tables_missing_hashes(database, FLOOR, [table]) == [table]
    database.close()


def test_r95_a_decision_is_stored_although_its_block_exists(
    database: Database, past: Noting
) -> None:
    keep(database, (Projection(history_hashes=one.history_hashes) for one in past.notes))
    keep(database, past.notes)
    all_shown(database, past)


def test_missing_or_misplaced_hashes_are_found_and_hide_no_round(
    past: Noting, tmp_path: Path
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'changed.db'}")
    database.migrate()
    keep(database, past.notes)
    with database.engine.begin() as connection:
        for act in ("update", "delete"):
            connection.execute(text(f"DROP TRIGGER past_blocks_no_{act}"))
        connection.execute(update(PAST_BLOCKS).values(number=PAST_BLOCKS.c.number + 1))
    assert compare_floor(database, past) == Compared(wrong=4, missing=0)
    all_shown(database, past)
    with database.engine.begin() as connection:
        connection.execute(delete(PAST_BLOCKS))
    assert compare_floor(database, past) == Compared(wrong=0, missing=4)
    all_shown(database, past)
    database.close()


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
