"""A house in its own process, which is killed at a chosen moment of its next commit."""

import asyncio
import os
import signal
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection as Pipe

from sqlalchemy import Connection, event

from headsup.game.record.floor_text import digest
from headsup.game.values.str_enum import TextEnum
from headsup.house.floor import decide as decide_module
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult
from tests.support.house.houses import opened

ENTRIES_PER_CHECKPOINT = 10  # so that most starts use a snapshot


class Moment(TextEnum):
    BEFORE = "before"  # anything is written
    BETWEEN = "between"  # everything is written, but not committed
    AFTER = "after"  # the commit, before anything is published
    NEVER = "never"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Dying(Database):
    """A real database whose commit ends the process at once, as `kill -9` does."""

    def __init__(self, address: str, moment: Moment) -> None:
        super().__init__(address)
        self._moment, self._here = moment, threading.local()
        event.listen(self.floor_engine, "commit", self._committing)

    def commit(self, appends: Sequence[Append]) -> Sequence[AppendResult | Exception]:
        if self._moment is Moment.BEFORE:
            die()
        self._here.keeping = True
        results = super().commit(appends)
        self._here.keeping = False
        if self._moment is Moment.AFTER and AppendResult.STORED in results:
            die()
        return results

    def _committing(self, _: Connection) -> None:
        keeping = getattr(self._here, "keeping", False)  # not for a snapshot, in another thread
        if self._moment is Moment.BETWEEN and keeping:
            die()


def run(address: str, moment: Moment, script: Sequence[CommandRequest], pipe: Pipe) -> None:
    """Open the house and report its state; submit the script and report the answers."""
    decide_module.CHECKPOINT_ENTRIES_PER_TABLE = ENTRIES_PER_CHECKPOINT
    asyncio.run(_run(address, moment, script, pipe))


async def _run(address: str, moment: Moment, script: Sequence[CommandRequest], pipe: Pipe) -> None:
    database = Dying(address, moment)
    async with opened(database) as (_, host):
        pipe.send((host.journal.head, digest(host.journal.floor)))
        for request in script:
            reply = await host.submit(request)
            assert isinstance(reply, Acceptance), reply
            pipe.send(reply.index)
    database.close()
