"""The audit of a log. It believes nothing but the events.

From an empty floor it asks again for what each entry answers, and compares events, digest and
books with what the log says. Whatever the journal writes, it accepts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from headsup.game.bank.ledger import Account, wager_account
from headsup.game.bank.meter import Meter, Regime
from headsup.game.record.audit.difference import first_difference
from headsup.game.record.audit.reconstruction import command_for
from headsup.game.record.chain import (
    Fault,
    Head,
    Link,
    UnreadableLine,
    make_link_from_text,
    parse_lines,
)
from headsup.game.record.digest import digest
from headsup.game.record.event_codec import read_event, write_event
from headsup.game.record.header import is_header
from headsup.game.record.journal import Journal, parse_actor
from headsup.game.record.timestamps import is_before, is_utc_time
from headsup.game.refusal import Refusal, Refused, show_value
from headsup.game.round.events import RoundClosed
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor
from headsup.game.table.decide import decide
from headsup.game.table.events import Event, RoundOpened
from headsup.game.table.evolve import evolve
from headsup.game.table.state import Floor, Table
from headsup.game.values.money import Micros

ENTRY_KEYS = ("at", "by", "events", "state", "table")


@dataclass(frozen=True, slots=True)
class Finding:
    """The first entry that cannot be what happened, and how that shows."""

    index: int
    fault: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"entry {self.index}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit saw, up to the first finding if there is one."""

    journal: Journal
    rounds: int
    finding: Finding | None = None
    anchor: Head | None = None
    anchors: int = 0  # kept on the way
    anchors_met: int = 0
    last: Head | None = None  # of those

    @property
    def ends_early(self) -> bool:
        """Nothing in it is wrong, and it was longer when the last anchor was kept."""
        longer = self.last is not None and self.last.count > self.journal.head.count
        return self.finding is None and longer

    @property
    def difference(self) -> Finding | None:
        """The finding; or that it ends early, at the entry that should come next."""
        if self.finding is not None or not self.ends_early or self.last is None:
            return self.finding
        count = self.journal.head.count
        return Finding(count, Fault.TRUNCATED, f"{self.last.count} entries as anchored", f"{count}")

    @property
    def holds(self) -> bool:
        return self.difference is None


@dataclass(frozen=True, slots=True)
class VerifiedEntry:
    """A decision that held: its events, each with the floor after it."""

    index: int
    at: str
    table: str
    by: Actor
    moments: tuple[tuple[Event, Floor], ...]

    @property
    def floor(self) -> Floor:
        return self.moments[-1][1]


def audit(
    lines: Iterable[str], anchor: Head | None = None, anchors: Iterable[Head] = ()
) -> AuditReport:
    """Verify the chain and re-derive every state of a log, decision by decision, in one pass."""
    auditor = Auditor(anchor, anchors)
    for _ in auditor.accepted(lines):
        pass
    return auditor.report


class _AuditMismatch(Exception):
    """An answer inside this file, not an error."""

    def __init__(self, fault: str, expected: str, found: str) -> None:
        self.fault, self.expected, self.found = fault, expected, found


