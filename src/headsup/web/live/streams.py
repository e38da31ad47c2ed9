"""Sends what happens at one table to everyone who watches it through this server.

All who look on as the same kind of viewer share one stream: one text and one version number. A
stream on which nothing visible changed is sent nothing, so nobody can count hidden decisions.
"""

import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, assert_never

from headsup.game.record.journal import Journal
from headsup.game.round.audience import AtTheTable, HeadlineOnly, TableAndDisplay
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.events import Event
from headsup.game.table.state import Floor, Table
from headsup.game.views.announcements import (
    MeterMoved,
    announcement_for,
    announcement_text,
    linked_meter_announcement,
)
from headsup.game.views.irregularity_preview import IrregularityPreview, preview_irregularities
from headsup.game.views.parts import (
    Parts,
    TableMoment,
    ViewPart,
    display_parts,
    make_part,
    sum_of,
    write_result_part,
)
from headsup.game.views.parts_model import ClockPart, ClocksPart, NextHandPart, WhyPart
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.game.views.wording import words_for
from headsup.game.words.catalogue import Catalogue
from headsup.game.words.languages import CATALOGUES
from headsup.house.dealing.known_cards import has_known_cards
from headsup.house.dealing.pace import ClockKind, TimeLeft
from headsup.house.fairness.lost_seals import stop_notice
from headsup.house.floor.host import FloorHost, FloorUpdate
from headsup.house.house import House
from headsup.house.log import short_traceback
from headsup.house.people.capabilities import (
    OTHER_FORMS,
    TURN_FORMS,
    Standing,
    desk_forms,
    desk_part,
    guest_commands,
    rail_forms,
    seat_commands,
    seat_forms,
)
from headsup.house.people.person import Person, Role
from headsup.web.live.protocol import quote
from headsup.web.live.visibility import may_view
from headsup.web.server.log import log

PADDED_BYTES = 256  # a seat's frames are multiples of it: their length must not name a hand
SAME_DEADLINE_MILLISECONDS = 300  # deadlines closer than this are the same, read at other times
IRREGULARITIES = "irregularities"  # a part on request


def milliseconds_now() -> int:
    return time.time_ns() // 1_000_000


class Audience(NamedTuple):
    """A kind of viewer: everyone of the same kind is sent the same text."""

    viewer: Viewer
    role: Role | None  # where it decides what may be done
    language: str
    extras: frozenset[str]  # parts on request


class Receiver(Hashable, Protocol):
    """A socket that watches the table."""

    person: Person

    def send_change(self, table: str, text: str, index: int) -> None: ...

    def send_view(self, table: str, text: str, index: int) -> None: ...


class Watching(NamedTuple):
    """How one receiver watches: as which viewer, in which language, and with what."""

    viewer: Viewer
    language: str
    extras: frozenset[str]


