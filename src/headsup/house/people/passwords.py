"""Checks and hashes passwords with Argon2, in a thread pool of their own."""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from headsup.game.refusal import Code, Refused

MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS = 8, 256
COST = RFC_9106_LOW_MEMORY  # the second recommended option of RFC 9106, section 4


def is_valid_password(password: str) -> bool:
    return MIN_PASSWORD_CHARS <= len(password) <= MAX_PASSWORD_CHARS


def hash_password(password: str) -> str:
    """Slow on purpose."""
    return _hasher().hash(password)


def verify_password(stored_hash: str, password: str) -> bool:
    """Whether the password has this hash. An empty hash never matches, but takes as long."""
    try:
        return _hasher().verify(stored_hash or _dummy(), password[: MAX_PASSWORD_CHARS + 1])
    except (VerificationError, InvalidHashError):
        return False


@dataclass(frozen=True, slots=True)
class HashFunctions:
    """How a house hashes and compares passwords."""

    hash: Callable[[str], str] = hash_password
    matches: Callable[[str, str], bool] = verify_password


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher.from_parameters(COST)


@cache
def _dummy() -> str:
    """A hash that no password matches, so that an unknown name takes as long as a known one."""
    return _hasher().hash(secrets.token_urlsafe(32))


# In the shared threads, a flood of log-ins would delay the renewal of leases and all commands.

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 1  # one hash already works on four cores, in 64 MB
MAX_WAITING_PASSWORDS = 30  # a whole shift logging in together; the last waits a few seconds


class PasswordPool:
    """Runs password work in its own threads, and refuses it at once when too much is waiting."""

    def __init__(self, threads: int = THREADS, waiting: int = MAX_WAITING_PASSWORDS) -> None:
        self._threads = ThreadPoolExecutor(threads, "passwords")
        self._room = BoundedSemaphore(threads + waiting)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` and return its result; raises Refused if the pool is full."""
        if not self._room.acquire(blocking=False):
            raise Refused(Code.BUSY, "passwords")
        try:
            future = self._threads.submit(work, *args, **kwargs)
        except BaseException:
            self._room.release()
            raise
        future.add_done_callback(lambda _: self._room.release())  # even if the caller has given up
        return await asyncio.wrap_future(future)
