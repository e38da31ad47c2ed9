"""Whether anything can be kept at this moment, for those who ask whether the server is ready."""

import asyncio
from math import inf

from headsup.house.house import House
from headsup.house.log import Trouble
from headsup.house.store.room import try_to_keep

LOOK_SECONDS = 2  # a commit so often costs nothing, however often somebody asks


class CanKeep:
    """Remembers what it found for a moment; a floor that could not keep something since is reason
    to look at once."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._looked, self._keeps = -inf, False
        self._looking = asyncio.Lock()  # one for all who ask meanwhile
        self._trouble = Trouble("nothing can be kept")

    async def now(self) -> bool:
        async with self._looking:
            now = asyncio.get_running_loop().time()
            failed = max((host.failed_at for host in self._house.hosts.values()), default=-inf)
            if now >= self._looked + LOOK_SECONDS or failed >= self._looked:
                self._looked, self._keeps = now, await self._look()
            return self._keeps

    async def _look(self) -> bool:
        try:
            await asyncio.to_thread(try_to_keep, self._house.database, self._house.server)
        except Exception as error:
            self._trouble.seen(error)
            return False
        self._trouble.over()
        return True