class Stream:
    """What one audience holds, and who is in it."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.version = 0
        self.receivers: dict[Receiver, None] = {}
        self.own: Parts = {}  # the parts of this viewer; all parts, for a display
        self.key: object = None  # the state that this viewer's parts show


class TableStreams:
    """The streams of one table."""

    def __init__(
        self, house: House, host: FloorHost, table: str, now: Callable[[], int] = milliseconds_now
    ) -> None:
        self._house, self.host, self.table, self._now = house, host, table, now
        self._streams: dict[Audience, Stream] = {}
        self._watching: dict[Receiver, Watching] = {}
        self._joined: dict[Receiver, Stream] = {}
        self._moments: dict[str, TableMoment] = {}  # by language
        self._players: Mapping[int, str] | None = None
        self._deadlines: dict[tuple[ClockKind, int | None], ClockPart] = {}
        self._unsubscribe = host.subscribe(self._on_update, table)

    # Who watches.

    def __iter__(self) -> Iterator[Receiver]:
        return iter(tuple(self._watching))

    def add(self, receiver: Receiver, watching: Watching, missed: list[FloorUpdate]) -> None:
        """Join the stream of this viewer, and send the whole view, with what was missed."""
        self._watching[receiver] = watching
        self._join(receiver, watching, self.host.journal)
        self._send_view(receiver, missed)

    def remove(self, receiver: Receiver) -> bool:
        """Remove a receiver. Returns whether it was the last, which ends the streams."""
        self._watching.pop(receiver, None)
        self._leave(receiver)
        if not self._watching:
            self._unsubscribe()
        return not self._watching

    def send_view_again(self, receiver: Receiver, missed: list[FloorUpdate]) -> None:
        """The whole view, for a receiver that fell behind."""
        if receiver in self._joined:
            self._send_view(receiver, missed)

    def refresh(self) -> None:
        """Send what changed without an event, such as a pause or a deadline."""
        self._broadcast(self.host.journal, ())

    def _join(self, receiver: Receiver, watching: Watching, journal: Journal) -> None:
        audience = self._audience(receiver.person, watching, journal.floor)
        stream = self._streams.get(audience)
        if stream is None:
            stream = self._streams[audience] = Stream(audience)
            moment = self._moments.get(audience.language)
            if moment is None or moment.floor is not journal.floor:
                moment = self._make_moment(audience.language, journal)
            self._update_own(stream, moment)
        stream.receivers[receiver] = None
        self._joined[receiver] = stream

    def _leave(self, receiver: Receiver) -> None:
        stream = self._joined.pop(receiver, None)
        if stream is None:
            return
        stream.receivers.pop(receiver, None)
        if not stream.receivers:
            self._streams.pop(stream.audience, None)
        languages = {audience.language for audience in self._streams}
        for language in self._moments.keys() - languages:
            del self._moments[language]

    def _audience(self, person: Person, watching: Watching, floor: Floor) -> Audience:
        """The viewer, or the rail once the player has left the seat."""
        viewer, language, extras = watching
        if not may_view(person, viewer, floor, self.table):
            viewer = Watcher.RAIL
        match viewer:
            case SeatViewer():
                return Audience(viewer, None, language, frozenset())
            case Watcher.DEALER:
                return Audience(viewer, person.role, language, extras)
            case Watcher.RAIL:
                is_player = person.role is Role.PLAYER
                return Audience(viewer, person.role if is_player else None, language, frozenset())
            case Watcher.TABLEVISION:
                return Audience(viewer, None, language, frozenset())
            case _:
                assert_never(viewer)

    # What happens.

    def _on_update(self, update: FloorUpdate) -> None:
        self._broadcast(update.journal, update.events)

    def meter_moved(self, before: Floor, journal: Journal) -> None:
        """Announce that another table moved the meter that this table plays for as well (R78)."""
        if moved := linked_meter_announcement(before, journal.floor, self.table):
            self._broadcast(journal, (moved,))

    def _broadcast(self, journal: Journal, events: tuple[Event | MeterMoved, ...]) -> None:
        try:
            if not self._watching:
                return
            moved = self._move_audiences(journal)
            before = dict(self._moments)
            for language in {audience.language for audience in self._streams}:
                self._make_moment(language, journal)
            changes = {
                language: _public_change(before.get(language), moment)
                for language, moment in self._moments.items()
            }
            announcer = _Announcer(journal.floor, self.table, events)
            index, now = journal.head.count - 1, self._now()
            for stream in tuple(self._streams.values()):
                self._send_change(stream, changes[stream.audience.language], announcer, index, now)
            for receiver in moved:
                self._send_view(receiver, [], announcer)
        except Exception as error:  # a bug; later events are still broadcast
            log.error("broadcast failed", table=self.table, at=short_traceback(error))
            self._start_again()

    def _start_again(self) -> None:
        """Send everybody a whole view, since it is not known what they hold."""
        self._moments.clear()
        for receiver in tuple(self._joined):
            try:
                self._leave(receiver)
                self._join(receiver, self._watching[receiver], self.host.journal)
                self._send_view(receiver, [])
            except Exception as error:
                log.error(
                    "sending to a watcher failed", table=self.table, at=short_traceback(error)
                )

    def _move_audiences(self, journal: Journal) -> list[Receiver]:
        """Move those whose seat was given up or taken to another stream; they get a whole view.

        Checked only when the players change, because nothing else decides it.
        """
        players = journal.floor.tables[self.table].players
        if players is self._players:
            return []
        self._players = players
        moved = []
        for receiver, stream in tuple(self._joined.items()):
            watching = self._watching[receiver]
            if self._audience(receiver.person, watching, journal.floor) != stream.audience:
                self._leave(receiver)
                moved.append(receiver)
        for receiver in moved:
            self._join(receiver, self._watching[receiver], journal)
        return moved

    def _send_change(
        self,
        stream: Stream,
        public: str,
        announcer: "_Announcer",
        index: int,
        now: int,
    ) -> None:
        language, moment = stream.audience.language, self._moments[stream.audience.language]
        old = stream.own
        self._update_own(stream, moment)
        wires = [] if stream.own is old else _changed(old, stream.own)
        if stream.audience.viewer is not Watcher.TABLEVISION and public:
            wires.insert(0, public)
        events = announcer.text(stream.audience.viewer, CATALOGUES[language])
        if not wires and not events:
            return
        stream.version += 1
        fields = [
            f'{{"type":"change","table":{quote(self.table)},"version":{stream.version}',
            f'"index":{index},"at":{now}',
        ]
        if events:
            fields.append(f'"events":[{events}]')
        if wires:
            fields.append(f'"set":{{{",".join(wires)}}}')
        fields.append(f'"sum":{self._sum(stream, moment)}}}')
        text = _padded(",".join(fields), stream.audience.viewer)
        for receiver in tuple(stream.receivers):
            try:
                receiver.send_change(self.table, text, index)
            except Exception as error:  # the other watchers are not affected
                log.error(
                    "sending to a watcher failed", table=self.table, at=short_traceback(error)
                )
                self.remove(receiver)

    def _send_view(
        self,
        receiver: Receiver,
        missed: list[FloorUpdate],
        announcer: "_Announcer | None" = None,
    ) -> None:
        stream, watching = self._joined[receiver], self._watching[receiver]
        moment = self._moments[stream.audience.language]
        catalogue = CATALOGUES[stream.audience.language]
        texts = [self._missed_text(receiver, watching, update, catalogue) for update in missed]
        if announcer is not None:
            texts.append(announcer.text(stream.audience.viewer, catalogue))
        parts = self._all_parts(stream, moment)
        index = self.host.journal.head.count - 1
        fields = [
            f'{{"type":"view","table":{quote(self.table)}',
            f'"viewer":{quote(str(stream.audience.viewer))},"version":{stream.version}',
            f'"index":{index},"at":{self._now()}',
        ]
        if said := ",".join(text for text in texts if text):
            fields.append(f'"missed":[{said}]')
        wires = ",".join(part.wire for part in parts.values())
        fields.append(f'"parts":{{{wires}}},"sum":{sum_of(parts.values())}}}')
        text = _padded(",".join(fields), stream.audience.viewer)
        receiver.send_view(self.table, text, index)

    def _missed_text(
        self, receiver: Receiver, watching: Watching, update: FloorUpdate, catalogue: Catalogue
    ) -> str:
        """The announcements of an earlier entry, to the viewer that this person was then."""
        floor, viewer = update.journal.floor, watching.viewer
        if not may_view(receiver.person, viewer, floor, self.table):
            viewer = Watcher.RAIL
        return _Announcer(floor, self.table, update.events).text(viewer, catalogue)

    # Parts.

    def _all_parts(self, stream: Stream, moment: TableMoment) -> Parts:
        if stream.audience.viewer is Watcher.TABLEVISION:
            return stream.own
        return {**moment.public, **stream.own}

    def _sum(self, stream: Stream, moment: TableMoment) -> int:
        own = sum_of(stream.own.values())
        on_display = stream.audience.viewer is Watcher.TABLEVISION
        return own if on_display else own ^ moment.public_sum

    def _make_moment(self, language: str, journal: Journal) -> TableMoment:
        table = journal.floor.tables[self.table]
        times = self.host.time_left(self.table)
        extra: dict[str, Any] = {}
        if reason := self._house.dealing_modes.pause_reason(self.table):
            paused: WhyPart = {"why": reason}
            extra["paused"] = paused
        self._deadlines = {(time.kind, time.seat): self._deadline(time) for time in times}
        if clocks := self._public_clocks(table):
            extra["clocks"] = clocks
        moment = TableMoment(
            journal.floor, self.table, CATALOGUES[language], self._moments.get(language), extra
        )
        self._moments[language] = moment
        return moment

    def _deadline(self, time_left: TimeLeft) -> ClockPart:
        """When the time is up. The same deadline is read again a little earlier or later."""
        until = self._now() + round(time_left.seconds * 1000)
        of = round(time_left.total * 1000)
        old = self._deadlines.get((time_left.kind, time_left.seat))
        if old and old["of"] == of and abs(old["until"] - until) < SAME_DEADLINE_MILLISECONDS:
            return old
        return {"until": until, "of": of}

    def _public_clocks(self, table: Table) -> ClocksPart:
        """The deadlines that everybody sees: of bets, and of decisions that are not hidden."""
        clocks: ClocksPart = {}
        seats: dict[str, ClockPart] = {}
        for (kind, seat), clock in self._deadlines.items():
            match kind:
                case ClockKind.BETS:
                    clocks["bets"] = clock
                case ClockKind.DECISION:
                    if table.clockwise and seat is not None:
                        seats[str(seat)] = clock
                case _:
                    assert_never(kind)
        if seats:
            clocks["seats"] = dict(sorted(seats.items(), key=lambda pair: int(pair[0])))
        return clocks

    def _standing(self, moment: TableMoment) -> Standing:
        table = moment.table
        known = has_known_cards(table, self._house.known_rounds)
        notice = stop_notice(table, self._house.known_rounds, self._house.lost_seals)
        return Standing(moment.floor, table, moment.catalogue, known, notice)

    def _update_own(self, stream: Stream, moment: TableMoment) -> None:
        """Make the viewer's own parts again if what they are made of has changed."""
        audience, table = stream.audience, moment.table
        match audience.viewer:
            case SeatViewer(seat):
                key = self._seat_key(moment, seat)
                if key != stream.key:
                    stream.own, stream.key = self._seat_parts(moment, seat, stream.own), key
            case Watcher.DEALER:
                stream.own = self._desk_parts(moment, stream)
            case Watcher.RAIL:
                key = (table.players, table.closed)
                if key != stream.key or not stream.own:
                    forms = rail_forms(self._standing(moment), audience.role or Role.AUDITOR)
                    stream.own, stream.key = _made(forms, stream.own), key
            case Watcher.TABLEVISION:
                stream.own = _made_of(display_parts(moment), stream.own)
            case _:
                assert_never(audience.viewer)

    def _seat_key(self, moment: TableMoment, seat: int) -> object:
        table, round = moment.table, moment.table.round
        of_round: tuple[object, ...] = ()
        if round is not None:
            whose = tuple(round.seats_owing()) if table.clockwise else ()
            of_round = (round.phase, round.number, round.seats.get(seat), round.board_shown, whose)
        return (
            of_round,
            moment.floor.chips_of_seat(table, seat) if seat in table.players else None,
            table.players.get(seat),
            table.since.get(seat),
            table.coupons,
            table.sealed,
            table.closed,
            has_known_cards(table, self._house.known_rounds),
            self._deadlines.get((ClockKind.DECISION, seat)),
        )

    def _seat_parts(self, moment: TableMoment, seat: int, old: Parts) -> Parts:
        if seat not in moment.table.players:
            return {}
        at = self._standing(moment)
        clock = self._deadlines.get((ClockKind.DECISION, seat))
        parts: dict[str, Any] = {"you": moment.seat(seat, clock)}
        if may := seat_commands(at, seat):
            parts["may"] = may
        parts.update(seat_forms(at, seat))
        return _made(parts, old)

    def _desk_parts(self, moment: TableMoment, stream: Stream) -> Parts:
        at, table, role = self._standing(moment), moment.table, stream.audience.role
        if role is None:
            return {}
        round = table.round
        parts: dict[str, Any] = {"desk": desk_part(at, role in (Role.DEALER, Role.SUPERVISOR))}
        if round is not None and round.phase is Phase.RESOLVING and round.settlement is not None:
            seat = round.unresolved_seats()[0]
            result = write_result_part(round.settlement.seat(seat))
            next_hand: NextHandPart = {"seat": seat, **result}
            parts["next_hand"] = next_hand
        if may := guest_commands(at) if table.felt.guests else []:
            parts["may"] = may
        parts.update(desk_forms(at, role, TURN_FORMS))
        if IRREGULARITIES in stream.audience.extras and role in (Role.DEALER, Role.SUPERVISOR):
            parts[IRREGULARITIES] = [] if round is None else _irregularities(table)
        made = _made(parts, stream.own)
        key = (
            round.phase if round else None,
            table.players,
            moment.floor.meters,
            table.tabulator,
            table.coupons,
            table.sealed,
            table.closed,
            table.last_settled,
            table.felt,
            table.rules,
            table.discontinued,
        )
        if key != stream.key:
            stream.key = key
            others = _made(desk_forms(at, role, OTHER_FORMS), stream.own)
        else:
            others = {name: part for name, part in stream.own.items() if name in _OTHER_FORM_NAMES}
        return _made_of({**made, **others}, stream.own)


