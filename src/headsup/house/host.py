"""One task owns one floor and works its queue; nothing is told before it is durable.

Commands that wait together are decided together, kept in one append, and then told: first the
answers to those who asked, then what happened to everyone who watches. A command sent again is
answered as before: its sender's id and content are kept with the entry it led to.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from headsup.game.record.chain import Json, Link, canonical
from headsup.game.record.commands import write_command
from headsup.game.record.journal import Journal, write, write_by
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import By, Command
from headsup.game.table.decide import decide
from headsup.game.table.events import BoughtIn, CashedOut, Event
from headsup.game.table.state import Floor
from headsup.house.keeper import Keeper
from headsup.house.store.protocol import Append, Kept, KeptAnswer, Lease, WalletMove

MOST_REMEMBERED = 10_000  # answers held in memory; older ones are in the store
MOST_WAITING = 1_000  # commands of one floor; a floor that is so far behind takes no more


@dataclass(frozen=True, slots=True)
class Asked:
    """One command, who sends it and the id its sender made."""

    id: str
    table: str
    by: By
    command: Command

    @property
    def digest(self) -> str:
        """Of all that is said: the same id with another is another command."""
        said: Json = [self.table, write_by(self.by), write_command(self.command)]
        return sha256(canonical(said).encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """The command was carried out: its entry is the `index`-th of the floor's log."""

    index: int


Reply = CarriedOut | Refusal


@dataclass(frozen=True, slots=True)
class Happened:
    """One decision that is durable: its events at a table, and the journal after it."""

    journal: Journal
    table: str
    events: tuple[Event, ...]


class Unavailable(RuntimeError):
    """The floor is not to be had here now: its owner has changed or the store is gone."""


