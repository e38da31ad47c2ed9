"""The live connection: one socket per browser, watching tables and asking commands.

A socket is opened with a ticket, may be slow but not for long, and may say little and not too
often. What it is sent is made from what its viewer may know, and from nothing else. A seat is
watched from one socket at a time: the newest.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Coroutine
from typing import assert_never
from weakref import WeakKeyDictionary

from fastapi import WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketState

from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher, parse_viewer
from headsup.house.floor.host import FloorHost
from headsup.house.floor.replay_buffer import ReplayBuffer, last_index
from headsup.house.house import House
from headsup.house.log import short_traceback
from headsup.house.people.accounts import Person
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.gallery import Gallery, LinkedMeterNotifier, Subscription, is_linked
from headsup.web.live.protocol import (
    CLIENT_MESSAGE_ADAPTER,
    MAX_MESSAGE_BYTES,
    AnsweredMessage,
    AskMessage,
    CardsMessage,
    ClientMessage,
    CloseReason,
    ClosingMessage,
    DeclinedMessage,
    HelloMessage,
    Message,
    OpenMessage,
    PingMessage,
    PongMessage,
    UnwatchMessage,
    WatchingMessage,
    WatchMessage,
    WelcomeMessage,
)
from headsup.web.live.visibility import TicketBinding, is_display, may_deal, may_view
from headsup.web.server.log import log
from headsup.web.server.operations import Metrics
from headsup.web.server.security import MESSAGE_BURST, MESSAGES_PER_SECOND, TokenBucket

CLOSE_SECONDS = 0.5  # to read why a socket is closed; who is slower is cut off
MAX_QUEUED_MESSAGES = 256  # messages for a reader; one that is further behind is closed
RESERVED_MESSAGES = (
    40  # of these, left free for what happens while somebody is told what was missed
)
MAX_SOCKETS_PER_PERSON = 3  # of one person; a further one replaces the oldest
MAX_SOCKETS_PER_DISPLAY = 12  # by one link, likewise


class Sockets:
    """All sockets of this server: who holds which, and who watches from which seat."""

    def __init__(self, metrics: Metrics) -> None:
        self._open: dict[str, dict[Socket, None]] = defaultdict(dict)  # by person, oldest first
        self._seats: dict[tuple[str, int], Socket] = {}
        # By table those who look at it: thousands may look at other tables.
        self._galleries: dict[str, Gallery[Socket]] = {}
        self._recent: WeakKeyDictionary[FloorHost, ReplayBuffer] = WeakKeyDictionary()
        self._meters: WeakKeyDictionary[FloorHost, LinkedMeterNotifier[Socket]] = (
            WeakKeyDictionary()
        )
        # Told who watches from which seat: other servers want to know.
        self.on_seat: Callable[[str, str, int], None] = lambda *_: None
        self._metrics = metrics

    def add(self, socket: "Socket") -> None:
        held = self._open[socket.person.id]
        most = MAX_SOCKETS_PER_DISPLAY if is_display(socket.person) else MAX_SOCKETS_PER_PERSON
        for oldest in list(held)[: max(0, len(held) + 1 - most)]:
            oldest.close(CloseReason.REPLACED)
            self.remove(oldest)
        self._open[socket.person.id][socket] = None
        self._metrics.sockets.inc()

    def remove(self, socket: "Socket") -> None:
        held = self._open.get(socket.person.id, {})
        if socket in held:
            del held[socket]
            self._metrics.sockets.dec()
        if not held:
            self._open.pop(socket.person.id, None)
        for table in socket.tables:
            self.look_away(socket, table)

    def gallery(
        self, table: str, host: FloorHost, paused: Callable[[str], str]
    ) -> "Gallery[Socket]":
        """Of those who look at a table, with the first of them."""
        if (found := self._galleries.get(table)) is None:
            found = self._galleries[table] = Gallery(host, table, paused)
            if (meters := self._meters.get(host)) is None:
                meters = self._meters[host] = LinkedMeterNotifier(host)
            meters.galleries[table] = found
        return found

    def look_away(self, socket: "Socket", table: str) -> None:
        gallery = self._galleries.get(table)
        if gallery is not None and gallery.remove(socket):
            del self._galleries[table]
            self._meters[gallery.host].galleries.pop(table, None)
        if (seat := socket.seats.pop(table, None)) and self._seats.get((table, seat)) is socket:
            del self._seats[table, seat]

    def take_seat(self, socket: "Socket", table: str, seat: int) -> None:
        """Watch from a seat; another socket of the same player that did is closed."""
        before = self._seats.get((table, seat))
        self._seats[table, seat] = socket
        socket.seats[table] = seat
        if before not in (None, socket) and before.person == socket.person:
            before.close(CloseReason.REPLACED)
        self.on_seat(socket.person.id, table, seat)

    def give_up_seat(self, person: str, table: str, seat: int) -> None:
        """The same, when the newer socket is on another server."""
        held = self._seats.get((table, seat))
        if held is not None and held.person.id == person:
            held.close(CloseReason.REPLACED)

    def recent(self, host: FloorHost) -> ReplayBuffer:
        """What happened on a floor lately; remembered from its first watcher on."""
        if (found := self._recent.get(host)) is None:
            found = self._recent[host] = ReplayBuffer(host)
        return found

    def under(self) -> frozenset[str]:
        """The log-ins and displays' keys under which there is a socket here."""
        return frozenset(socket.under for held in self._open.values() for socket in held)

    def watching(self, table: str) -> frozenset[str]:
        """The names of those who look at a table here."""
        return frozenset(socket.person.name for socket in self._galleries.get(table, ()))

    def watched(self) -> dict[str, set[str]]:
        """The names of those who look at each table here."""
        return {
            table: {socket.person.name for socket in gallery}
            for table, gallery in self._galleries.items()
        }

    def dealt(self) -> frozenset[str]:
        """The tables at whose console somebody who may deal stands here."""
        return frozenset(
            table
            for table, gallery in self._galleries.items()
            if any(socket.deals(table) for socket in gallery)
        )

    def choosing(self) -> frozenset[str]:
        """The names of those who are here and look at no table."""
        return frozenset(
            name
            for held in self._open.values()
            if not any(socket.watching for socket in held)
            for name in {socket.person.name for socket in held}
        )

    def show_again(self, table: str) -> None:
        for socket in self._galleries.get(table, ()):
            socket.show_again(table)

    def close_person(self, person: str) -> None:
        for socket in tuple(self._open.get(person, ())):
            socket.close(CloseReason.LOGGED_OUT)

    def close_under(self, ended: Collection[str]) -> None:
        for held in tuple(self._open.values()):
            for socket in tuple(held):
                if socket.under in ended:
                    socket.close(CloseReason.LOGGED_OUT)

    def close_all(self, why: CloseReason) -> None:
        for held in tuple(self._open.values()):
            for socket in tuple(held):
                socket.close(why)

    async def dismiss(self, why: CloseReason) -> None:
        """The same, and wait until they have read it, those who do."""
        self.close_all(why)
        loop = asyncio.get_running_loop()
        until = loop.time() + CLOSE_SECONDS
        while self._open and loop.time() < until:
            await asyncio.sleep(0.01)