_OTHER_FORM_NAMES = frozenset(f"form.{spec.name}" for spec in OTHER_FORMS)


def _made(values: Mapping[str, Any], old: Parts) -> Parts:
    """Parts with these values; those with the same text as before are the same objects."""
    return {name: make_part(name, value, old) for name, value in values.items()}


def _made_of(parts: Parts, old: Parts) -> Parts:
    """The old parts as a whole if none of them changed."""
    if parts.keys() != old.keys():
        return {name: _same(part, old.get(name)) for name, part in parts.items()}
    same = {name: _same(part, old[name]) for name, part in parts.items()}
    return old if all(same[name] is old[name] for name in old) else same


def _same(part: ViewPart, old: ViewPart | None) -> ViewPart:
    return old if old is not None and old.wire == part.wire else part


def _changed(old: Parts, new: Parts) -> list[str]:
    """The parts that differ, as they are sent; a part that is gone is null."""
    wires = [part.wire for name, part in new.items() if old.get(name) is not part]
    return wires + [f'"{name}":null' for name in old if name not in new]


def _public_change(before: TableMoment | None, moment: TableMoment) -> str:
    """What changed for everybody, as it is sent; empty if nothing did."""
    return "" if before is None else ",".join(_changed(before.public, moment.public))


def _padded(text: str, viewer: Viewer) -> str:
    """A seat's frame with blanks up to a multiple of PADDED_BYTES; JSON allows them at the end."""
    if not isinstance(viewer, SeatViewer):
        return text
    return text + " " * (-len(text.encode()) % PADDED_BYTES)


