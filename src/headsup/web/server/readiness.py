"""Whether anything can be kept at this moment, for those who ask whether the server is ready."""

import asyncio
from math import inf

from headsup.house.floor.group_commit import COMMIT_TIMEOUT_SECONDS
from headsup.house.house import House
from headsup.house.log import ErrorStreak
from headsup.house.store.write_probe import probe_write

PROBE_SECONDS = 2  # a commit so often costs nothing, however often somebody asks


class WriteProbe:
    """Remembers what it found for a moment; a floor that could not keep something since is reason
    to look at once."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._looked, self._keeps = -inf, False
        self._look: asyncio.Task[bool] | None = None  # one for all who ask meanwhile
        self._trouble = ErrorStreak("nothing can be kept")

    async def now(self) -> bool:
        """A store that does not answer in time keeps nothing; another look begins when it has
        answered."""
        now = asyncio.get_running_loop().time()
        failed = max((host.failed_at for host in self._house.hosts.values()), default=-inf)
        if self._look is None or self._look.done():
            if now < self._looked + PROBE_SECONDS and failed < self._looked:
                return self._keeps
            self._looked = now
            self._look = asyncio.create_task(self._tried())
        left = max(0.0, self._looked + COMMIT_TIMEOUT_SECONDS - now)
        done, _ = await asyncio.wait([self._look], timeout=left)
        self._keeps = bool(done) and self._look.result()
        return self._keeps

    async def _tried(self) -> bool:
        try:
            await asyncio.to_thread(probe_write, self._house.database, self._house.server)
        except Exception as error:
            self._trouble.seen(error)
            return False
        self._trouble.over()
        return True
