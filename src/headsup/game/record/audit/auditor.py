"""Audits a log: verifies its chain and derives every state again. It trusts only the events.

It starts from an empty floor, decides the command of each entry again, and compares events,
digests and account balances with the log. It accepts whatever `journal` writes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from headsup.game.bank.ledger import Account, wager_account
from headsup.game.bank.meter import Meter, Regime
from headsup.game.record.audit.reconstruction import command_for
from headsup.game.record.chain import (
    Fault,
    Head,
    Json,
    Link,
    UnreadableLine,
    canonical_json,
    make_link_from_text,
    parse_lines,
)
from headsup.game.record.digest import digest
from headsup.game.record.journal import Journal, decide_on_day, is_header, parse_actor
from headsup.game.record.message_codec import read_event, write_event
from headsup.game.refusal import Refusal, Refused, show_value
from headsup.game.round.events import RoundClosed
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.rounds import RoundOpened
from headsup.game.table.sealed_shuffles import SealLost
from headsup.game.table.state import Floor, Table
from headsup.game.values.dates import is_before, is_utc_time
from headsup.game.values.money import Micros


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, str, str]:
    """Where two JSON values first differ, and what each of them has there."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in sorted(set(expected) | set(found)):
            if key not in expected or key not in found or not _is_same(expected[key], found[key]):
                inner = (expected.get(key, "nothing"), found.get(key, "nothing"))
                return first_difference(*inner, f"{path}.{key}" if path else str(key))
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, pair in enumerate(zip(expected, found, strict=True)):
            if not _is_same(*pair):
                return first_difference(*pair, f"{path}[{i}]")
    return (f"{path} = " if path else ""), show_value(expected), show_value(found)


def _is_same(one: Json, other: Json) -> bool:
    """Compares texts, because to Python True equals 1."""
    return canonical_json(one) == canonical_json(other)


ENTRY_KEYS = ("at", "by", "events", "state", "table")


@dataclass(frozen=True, slots=True)
class Finding:
    """The first wrong entry: what was expected there, and what was found."""

    index: int
    fault: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"entry {self.index}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of an audit, up to the first finding if there is one."""

    journal: Journal
    rounds: int
    finding: Finding | None = None
    anchor: Head | None = None
    anchors: int = 0  # how many were given besides `anchor`
    anchors_matched: int = 0
    last_anchor: Head | None = None  # the longest of those
    remarks: tuple[str, ...] = ()  # what an intact log shows that somebody should look into

    @property
    def is_truncated(self) -> bool:
        """The log is correct as far as it goes, but the last anchor is of a longer log."""
        longer = self.last_anchor is not None and self.last_anchor.count > self.journal.head.count
        return self.finding is None and longer

    @property
    def difference(self) -> Finding | None:
        """The finding, or the first missing entry of a log that ends early."""
        if self.finding is not None or not self.is_truncated or self.last_anchor is None:
            return self.finding
        count = self.journal.head.count
        return Finding(
            count, Fault.TRUNCATED, f"{self.last_anchor.count} entries as anchored", f"{count}"
        )

    @property
    def is_valid(self) -> bool:
        return self.difference is None


@dataclass(frozen=True, slots=True)
class VerifiedEntry:
    """A decision found to be correct: its events, each with the floor after it."""

    index: int
    time: str
    table: str
    actor: Actor
    steps: tuple[tuple[Event, Floor], ...]

    @property
    def floor(self) -> Floor:
        return self.steps[-1][1]


def audit(
    lines: Iterable[str], anchor: Head | None = None, anchors: Iterable[Head] = ()
) -> AuditReport:
    """Verify the chain and derive every state of a log again, in one pass."""
    auditor = Auditor(anchor, anchors)
    for _ in auditor.verify_entries(lines):
        pass
    return auditor.report


class _AuditMismatch(Exception):
    """Ends an audit with a finding; never leaves this module."""

    def __init__(self, fault: str, expected: str, found: str) -> None:
        self.fault, self.expected, self.found = fault, expected, found


