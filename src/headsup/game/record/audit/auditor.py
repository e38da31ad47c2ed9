"""Audits a log: verifies its chain and derives every state again. It trusts only the commands.

It starts from an empty floor, decides the command of each entry again (`journal.replay_entry`), and
checks the account balances. It accepts whatever `journal` writes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from headsup.game.bank.ledger import Account, wager_account
from headsup.game.bank.meter import Meter, Regime
from headsup.game.record.bad_entry import BadEntry, EntryFault
from headsup.game.record.chain import (
    Fault,
    Head,
    Link,
    UnreadableLine,
    make_link_from_text,
    parse_lines,
)
from headsup.game.record.journal import (
    Header,
    Journal,
    ReplayedEntry,
    read_header,
    replay_entry,
)
from headsup.game.refusal import show_value
from headsup.game.round.events import RoundClosed
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.events import Event
from headsup.game.table.payout_corrections import (
    CorrectPayout,
    is_of_earlier_round,
    refuse_correction,
)
from headsup.game.table.rounds import RoundOpened
from headsup.game.table.sealed_shuffles import SealLost
from headsup.game.table.state import Floor, SettledRound, Table
from headsup.game.values.money import Micros


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


def audit(
    lines: Iterable[str], anchor: Head | None = None, anchors: Iterable[Head] = ()
) -> AuditReport:
    """Verify the chain and derive every state of a log again, in one pass."""
    auditor = Auditor(anchor, anchors)
    for _ in auditor.verify_entries(lines):
        pass
    return auditor.report


class Auditor:
    """Audits a log up to the first mismatch; `report` has the result so far."""

    def __init__(
        self,
        anchor: Head | None = None,
        anchors: Iterable[Head] = (),
        header: Header | None = None,
    ) -> None:
        """The log must pass through each of `anchors` that it reaches, and must reach `anchor`.

        With a `header`, it must be the log of that floor and house.
        """
        self._header = header
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
        self._settled = SettledRounds()

    @property
    def report(self) -> AuditReport:
        anchors = len(self._anchors), self._anchors_matched, self._last_anchor
        remarks = (*self._lost_seals, *unopened_seals(self._journal.floor))
        return AuditReport(
            self._journal, self._rounds, self._finding, self.anchor, *anchors, remarks
        )

    def verify_entries(self, lines: Iterable[str]) -> Iterator[ReplayedEntry]:
        """The decisions, each after it was verified; ends at the first mismatch.

        Raises `Refused` for a log in another format.
        """
        reader = parse_lines(lines)
        try:
            self._check_anchors(Head())
            while (link := _next(reader)) is not None:
                entry = self._verify_link(link)
                if entry.events:
                    yield entry
            self._check_end()
        except BadEntry as mismatch:
            self._finding = Finding(
                self._journal.head.count, mismatch.fault, mismatch.expected, mismatch.found
            )

    def _check_anchors(self, head: Head) -> None:
        """Compare the log's head with all anchors of the same length."""
        for hash in self._hashes_by_count.get(head.count, ()):
            if hash != head.hash:
                raise BadEntry(Fault.ANCHOR, f"hash {hash} as anchored", f"hash {head.hash}")
        self._anchors_matched += head in self._anchors

    def _check_end(self) -> None:
        """Check that the log reaches the required anchor, and that its accounts balance."""
        count = self._journal.head.count
        required = self._required_anchor
        if required is not None and required.count > count:
            raise BadEntry(Fault.TRUNCATED, f"{required.count} entries as anchored", f"{count}")
        floor = self._journal.floor
        _check_sum(floor)
        for meter in floor.meters.values():
            _check_meter(floor, meter)

    def _verify_link(self, link: Link) -> ReplayedEntry:
        self._check_chain(link)
        before, entry = self._journal.floor, replay_entry(self._journal, link)
        if link.index == 0:
            self._check_header(read_header(link.entry))
        if entry.events:
            _check_books(entry.journal.floor, entry.table, entry.events)
            self._settled.check(before, entry)
        self._journal = entry.journal
        self._rounds += sum(isinstance(event, RoundOpened) for event in entry.events)
        self._lost_seals += [
            lost_seal_remark(entry, event) for event in entry.events if isinstance(event, SealLost)
        ]
        return entry

    def _check_header(self, header: Header) -> None:
        expected = self._header
        if expected is not None and header[:2] != expected[:2]:
            raise BadEntry(EntryFault.ENTRY, _show_header(expected), _show_header(header))

    def _check_chain(self, link: Link) -> None:
        head = self._journal.head
        if link.index != head.count:
            raise BadEntry(Fault.INDEX, f"entry {head.count}", f"entry {link.index}")
        expected = make_link_from_text(head, link.text)
        if link.hash != expected.hash:
            raise BadEntry(Fault.HASH, f"hash {expected.hash}", f"hash {link.hash}")
        self._check_anchors(link.head)


def _show_header(header: Header) -> str:
    return f"the log of floor {show_value(header.floor)} of house {show_value(header.house)}"


def _next(reader: Iterator[Link]) -> Link | None:
    try:
        return next(reader, None)
    except UnreadableLine as error:
        raise BadEntry(Fault.UNREADABLE, "a line of this log", error.detail) from None


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


def lost_seal_remark(entry: ReplayedEntry, lost: SealLost) -> str:
    return (
        f"table {entry.table}: the seal of round {lost.round} was given up at {entry.time} by "
        f"{' and '.join(lost.approvals)}, so its cards cannot be checked: {lost.reason}"
    )


# Earlier rounds.


class SettledRounds:
    """Who played in each settled round of a log, to check corrections of earlier rounds (R95)."""

    def __init__(self) -> None:
        self._rounds: dict[tuple[str, int], tuple[tuple[int, str], ...]] = {}
        # The same people play many rounds, which share one tuple.
        self._players: dict[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]] = {}

    def check(self, before: Floor, entry: ReplayedEntry) -> None:
        """Add the round that the entry settles, or check the correction of an earlier one."""
        command, table = entry.command, entry.journal.floor.tables[entry.table]
        old = before.tables.get(entry.table)
        if (last := table.last_settled) is not None and (old is None or old.last_settled != last):
            players = self._players.setdefault(last.players, last.players)
            self._rounds[entry.table, last.number] = players
        if isinstance(command, CorrectPayout) and is_of_earlier_round(table, command):
            players_then = self._rounds.get((entry.table, command.round))
            settled = None if players_then is None else SettledRound(command.round, players_then)
            if refused := refuse_correction(settled, command):
                expected = f"no CorrectPayout, refused here ({refused.message})"
                raise BadEntry(EntryFault.DECISION, expected, "CorrectPayout")


# Checking the accounts.


def _check_books(floor: Floor, table_id: str, events: tuple[Event, ...]) -> None:
    """Check the table's meter; after a closed round, also the felt and the sum of all accounts."""
    if meter := floor.meter_of(table_id):
        _check_meter(floor, meter)
    if not any(isinstance(event, RoundClosed) for event in events):
        return
    for account in _felt_accounts(floor.tables[table_id]):
        if micros := floor.ledger.balance(account):
            raise BadEntry("ledger", "no stake on the felt", f"{micros} in {account.owner}")
    _check_sum(floor)


def _check_sum(floor: Floor) -> None:
    if total := floor.ledger.total():
        raise BadEntry("ledger", "all accounts to sum to 0", f"{total}")


def _check_meter(floor: Floor, meter: Meter) -> None:
    if (balance := meter_account_mismatch(floor, meter)) is not None:
        name = meter.rules.name
        raise BadEntry("meter", f"{name} at {meter.pool}", f"{balance} in its account")


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
