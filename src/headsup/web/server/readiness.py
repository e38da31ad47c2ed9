"""Tells load balancers whether this server can store anything right now (`GET /ready`)."""

import asyncio
from math import inf

from headsup.house.floor.group_commit import COMMIT_TIMEOUT_SECONDS
from headsup.house.house import House
from headsup.house.log import ErrorStreak
from headsup.house.store.database import probe_write

PROBE_SECONDS = 2  # how long a result stays valid, however many clients want to know


class WriteProbe:
    """Probes the database with a real write, at most once every PROBE_SECONDS.

    A floor that failed to store something since the last probe triggers a new one at once.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._probed_at, self._writable = -inf, False
        self._probe_task: asyncio.Task[bool] | None = None  # shared by concurrent callers
        self._errors = ErrorStreak("database is not writable")

    async def can_write(self) -> bool:
        """False if the database does not answer in time; that probe then goes on in the
        background, and the next starts when it has ended."""
        now = asyncio.get_running_loop().time()
        failed_at = max((host.failed_at for host in self._house.hosts.values()), default=-inf)
        if self._probe_task is None or self._probe_task.done():
            if now < self._probed_at + PROBE_SECONDS and failed_at < self._probed_at:
                return self._writable
            self._probed_at = now
            self._probe_task = asyncio.create_task(self._probe())
        seconds_left = max(0.0, self._probed_at + COMMIT_TIMEOUT_SECONDS - now)
        done, _ = await asyncio.wait([self._probe_task], timeout=seconds_left)
        self._writable = bool(done) and self._probe_task.result()
        return self._writable

    async def _probe(self) -> bool:
        try:
            await asyncio.to_thread(probe_write, self._house.database, self._house.server)
        except Exception as error:
            self._errors.failed(error)
            return False
        self._errors.recovered()
        return True
