"""A house in a process of its own that plays its tables and says in which order it was told of
what the meters paid."""

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

SOON = 60.0  # seconds for what takes a moment on a machine that does nothing else

# A round that was settled: the table, and the award of each seat in cents.
Paid = tuple[str, tuple[tuple[int, int], ...]]

# What is asked of a table: up to the first settlement, and from there on.
Script = tuple[list[CommandRequest], list[CommandRequest]]


def paid(event: RoundSettled, table: str) -> Paid:
    lines = ((seat.seat, line) for seat in event.settlement.seats for line in seat.lines)
    awards = ((at, line.award) for at, line in lines if line.wager is Wager.PROGRESSIVE)
    return table, tuple(sorted(award for award in awards if award[1]))


def run(address: str, server: str, scripts: Sequence[Script], pipe: Pipe) -> None:
    """Says what it owns; plays when it is told to, twice; says what it was told of each floor."""
    asyncio.run(_run(address, server, scripts, pipe))


async def _run(address: str, server: str, scripts: Sequence[Script], pipe: Pipe) -> None:
    database = Database(address)
    house = House(database, server, clock.now, alone=False)
    told: dict[str, list[Paid]] = {}

    def come(host: FloorHost) -> None:
        heard = told.setdefault(host.lease.floor, [])

        def happened(news: FloorUpdate) -> None:
            settled = (event for event in news.events if isinstance(event, RoundSettled))
            heard.extend(paid(event, news.table) for event in settled)

        host.watch(happened)

    await house.start()
    house.welcome(come)
    try:
        pipe.send(sorted(house.owned()))
        for part, stage in enumerate(("due", "played")):
            await asyncio.to_thread(pipe.recv)
            await asyncio.gather(*(_play(house, script[part]) for script in scripts))
            pipe.send(stage)
        ends: dict[str, int] = await asyncio.to_thread(pipe.recv)
        async with asyncio.timeout(SOON):
            for floor, entries in ends.items():
                await house.hosts[floor].reached(entries - 1)
        pipe.send(told)
        await asyncio.to_thread(pipe.recv)  # nobody goes before all are done
    finally:
        await house.stop()
        database.close()


async def _play(house: House, script: Sequence[CommandRequest]) -> None:
    for asked in script:
        reply = await _answered(house, asked)
        if not isinstance(reply, Acceptance):
            raise RuntimeError(f"{asked.table}: {asked.command}: {reply}")


async def _answered(house: House, asked: CommandRequest) -> object:
    async with asyncio.timeout(SOON):
        while True:
            try:
                return await house.ask(asked)
            except FloorUnavailable:  # as any client does: once more, with the same id
                await asyncio.sleep(0.05)
