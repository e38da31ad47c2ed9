"""Signals between the servers of one PostgreSQL: that there is something to look at.

A signal is sent with the commit it tells of and holds nothing but where to look. It may be lost:
whoever waits for one also looks from time to time.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import suppress

import psycopg
from sqlalchemy import Connection, Engine, text

from headsup.game.values.str_enum import TextEnum
from headsup.house.store.engine import TIMEOUT_ARGUMENTS

_CHANNEL = "headsup"
_NOTIFY = text("SELECT pg_notify(:channel, signal) FROM unnest(CAST(:signals AS text[])) signal")


class Signal(TextEnum):
    """What there is to look at; what it is about is named with it."""

    GREW = "grew"  # the log of a floor
    FREED = "freed"  # a floor, for another owner
    ASKED = "asked"  # something is asked of a floor
    ANSWERED = "answered"  # something that a server had asked
    GONE = "gone"  # a person has logged out, or was
    # A table was paused or taken over, goes on, has another pace; of none, a setting was changed.
    ATTENDED = "attended"
    SEATED = "seated"  # a person watches from a seat: on which server, who, and which


def notify(connection: Connection, signals: Iterable[tuple[Signal, str]]) -> None:
    """With the commit of this transaction; where there is one server alone, nobody listens."""
    told = [f"{signal} {about}" for signal, about in dict.fromkeys(signals)]
    if told and connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"channel": _CHANNEL, "signals": told})


async def listen(engine: Engine) -> AsyncIterator[tuple[Signal, str] | None]:
    """None once it listens: what was sent before then is missed. Ends when the connection does."""
    _, named = engine.dialect.create_connect_args(engine.url)
    arguments = {**named, **TIMEOUT_ARGUMENTS, "autocommit": True}
    connection = await psycopg.AsyncConnection.connect(**arguments)
    try:
        await connection.execute(f"LISTEN {_CHANNEL}")
        yield None
        async for heard in connection.notifies():
            kind, _, about = heard.payload.partition(" ")
            with suppress(ValueError):  # a newer server may say more
                yield Signal(kind), about
    finally:
        # Not `async with`, which rolls back first: who is cancelled just then would leave it open.
        await connection.close()