class Auditor:
    """Walks a log as long as it holds; `report` says how far that was and why no further."""

    def __init__(self, anchor: Head | None = None, anchors: Iterable[Head] = ()) -> None:
        """`anchors` were kept on the way, as far as the log goes; with `anchor` it ends."""
        self._on_the_way, self._end = frozenset(anchors), anchor
        self._last = max(self._on_the_way, key=lambda head: head.count, default=None)
        self._met = 0
        kept = self._on_the_way if anchor is None else {*self._on_the_way, anchor}
        self.anchor = anchor or self._last
        self._anchored: dict[int, list[str]] = {}
        for head in kept:
            self._anchored.setdefault(head.count, []).append(head.hash)
        self._journal = Journal()
        self._rounds = 0
        self._finding: Finding | None = None

    @property
    def report(self) -> AuditReport:
        kept = len(self._on_the_way), self._met, self._last
        return AuditReport(self._journal, self._rounds, self._finding, self.anchor, *kept)

    def accepted(self, lines: Iterable[str]) -> Iterator[VerifiedEntry]:
        """Each decision as it is found to hold; ends at the first that does not.

        A log that another version wrote in another format is refused.
        """
        reader = parse_lines(lines)
        try:
            self._check_anchors(Head())
            while (link := _next(reader)) is not None:
                if decision := self._taken(link):
                    yield decision
            self._check_end()
        except _AuditMismatch as differs:
            self._finding = Finding(
                self._journal.head.count, differs.fault, differs.expected, differs.found
            )

    def _check_anchors(self, head: Head) -> None:
        """Whether every anchor that was kept at this place is of this log."""
        for hash in self._anchored.get(head.count, ()):
            if hash != head.hash:
                raise _AuditMismatch(Fault.ANCHOR, f"hash {hash} as anchored", f"hash {head.hash}")
        self._met += head in self._on_the_way

    def _check_end(self) -> None:
        """Not before the end that was kept, and with all books in order."""
        count = self._journal.head.count
        if self._end is not None and self._end.count > count:
            raise _AuditMismatch(
                Fault.TRUNCATED, f"{self._end.count} entries as anchored", f"{count}"
            )
        floor = self._journal.floor
        _check_sum(floor)
        for _, meter in floor.meters.unsorted():
            _check_meter(floor, meter)

    def _taken(self, link: Link) -> VerifiedEntry | None:
        self._check_chain(link)
        entry = link.entry
        if link.index == 0:
            if not is_header(entry):
                raise _AuditMismatch("entry", "a header with format and program", show_value(entry))
            self._journal = self._journal._replace(head=link.head)
            return None
        decision = self._decision(link.index, _read_entry(entry))
        self._journal = Journal(decision.floor, link.head, decision.at)
        self._rounds += sum(isinstance(event, RoundOpened) for event, _ in decision.moments)
        return decision

    def _check_chain(self, link: Link) -> None:
        head = self._journal.head
        if link.index != head.count:
            raise _AuditMismatch(Fault.INDEX, f"entry {head.count}", f"entry {link.index}")
        fits = make_link_from_text(head, link.text)
        if link.hash != fits.hash:
            raise _AuditMismatch(Fault.HASH, f"hash {fits.hash}", f"hash {link.hash}")
        self._check_anchors(link.head)

    def _decision(self, index: int, entry: dict[str, Any]) -> VerifiedEntry:
        at, table_id, by = entry["at"], entry["table"], parse_actor(entry["by"])
        if self._journal.at and is_before(at, self._journal.at):
            raise _AuditMismatch("time", f"a time from {self._journal.at} on", at)
        events = _read_events(entry["events"])
        _compare(self._answer(table_id, by, events), events)
        moments = []
        floor = self._journal.floor
        for event in events:
            floor = evolve(floor, table_id, event)
            moments.append((event, floor))
        _check_books(floor, table_id, events)
        if (after := digest(floor)) != entry["state"]:
            raise _AuditMismatch("state", f"state {after}", f"state {_show_digest(entry['state'])}")
        return VerifiedEntry(index, at, table_id, by, tuple(moments))

    def _answer(self, table_id: str, by: Actor, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """What must stand here: the answer to the command that these events answer."""
        name = type(events[0]).__name__
        command = command_for(events)
        if command is None:
            raise _AuditMismatch("decision", "a report before it", f"{name} on its own")
        answer = decide(self._journal.floor, table_id, by, command)
        if isinstance(answer, Refusal):
            refused = f"{type(command).__name__} is refused here ({answer.message})"
            raise _AuditMismatch("decision", f"no {name}: {refused}", name)
        return answer


def _next(reader: Iterator[Link]) -> Link | None:
    try:
        return next(reader, None)
    except UnreadableLine as error:
        raise _AuditMismatch(Fault.UNREADABLE, "a line of this log", error.detail) from None


# What an entry says.


def _read_entry(entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict) or set(entry) != set(ENTRY_KEYS):
        raise _AuditMismatch("entry", f"the keys {', '.join(ENTRY_KEYS)}", "other keys")
    for key in ("at", "by", "state", "table"):
        if not isinstance(entry[key], str):
            raise _AuditMismatch("entry", f"{key} as text", show_value(entry[key]))
    if not is_utc_time(entry["at"]):
        raise _AuditMismatch(
            "entry", "a time in UTC like 2026-01-31T12:00:00Z", show_value(entry["at"])
        )
    return entry


def _show_digest(text: str) -> str:
    """Uncut, to be laid beside the one that was expected; a text that is none is cut."""
    return text if len(text) == 64 and set(text) <= set("0123456789abcdef") else show_value(text)


def _read_events(raw: Any) -> tuple[Event, ...]:
    if not isinstance(raw, list) or not raw:
        raise _AuditMismatch("entry", "the events of a decision", show_value(raw))
    try:
        return tuple(read_event(event) for event in raw)
    except Refused as refused:
        raise _AuditMismatch("event", "an event", refused.message) from None


def _compare(expected: tuple[Event, ...], found: tuple[Event, ...]) -> None:
    """Events that were read are exactly of their types, so that equal ones are written alike."""
    if expected == found:
        return
    for i, event in enumerate(expected):
        name = type(event).__name__
        if i == len(found):
            raise _AuditMismatch("event", f"{name} to follow", "the end of the entry")
        if event != found[i]:
            path, due, there = first_difference(write_event(event), write_event(found[i]))
            raise _AuditMismatch("event", f"{path}{due}", there)
    extra = type(found[len(expected)]).__name__
    raise _AuditMismatch("event", "no further event", extra)


# Whether the books are in order.


def _check_books(floor: Floor, table_id: str, events: tuple[Event, ...]) -> None:
    """This table's meter holds what its account holds; a closed round leaves no stake, and then
    all accounts together hold nothing."""
    if meter := floor.meter_of(table_id):
        _check_meter(floor, meter)
    if not any(isinstance(event, RoundClosed) for event in events):
        return
    for account in _felt_accounts(floor.tables[table_id]):
        if micros := floor.ledger.balance(account):
            raise _AuditMismatch("ledger", "no stake on the felt", f"{micros} in {account.owner}")
    _check_sum(floor)


def _check_sum(floor: Floor) -> None:
    if total := floor.ledger.total():
        raise _AuditMismatch("ledger", "all accounts to sum to 0", f"{total}")


def _check_meter(floor: Floor, meter: Meter) -> None:
    if (held := meter_account_mismatch(floor, meter)) is not None:
        name = meter.rules.name
        raise _AuditMismatch("meter", f"{name} at {meter.pool}", f"{held} in its account")


def meter_account_mismatch(floor: Floor, meter: Meter) -> Micros | None:
    """What the meter's account holds, where that is not what the meter shows."""
    if meter.rules.regime is Regime.BONUS:  # the house's, and in no account until it is won
        return None
    held = floor.ledger.balance(meter.account), floor.ledger.balance(meter.reserve_account)
    return None if held == (meter.pool, meter.reserve) else held[0]


def _felt_accounts(table: Table) -> Iterator[Account]:
    seats = table.round.seats if table.round else ()
    return (wager_account(table.id, seat, wager) for seat in seats for wager in Wager)
