"""Sends signals between the servers of one PostgreSQL, so that they need not poll often.

A signal is sent with the commit it is about, and names only what to look at. Signals can get lost,
so every receiver also polls from time to time. Appends send none: PostgreSQL commits transactions
with notifications one after another.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress

import psycopg
from sqlalchemy import Connection, Engine, text

from headsup.game.values.str_enum import TextEnum
from headsup.house.log import ErrorStreak
from headsup.house.store.engine import TIMEOUT_ARGUMENTS

_CHANNEL = "headsup"
_NOTIFY = text("SELECT pg_notify(:channel, signal) FROM unnest(CAST(:signals AS text[])) signal")


class Signal(TextEnum):
    """The kind of a signal; its text says which floor, server or person it is about."""

    FREED = "freed"  # a floor is free for another owner
    GIVEN = "given"  # a server was given a floor
    LOGGED_OUT = "gone"  # a person logged out or was logged out
    SETTING_CHANGED = "setting"  # a setting of the house


def notify(connection: Connection, signals: Iterable[tuple[Signal, str]]) -> None:
    """Send signals with this transaction's commit. SQLite has one server, so it sends none."""
    texts = [f"{signal} {about}" for signal, about in dict.fromkeys(signals)]
    if texts and connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"channel": _CHANNEL, "signals": texts})


async def listen(engine: Engine) -> AsyncIterator[tuple[Signal, str] | None]:
    """Yields None once it is listening, then the signals, until the connection ends."""
    _, named = engine.dialect.create_connect_args(engine.url)
    arguments = {**named, **TIMEOUT_ARGUMENTS, "autocommit": True}
    connection = await psycopg.AsyncConnection.connect(**arguments)
    try:
        await connection.execute(f"LISTEN {_CHANNEL}")
        yield None
        async for notification in connection.notifies():
            kind, _, about = notification.payload.partition(" ")
            with suppress(ValueError):  # unknown signals come from a newer server
                yield Signal(kind), about
    finally:
        # Not `async with`: it rolls back first, and a cancellation then would leave it open.
        await connection.close()


RECONNECT_SECONDS = 1.0


async def keep_listening(
    engine: Engine, on_signal: Callable[[Signal, str], None], on_missed: Callable[[], None]
) -> None:
    """Listen until cancelled. `on_missed` is called whenever signals may have been missed."""
    if engine.dialect.name != "postgresql":
        return
    errors = ErrorStreak("not listening for notifications")
    while True:
        try:
            async for signal in listen(engine):
                if signal is None:
                    errors.recovered()
                    on_missed()
                else:
                    on_signal(*signal)
        except (psycopg.Error, OSError) as error:
            # If the connection breaks during a cancellation, only the break is raised.
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise asyncio.CancelledError from error
            errors.failed(error)
        await asyncio.sleep(RECONNECT_SECONDS)
