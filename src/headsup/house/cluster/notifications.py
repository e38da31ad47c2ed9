"""Hearing the signals of the other servers, for as long as the house is open, and sending some."""

import asyncio
from collections.abc import Callable

import psycopg
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from headsup.house.log import ErrorStreak, log, short_traceback
from headsup.house.store.signals import Signal, listen, notify

RECONNECT_SECONDS = 1.0  # until the connection is tried again


async def keep_listening(
    engine: Engine, heard: Callable[[Signal, str], None], missed: Callable[[], None]
) -> None:
    """Until cancelled. `missed` is called whenever there may have been signals nobody heard."""
    if engine.dialect.name != "postgresql":
        return
    trouble = ErrorStreak("signals are not heard")
    while True:
        try:
            async for one in listen(engine):
                if one is None:
                    trouble.over()
                    missed()
                else:
                    heard(*one)
        except (psycopg.Error, OSError) as error:
            # A connection that breaks while it is being cancelled tells of the break alone.
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise asyncio.CancelledError from error
            trouble.seen(error)
        await asyncio.sleep(RECONNECT_SECONDS)


async def send_signal(engine: Engine, signal: Signal, about: str) -> None:
    """Send one signal that goes with no commit."""

    def send() -> None:
        with engine.begin() as connection:
            notify(connection, [(signal, about)])

    try:
        await asyncio.to_thread(send)
    except SQLAlchemyError as error:
        log.warning("a signal was not sent", why=type(error).__name__, at=short_traceback(error))
