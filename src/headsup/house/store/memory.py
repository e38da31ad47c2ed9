"""Stores floors in memory, for tests and for games that leave no record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock

from headsup.game.record.chain import Head, Link
from headsup.house.store.protocol import Append, AppendResult, Lease


@dataclass
class _Floor:
    owner: str = ""
    fence: int = 0
    links: list[Link] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)

    @property
    def head(self) -> Head:
        return self.links[-1].head if self.links else Head()


class MemoryStore:
    """Does for a floor what a database does, until the program ends."""

    def __init__(self) -> None:
        self._floors: dict[str, _Floor] = {}
        self._wallets: dict[str, int] = {}
        self._lock = Lock()

    def close(self) -> None:
        pass

    # Ownership.

    def open_floor(self, floor: str) -> None:
        with self._lock:
            self._floors.setdefault(floor, _Floor())

    def floors(self) -> list[str]:
        return sorted(self._floors)

    def take_lease(self, floor: str, owner: str) -> Lease | None:
        with self._lock:
            if (row := self._floors.get(floor)) is None:
                return None
            row.owner, row.fence = owner, row.fence + 1
            return Lease(floor, owner, row.fence)

    def _is_held(self, lease: Lease) -> bool:
        floor = self._floors.get(lease.floor)
        return floor is not None and (floor.owner, floor.fence) == (lease.owner, lease.fence)

    # Writing.

    def commit(self, appends: Sequence[Append]) -> Sequence[AppendResult]:
        with self._lock:
            return [self._append_one(append) for append in appends]

    def _append_one(self, append: Append) -> AppendResult:
        if not self._is_held(append.lease):
            return AppendResult.NOT_OWNER
        floor = self._floors[append.lease.floor]
        if floor.head != append.expected_head:
            return AppendResult.NOT_OWNER
        if any(answer.id in floor.answers for answer in append.answers):
            return AppendResult.ANSWERED
        wallets = dict(self._wallets)
        for move in append.moves:
            wallets[move.person] = wallets.get(move.person, 0) + move.cents
            if wallets[move.person] < 0:
                return AppendResult.WALLET_SHORT
        floor.links += append.links
        floor.answers |= {answer.id: answer.index for answer in append.answers}
        self._wallets = wallets
        return AppendResult.STORED

    # Reading.

    def head(self, floor: str) -> Head:
        row = self._floors.get(floor)
        return Head() if row is None else row.head

    def entry_texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        row = self._floors.get(floor)
        for link in row.links[start:end] if row else ():
            yield link.hash, link.text

    def find_entry(self, floor: str, id: str) -> Link | None:
        row = self._floors.get(floor)
        index = row.answers.get(id) if row else None
        return None if row is None or index is None else row.links[index]

    def wallet(self, person: str) -> int:
        return self._wallets.get(person, 0)
