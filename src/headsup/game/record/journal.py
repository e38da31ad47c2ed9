"""The event log: what happened, who did it, when, and a digest of the floor after it.

An entry is `{"at", "table", "by", "event", "state"}`; entries stand in a hash chain. A command's
events are written together, so a log never rightly ends inside one decision.

The auditor believes nothing but the events: from an empty floor it asks again for what each event
answers, and compares event, digest and books with what the log says.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from headsup.game.ledger import Account, felt
from headsup.game.meter import Regime
from headsup.game.record.asked import asked
from headsup.game.record.chain import (
    Fault,
    Head,
    Json,
    Link,
    UnreadableLine,
    append,
    canonical,
    parse_lines,
)
from headsup.game.record.events import read_event, write_event
from headsup.game.record.snapshot import digest
from headsup.game.refusal import Refusal, Refused, shown
from headsup.game.round.events import RoundClosed
from headsup.game.table.commands import By, Command, PlayerAt, Staff
from headsup.game.table.decide import decide
from headsup.game.table.events import Event, RoundOpened
from headsup.game.table.evolve import evolve
from headsup.game.table.state import Floor, Table
from headsup.game.wagers import Wager

ENTRY_KEYS = ("at", "table", "by", "event", "state")
_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)
_SEAT = re.compile(r"seat ([1-9]\d?)", re.ASCII)


class Journal(NamedTuple):
    """A floor and the end of the log that led to it."""

    floor: Floor = Floor()
    head: Head = Head()


def act(
    journal: Journal, at: str, table_id: str, by: By, command: Command
) -> tuple[Journal, tuple[Link, ...] | Refusal]:
    """Decide a command: the journal after it and the links to append, or the refusal."""
    decision = decide(journal.floor, table_id, by, command)
    if isinstance(decision, Refusal):
        return journal, decision
    return write(journal, at, table_id, by, decision)


def write(
    journal: Journal, at: str, table_id: str, by: By, events: Sequence[Event]
) -> tuple[Journal, tuple[Link, ...]]:
    """The links of events that were decided on this journal's floor; `at` is UTC."""
    floor, head = journal
    links = []
    for event in events:
        floor = evolve(floor, table_id, event)
        links.append(append(head, _entry(at, table_id, by, event, floor)))
        head = links[-1].head
    return Journal(floor, head), tuple(links)


def _entry(at: str, table_id: str, by: By, event: Event, floor: Floor) -> Json:
    if not _UTC.fullmatch(at):
        raise ValueError(f"{at!r} is not a time like 2026-01-31T12:00:00Z")
    return {
        "at": at,
        "table": table_id,
        "by": write_by(by),
        "event": write_event(event),
        "state": digest(floor),
    }


def write_by(by: By) -> str:
    """`seat 3` for the player there, otherwise the name of the staff."""
    if isinstance(by, PlayerAt):
        return f"seat {by.seat}"
    if _SEAT.fullmatch(by.name) or not by.name.strip():
        raise ValueError(f"{by.name!r} is no name for staff in a log")
    return by.name


def read_by(text: str) -> By:
    seat = _SEAT.fullmatch(text)
    return PlayerAt(int(seat[1])) if seat else Staff(text)


# Auditing.