@dataclass(slots=True)
class _Waiting:
    asked: Asked
    done: "asyncio.Future[Reply]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Host:
    """The owner of one floor."""

    def __init__(
        self,
        lease: Lease,
        journal: Journal,
        keeper: Keeper,
        answer: Callable[[str, str], KeptAnswer | None],
        now: Callable[[], str],
    ) -> None:
        self.lease, self.journal = lease, journal
        self._keeper, self._answer, self._now = keeper, answer, now
        self._queue: asyncio.Queue[_Waiting | None] = asyncio.Queue(MOST_WAITING)
        self._remembered: OrderedDict[str, tuple[str, Reply]] = OrderedDict()
        self._watchers: set[Callable[[Happened], None]] = set()
        self._task: asyncio.Task[None] | None = None
        self.lost: str = ""

    def start(self) -> None:
        self._task = asyncio.create_task(self._work(), name=f"floor {self.lease.floor}")

    async def stop(self) -> None:
        """Finish what was accepted into the queue, then end."""
        if self._task is not None and not self._task.done():
            await self._queue.put(None)
            await self._task

    def watch(self, watcher: Callable[[Happened], None]) -> Callable[[], None]:
        """Be told of every entry once it is durable, in order; call the result to stop."""
        self._watchers.add(watcher)
        return lambda: self._watchers.discard(watcher)

    async def ask(self, asked: Asked) -> Reply:
        """The answer to a command, once it is durable; the same answer when it is sent again."""
        if self.lost:
            raise Unavailable(self.lost)
        waiting = _Waiting(asked)
        try:
            self._queue.put_nowait(waiting)
        except asyncio.QueueFull:
            return refusal(Code.BUSY, floor=self.lease.floor)
        return await waiting.done

    # The task.

    async def _work(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get_nowait())
            waiting = [one for one in batch if one is not None]
            try:
                await self._decide(waiting)
            except Exception as error:
                self._lose(waiting, f"floor {self.lease.floor}: {type(error).__name__}")
                raise
            if len(waiting) < len(batch):
                return

    async def _decide(self, waiting: list[_Waiting]) -> None:
        """Decide all, keep all; where the store says no to some, one at a time."""
        if await self._try(waiting):
            return
        for one in waiting:
            if not one.done.done():
                await self._try([one])

    async def _try(self, waiting: list[_Waiting]) -> bool:
        at = self._now()
        journal = self.journal
        links: list[Link] = []
        happened: list[Happened] = []
        answers: list[KeptAnswer] = []
        moves: list[WalletMove] = []
        accepted: list[tuple[_Waiting, CarriedOut]] = []
        for one in waiting:
            asked = one.asked
            if (before := await self._before(asked, answers)) is not None:
                one.done.set_result(before)
                continue
            decision = decide(journal.floor, asked.table, asked.by, asked.command)
            if isinstance(decision, Refusal):
                self._reply(one, decision)
                continue
            moves += _moves(journal.floor, asked.table, decision)
            journal, written = write(journal, at, asked.table, asked.by, decision)
            outcome = CarriedOut(written[-1].index)
            answers.append(KeptAnswer(asked.id, asked.digest, json.dumps(outcome.index)))
            accepted.append((one, outcome))
            links += written
            happened.append(Happened(journal, asked.table, decision))
        if not links:
            return True
        append = Append(
            self.lease, self.journal.head, tuple(links), at, tuple(answers), tuple(moves)
        )
        kept = await self._keeper.keep(append)
        if kept is Kept.KEPT:
            self.journal = journal
            for one, outcome in accepted:
                self._reply(one, outcome)
            for one_thing in happened:
                self._tell(one_thing)
            return True
        return await self._not_kept(kept, accepted)

    async def _before(self, asked: Asked, answers: list[KeptAnswer]) -> Reply | None:
        """What this command was answered before; a known id with other content is refused."""
        held = self._remembered.get(asked.id)
        if held is None and any(answer.command == asked.id for answer in answers):
            return refusal(Code.ID_USED, id=asked.id)
        if held is None:
            return None
        digest, outcome = held
        return outcome if digest == asked.digest else refusal(Code.ID_USED, id=asked.id)

    def _reply(self, one: _Waiting, outcome: Reply) -> None:
        self._remembered[one.asked.id] = one.asked.digest, outcome
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        if not one.done.done():
            one.done.set_result(outcome)

    async def _not_kept(self, kept: Kept, accepted: list[tuple[_Waiting, CarriedOut]]) -> bool:
        """Nothing of the append was kept, and the floor is as it was."""
        if kept is Kept.NOT_OWNER:
            raise Unavailable("another server owns the floor")
        if len(accepted) > 1:
            return False
        one = accepted[0][0]
        if kept is Kept.WALLET_SHORT:
            self._reply(one, refusal(Code.WALLET_SHORT))
            return True
        known = await asyncio.to_thread(self._answer, self.lease.floor, one.asked.id)
        same = known is not None and known.digest == one.asked.digest
        outcome = (
            CarriedOut(json.loads(known.answer))
            if known is not None and same
            else refusal(Code.ID_USED, id=one.asked.id)
        )
        self._reply(one, outcome)
        return True

    def _lose(self, waiting: list[_Waiting], why: str) -> None:
        """The floor halts here: whoever waits is told, nobody is told what was not kept."""
        self.lost = why
        while not self._queue.empty():
            if (one := self._queue.get_nowait()) is not None:
                waiting.append(one)
        for one in waiting:
            if not one.done.done():
                one.done.set_exception(Unavailable(why))

    def _tell(self, happened: Happened) -> None:
        for watcher in tuple(self._watchers):
            watcher(happened)


def _moves(floor: Floor, table_id: str, events: tuple[Event, ...]) -> list[WalletMove]:
    """What these events move between the players' wallets and their chips."""
    moves = []
    for event in events:
        match event:
            case BoughtIn(seat, amount):
                player = floor.tables[table_id].players[seat]
                moves.append(WalletMove(player, -amount, "buy_in"))
            case CashedOut(seat, amount):
                player = floor.tables[table_id].players[seat]
                moves.append(WalletMove(player, amount, "cash_out"))
            case _:
                pass
    return moves
