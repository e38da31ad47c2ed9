"""Houses for tests, on a real database, with wallets for the script's players."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import insert, update

from headsup.game.record.chain import Link
from headsup.house.floor.host import Acceptance, CommandRequest, FloorHost
from headsup.house.house import MIN_UPTIME_SECONDS, House
from headsup.house.store.database import Database
from headsup.house.store.house_log import CashMoved, house_transaction, record_cash
from headsup.house.store.projection_rows import Projection, WalletMove
from headsup.house.store.protocol import Lease
from headsup.house.store.schema import FLOORS, WALLETS
from tests.support.scripted import CHIPS, SEATS

NOON = "2026-01-31T12:00:00Z"
FLOOR = "F"


def noon() -> str:
    return NOON


def moved(*moves: tuple[str, int, str], index: int = 1) -> tuple[Projection]:
    """Projections that move cents between these people's wallets and a floor."""
    listed = (WalletMove(*move, NOON, "T1", index, part) for part, move in enumerate(moves))
    return (Projection(moves=tuple(listed)),)


def with_wallets(database: Database, cents: int = 2 * CHIPS) -> None:
    """Fill the wallets of the script's players at the cage."""
    pay_in(database, {f"P{seat}": cents for seat in SEATS})


def pay_in(database: Database, cents_by_person: Mapping[str, int]) -> None:
    """Open wallets and pay this money into them."""
    with house_transaction(database.engine) as connection:
        for person, cents in cents_by_person.items():
            connection.execute(insert(WALLETS), {"person": person, "cents": cents})
            record_cash(connection, NOON, "", CashMoved(person, cents, "deposit", cents))


@asynccontextmanager
async def started(
    database: Database,
    server: str = "one",
    anchors: Path | None = None,
    min_uptime_seconds: float = MIN_UPTIME_SECONDS,
) -> AsyncIterator[House]:
    """A house, one server of which runs; on PostgreSQL there may be others with other names."""
    at = "" if database.is_alone else server
    house = House(database, server, noon, anchors, at, min_uptime_seconds)
    await house.start()
    try:
        yield house
    finally:
        await house.stop()


@asynccontextmanager
async def opened(
    database: Database,
    server: str = "one",
    anchors: Path | None = None,
) -> AsyncIterator[tuple[House, FloorHost]]:
    """A house with one floor, and the floor's host."""
    async with started(database, server, anchors) as house:
        host = await house.open_floor(FLOOR)
        assert host is not None
        yield house, host


def lose_store(host: FloorHost, reason: str = "the store does not answer") -> None:
    """Halt a floor as if its last commit had failed."""
    host._halt([], reason)
    assert host._task is not None
    host._task.cancel()


def steal(database: Database, thief: str, floor: str = FLOOR) -> Lease:
    """Make another server a floor's owner, whoever owns it now."""
    taken = (
        update(FLOORS)
        .where(FLOORS.c.id == floor)
        .values(owner=thief, fence=FLOORS.c.fence + 1)
        .returning(FLOORS.c.fence)
    )
    with database.floor_engine.begin() as connection:
        return Lease(floor, thief, connection.execute(taken).scalar_one())


async def all_done(host: FloorHost, script: Sequence[CommandRequest]) -> None:
    for request in script:
        reply = await host.submit(request)
        assert isinstance(reply, Acceptance), (request.command, reply)


def wallets(database: Database) -> list[int]:
    return [database.wallet(f"P{seat}") for seat in SEATS]


def logged(database: Database) -> list[tuple[str, str]]:
    return list(database.entry_texts(FLOOR))


def decided(database: Database) -> list[Link]:
    """The entries of decisions: neither the header nor a checkpoint."""
    return [link for link in database.links(FLOOR) if "command" in link.entry]


def write_manifest(text: str, folder: Path) -> Path:
    """A file with a list of approved files."""
    folder.mkdir(exist_ok=True)
    (folder / "approved.txt").write_text(text)
    return folder / "approved.txt"
