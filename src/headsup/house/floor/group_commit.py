"""Group commit: several floors share one commit, because a commit waits for the disk.

A commit takes milliseconds, and one thread commits for all floors. If several floors have commands
at the same time, they wait for a common turn, decide one after the other, and share a commit. That
costs little more than a commit for one floor, and it keeps code and data in the processor's caches.
A floor that is alone waits for nobody.

If the store does not answer in time, nobody knows what became of the commit: the floors halt until
they are taken again from their logs. If the commit succeeds later, its entries are either in the
log by then, or they are rejected because the fence has grown.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf

from headsup.house.store.protocol import Append, AppendResult, StoreLost

Outcome = AppendResult | Exception
AppendFunction = Callable[[Sequence[Append]], Sequence[Outcome]]

COMMIT_TIMEOUT_SECONDS = 8.0  # a commit normally takes milliseconds
BATCH_INTERVAL_SECONDS = 0.012  # between two common turns; too short to notice


class GroupCommit:
    """Hands appends to the store, as many at a time as are waiting."""

    def __init__(self, append: AppendFunction) -> None:
        self._append = append
        self._waiting: list[tuple[Append, asyncio.Future[AppendResult]]] = []
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "group commit")
        self._started, self._floors = -inf, frozenset[str]()  # of the last commit
        self._turns: dict[str, asyncio.Future[None]] = {}  # floors that wait for the next turn
        self._timer: asyncio.TimerHandle | None = None  # for the next turn
        self.commits = 0
        self.entries = 0

    async def wait_turn(self, floor: str) -> None:
        """Wait until the floor may decide its commands: not at all if no other floor has any,
        otherwise until the common turn after the commit that is under way."""
        loop = asyncio.get_running_loop()
        due = self._started + BATCH_INTERVAL_SECONDS
        active = self._floors | self._turns.keys()
        if active <= {floor} or (self._task is None and not self._turns and loop.time() >= due):
            return
        turn = self._turns[floor] = loop.create_future()
        if self._timer is None:
            self._timer = loop.call_at(due, self._start_turn)
        try:
            await turn
        finally:
            if self._turns.get(floor) is turn:
                del self._turns[floor]

    def _start_turn(self) -> None:
        self._timer = None
        if self._task is None:  # else the turn starts when the commit ends
            for turn in self._turns.values():
                if not turn.done():
                    turn.set_result(None)

    async def commit(self, append: Append) -> AppendResult:
        """Wait until the append is durable or rejected; raises what the store raises."""
        future: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, future))
        if self._task is None:
            self._task = asyncio.create_task(self._commit_waiting())
        return await future

    async def _commit_waiting(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                appends = [append for append, _ in batch]
                self._started = loop.time()
                self._floors = frozenset(append.lease.floor for append in appends)
                outcomes = await self._append_with_timeout(appends)
                self.commits += 1
                for (append, future), outcome in zip(batch, outcomes, strict=True):
                    self.entries += len(append.links) if outcome is AppendResult.STORED else 0
                    _resolve(future, outcome)
        finally:
            self._task = None
            if self._timer is None:
                self._start_turn()

    async def _append_with_timeout(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._thread, self._append, appends)
        done, _ = await asyncio.wait([work], timeout=COMMIT_TIMEOUT_SECONDS)
        if done:
            try:
                return work.result()
            except Exception as error:
                return [error] * len(appends)
        self._thread.shutdown(wait=False)  # it hangs: the next commit gets a new thread
        self._thread = ThreadPoolExecutor(1, "group commit")
        return [StoreLost("the store does not answer")] * len(appends)

    async def close(self) -> None:
        """Finish the appends that are waiting."""
        while self._task is not None:
            await asyncio.wait([self._task])
        self._thread.shutdown()


def _resolve(future: "asyncio.Future[AppendResult]", outcome: Outcome) -> None:
    if future.done():  # the caller was cancelled
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
