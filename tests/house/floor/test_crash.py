"""A1: `kill -9` at every commit of a scripted evening of six players; nothing is lost or doubled.

A house in a process of its own is killed before its next commit, between write and commit, and
after the commit before anybody is told. The next one is asked again for what was not answered,
under the same id, and killed in turn, until the script is done. After each kill the log, the
digest of the state and the wallets are those of a run that nobody interrupted.
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
from headsup.game.record.digest import digest
from headsup.house.floor.host import CommandRequest
from headsup.house.store.database import Database
from tests.house.floor.dying import Moment, run
from tests.house.houses import FLOOR, opened, wallets, with_wallets
from tests.postgres import Server
from tests.scripted import evening

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.house.floor.preloaded"])


@dataclass(frozen=True)
class Standing:
    """What must be found after so many commands: log and state, and the money outside."""

    head: Head
    state: str
    wallets: list[int]


async def uninterrupted(database: Database, script: list[CommandRequest]) -> list[Standing]:
    with_wallets(database)
    found = []
    async with opened(database) as (_, host):
        for asked in (None, *script):
            if asked is not None:
                await host.ask(asked)
            journal = host.journal
            found.append(Standing(journal.head, digest(journal.floor), wallets(database)))
    return found


@dataclass
class Life:
    """One house from its start to its end."""

    found: Head
    state: str
    answers: list[int]
    killed: bool


def lived(address: str, moment: Moment, script: list[CommandRequest]) -> Life:
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


def interrupted(
    address: str, script: list[CommandRequest], expected: list[Standing], most: int | None = None
) -> int:
    """Play the script with a kill at every commit, or the first `most`; how many there were."""
    database = Database(address)
    database.migrate()
    with_wallets(database)
    done = kills = 0
    moments = cycle((Moment.BEFORE, Moment.BETWEEN, Moment.AFTER))
    while done < len(script):
        kept = max(database.head(FLOOR).count - 1, 0)  # the first entry is the header
        life = lived(address, next(moments) if kills != most else Moment.NEVER, script[done:])
        assert (life.found, life.state) == (expected[kept].head, expected[kept].state)
        assert life.answers == list(range(done + 1, done + 1 + len(life.answers)))
        done += len(life.answers)
        kills += life.killed
        kept = max(database.head(FLOOR).count - 1, 0)
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


async def test_a_house_that_is_killed_goes_on_where_it_was(
    reference: Database, tmp_path: Path
) -> None:
    script = evening()[:16]
    expected = await uninterrupted(reference, script)
    assert interrupted(f"sqlite:///{tmp_path / 'killed.db'}", script, expected, 12) == 12


@pytest.mark.slow(seconds=20)
@pytest.mark.parametrize(
    ("book", "most"), [("galaxy", None), ("new-york", None), ("washington", 60)]
)
async def test_a1_500_kills_of_six_seat_evenings_on_sqlite(
    book: str, most: int | None, reference: Database, tmp_path: Path
) -> None:
    """Two at every commit, some 240 each, and one more book."""
    script = evening(book)
    expected = await uninterrupted(reference, script)
    kills = interrupted(f"sqlite:///{tmp_path / 'killed.db'}", script, expected, most)
    assert kills >= (most or 3 * len(script) - 3)


@pytest.mark.slow(seconds=6)
async def test_a1_60_kills_of_a_six_seat_evening_on_postgresql(
    postgres: Server, reference: Database
) -> None:
    script = evening()
    expected = await uninterrupted(reference, script)
    assert interrupted(postgres.new_database(), script, expected, 60) == 60