class Socket:
    def __init__(
        self,
        wire: WebSocket,
        person: Person,
        house: House,
        desk: CommandDesk,
        sockets: Sockets,
        metrics: Metrics,
        under: str = "",
        place: TicketBinding | None = None,
    ) -> None:
        """`under` is the log-in or the display's key that it ends with; `place` where alone it is
        good, or None."""
        self.person, self.under, self._place = person, under, place
        self._wire, self._house, self._desk = wire, house, desk
        self._sockets, self._metrics = sockets, metrics
        self._unsent: deque[str] = deque()
        self._more: asyncio.Future[None] | None = None  # while the writer waits for something
        self._bucket = TokenBucket(MESSAGE_BURST, MESSAGES_PER_SECOND, at=time.monotonic())
        self._places: dict[str, Subscription] = {}  # from where it looks, by table
        self.seats: dict[str, int] = {}  # from which it watches, by table
        self._asking: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()  # one command after the other: the next may build on the last
        self._closing = False
        self._dismissed = False  # closed by the house, not by the client
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Until either side ends it; who does not read why they are closed is cut off."""
        parts = [asyncio.create_task(part) for part in (self._read(), self._write(), self._end())]
        try:
            self._send(WelcomeMessage(name=self.person.name, role=self.person.role.value))
            await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._closing = True
            for part in parts:
                part.cancel()
            await asyncio.wait(parts)

    @property
    def watching(self) -> bool:
        """Whether it looks at any table."""
        return bool(self._places)

    @property
    def tables(self) -> tuple[str, ...]:
        """Those it looks at."""
        return tuple(self._places)

    def deals(self, table: str) -> bool:
        """Whether it is the console of somebody who may deal there."""
        place = self._places.get(table)
        at_console = place is not None and place.viewer is Watcher.DEALER
        return at_console and may_deal(self.person)

    def close(self, why: CloseReason) -> None:
        """Say why and end; what is still queued is dropped."""
        if self._closing:
            return
        self._unsent.clear()
        self._send(ClosingMessage(code=why))
        self._closing = self._dismissed = True
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._over.set)

    async def _end(self) -> None:
        await self._over.wait()

    # Receiving.

    async def _read(self) -> None:
        while True:
            received = await self._wire.receive()
            if received["type"] == "websocket.disconnect":
                return
            if self._closing:
                continue  # nothing is heard any more
            self.receive(received.get("text"))

    def receive(self, text: str | None) -> None:
        """One frame; None for a binary one."""
        if not self._bucket.take(time.monotonic()):
            self._drop(CloseReason.TOO_MANY)
        elif text is None:
            self._refuse(refusal(Code.BAD_MESSAGE, "binary"))
        elif (
            len(text) > MAX_MESSAGE_BYTES
            or len(text.encode("utf-8", "replace")) > MAX_MESSAGE_BYTES
        ):
            self._drop(CloseReason.TOO_LARGE)
        else:
            try:
                message = CLIENT_MESSAGE_ADAPTER.validate_json(text)
            except (ValidationError, ValueError, RecursionError):
                self._refuse(refusal(Code.BAD_MESSAGE))
            else:
                self._take(message)

    def _take(self, message: ClientMessage) -> None:
        match message:
            case WatchMessage(table=table):
                if self._house.host_of(table) is None:
                    self._begin_task(self._look_for(message))
                else:
                    self._watch(message)
            case UnwatchMessage(table=table):
                self._unwatch(table)
            case AskMessage() | CardsMessage() | OpenMessage():
                if self._place is None or self._place.asks(message):
                    self._begin_task(self._ask(message))
                else:
                    self._refuse(self._place.refusal, message.id)
            case PingMessage():
                self._send(PongMessage())
            case HelloMessage():
                self._refuse(refusal(Code.BAD_MESSAGE, "hello"))
            case _:
                assert_never(message)

    def _begin_task(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, message: AskMessage | CardsMessage | OpenMessage) -> None:
        try:
            async with self._turn:
                if self._dismissed:  # who was locked meanwhile asks nothing more
                    return
                answer = await self._answer(message)
        except Exception as error:  # a bug; who asked is told so, and nobody else notices
            log.error("a command failed", kind=type(error).__name__, at=short_traceback(error))
            self._refuse(refusal(Code.UNAVAILABLE), message.id)
        else:
            self._send(answer)

    async def _answer(
        self, message: AskMessage | CardsMessage | OpenMessage
    ) -> AnsweredMessage | DeclinedMessage:
        match message:
            case OpenMessage():
                return await self._desk.open(self.person, message)
            case CardsMessage(table=table):
                return await self._desk.enter(self.person, table, message)
            case AskMessage(table=table):
                return await self._desk.ask(self.person, table, message)
            case _:
                assert_never(message)

    # Watching.

    async def _look_for(self, message: WatchMessage) -> None:
        """Another server may have opened the table just now."""
        try:
            await self._house.find(message.table)
        except Exception as error:
            log.error("a table was not looked for", kind=type(error).__name__)
        self._watch(message)

    def _watch(self, message: WatchMessage) -> None:
        table, host = message.table, self._house.host_of(message.table)
        if self._closing:  # while the table was looked for
            return
        if host is None or table not in host.journal.floor.tables:
            self._refuse(refusal(Code.NO_SUCH_TABLE, table=table))
            return
        try:
            viewer = parse_viewer(message.viewer)
        except Refused as refused:
            self._refuse(refused.refusal)
            return
        if self._place is not None and not self._place.sees(table, viewer):
            self._refuse(self._place.refusal)
            return
        if not may_view(self.person, viewer, host.journal.floor, table):
            self._refuse(refusal(Code.NOT_YOUR_VIEW, viewer=str(viewer)))
            return
        self._unwatch(table)
        if isinstance(viewer, SeatViewer):
            self._sockets.take_seat(self, table, viewer.seat)
        self._begin(viewer, host, table, message.after)

    def _unwatch(self, table: str) -> None:
        if self._places.pop(table, None) is not None:
            self._sockets.look_away(self, table)

    def _begin(self, viewer: Viewer, host: FloorHost, table: str, after: int | None) -> None:
        """Tell what was missed, or show the whole table; then all that happens from now on."""
        recent = self._sockets.recent(host)
        missed = None if after is None else recent.after(after, table)
        if missed is not None and is_linked(host.journal.floor, table):
            missed = None  # what moved its meter elsewhere is not among that
        # What was missed at several tables may be too much at once: the later ones are shown whole.
        if missed and len(self._unsent) + len(missed) > MAX_QUEUED_MESSAGES - RESERVED_MESSAGES:
            missed = None
        place = self._places[table] = Subscription(table, self.person, viewer, self._put)
        gallery = self._sockets.gallery(table, host, self._house.attendances.why_waits)
        gallery.add(self, place)
        if missed is None:
            place.show(gallery.telling(host.journal))
        for news in missed or ():
            place.tell(gallery.telling(news.journal, news))
        self._send(WatchingMessage(table=table, viewer=str(viewer), index=last_index(host)))

    def show_again(self, table: str) -> None:
        """What is shown besides what happens has changed: the table was paused, or goes on."""
        place, host = self._places.get(table), self._house.host_of(table)
        if place is not None and host is not None:
            gallery = self._sockets.gallery(table, host, self._house.attendances.why_waits)
            place.show(gallery.telling(host.journal))

    # Sending.

    def _refuse(self, refused: Refusal, id: str | None = None) -> None:
        self._send(DeclinedMessage(id=id, code=refused.code.value, message=refused.message))

    def _drop(self, why: CloseReason) -> None:
        self._metrics.dropped.labels(why.value).inc()
        self.close(why)

    def _send(self, message: Message) -> None:
        self._put(message.model_dump_json())

    def _put(self, message: str) -> None:
        if self._closing:
            return
        if len(self._unsent) >= MAX_QUEUED_MESSAGES:
            self._drop(CloseReason.TOO_SLOW)
            return
        self._unsent.append(message)
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    async def _write(self) -> None:
        """In order; after the reason for closing, which is the last, the socket is closed."""
        loop, unsent, send = asyncio.get_running_loop(), self._unsent, self._wire.send
        while unsent or not self._closing:
            while unsent:
                await send({"type": "websocket.send", "text": unsent.popleft()})
            if not self._closing:
                self._more = loop.create_future()
                await self._more
        if self._wire.application_state is WebSocketState.CONNECTED:
            await self._wire.close(1000)
