"""A server that joins a house, or comes back to it, takes its share of the floors by itself.

It takes for itself only, since it alone knows that it is well: once it has been up for a while, a
few idle floors at a time, from whoever has the most. A server that keeps falling over takes none.
"""

import asyncio

from headsup.house import clock
from headsup.house.cluster.leases import LEASE_MICROSECONDS
from headsup.house.cluster.rebalance import Spread, spread_floors
from headsup.house.house import HOUSE, House
from headsup.house.log import log, short_traceback

MIN_UPTIME_SECONDS = 30.0  # that a server is up before it takes a floor from another
LOOK_SECONDS = 1.0  # a table that is played at is idle for about as long after each round
AT_A_TIME = 8


async def take_share(house: House) -> Spread:
    """Floors that nobody plays at now come here, until this server has about as many as others."""
    known = house.database, house.server, dict(house.hosts)
    return await asyncio.to_thread(
        spread_floors, *known, HOUSE, clock.now(), LEASE_MICROSECONDS, AT_A_TIME
    )


async def take_share_always(house: House, steady: float = MIN_UPTIME_SECONDS) -> None:
    """Until cancelled. One server alone has all of them."""
    if house.alone:
        return
    await asyncio.sleep(steady)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            taken = await take_share(house)
        except Exception as error:  # the next look tries again
            log.warning("no floors could be taken over", at=short_traceback(error))
        else:
            if taken.moved:
                log.info("floors come here", floors=len(taken.moved), servers=taken.servers)
