"""The server's end of the live connection: one socket per browser tab, to watch and to command.

A client is cut off if it reads too slowly, or sends too much or too often. It is sent only what
its viewer may know. One socket at a time watches a seat: the newest.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import assert_never
from weakref import WeakKeyDictionary

from fastapi import WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketState

from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher, parse_viewer
from headsup.house.floor.host import FloorHost, FloorMoved, FloorUnavailable
from headsup.house.floor.replay_buffer import ReplayBuffer, last_index
from headsup.house.house import Elsewhere, House
from headsup.house.log import short_traceback
from headsup.house.people.person import Person
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
    MovedMessage,
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

CLOSE_SECONDS = 0.5  # for the client to read the reason; then the socket is cut off
MAX_QUEUED_MESSAGES = 256  # unsent; a client further behind is closed
RESERVED_MESSAGES = 40  # of these, kept free for new events while missed ones are sent
MAX_WAITING_SOCKETS = 256  # before they log in
MAX_SOCKETS_PER_PERSON = 3  # one more replaces the oldest
MAX_SOCKETS_PER_DISPLAY = 12  # per link, likewise


class Sockets:
    """All sockets of this server, by person, by table and by seat."""

    def __init__(self, metrics: Metrics) -> None:
        self._open: dict[str, dict[Socket, None]] = defaultdict(dict)  # by person, oldest first
        self._waiting: dict[asyncio.Timeout, None] = {}  # before their hello, oldest first
        self._seats: dict[tuple[str, int], Socket] = {}
        # By table, so that an event costs nothing for the thousands who watch other tables.
        self._galleries: dict[str, Gallery[Socket]] = {}
        self._replay_buffers: WeakKeyDictionary[FloorHost, ReplayBuffer] = WeakKeyDictionary()
        self._meter_notifiers: WeakKeyDictionary[FloorHost, LinkedMeterNotifier[Socket]] = (
            WeakKeyDictionary()
        )
        self._metrics = metrics

    @contextmanager
    def waiting_for_hello(self, deadline: asyncio.Timeout) -> Iterator[None]:
        """Count a connection before its log-in. One more than MAX_WAITING_SOCKETS ends the time
        of the oldest."""
        self._waiting[deadline] = None
        if len(self._waiting) > MAX_WAITING_SOCKETS:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            if not oldest.expired():
                oldest.reschedule(asyncio.get_running_loop().time())
        try:
            yield
        finally:
            self._waiting.pop(deadline, None)

    def add(self, socket: "Socket") -> None:
        opened = self._open[socket.person.id]
        maximum = MAX_SOCKETS_PER_DISPLAY if is_display(socket.person) else MAX_SOCKETS_PER_PERSON
        for oldest in list(opened)[: max(0, len(opened) + 1 - maximum)]:
            oldest.close(CloseReason.REPLACED)
            self.remove(oldest)
        self._open[socket.person.id][socket] = None
        self._metrics.sockets.inc()

    def remove(self, socket: "Socket") -> None:
        opened = self._open.get(socket.person.id, {})
        if socket in opened:
            del opened[socket]
            self._metrics.sockets.dec()
        if not opened:
            self._open.pop(socket.person.id, None)
        for table in socket.tables:
            self.stop_watching(socket, table)

    def gallery(
        self, table: str, host: FloorHost, pause_reason: Callable[[str], str]
    ) -> "Gallery[Socket]":
        """The gallery of a table, made for its first watcher."""
        if (gallery := self._galleries.get(table)) is None:
            gallery = self._galleries[table] = Gallery(host, table, pause_reason)
            if (notifier := self._meter_notifiers.get(host)) is None:
                notifier = self._meter_notifiers[host] = LinkedMeterNotifier(host)
            notifier.galleries[table] = gallery
        return gallery

    def stop_watching(self, socket: "Socket", table: str) -> None:
        gallery = self._galleries.get(table)
        if gallery is not None and gallery.remove(socket):
            del self._galleries[table]
            self._meter_notifiers[gallery.host].galleries.pop(table, None)
        if (seat := socket.seats.pop(table, None)) and self._seats.get((table, seat)) is socket:
            del self._seats[table, seat]

    def take_seat(self, socket: "Socket", table: str, seat: int) -> None:
        """Register the socket for a seat; the same player's older socket there is closed."""
        previous = self._seats.get((table, seat))
        self._seats[table, seat] = socket
        socket.seats[table] = seat
        if previous not in (None, socket) and previous.person == socket.person:
            previous.close(CloseReason.REPLACED)

    def move_away(self, table: str, address: str) -> None:
        """Lead everybody who watches a table to the server that runs it now."""
        for socket in tuple(self._galleries.get(table, ())):
            socket.move_away(table, address)

    def replay_buffer(self, host: FloorHost) -> ReplayBuffer:
        """The recent events of a floor, recorded from its first watcher on."""
        if (buffer := self._replay_buffers.get(host)) is None:
            buffer = self._replay_buffers[host] = ReplayBuffer(host)
        return buffer

    def login_keys(self) -> frozenset[str]:
        """The log-ins and display links with an open socket here."""
        return frozenset(socket.login_key for opened in self._open.values() for socket in opened)

    def watcher_names(self, table: str) -> frozenset[str]:
        """Everyone who watches the table through this server."""
        return frozenset(socket.person.name for socket in self._galleries.get(table, ()))

    def dealt_tables(self) -> frozenset[str]:
        """The tables whose console is open here for somebody who may deal."""
        return frozenset(
            table
            for table, gallery in self._galleries.items()
            if any(socket.is_dealing(table) for socket in gallery)
        )

    def lobby_names(self) -> frozenset[str]:
        """Everyone connected here who watches no table."""
        return frozenset(
            name
            for opened in self._open.values()
            if not any(socket.is_watching for socket in opened)
            for name in {socket.person.name for socket in opened}
        )

    def resend_view(self, table: str) -> None:
        for socket in self._galleries.get(table, ()):
            socket.resend_view(table)

    def close_person(self, person: str) -> None:
        for socket in tuple(self._open.get(person, ())):
            socket.close(CloseReason.LOGGED_OUT)

    def close_logins(self, ended: Collection[str]) -> None:
        for opened in tuple(self._open.values()):
            for socket in tuple(opened):
                if socket.login_key in ended:
                    socket.close(CloseReason.LOGGED_OUT)

    def close_all(self, reason: CloseReason) -> None:
        for opened in tuple(self._open.values()):
            for socket in tuple(opened):
                socket.close(reason)

    async def close_gracefully(self, reason: CloseReason) -> None:
        """Close all sockets, and give clients up to CLOSE_SECONDS to read the reason."""
        self.close_all(reason)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CLOSE_SECONDS
        while self._open and loop.time() < deadline:
            await asyncio.sleep(0.01)