class Auditor:
    """Audits a log up to the first mismatch; `report` has the result so far."""

    def __init__(self, anchor: Head | None = None, anchors: Iterable[Head] = ()) -> None:
        """The log must pass through each of `anchors` that it reaches, and must reach `anchor`."""
        self._anchors, self._required_anchor = frozenset(anchors), anchor
        self._last_anchor = max(self._anchors, key=lambda head: head.count, default=None)
        self._anchors_matched = 0
        all_anchors = self._anchors if anchor is None else {*self._anchors, anchor}
        self.anchor = anchor or self._last_anchor
        self._hashes_by_count: dict[int, list[str]] = {}
        for head in all_anchors:
            self._hashes_by_count.setdefault(head.count, []).append(head.hash)
        self._journal = Journal()
        self._rounds = 0
        self._finding: Finding | None = None
        self._lost_seals: list[str] = []

    @property
    def report(self) -> AuditReport:
        anchors = len(self._anchors), self._anchors_matched, self._last_anchor
        remarks = (*self._lost_seals, *unopened_seals(self._journal.floor))
        return AuditReport(
            self._journal, self._rounds, self._finding, self.anchor, *anchors, remarks
        )

    def verify_entries(self, lines: Iterable[str]) -> Iterator[VerifiedEntry]:
        """The decisions, each after it was verified; ends at the first mismatch.

        Raises `Refused` for a log in another format.
        """
        reader = parse_lines(lines)
        try:
            self._check_anchors(Head())
            while (link := _next(reader)) is not None:
                if decision := self._verify_link(link):
                    yield decision
            self._check_end()
        except _AuditMismatch as mismatch:
            self._finding = Finding(
                self._journal.head.count, mismatch.fault, mismatch.expected, mismatch.found
            )

    def _check_anchors(self, head: Head) -> None:
        """Compare the log's head with all anchors of the same length."""
        for hash in self._hashes_by_count.get(head.count, ()):
            if hash != head.hash:
                raise _AuditMismatch(Fault.ANCHOR, f"hash {hash} as anchored", f"hash {head.hash}")
        self._anchors_matched += head in self._anchors

    def _check_end(self) -> None:
        """Check that the log reaches the required anchor, and that its accounts balance."""
        count = self._journal.head.count
        required = self._required_anchor
        if required is not None and required.count > count:
            raise _AuditMismatch(
                Fault.TRUNCATED, f"{required.count} entries as anchored", f"{count}"
            )
        floor = self._journal.floor
        _check_sum(floor)
        for _, meter in floor.meters.unsorted():
            _check_meter(floor, meter)

    def _verify_link(self, link: Link) -> VerifiedEntry | None:
        self._check_chain(link)
        entry = link.entry
        if link.index == 0:
            if not is_header(entry):
                raise _AuditMismatch("entry", "a header with format and program", show_value(entry))
            self._journal = self._journal._replace(head=link.head)
            return None
        decision = self._verify_decision(link.index, _read_entry(entry))
        self._journal = Journal(decision.floor, link.head, decision.time)
        self._rounds += sum(isinstance(event, RoundOpened) for event, _ in decision.steps)
        self._lost_seals += [
            lost_seal_remark(decision, event)
            for event, _ in decision.steps
            if isinstance(event, SealLost)
        ]
        return decision

    def _check_chain(self, link: Link) -> None:
        head = self._journal.head
        if link.index != head.count:
            raise _AuditMismatch(Fault.INDEX, f"entry {head.count}", f"entry {link.index}")
        expected = make_link_from_text(head, link.text)
        if link.hash != expected.hash:
            raise _AuditMismatch(Fault.HASH, f"hash {expected.hash}", f"hash {link.hash}")
        self._check_anchors(link.head)

    def _verify_decision(self, index: int, entry: dict[str, Any]) -> VerifiedEntry:
        time, table_id, actor = entry["at"], entry["table"], parse_actor(entry["by"])
        if self._journal.time and is_before(time, self._journal.time):
            raise _AuditMismatch("time", f"a time not before {self._journal.time}", time)
        events = _read_events(entry["events"])
        _compare_events(self._decide_again(time, table_id, actor, events), events)
        moments = []
        floor = self._journal.floor
        for event in events:
            floor = evolve(floor, table_id, event)
            moments.append((event, floor))
        _check_books(floor, table_id, events)
        if (after := digest(floor)) != entry["state"]:
            raise _AuditMismatch("state", f"state {after}", f"state {_show_digest(entry['state'])}")
        return VerifiedEntry(index, time, table_id, actor, tuple(moments))

    def _decide_again(
        self, time: str, table_id: str, actor: Actor, events: tuple[Event, ...]
    ) -> tuple[Event, ...]:
        """The events that the command behind these events leads to, on the day of their entry."""
        name = type(events[0]).__name__
        command = command_for(events)
        if command is None:
            raise _AuditMismatch("decision", "a report before it", f"{name} on its own")
        answer = decide_on_day(self._journal.floor, time[:10], table_id, actor, command)
        if isinstance(answer, Refusal):
            refused = f"{type(command).__name__} is refused here ({answer.message})"
            raise _AuditMismatch("decision", f"no {name}: {refused}", name)
        return answer