@dataclass(frozen=True, slots=True)
class Difference:
    """The first entry that cannot be what happened, and how that shows."""

    index: int
    fault: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"entry {self.index}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit saw, up to the first difference if there is one."""

    journal: Journal
    rounds: int
    difference: Difference | None = None
    anchor: Head | None = None

    @property
    def holds(self) -> bool:
        return self.difference is None


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a log that held, and the floor after it."""

    index: int
    at: str
    table: str
    by: By
    event: Event
    floor: Floor


def audit(lines: Iterable[str], anchor: Head | None = None) -> Report:
    """Verify the chain and re-derive every state of a log, entry by entry, in one pass."""
    auditor = Auditor(anchor)
    for _ in auditor.steps(lines):
        pass
    return auditor.report


class _Differs(Exception):
    """An answer inside this file, not an error."""

    def __init__(self, fault: str, expected: str, found: str) -> None:
        self.fault, self.expected, self.found = fault, expected, found


class Auditor:
    """Walks a log as long as it holds; `report` says how far that was and why no further."""

    def __init__(self, anchor: Head | None = None) -> None:
        self.anchor = anchor
        self._floor, self._head, self._rounds = Floor(), Head(), 0
        self._due: dict[str, tuple[Event, ...]] = {}  # events that must follow, by table
        self._difference: Difference | None = None

    @property
    def report(self) -> Report:
        journal = Journal(self._floor, self._head)
        return Report(journal, self._rounds, self._difference, self.anchor)

    def steps(self, lines: Iterable[str]) -> Iterator[Step]:
        """Each entry as it is found to hold; ends at the first that does not."""
        reader = parse_lines(lines)
        if self.anchor and self.anchor.count == 0 and self.anchor != Head():
            self._difference = Difference(
                0, Fault.ANCHOR, f"hash {self.anchor.hash} as anchored", Head().hash
            )
            return
        while True:
            try:
                link = next(reader, None)
            except UnreadableLine as error:
                index = self._head.count
                self._difference = Difference(
                    index, Fault.UNREADABLE, "a line of this log", error.detail
                )
                return
            if link is None:
                self._end()
                return
            step = self._taken(link)
            if step is None:
                return
            yield step

    def _end(self) -> None:
        """A log may end only between decisions, and not before its anchor."""
        count = self._head.count
        if self.anchor and self.anchor.count > count:
            self._difference = Difference(
                count, Fault.TRUNCATED, f"{self.anchor.count} entries as anchored", f"{count}"
            )
        elif due := next((events[0] for events in self._due.values() if events), None):
            self._difference = Difference(
                count, Fault.TRUNCATED, f"{type(due).__name__} to follow", "the end of the log"
            )

    def _taken(self, link: Link) -> Step | None:
        try:
            self._check_chain(link)
            step = self._checked(link)
        except _Differs as differs:
            self._difference = Difference(
                self._head.count, differs.fault, differs.expected, differs.found
            )
            return None
        self._floor, self._head = step.floor, link.head
        self._rounds += isinstance(step.event, RoundOpened)
        return step

    def _check_chain(self, link: Link) -> None:
        head = self._head
        if link.index != head.count:
            raise _Differs(Fault.INDEX, f"entry {head.count}", f"entry {link.index}")
        fits = append(head, link.entry)
        if link.hash != fits.hash:
            raise _Differs(Fault.HASH, f"hash {fits.hash}", link.hash)
        anchor = self.anchor
        if anchor and anchor.count == link.index + 1 and anchor.hash != link.hash:
            raise _Differs(Fault.ANCHOR, f"hash {anchor.hash} as anchored", link.hash)

    def _checked(self, link: Link) -> Step:
        entry = _read_entry(link.entry)
        table_id, by = entry["table"], read_by(entry["by"])
        try:
            event = read_event(entry["event"])
        except Refused as refused:
            raise _Differs("event", "an event", refused.message) from None
        due = self._expected(table_id, by, event)
        _compare(due[0], entry["event"])
        floor = evolve(self._floor, table_id, due[0])
        _check_books(floor, table_id, event)
        after = digest(floor)
        if after != entry["state"]:
            raise _Differs("state", f"state {after}", shown(entry["state"]))
        self._due[table_id] = due[1:]
        return Step(link.index, entry["at"], table_id, by, event, floor)

    def _expected(self, table_id: str, by: By, event: Event) -> tuple[Event, ...]:
        """What must stand here: the rest of the last decision, or the answer to a command."""
        if due := self._due.get(table_id, ()):
            return due
        name = type(event).__name__
        command = asked(event)
        if command is None:
            raise _Differs("decision", "a report before it", f"{name} on its own")
        decision = decide(self._floor, table_id, by, command)
        if isinstance(decision, Refusal):
            refused = f"{type(command).__name__} is refused here ({decision.message})"
            raise _Differs("decision", f"no {name}: {refused}", name)
        return decision


def _read_entry(entry: Json) -> dict[str, Any]:
    if not isinstance(entry, Mapping) or set(entry) != set(ENTRY_KEYS):
        raise _Differs("entry", f"the keys {', '.join(ENTRY_KEYS)}", "other keys")
    read: dict[str, Any] = dict(entry)
    for key in ("at", "table", "by", "state"):
        if not isinstance(read[key], str):
            raise _Differs("entry", f"{key} as text", shown(read[key]))
    if not _UTC.fullmatch(read["at"]):
        raise _Differs("entry", "a time in UTC like 2026-01-31T12:00:00Z", shown(read["at"]))
    return read


def _compare(expected: Event, found: Json) -> None:
    written = write_event(expected)
    if _same(written, found):
        return
    path, due, there = first_difference(written, found)
    raise _Differs("event", f"{path}{due}", there)


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, str, str]:
    """Where two JSON values part, and what stands there in each."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in sorted(set(expected) | set(found)):
            if key not in expected or key not in found or not _same(expected[key], found[key]):
                inner = (expected.get(key, "nothing"), found.get(key, "nothing"))
                return first_difference(*inner, f"{path}.{key}" if path else str(key))
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, pair in enumerate(zip(expected, found, strict=True)):
            if not _same(*pair):
                return first_difference(*pair, f"{path}[{i}]")
    return (f"{path} = " if path else ""), shown(expected), shown(found)


def _same(one: Json, other: Json) -> bool:
    """As texts: to Python, true is 1."""
    return canonical(one) == canonical(other)


def _check_books(floor: Floor, table_id: str, event: Event) -> None:
    """Money is conserved, meters hold what their accounts hold, a closed round leaves no stake."""
    if floor.ledger.total() != 0:
        raise _Differs("ledger", "all accounts to sum to 0", f"{floor.ledger.total()}")
    for name, meter in floor.meters.items():
        if meter.rules.regime is Regime.BONUS:
            continue
        held = floor.ledger.balance(meter.account), floor.ledger.balance(meter.reserve_account)
        if held != (meter.pool, meter.reserve):
            raise _Differs("meter", f"{name} at {meter.pool}", f"{held[0]} in its account")
    if isinstance(event, RoundClosed):
        for account in _felt_accounts(floor.tables[table_id]):
            if micros := floor.ledger.balance(account):
                raise _Differs("ledger", "no stake on the felt", f"{micros} in {account.owner}")


def _felt_accounts(table: Table) -> Iterator[Account]:
    seats = table.round.seats if table.round else ()
    return (felt(table.id, seat, wager) for seat in seats for wager in Wager)