async def socket_address(house: House, table: str) -> str:
    """The address of the socket of the server that runs a table; this one's if nobody does."""
    at = house.membership.at
    with suppress(FloorUnavailable):
        located = await house.locate(table)
        at = located.at if isinstance(located, Elsewhere) else at
    return f"/at/{at}/ws" if at else "/ws"


class Socket:
    def __init__(
        self,
        wire: WebSocket,
        person: Person,
        house: House,
        desk: CommandDesk,
        sockets: Sockets,
        metrics: Metrics,
        login_key: str = "",
        binding: TicketBinding | None = None,
    ) -> None:
        """The socket closes when `login_key`, its log-in or display link, ends.

        A `binding` restricts it to one table and viewer.
        """
        self.person, self.login_key, self._binding = person, login_key, binding
        self._wire, self._house, self._desk = wire, house, desk
        self._sockets, self._metrics = sockets, metrics
        self._unsent: deque[str] = deque()
        self._wakeup: asyncio.Future[None] | None = None  # set while the writer is waiting
        self._bucket = TokenBucket(MESSAGE_BURST, MESSAGES_PER_SECOND, at=time.monotonic())
        self._subscriptions: dict[str, Subscription] = {}  # by table
        self.seats: dict[str, int] = {}  # the seat it watches from, by table
        self._tasks: set[asyncio.Task[None]] = set()
        self._command_lock = asyncio.Lock()  # in order: a command may depend on the one before
        self._closing = False
        self._closed_by_server = False
        self._cut_off = asyncio.Event()

    async def run(self) -> None:
        """Serve until either side ends the connection."""
        coroutines = (self._read(), self._write(), self._wait_for_cut_off())
        tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
        try:
            self._send(WelcomeMessage(name=self.person.name, role=self.person.role.value))
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._closing = True
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    @property
    def is_watching(self) -> bool:
        return bool(self._subscriptions)

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables it watches."""
        return tuple(self._subscriptions)

    def is_dealing(self, table: str) -> bool:
        """Whether it is the table's console, held by somebody who may deal."""
        subscription = self._subscriptions.get(table)
        at_console = subscription is not None and subscription.viewer is Watcher.DEALER
        return at_console and may_deal(self.person)

    def close(self, reason: CloseReason) -> None:
        """Send the reason and close; queued messages are dropped."""
        if self._closing:
            return
        self._unsent.clear()
        self._send(ClosingMessage(code=reason))
        self._closing = self._closed_by_server = True
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._cut_off.set)

    async def _wait_for_cut_off(self) -> None:
        await self._cut_off.wait()

    # Receiving.

    async def _read(self) -> None:
        while True:
            received = await self._wire.receive()
            if received["type"] == "websocket.disconnect":
                return
            if self._closing:
                continue  # ignore further messages
            self.receive(received.get("text"))

    def receive(self, text: str | None) -> None:
        """Handle one frame; None for a binary one."""
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
                self._handle(message)

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case WatchMessage(table=table):
                if self._house.host_of(table) is None:
                    self._start_task(self._locate_and_watch(message))
                else:
                    self._watch(message)
            case UnwatchMessage(table=table):
                self._unwatch(table)
            case AskMessage() | CardsMessage() | OpenMessage():
                if self._binding is None or self._binding.may_submit(message):
                    self._start_task(self._submit(message))
                else:
                    self._refuse(self._binding.refusal, message.id)
            case PingMessage():
                self._send(PongMessage())
            case HelloMessage():
                self._refuse(refusal(Code.BAD_MESSAGE, "hello"))
            case _:
                assert_never(message)

    def _start_task(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _submit(self, message: AskMessage | CardsMessage | OpenMessage) -> None:
        try:
            async with self._command_lock:
                if self._closed_by_server:  # the account was locked while this command waited
                    return
                answer = await self._answer_to(message)
        except FloorMoved:
            await self._lead_away(message.table)
        except Exception as error:  # a bug; only the sender notices
            log.error("command failed", kind=type(error).__name__, at=short_traceback(error))
            self._refuse(refusal(Code.UNAVAILABLE), message.id)
        else:
            self._send(answer)

    async def _answer_to(
        self, message: AskMessage | CardsMessage | OpenMessage
    ) -> AnsweredMessage | DeclinedMessage:
        match message:
            case OpenMessage():
                return await self._desk.open(self.person, message)
            case CardsMessage(table=table):
                return await self._desk.enter_cards(self.person, table, message)
            case AskMessage(table=table):
                return await self._desk.submit(self.person, table, message)
            case _:
                assert_never(message)

    # Watching.

    async def _locate_and_watch(self, message: WatchMessage) -> None:
        """The table is not here: another server may run it, or nobody does yet."""
        try:
            if isinstance(await self._house.locate(message.table), Elsewhere):
                await self._lead_away(message.table)
                return
        except FloorUnavailable:
            self._refuse(refusal(Code.UNAVAILABLE))
            return
        except Exception as error:
            log.error("looking up a table failed", kind=type(error).__name__)
        self._watch(message)

    async def _lead_away(self, table: str) -> None:
        """Send the address of the server that runs the table now."""
        self.move_away(table, await socket_address(self._house, table))

    def move_away(self, table: str, address: str) -> None:
        self._unwatch(table)
        self._send(MovedMessage(table=table, socket=address))

    def _watch(self, message: WatchMessage) -> None:
        table, host = message.table, self._house.host_of(message.table)
        if self._closing:  # during the look-up
            return
        if host is None or table not in host.journal.floor.tables:
            self._refuse(refusal(Code.NO_SUCH_TABLE, table=table))
            return
        try:
            viewer = parse_viewer(message.viewer)
        except Refused as refused:
            self._refuse(refused.refusal)
            return
        if self._binding is not None and not self._binding.may_watch(table, viewer):
            self._refuse(self._binding.refusal)
            return
        if not may_view(self.person, viewer, host.journal.floor, table):
            self._refuse(refusal(Code.NOT_YOUR_VIEW, viewer=str(viewer)))
            return
        self._unwatch(table)
        if isinstance(viewer, SeatViewer):
            self._sockets.take_seat(self, table, viewer.seat)
        self._subscribe(viewer, host, table, message.after)

    def _unwatch(self, table: str) -> None:
        if self._subscriptions.pop(table, None) is not None:
            self._sockets.stop_watching(self, table)

    def _subscribe(self, viewer: Viewer, host: FloorHost, table: str, after: int | None) -> None:
        """Send the missed events or a full view, then every event from now on."""
        replay_buffer = self._sockets.replay_buffer(host)
        missed = None if after is None else replay_buffer.updates_after(after, table)
        if missed is not None and is_linked(host.journal.floor, table):
            missed = None  # the buffer lacks the meter moves of other tables
        # The missed events of several tables may overflow the queue; then send full views.
        if missed and len(self._unsent) + len(missed) > MAX_QUEUED_MESSAGES - RESERVED_MESSAGES:
            missed = None
        subscription = Subscription(table, self.person, viewer, self._enqueue)
        self._subscriptions[table] = subscription
        gallery = self._sockets.gallery(table, host, self._house.dealing_modes.pause_reason)
        gallery.add(self, subscription)
        if missed is None:
            subscription.send_view(gallery.make_broadcast(host.journal))
        for update in missed or ():
            subscription.send_events(gallery.make_broadcast(update.journal, update))
        self._send(WatchingMessage(table=table, viewer=str(viewer), index=last_index(host)))

    def resend_view(self, table: str) -> None:
        """Send the view again after a change without an event, such as a pause."""
        subscription, host = self._subscriptions.get(table), self._house.host_of(table)
        if subscription is not None and host is not None:
            gallery = self._sockets.gallery(table, host, self._house.dealing_modes.pause_reason)
            subscription.send_view(gallery.make_broadcast(host.journal))

    # Sending.

    def _refuse(self, refused: Refusal, id: str | None = None) -> None:
        self._send(DeclinedMessage(id=id, code=refused.code.value, message=refused.message))

    def _drop(self, reason: CloseReason) -> None:
        self._metrics.dropped.labels(reason.value).inc()
        self.close(reason)

    def _send(self, message: Message) -> None:
        self._enqueue(message.model_dump_json())

    def _enqueue(self, message: str) -> None:
        if self._closing:
            return
        if len(self._unsent) >= MAX_QUEUED_MESSAGES:
            self._drop(CloseReason.TOO_SLOW)
            return
        self._unsent.append(message)
        if self._wakeup is not None and not self._wakeup.done():
            self._wakeup.set_result(None)

    async def _write(self) -> None:
        """Send queued messages in order, and close the socket after the last one."""
        loop, unsent, send = asyncio.get_running_loop(), self._unsent, self._wire.send
        while unsent or not self._closing:
            while unsent:
                await send({"type": "websocket.send", "text": unsent.popleft()})
            if not self._closing:
                self._wakeup = loop.create_future()
                await self._wakeup
        if self._wire.application_state is WebSocketState.CONNECTED:
            await self._wire.close(1000)
