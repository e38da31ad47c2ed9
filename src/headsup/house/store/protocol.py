"""Defines what a store of floors' logs must do; `tests/contracts` tests every implementation.

A log only grows. An append names its writer's lease and the head that the writer expects, and is
rejected if either is out of date. One commit may hold the appends of many floors: each is stored
whole or leaves no trace, and a rejected one does not affect the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from headsup.game.record.chain import Head, Link
from headsup.game.values.str_enum import TextEnum
from headsup.house.store.projection_rows import Projection, StoredAnswer, WalletMove


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write a floor's log until another owner gets a higher fence."""

    floor: str
    owner: str
    fence: int


@dataclass(frozen=True, slots=True)
class Append:
    """Decisions of one floor, to be stored together or not at all."""

    lease: Lease
    expected_head: Head
    links: tuple[Link, ...]
    projections: tuple[Projection, ...] = ()

    @property
    def answers(self) -> tuple[StoredAnswer, ...]:
        return tuple(answer for projection in self.projections for answer in projection.answers)

    @property
    def moves(self) -> tuple[WalletMove, ...]:
        return tuple(move for projection in self.projections for move in projection.moves)


class AppendResult(TextEnum):
    """The outcome of an append."""

    STORED = "kept"
    NOT_OWNER = "not_owner"  # another server owns the floor, or the log is longer than expected
    ANSWERED = "answered"  # a command with that id was carried out before
    WALLET_SHORT = "wallet_short"
    NAME_TAKEN = "name_taken"  # another floor has a table of that name


class StoreLost(RuntimeError):
    """The store does not answer or cannot write. Whether the last append was stored is unknown
    until the store is read again."""


class Store(Protocol):
    """Stores the logs of floors. Methods block until the change is durable."""

    def open_floor(self, floor: str) -> None:
        """Create an empty log for a floor, if it has none."""

    def floors(self) -> list[str]:
        """All floors, sorted."""

    def take_lease(self, floor: str, owner: str) -> Lease | None:
        """Become a floor's owner, unless a living server owns it. An earlier lease on the floor
        ends, even the same owner's."""

    def commit(self, appends: Sequence[Append]) -> Sequence[AppendResult | Exception]:
        """Commit the appends of several floors, and return what became of each.

        An append that was rejected or raised leaves no trace and does not stop the others. If the
        store fails, the rest has `StoreLost` without another attempt.
        """

    def head(self, floor: str) -> Head:
        """The head of a floor's log."""

    def entry_texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """The hash and canonical text of each entry from `start` on."""

    def close(self) -> None: ...
