"""A1: `kill -9` at every commit of a scripted evening of six players; nothing is lost or doubled.

A house in its own process is killed before its next commit, between write and commit, or between
the commit and its publication. The next house gets the unanswered commands again, with the same
ids, and is killed in turn, until the script is done. After each kill, the log, the digest of the
state and the wallets are those of an uninterrupted run.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from signal import SIGKILL

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import Head, format_link
from headsup.game.record.floor_text import digest
from headsup.house.floor import decide as decide_module
from headsup.house.floor.host import CommandRequest
from headsup.house.store.database import Database
from tests.support.databases import set_identity
from tests.support.house.dying import ENTRIES_PER_CHECKPOINT, Moment, run
from tests.support.house.houses import FLOOR, opened, wallets, with_wallets
from tests.support.postgres import PostgresServer
from tests.support.scripted import scripted_commands

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.house.preloaded"])


@dataclass(frozen=True)
class Standing:
    """The expected log, state and wallets after a number of commands."""

    head: Head
    state: str
    wallets: list[int]


async def play_uninterrupted(database: Database, script: list[CommandRequest]) -> list[Standing]:
    with_wallets(database)
    standings = []
    async with opened(database) as (_, host):
        for request in (None, *script):
            if request is not None:
                await host.submit(request)
            journal = host.journal
            standings.append(Standing(journal.head, digest(journal.floor), wallets(database)))
    return standings


@dataclass
class Life:
    """One house from its start to its end."""

    found: Head
    state: str
    answers: list[int]
    killed: bool


def live_once(address: str, moment: Moment, script: list[CommandRequest]) -> Life:
    ours, theirs = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=run, args=(address, moment, script, theirs))
    process.start()
    theirs.close()
    head, state = ours.recv()
    life = Life(head, state, [], killed=True)
    with suppress(EOFError):
        while True:
            life.answers.append(ours.recv())
    process.join()
    life.killed = process.exitcode == -SIGKILL
    assert life.killed or (process.exitcode == 0 and len(life.answers) == len(script))
    return life


@pytest.fixture(autouse=True)
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide_module, "CHECKPOINT_ENTRIES_PER_TABLE", ENTRIES_PER_CHECKPOINT)


def commands_kept(database: Database, expected: list[Standing]) -> int:
    """How many commands are stored; a log has a header and checkpoints, too."""
    return [standing.head.count for standing in expected].index(database.head(FLOOR).count)


def play_with_kills(
    address: str,
    house: str,
    script: list[CommandRequest],
    expected: list[Standing],
    most: int | None = None,
) -> int:
    """Play the script with a kill at every commit, or the first `most`. Returns their number.

    The house gets the identity `house`, so that its log is the expected one.
    """
    database = Database(address)
    database.migrate()
    set_identity(database, house)
    with_wallets(database)
    done = kills = 0
    moments = cycle((Moment.BEFORE, Moment.BETWEEN, Moment.AFTER))
    while done < len(script):
        kept = commands_kept(database, expected)
        life = live_once(address, next(moments) if kills != most else Moment.NEVER, script[done:])
        assert (life.found, life.state) == (expected[kept].head, expected[kept].state)
        answered = expected[done + 1 : done + 1 + len(life.answers)]
        assert life.answers == [standing.head.count - 1 for standing in answered]
        done += len(life.answers)
        kills += life.killed
        kept = commands_kept(database, expected)
        assert kept in (done, done + 1)
        assert database.head(FLOOR) == expected[kept].head
        assert wallets(database) == expected[kept].wallets
    report = audit(map(format_link, database.links(FLOOR)), anchor=expected[-1].head)
    assert report.finding is None
    assert digest(report.journal.floor) == expected[-1].state
    database.close()
    return kills


@pytest.fixture
def reference(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'uninterrupted.db'}")
    database.migrate()
    yield database
    database.close()


async def test_a_killed_house_resumes_where_it_was(reference: Database, tmp_path: Path) -> None:
    script = scripted_commands()[:16]
    expected = await play_uninterrupted(reference, script)
    assert (
        play_with_kills(
            f"sqlite:///{tmp_path / 'killed.db'}", reference.identity(), script, expected, 12
        )
        == 12
    )


@pytest.mark.slow(seconds=20)
@pytest.mark.parametrize(
    ("book", "most"), [("galaxy", None), ("new-york", None), ("washington", 60)]
)
async def test_a1_500_kills_of_six_seat_evenings_on_sqlite(
    book: str, most: int | None, reference: Database, tmp_path: Path
) -> None:
    """Two kills at every commit, some 240 each, and another rule book."""
    script = scripted_commands(book)
    expected = await play_uninterrupted(reference, script)
    kills = play_with_kills(
        f"sqlite:///{tmp_path / 'killed.db'}", reference.identity(), script, expected, most
    )
    assert kills >= (most or 3 * len(script) - 3)


@pytest.mark.slow(seconds=6)
async def test_a1_60_kills_of_a_six_seat_evening_on_postgresql(
    postgres: PostgresServer, reference: Database
) -> None:
    script = scripted_commands()
    expected = await play_uninterrupted(reference, script)
    assert (
        play_with_kills(postgres.new_database(), reference.identity(), script, expected, 60) == 60
    )
