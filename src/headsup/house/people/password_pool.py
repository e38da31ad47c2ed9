"""Where passwords are hashed and compared: in a thread of their own, with few waiting for it.

Argon2 takes its time on purpose. In the threads that everything else shares, whoever asks to
come in often enough would keep leases from being renewed and commands from being answered.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

from headsup.game.refusal import Code, Refused

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 1  # one hash already works on four cores, in 64 MB
MAX_WAITING_PASSWORDS = 30  # a shift that begins together; the last of them waits a few seconds


class PasswordPool:
    """At most so many at a time; whoever comes when it is full is refused at once."""

    def __init__(self, threads: int = THREADS, waiting: int = MAX_WAITING_PASSWORDS) -> None:
        self._threads = ThreadPoolExecutor(threads, "passwords")
        self._room = BoundedSemaphore(threads + waiting)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What this work returns; raises Refused where too many wait."""
        if not self._room.acquire(blocking=False):
            raise Refused(Code.BUSY, "passwords")
        try:
            done = self._threads.submit(work, *args, **kwargs)
        except BaseException:
            self._room.release()
            raise
        done.add_done_callback(lambda _: self._room.release())  # also where nobody waits any more
        return await asyncio.wrap_future(done)
