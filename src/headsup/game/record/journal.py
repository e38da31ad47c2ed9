"""The log of a floor, and the journal: the log's end together with the state it leads to.

The first entry is a header. Nearly all others are decisions: who asked for what, when, at which
table, and all events that followed. An entry is a whole decision, so a log never ends in the middle
of one. Now and then a checkpoint holds the digest of the floor, for snapshots.

To read a log is to write it again: `replay_entry` decides the recorded command and compares the
text of the entry. Servers, exports, recalls and audits all read logs with it.
"""

from collections.abc import Mapping, Sequence
from json import loads
from typing import Any, NamedTuple

from headsup.game.record.bad_entry import BadEntry, EntryFault, compare_entries, show_digest
from headsup.game.record.chain import Head, Link, make_link, make_link_from_text
from headsup.game.record.codec.base import quote_json
from headsup.game.record.floor_text import floor_text, text_digest
from headsup.game.record.message_codec import command_text, event_text, read_command
from headsup.game.refusal import Code, Refusal, Refused, show_value
from headsup.game.rulebook.opening_checks import refuse_before_approval
from headsup.game.rulebook.table_rules import rules_from_record
from headsup.game.table.calendar import apply_day
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.decide import decide
from headsup.game.table.events import Answer, Event
from headsup.game.table.evolve import evolve
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import Sit
from headsup.game.table.state import Floor
from headsup.game.values.dates import is_before, is_utc_time
from headsup.version import __version__

# A log in another format is refused with the version that wrote it, instead of being called broken.
LOG_FORMAT = 1


class Header(NamedTuple):
    """Whose log it is, and the version of the program that began it."""

    floor: str = ""
    house: str = ""  # the house's identity; empty for a game at home
    program: str = __version__


AT_HOME = Header()


def header_entry(header: Header) -> dict[str, str | int]:
    return {**header._asdict(), "format": LOG_FORMAT}


def read_header(entry: Any) -> Header:
    """Read a log's first entry; raises `BadEntry` if it is no header, `Refused` for another format.

    Only the format of a header is known to be the same in every version.
    """
    if isinstance(entry, dict):
        log_format, program = entry.get("format"), entry.get("program")
        if type(log_format) is int and log_format != LOG_FORMAT and isinstance(program, str):
            raise Refused(
                Code.OTHER_FORMAT, found=log_format, program=program[:40], read=LOG_FORMAT
            )
        names: dict[str, Any] = {key: entry.get(key) for key in Header._fields}
        has_names = all(isinstance(name, str) for name in names.values())
        if has_names and entry == {**names, "format": LOG_FORMAT} and type(log_format) is int:
            return Header(**names)
    expected = "a header with floor, format, house and program"
    raise BadEntry(EntryFault.ENTRY, expected, show_value(entry))


class Journal(NamedTuple):
    """A floor, the end of the log that led to it, and the time of its last entry.

    `checked` is how many entries there were after the last checkpoint.
    """

    floor: Floor = Floor()
    head: Head = Head()
    time: str = ""
    checked: int = 0


class Origin(NamedTuple):
    """Where a command came from, apart from its actor. A repeated id gets the earlier answer."""

    id: str = ""  # made by the sender; empty if nobody sends the command again
    due: str = ""  # the dealer's step that was due
    typed: str = ""  # the text that the command was parsed from


NO_ORIGIN = Origin()


class ReplayedEntry(NamedTuple):
    """One entry of a log and the journal after it.

    A header or a checkpoint has no table and no events.
    """

    journal: Journal
    time: str = ""
    table: str = ""
    by: str = ""
    steps: tuple[tuple[Event, Floor], ...] = ()  # each event, and the floor after it
    command: Command | None = None
    id: str = ""

    @property
    def index(self) -> int:  # type: ignore[override]  # hides `tuple.index`
        return self.journal.head.count - 1

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for event, _ in self.steps)


# Writing.


