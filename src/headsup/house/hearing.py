"""Hearing the signals of the other servers, for as long as the house is open."""

import asyncio
from collections.abc import Callable

import psycopg
from sqlalchemy import Engine

from headsup.house.log import log, places
from headsup.house.store.signals import Signal, listen

AGAIN_SECONDS = 1.0  # until the connection is tried again


async def hear(
    engine: Engine, heard: Callable[[Signal, str], None], missed: Callable[[], None]
) -> None:
    """Until cancelled. `missed` is called whenever there may have been signals nobody heard."""
    if engine.dialect.name != "postgresql":
        return
    while True:
        try:
            async for one in listen(engine):
                if one is None:
                    missed()
                else:
                    heard(*one)
        except (psycopg.Error, OSError) as error:
            log.warning("signals are not heard", why=type(error).__name__, at=places(error))
        await asyncio.sleep(AGAIN_SECONDS)
