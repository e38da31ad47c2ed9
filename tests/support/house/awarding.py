"""A house in its own process that plays its tables and reports the awards in the order in which it
learned of them."""

import asyncio
from collections.abc import Sequence
from multiprocessing.connection import Connection as Pipe

from headsup.game.round.events import RoundSettled
from headsup.game.rulebook.wagers import Wager
from headsup.house import clock
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorUnavailable,
    FloorUpdate,
)
from headsup.house.house import House
from headsup.house.store.database import Database

SOON = 60.0  # seconds; normally it takes a moment

# A settled round: the table, and each seat's award in cents.
Paid = tuple[str, tuple[tuple[int, int], ...]]

# The commands for a table: up to the first settlement, and after it.
Script = tuple[list[CommandRequest], list[CommandRequest]]


def paid(event: RoundSettled, table: str) -> Paid:
    lines = ((seat.seat, line) for seat in event.settlement.seats for line in seat.lines)
    awards = ((at, line.award) for at, line in lines if line.wager is Wager.PROGRESSIVE)
    return table, tuple(sorted(award for award in awards if award[1]))


def run(address: str, server: str, scripts: Sequence[Script], pipe: Pipe) -> None:
    """Report the owned floors, play twice on demand, then report the awards by floor."""
    asyncio.run(_run(address, server, scripts, pipe))


async def _run(address: str, server: str, scripts: Sequence[Script], pipe: Pipe) -> None:
    database = Database(address)
    house = House(database, server, clock.now, at=server.replace("server ", "s"))
    paid_by_floor: dict[str, list[Paid]] = {}

    def add_floor(host: FloorHost) -> None:
        floor_awards = paid_by_floor.setdefault(host.lease.floor, [])

        def on_update(update: FloorUpdate) -> None:
            settled = (event for event in update.events if isinstance(event, RoundSettled))
            floor_awards.extend(paid(event, update.table) for event in settled)

        host.subscribe(on_update)

    await house.start()
    house.on_floor(add_floor)
    try:
        pipe.send(sorted(house.owned_floors()))
        for part, stage in enumerate(("due", "played")):
            await asyncio.to_thread(pipe.recv)
            await asyncio.gather(*(_play(house, script[part]) for script in scripts))
            pipe.send(stage)
        pipe.send(paid_by_floor)
        await asyncio.to_thread(pipe.recv)  # until every process is done
    finally:
        await house.stop()
        database.close()


async def _play(house: House, script: Sequence[CommandRequest]) -> None:
    for request in script:
        reply = await _answered(house, request)
        if not isinstance(reply, Acceptance):
            raise RuntimeError(f"{request.table}: {request.command}: {reply}")


async def _answered(house: House, request: CommandRequest) -> object:
    async with asyncio.timeout(SOON):
        while True:
            try:
                return await house.submit(request)
            except FloorUnavailable:  # retry with the same id, as any client does
                await asyncio.sleep(0.05)