def start_log(header: Header = AT_HOME) -> tuple[Journal, Link]:
    link = make_link(Head(), header_entry(header))
    return Journal(head=link.head), link


def record_command(
    journal: Journal,
    time: str,
    table_id: str,
    actor: Actor,
    command: Command,
    origin: Origin = NO_ORIGIN,
) -> tuple[Journal, tuple[Link, ...] | Refusal]:
    """Decide a command: the journal after it and the links to append, or the refusal."""
    answer = decide_at(journal, time, table_id, actor, command)
    if isinstance(answer, Refusal):
        return journal, answer
    return record_decision(journal, time, table_id, actor, command, answer, origin)


def decide_at(journal: Journal, time: str, table_id: str, actor: Actor, command: Command) -> Answer:
    """Decide a command at this time; rules may not be used before the day of their approval.

    A replay does not check that again.
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


def record_decision(
    journal: Journal,
    time: str,
    table_id: str,
    actor: Actor,
    command: Command,
    events: Sequence[Event],
    origin: Origin = NO_ORIGIN,
) -> tuple[Journal, tuple[Link, ...]]:
    """Append a decision on this journal's floor; returns the new journal and links. `time` is UTC.

    Times in a log never run backwards: if the clock was set back, the last entry's time is repeated
    until the clock has caught up. An empty log gets a header that names no house.
    """
    if not time or time != journal.time:  # commands decided together have the same time
        if not is_utc_time(time):
            raise ValueError(f"{time!r} is not a time like 2026-01-31T12:00:00Z")
        time = _recorded_time(journal, time)
    by = actor_name(journal.floor, table_id, actor, command)
    floor, head = journal.floor, journal.head
    for event in events:
        floor = evolve(floor, table_id, event)
    headers = (start_log()[1],) if head.count == 0 else ()
    text = entry_text(time, table_id, actor, by, command, events, origin)
    link = make_link_from_text(headers[0].head if headers else head, text)
    return Journal(floor, link.head, time, journal.checked), (*headers, link)


class Checkpoint(NamedTuple):
    """A place in the log where it holds the digest of the floor, and the text of that floor."""

    journal: Journal  # after it
    link: Link
    text: str


def record_checkpoint(journal: Journal, time: str) -> Checkpoint:
    """Append a checkpoint to a log that has begun."""
    time, text = _recorded_time(journal, time), floor_text(journal.floor)
    link = make_link(journal.head, {"at": time, "state": text_digest(text)})
    return Checkpoint(_after_checkpoint(journal, link, time), link, text)


def _after_checkpoint(journal: Journal, link: Link, time: str) -> Journal:
    return Journal(journal.floor, link.head, time, link.head.count)


def _recorded_time(journal: Journal, time: str) -> str:
    is_later = not journal.time or time == journal.time or not is_before(time, journal.time)
    return time if is_later else journal.time


def actor_name(floor: Floor, table_id: str, actor: Actor, command: Command) -> str:
    """The name of who asked: a member of staff, or the player who has the seat or takes it."""
    if isinstance(actor, Staff):
        return actor.name
    return (
        command.player if isinstance(command, Sit) else floor.tables[table_id].players[actor.seat]
    )


def entry_text(
    time: str,
    table_id: str,
    actor: Actor,
    by: str,
    command: Command,
    events: Sequence[Event],
    origin: Origin,
) -> str:
    """The canonical JSON of an entry; `seat`, `id`, `due` and `typed` are left out if empty."""
    id, due, typed = origin
    return (
        f'{{"at":"{time}","by":{quote_json(by)},"command":{command_text(command)},'
        + (f'"due":{quote_json(due)},' if due else "")
        + f'"events":[{",".join(map(event_text, events))}],'
        + (f'"id":{quote_json(id)},' if id else "")
        + (f'"seat":{actor.seat},' if isinstance(actor, PlayerAt) else "")
        + f'"table":{quote_json(table_id)}'
        + (f',"typed":{quote_json(typed)}' if typed else "")
        + "}"
    )


# Reading.

_TEXTS = ("at", "by", "table")
_REQUIRED_KEYS = frozenset({*_TEXTS, "command", "events"})
_OPTIONAL_KEYS = frozenset({*Origin._fields, "seat"})
_CHECKPOINT_KEYS = frozenset({"at", "state"})


def replay_entry(journal: Journal, link: Link) -> ReplayedEntry:
    """Decide the next entry again; raises `BadEntry` unless the journal would write exactly this.

    At a checkpoint, the digest of the floor is compared.

    The link must fit the journal's head. Raises `Refused` for a log in another format.
    """
    if link.index == 0:
        read_header(link.entry)
        return ReplayedEntry(Journal(head=link.head))
    entry = link.entry
    if isinstance(entry, dict) and entry.keys() == _CHECKPOINT_KEYS:
        return _replay_checkpoint(journal, link, entry)
    return _replay_decision(journal, link, _read_entry(entry))


def _replay_checkpoint(journal: Journal, link: Link, entry: Mapping[str, Any]) -> ReplayedEntry:
    time, state = entry["at"], entry["state"]
    _check_time(journal, time)
    after = text_digest(floor_text(journal.floor))
    if after != state:
        raise BadEntry(EntryFault.STATE, f"state {after}", f"state {show_digest(state)}")
    return ReplayedEntry(_after_checkpoint(journal, link, time), time)


def _check_time(journal: Journal, time: object) -> None:
    if not isinstance(time, str) or not is_utc_time(time):
        expected = "a time in UTC like 2026-01-31T12:00:00Z"
        raise BadEntry(EntryFault.ENTRY, expected, show_value(time))
    if journal.time and is_before(time, journal.time):
        raise BadEntry(EntryFault.TIME, f"a time not before {journal.time}", time)


def _replay_decision(journal: Journal, link: Link, entry: Mapping[str, Any]) -> ReplayedEntry:
    time, table_id = entry["at"], entry["table"]
    _check_time(journal, time)
    actor = PlayerAt(entry["seat"]) if "seat" in entry else Staff(entry["by"])
    try:
        command = read_command(entry["command"])
    except Refused as refused:
        raise BadEntry(EntryFault.COMMAND, "a command", refused.message) from None
    events = decide_on_day(journal.floor, time[:10], table_id, actor, command)
    if isinstance(events, Refusal):
        name = type(command).__name__
        raise BadEntry(EntryFault.DECISION, f"no {name}, refused here ({events.message})", name)
    by = actor_name(journal.floor, table_id, actor, command)
    steps, floor = [], journal.floor
    for event in events:
        floor = evolve(floor, table_id, event)
        steps.append((event, floor))
    origin = Origin(**{key: entry[key] for key in Origin._fields if key in entry})
    text = entry_text(time, table_id, actor, by, command, events, origin)
    if text != link.text:
        compare_entries(loads(text), entry)
    after = Journal(floor, link.head, time, journal.checked)
    return ReplayedEntry(after, time, table_id, by, tuple(steps), command, origin.id)


def _read_entry(entry: Any) -> dict[str, Any]:
    keys = entry.keys() if isinstance(entry, dict) else frozenset()
    if not _REQUIRED_KEYS <= keys <= _REQUIRED_KEYS | _OPTIONAL_KEYS:
        names = ", ".join(sorted(_REQUIRED_KEYS))
        raise BadEntry(EntryFault.ENTRY, f"the keys {names}", "other keys")
    for key in (*_TEXTS, *(key for key in Origin._fields if key in entry)):
        if not isinstance(entry[key], str):
            raise BadEntry(EntryFault.ENTRY, f"{key} as text", show_value(entry[key]))
    if type(entry.get("seat", 1)) is not int:
        raise BadEntry(EntryFault.ENTRY, "the number of a seat", show_value(entry["seat"]))
    return dict(entry)
