"""The log of a floor, and the journal: the log's end together with the state it leads to.

The first entry is a header. Every other entry is one decision with all its events, its time, its
actor and the digest of the floor after it: `{"at", "by", "events", "state", "table"}`. An entry is
a whole decision, so a log never ends in the middle of one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from headsup.game.record.chain import Head, Link, make_link, make_link_from_text
from headsup.game.record.codec.base import quote_json
from headsup.game.record.digest import digest
from headsup.game.record.message_codec import event_text
from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.rulebook.opening_checks import refuse_before_approval
from headsup.game.rulebook.table_rules import rules_from_record
from headsup.game.table.calendar import apply_day
from headsup.game.table.commands import SEAT_NAME, Actor, Command, PlayerAt, Staff
from headsup.game.table.decide import decide
from headsup.game.table.events import Answer, Event
from headsup.game.table.evolve import evolve
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.state import Floor
from headsup.game.values.dates import is_before, is_utc_time
from headsup.version import __version__

# The header names the log's format and the version of the program that wrote it. A log in another
# format is refused with that version, instead of being called broken. Format 1 had no header and
# one event per entry.

LOG_FORMAT = 2
_FIRST_KEYS = frozenset({"at", "table", "by", "event", "state"})
_FIRST_VERSION = "0.1.0"


def make_header() -> Link:
    """The first link of every log."""
    return make_link(Head(), {"format": LOG_FORMAT, "program": __version__})


def is_header(entry: Any) -> bool:
    """Whether an entry is a header of this format; raises `Refused` for another format."""
    if not isinstance(entry, dict):
        return False
    if entry.keys() == _FIRST_KEYS:
        raise Refused(Code.OTHER_FORMAT, found=1, program=_FIRST_VERSION, read=LOG_FORMAT)
    log_format, program = entry.get("format"), entry.get("program")
    if type(log_format) is not int or not isinstance(program, str):
        return False
    if log_format != LOG_FORMAT:
        raise Refused(Code.OTHER_FORMAT, found=log_format, program=program[:40], read=LOG_FORMAT)
    return entry.keys() == {"format", "program"}


class Journal(NamedTuple):
    """A floor, the end of the log that led to it, and the time of its last entry."""

    floor: Floor = Floor()
    head: Head = Head()
    time: str = ""


def record_command(
    journal: Journal, time: str, table_id: str, actor: Actor, command: Command
) -> tuple[Journal, tuple[Link, ...] | Refusal]:
    """Decide a command: the journal after it and the links to append, or the refusal."""
    decision = decide_at(journal, time, table_id, actor, command)
    if isinstance(decision, Refusal):
        return journal, decision
    return record_events(journal, time, table_id, actor, decision)


def decide_at(journal: Journal, time: str, table_id: str, actor: Actor, command: Command) -> Answer:
    """Decide a command at this time; rules may not be used before the day of their approval.

    An audit does not check that again.
    """
    day = _recorded_time(journal, time)[:10]
    answer = decide_on_day(journal.floor, day, table_id, actor, command)
    if isinstance(answer, Refusal) or not isinstance(command, OpenTable | OpenRound):
        return answer
    if isinstance(command, OpenTable):
        rules = rules_from_record(command.rules, command.paytables, command.options)
    else:
        rules = journal.floor.tables[table_id].rules
    return refuse_before_approval(rules, day) or answer


def decide_on_day(floor: Floor, day: str, table_id: str, actor: Actor, command: Command) -> Answer:
    """Decide a command on this day; some commands depend on it (`table/calendar.py`)."""
    answer = decide(floor, table_id, actor, command)
    if isinstance(answer, Refusal):
        return answer
    return apply_day(floor, table_id, command, answer, day)


def record_events(
    journal: Journal, time: str, table_id: str, actor: Actor, events: Sequence[Event]
) -> tuple[Journal, tuple[Link, ...]]:
    """Append a decision on this journal's floor; returns the new journal and links. `time` is UTC.

    Times in a log never run backwards: if the clock was set back, the last entry's time is repeated
    until the clock has caught up.
    """
    if not is_utc_time(time):
        raise ValueError(f"{time!r} is not a time like 2026-01-31T12:00:00Z")
    time = _recorded_time(journal, time)
    floor, head = journal.floor, journal.head
    for event in events:
        floor = evolve(floor, table_id, event)
    headers = (make_header(),) if head.count == 0 else ()
    text = entry_text(time, table_id, actor, events, digest(floor))
    link = make_link_from_text(headers[0].head if headers else head, text)
    return Journal(floor, link.head, time), (*headers, link)


def _recorded_time(journal: Journal, time: str) -> str:
    return journal.time if journal.time and is_before(time, journal.time) else time


def entry_text(time: str, table_id: str, actor: Actor, events: Sequence[Event], state: str) -> str:
    """The canonical JSON of an entry."""
    texts = ",".join(map(event_text, events))
    return (
        f'{{"at":"{time}","by":{quote_json(format_actor(actor))},"events":[{texts}],'
        f'"state":"{state}","table":{quote_json(table_id)}}}'
    )


def format_actor(actor: Actor) -> str:
    """`seat 3` for the player there, otherwise the staff member's name."""
    return f"seat {actor.seat}" if isinstance(actor, PlayerAt) else actor.name


def parse_actor(text: str) -> Actor:
    seat = SEAT_NAME.fullmatch(text)
    return PlayerAt(int(seat[1])) if seat else Staff(text)