class _Announcer:
    """The announcements of one entry, as each viewer may know them, with their sentences."""

    def __init__(self, floor: Floor, table: str, events: tuple[Event | MeterMoved, ...]) -> None:
        self._floor, self._table, self._events = floor, table, events
        self._texts: dict[tuple[Viewer, str], str] = {}
        self._alike: dict[tuple[int, str], str] = {}  # by event and language

    def text(self, viewer: Viewer, catalogue: Catalogue) -> str:
        if not self._events:
            return ""
        key = viewer, catalogue.language
        if (text := self._texts.get(key)) is None:
            texts = [self._announced(event, viewer, catalogue) for event in self._events]
            text = self._texts[key] = ",".join(text for text in texts if text)
        return text

    def _announced(self, event: Event | MeterMoved, viewer: Viewer, catalogue: Catalogue) -> str:
        if isinstance(event, MeterMoved):
            announcement = event
        else:
            if isinstance(viewer, SeatViewer) and _is_told_alike(event, viewer.seat):
                return self._text_for_others(event, catalogue)
            made = announcement_for(viewer, self._floor, self._table, event)
            if made is None:
                return ""
            announcement = made  # type: ignore[assignment]
        say = catalogue.say(words_for(announcement, viewer, self._floor, self._table))
        return f'{announcement_text(announcement)[:-1]},"say":{quote(say)}}}'

    def _text_for_others(self, event: Event, catalogue: Catalogue) -> str:
        """What everybody but the seat concerned is told, made once."""
        key = id(event), catalogue.language
        if (text := self._alike.get(key)) is None:
            text = self._alike[key] = self._announced(event, Watcher.RAIL, catalogue)
        return text


