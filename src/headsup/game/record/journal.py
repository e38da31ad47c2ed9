"""The log of a floor: what was decided, who asked for it, when, and a digest of the floor after it.

The first entry is a header. Each other is one decision, `{"at", "by", "events", "state", "table"}`
with all its events; entries stand in a hash chain. So a log ends between decisions or not at all.
"""

from collections.abc import Sequence
from typing import NamedTuple

from headsup.game.record.chain import Head, Link, make_link_from_text
from headsup.game.record.codec.base import quote_json
from headsup.game.record.digest import digest
from headsup.game.record.event_codec import event_text
from headsup.game.record.header import make_header
from headsup.game.record.timestamps import is_before, is_utc_time
from headsup.game.refusal import Refusal
from headsup.game.rulebook.opening_checks import refuse_before_approval
from headsup.game.rulebook.table_rules import rules_from_record
from headsup.game.table.commands import (
    SEAT_NAME,
    Actor,
    Command,
    OpenRound,
    OpenTable,
    PlayerAt,
    Staff,
)
from headsup.game.table.decide import decide
from headsup.game.table.events import Answer, Event
from headsup.game.table.evolve import evolve
from headsup.game.table.state import Floor


class Journal(NamedTuple):
    """A floor, the end of the log that led to it, and the time of its last entry."""

    floor: Floor = Floor()
    head: Head = Head()
    at: str = ""


def record_command(
    journal: Journal, at: str, table_id: str, by: Actor, command: Command
) -> tuple[Journal, tuple[Link, ...] | Refusal]:
    """Decide a command: the journal after it and the links to append, or the refusal."""
    decision = decide_at(journal, at, table_id, by, command)
    if isinstance(decision, Refusal):
        return journal, decision
    return record_events(journal, at, table_id, by, decision)


def decide_at(journal: Journal, at: str, table_id: str, by: Actor, command: Command) -> Answer:
    """What follows from a command at this time: nothing begins before its day.

    A log tells what was done, so an audit does not ask this again.
    """
    answer = decide(journal.floor, table_id, by, command)
    if isinstance(answer, Refusal) or not isinstance(command, OpenTable | OpenRound):
        return answer
    if isinstance(command, OpenTable):
        rules = rules_from_record(command.rules, command.paytables, command.options)
    else:
        rules = journal.floor.tables[table_id].rules
    return refuse_before_approval(rules, at[:10]) or answer


def record_events(
    journal: Journal, at: str, table_id: str, by: Actor, events: Sequence[Event]
) -> tuple[Journal, tuple[Link, ...]]:
    """The links of a decision that was made on this journal's floor; `at` is UTC.

    Times in a log do not run backwards: while a clock that was put back catches up, the time of
    the entry before is written again.
    """
    if not is_utc_time(at):
        raise ValueError(f"{at!r} is not a time like 2026-01-31T12:00:00Z")
    if journal.at and is_before(at, journal.at):
        at = journal.at
    floor, head = journal.floor, journal.head
    for event in events:
        floor = evolve(floor, table_id, event)
    first = (make_header(),) if head.count == 0 else ()
    text = entry_text(at, table_id, by, events, digest(floor))
    link = make_link_from_text(first[0].head if first else head, text)
    return Journal(floor, link.head, at), (*first, link)


def entry_text(at: str, table_id: str, by: Actor, events: Sequence[Event], state: str) -> str:
    """The canonical JSON of an entry."""
    texts = ",".join(map(event_text, events))
    return (
        f'{{"at":"{at}","by":{quote_json(format_actor(by))},"events":[{texts}],'
        f'"state":"{state}","table":{quote_json(table_id)}}}'
    )


def format_actor(by: Actor) -> str:
    """`seat 3` for the player there, otherwise the name of the staff."""
    return f"seat {by.seat}" if isinstance(by, PlayerAt) else by.name


def parse_actor(text: str) -> Actor:
    seat = SEAT_NAME.fullmatch(text)
    return PlayerAt(int(seat[1])) if seat else Staff(text)
