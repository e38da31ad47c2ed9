"""Group commit: floors take turns together, and what they decide then shares one commit.

A commit waits for the disk, milliseconds each; a hundred tables that each waited for their own
would wait for one another. One thread commits. Where several floors have something to decide, they
gather for a moment, decide one after the other, are kept by one commit and tell what happened: a
commit costs as much processor for many of them as for one, and so does coming back to a piece of
work whose code and data the processor has put aside. A floor by itself waits for nobody.

A store that does not answer in time is lost: nobody knows what became of the commit until the
floors are taken again from their logs. Should it still come through later, it is there by then, or
the fence, which has grown meanwhile, keeps it out.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf

from headsup.house.store.protocol import Append, AppendResult, PartialCommit, StoreLost

AppendFunction = Callable[[Sequence[Append]], list[AppendResult]]

COMMIT_TIMEOUT_SECONDS = 8.0  # a commit takes milliseconds; who plays is not to wait for ever
BATCH_INTERVAL_SECONDS = 0.012  # from one turn of several floors to the next: nobody notices


class GroupCommit:
    """Hands appends to the store, as many at a time as are waiting."""

    def __init__(self, keep: AppendFunction) -> None:
        self._keep = keep
        self._waiting: list[tuple[Append, asyncio.Future[AppendResult]]] = []
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "keeper")
        self._began, self._floors = -inf, frozenset[str]()  # of the last commit
        self._turns: dict[str, asyncio.Future[None]] = {}  # floors that wait for theirs
        self._next: asyncio.TimerHandle | None = None  # when it comes
        self.commits = 0
        self.entries = 0

    async def turn(self, floor: str) -> None:
        """Returns when the floor may decide what it was asked: at once where no other floor has
        something to decide, else with them, after what they decided before is kept."""
        loop = asyncio.get_running_loop()
        due = self._began + BATCH_INTERVAL_SECONDS
        busy = self._floors | self._turns.keys()
        if busy <= {floor} or (self._task is None and not self._turns and loop.time() >= due):
            return
        turn = self._turns[floor] = loop.create_future()
        if self._next is None:
            self._next = loop.call_at(due, self._take_turns)
        try:
            await turn
        finally:
            if self._turns.get(floor) is turn:
                del self._turns[floor]

    def _take_turns(self) -> None:
        self._next = None
        if self._task is None:  # else it is their turn when that has ended
            for turn in self._turns.values():
                if not turn.done():
                    turn.set_result(None)

    async def keep(self, append: Append) -> AppendResult:
        """Returns when the append is durable, or will never be; raises what the store raises."""
        done: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, done))
        if self._task is None:
            self._task = asyncio.create_task(self._commit())
        return await done

    async def _commit(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                appends = [append for append, _ in batch]
                self._began = loop.time()
                self._floors = frozenset(append.lease.floor for append in appends)
                outcomes = await self._in_time(appends)
                self.commits += 1
                for (append, done), outcome in zip(batch, outcomes, strict=True):
                    self.entries += len(append.links) if outcome is AppendResult.KEPT else 0
                    _set(done, outcome)
        finally:
            self._task = None
            if self._next is None:
                self._take_turns()

    async def _in_time(self, appends: Sequence[Append]) -> Sequence[AppendResult | Exception]:
        loop = asyncio.get_running_loop()
        kept = loop.run_in_executor(self._thread, self._kept, appends)
        done, _ = await asyncio.wait([kept], timeout=COMMIT_TIMEOUT_SECONDS)
        if done:
            return kept.result()
        self._thread.shutdown(wait=False)  # nobody waits behind it; the next has one of its own
        self._thread = ThreadPoolExecutor(1, "keeper")
        return [StoreLost("the store does not answer")] * len(appends)

    def _kept(self, appends: Sequence[Append]) -> Sequence[AppendResult | Exception]:
        """What became of each. Where one of them is the trouble, the others are kept without it;
        where the store is, none is tried again."""
        try:
            return self._keep(appends)
        except StoreLost as lost:
            return [lost] * len(appends)
        except PartialCommit as partly:
            return partly.outcomes
        except Exception as error:
            if len(appends) == 1:
                return [error]
            return [outcome for append in appends for outcome in self._kept((append,))]

    async def close(self) -> None:
        """Finish what was handed over."""
        while self._task is not None:
            await asyncio.wait([self._task])
        self._thread.shutdown()


def _set(done: "asyncio.Future[AppendResult]", outcome: AppendResult | Exception) -> None:
    if done.done():  # whoever asked has gone
        return
    if isinstance(outcome, Exception):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)
