"""Passwords: how long they are, and the Argon2 hash that is all the house keeps of one."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS = 8, 256
COST = RFC_9106_LOW_MEMORY  # the second recommended option of RFC 9106, section 4


def is_valid_password(password: str) -> bool:
    return MIN_PASSWORD_CHARS <= len(password) <= MAX_PASSWORD_CHARS


def hash_password(password: str) -> str:
    """Takes its time on purpose."""
    return _hasher().hash(password)


def verify_password(known: str, password: str) -> bool:
    """Whether this is the password of which the hash is known; without one nobody's is, and that
    takes as long."""
    try:
        return _hasher().verify(known or _dummy(), password[: MAX_PASSWORD_CHARS + 1])
    except (VerificationError, InvalidHashError):
        return False


@dataclass(frozen=True, slots=True)
class HashFunctions:
    """How a house hashes and compares passwords."""

    hashed: Callable[[str], str] = hash_password
    matches: Callable[[str, str], bool] = verify_password


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher.from_parameters(COST)


@cache
def _dummy() -> str:
    """A hash that no password matches, so that an unknown name takes as long as a known one."""
    return _hasher().hash(secrets.token_urlsafe(32))
