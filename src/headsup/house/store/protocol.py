"""What a store of floors' logs must do, whatever it is made of; `tests/contracts` holds it to that.

A log only grows, and only where its writer believes it ends: an append names the head it follows
and the lease under which it writes. Many floors may be kept in one commit; each is kept whole or
leaves no trace, and one floor's trouble is not another's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from headsup.game.record.chain import Head, Link
from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum
from headsup.house.dealing.pace import TablePace
from headsup.house.store.projection_tables import Projection


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write a floor's log, until another owner has a greater fence."""

    floor: str
    owner: str
    fence: int


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What was answered to one command; `digest` is of who sent it and what it said."""

    command: str
    digest: str
    answer: str


@dataclass(frozen=True, slots=True)
class WalletMove:
    """Cents into a person's wallet, or out of it when negative; `index` is the entry of the log
    that says so, the first of the append where none is named."""

    person: str
    cents: Cents
    reason: str
    table: str = ""
    index: int = 0


@dataclass(frozen=True, slots=True)
class Append:
    """What one floor decided and wants kept: entries, answers, wallets, notes, and the pace of a
    table that opens with one of its own; together or not at all."""

    lease: Lease
    after: Head
    links: tuple[Link, ...]
    at: str
    answers: tuple[StoredAnswer, ...] = ()
    moves: tuple[WalletMove, ...] = ()
    notes: tuple[Projection, ...] = ()
    paces: tuple[tuple[str, TablePace], ...] = ()  # by table


class AppendResult(TextEnum):
    """What became of an append."""

    KEPT = "kept"
    NOT_OWNER = "not_owner"  # another server owns the floor, or its log is longer than believed
    ANSWERED = "answered"  # a command of that id was answered before
    WALLET_SHORT = "wallet_short"


class StoreLost(RuntimeError):
    """The store does not answer or cannot write: nobody knows what became of the last append
    until it is asked again."""


class PartialCommit(RuntimeError):
    """Some of several appends raised; what became of each. What was kept is not to be tried
    again: its log has grown by it."""

    def __init__(self, outcomes: "Sequence[AppendResult | Exception]") -> None:
        self.outcomes = outcomes


class Store(Protocol):
    """Logs of floors. Methods block until what they say is so, on the disk where there is one."""

    def open_floor(self, floor: str) -> None:
        """Make room for a floor's log, if there is none."""

    def floors(self) -> list[str]:
        """The floors there is room for, in order."""

    def take(self, floor: str, owner: str, microseconds: int, force: bool = False) -> Lease | None:
        """Become the owner of a floor whose lease has run out; None while it has another."""

    def renew(self, leases: Sequence[Lease], microseconds: int) -> list[Lease]:
        """The leases that are still held, each good for so much longer."""

    def release(self, leases: Sequence[Lease]) -> None:
        """Let others take these floors at once."""

    def keep(self, appends: Sequence[Append]) -> list[AppendResult]:
        """Keep what several floors decided; what cannot be kept leaves no trace.

        `StoreLost` where the store is the trouble; `PartialCommit` where some were kept and others
        raised; at any other error none was.
        """

    def head(self, floor: str) -> Head:
        """Where the log of a floor ends."""

    def texts(
        self, floor: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """The hash and canonical text of each entry from `start` on, in order."""

    def close(self) -> None: ...