def _is_told_alike(event: Event, seat: int) -> bool:
    """Whether this seat is told of the event like every other watcher."""
    audience = getattr(event, "audience", None)
    public = isinstance(audience, AtTheTable | TableAndDisplay | HeadlineOnly)
    return public and getattr(event, "seat", None) != seat


def _irregularities(table: Table) -> list[dict[str, Any]]:
    round = table.round
    if round is None:
        return []
    return [_irregularity(one) for one in preview_irregularities(round)]


def _irregularity(preview: IrregularityPreview) -> dict[str, Any]:
    def stakes(by_wager: Mapping[Wager, int]) -> dict[str, int]:
        return {wager.value: cents for wager, cents in by_wager.items()}

    return {
        "cause": preview.cause.value,
        **({"seat": preview.seat} if preview.seat else {}),
        "resolution": preview.resolution.value,
        "clause": preview.clause,
        "house_rule": preview.house_rule,
        "reopened": preview.reopened,
        "stakes": [
            {
                "seat": one.seat,
                "returned": stakes(one.returned),
                "settled": stakes(one.settled),
            }
            for one in preview.stakes
        ],
    }


class LinkedMeterNotifier:
    """Notifies the other tables of a floor when one table moves the meter they share."""

    def __init__(self, host: FloorHost) -> None:
        self._floor = host.journal.floor
        self.streams: dict[str, TableStreams] = {}  # by table, of this floor only
        host.subscribe(self._on_update)

    def _on_update(self, update: FloorUpdate) -> None:
        before, now = self._floor, update.journal.floor
        self._floor = now
        if before.meters is now.meters:  # most events move no meter
            return
        for table, streams in tuple(self.streams.items()):
            if table == update.table or table not in before.tables:
                continue
            if before.meter_of(table) is not now.meter_of(table):
                streams.meter_moved(before, update.journal)
