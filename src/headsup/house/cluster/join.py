"""Lets a server that joins a house take its share of the floors.

A server takes floors for itself alone, since only it knows that it is healthy. It waits until it
has been up for a while, so that a server which keeps crashing takes none. Then it takes a few idle
floors at a time from the server with the most.
"""

import asyncio

from headsup.house import clock
from headsup.house.cluster.leases import LEASE_MICROSECONDS
from headsup.house.cluster.rebalance import Spread, spread_floors
from headsup.house.floor.decide import HOUSE
from headsup.house.house import House
from headsup.house.log import log, short_traceback

MIN_UPTIME_SECONDS = 30.0  # before a server takes a floor from another
LOOK_SECONDS = 1.0  # a busy table is idle for about this long after each round
MAX_FLOORS_AT_A_TIME = 8


async def take_share(house: House) -> Spread:
    """Take idle floors until this server has about as many as the others."""
    return await asyncio.to_thread(
        spread_floors,
        *(house.database, house.server, dict(house.hosts), HOUSE.name, clock.now()),
        *(LEASE_MICROSECONDS, MAX_FLOORS_AT_A_TIME),
    )


async def take_share_always(house: House, uptime_seconds: float = MIN_UPTIME_SECONDS) -> None:
    """Keep taking floors until cancelled. A server that is alone has all of them already."""
    if house.is_alone:
        return
    await asyncio.sleep(uptime_seconds)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            spread = await take_share(house)
        except Exception as error:  # tried again after LOOK_SECONDS
            log.warning("could not take over floors", at=short_traceback(error))
        else:
            if spread.moved:
                log.info("took over floors", floors=len(spread.moved), servers=spread.servers)