def _next(reader: Iterator[Link]) -> Link | None:
    try:
        return next(reader, None)
    except UnreadableLine as error:
        raise _AuditMismatch(Fault.UNREADABLE, "a line of this log", error.detail) from None


# Reading an entry.


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
    """A digest in full, to compare with the expected one; other texts are shortened."""
    return text if len(text) == 64 and set(text) <= set("0123456789abcdef") else show_value(text)


def _read_events(raw: Any) -> tuple[Event, ...]:
    if not isinstance(raw, list) or not raw:
        raise _AuditMismatch("entry", "the events of a decision", show_value(raw))
    try:
        return tuple(read_event(event) for event in raw)
    except Refused as refused:
        raise _AuditMismatch("event", "an event", refused.message) from None


def _compare_events(expected: tuple[Event, ...], found: tuple[Event, ...]) -> None:
    """Events are compared as values; they were read strictly, so equal ones have equal texts."""
    if expected == found:
        return
    for i, event in enumerate(expected):
        name = type(event).__name__
        if i == len(found):
            raise _AuditMismatch("event", f"{name} to follow", "the end of the entry")
        if event != found[i]:
            path, due, actual = first_difference(write_event(event), write_event(found[i]))
            raise _AuditMismatch("event", f"{path}{due}", actual)
    extra = type(found[len(expected)]).__name__
    raise _AuditMismatch("event", "no further event", extra)


# Seals.


def unopened_seals(floor: Floor) -> Iterator[str]:
    """The closed rounds whose shuffle is not opened. The house opens it within moments, if it can.

    A table with a sealed shuffle cannot be closed, so a log that says so is wrong.
    """
    for id, table in floor.tables.items():
        if table.sealed is not None and table.sealed.round <= table.rounds and not table.is_playing:
            yield (
                f"table {id}: round {table.sealed.round} is closed, but its sealed shuffle is not "
                "opened"
            )


def lost_seal_remark(entry: VerifiedEntry, lost: SealLost) -> str:
    return (
        f"table {entry.table}: the seal of round {lost.round} was given up at {entry.time} by "
        f"{' and '.join(lost.approvals)}, so its cards cannot be checked: {lost.reason}"
    )


# Checking the accounts.


def _check_books(floor: Floor, table_id: str, events: tuple[Event, ...]) -> None:
    """Check the table's meter; after a closed round, also the felt and the sum of all accounts."""
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
    if (balance := meter_account_mismatch(floor, meter)) is not None:
        name = meter.rules.name
        raise _AuditMismatch("meter", f"{name} at {meter.pool}", f"{balance} in its account")


def meter_account_mismatch(floor: Floor, meter: Meter) -> Micros | None:
    """The balance of the meter's account if it differs from the meter's pool, else None."""
    if meter.rules.regime is Regime.BONUS:  # the house's money, in no account until it is won
        return None
    balance = floor.ledger.balance(meter.account)
    reserve = floor.ledger.balance(meter.reserve_account)
    return None if (balance, reserve) == (meter.pool, meter.reserve) else balance


def _felt_accounts(table: Table) -> Iterator[Account]:
    seats = table.round.seats if table.round else ()
    return (wager_account(table.id, seat, wager) for seat in seats for wager in Wager)
