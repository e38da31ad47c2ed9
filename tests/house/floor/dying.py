"""A house in a process of its own that is killed at a chosen moment of its next commit."""

import asyncio
import os
import signal
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection as Pipe

from sqlalchemy import Connection, event

from headsup.game.record.digest import digest
from headsup.game.values.str_enum import TextEnum
from headsup.house.floor import snapshots
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append, AppendResult
from tests.house.houses import opened


class Moment(TextEnum):
    BEFORE = "before"  # anything is written
    BETWEEN = "between"  # everything is written, and not committed
    AFTER = "after"  # the commit, and before anybody is told
    NEVER = "never"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Dying(Database):
    """A real database in whose `keep` the process ends at once, as by `kill -9`."""

    def __init__(self, address: str, moment: Moment) -> None:
        super().__init__(address)
        self._moment, self._here = moment, threading.local()
        event.listen(self.keeping, "commit", self._committing)

    def keep(self, appends: Sequence[Append]) -> list[AppendResult]:
        if self._moment is Moment.BEFORE:
            die()
        self._here.keeping = True
        kept = super().keep(appends)
        self._here.keeping = False
        if self._moment is Moment.AFTER and AppendResult.KEPT in kept:
            die()
        return kept

    def _committing(self, _: Connection) -> None:
        keeping = getattr(self._here, "keeping", False)  # and no snapshot, in another thread
        if self._moment is Moment.BETWEEN and keeping:
            die()


def run(address: str, moment: Moment, script: Sequence[CommandRequest], pipe: Pipe) -> None:
    """Open the house and say what was found; ask the script and say what was answered."""
    snapshots.SNAPSHOT_ENTRIES_PER_TABLE = 10  # so that most starts are from one
    asyncio.run(_run(address, moment, script, pipe))


async def _run(address: str, moment: Moment, script: Sequence[CommandRequest], pipe: Pipe) -> None:
    database = Dying(address, moment)
    async with opened(database) as (_, host):
        pipe.send((host.journal.head, digest(host.journal.floor)))
        for asked in script:
            reply = await host.ask(asked)
            assert isinstance(reply, Acceptance), reply
            pipe.send(reply.index)
    database.close()
