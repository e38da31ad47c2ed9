"""The server's end of the live connection: one socket per browser tab, to watch and to command.

A client that reads too slowly is sent whole views instead of every change, and is cut off if it
reads nothing; so is one that sends too much or too often. It is sent only what its viewer may know.
One socket at a time watches a seat: the newest.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Collection, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple, assert_never
from weakref import WeakKeyDictionary

from fastapi import WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketState

from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher, parse_viewer
from headsup.game.words.catalogue import Catalogue
from headsup.game.words.english import ENGLISH
from headsup.house.floor.host import FloorHost, FloorMoved, FloorUnavailable, FloorUpdate
from headsup.house.floor.replay_buffer import ReplayBuffer
from headsup.house.house import Elsewhere, House
from headsup.house.log import short_traceback
from headsup.house.people.permissions import Act, may, permission
from headsup.house.people.person import Person
from headsup.web.live.command_requests import CommandDesk
from headsup.web.live.examples import EXAMPLES
from headsup.web.live.protocol import (
    CLIENT_MESSAGE_ADAPTER,
    MAX_MESSAGE_BYTES,
    PROTOCOL,
    AskMessage,
    ClientMessage,
    CloseReason,
    ClosingMessage,
    HelloMessage,
    MovedMessage,
    OpenMessage,
    PingMessage,
    PongMessage,
    RefusalMessage,
    ReplyMessage,
    SubmitCommandRequest,
    UnwatchMessage,
    WatchMessage,
    WelcomeMessage,
)
from headsup.web.live.streams import (
    LinkedMeterNotifier,
    TableStreams,
    Watching,
    milliseconds_now,
)
from headsup.web.live.visibility import TicketBinding, is_display, may_deal, may_view
from headsup.web.server.log import log
from headsup.web.server.operations import Metrics
from headsup.web.server.security import MESSAGE_BURST, MESSAGES_PER_SECOND, TokenBucket

CLOSE_SECONDS = 0.5  # for the client to read the reason; then the socket is cut off
MAX_QUEUED_MESSAGES = 64  # unsent; a client further behind gets whole views when it reads again
READ_SECONDS = 10.0  # a client that takes no message for so long is closed
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
        self._streams: dict[str, TableStreams] = {}
        self._replay_buffers: WeakKeyDictionary[FloorHost, ReplayBuffer] = WeakKeyDictionary()
        self._meter_notifiers: WeakKeyDictionary[FloorHost, LinkedMeterNotifier] = (
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

    def streams(self, table: str, host: FloorHost, house: House) -> TableStreams:
        """The streams of a table, made for its first watcher."""
        if (streams := self._streams.get(table)) is None:
            self.replay_buffer(host)  # from now on it is known what a watcher may miss
            streams = self._streams[table] = TableStreams(house, host, table)
            if (notifier := self._meter_notifiers.get(host)) is None:
                notifier = self._meter_notifiers[host] = LinkedMeterNotifier(host)
            notifier.streams[table] = streams
        return streams

    def stop_watching(self, socket: "Socket", table: str) -> None:
        streams = self._streams.get(table)
        if streams is not None and streams.remove(socket):
            del self._streams[table]
            self._meter_notifiers[streams.host].streams.pop(table, None)
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
        for socket in tuple(self._streams.get(table, ())):
            if isinstance(socket, Socket):
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
        return frozenset(socket.person.name for socket in self._streams.get(table, ()))

    def dealt_tables(self) -> frozenset[str]:
        """The tables whose console is open here for somebody who may deal."""
        return frozenset(
            table
            for table, streams in self._streams.items()
            if any(isinstance(one, Socket) and one.is_dealing(table) for one in streams)
        )

    def lobby_names(self) -> frozenset[str]:
        """Everyone connected here who watches no table."""
        return frozenset(
            name
            for opened in self._open.values()
            if not any(socket.is_watching for socket in opened)
            for name in {socket.person.name for socket in opened}
        )

    def refresh(self, table: str) -> None:
        """Send what changed at the table without an event."""
        if (streams := self._streams.get(table)) is not None:
            streams.refresh()

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
        catalogue: Catalogue = ENGLISH,
    ) -> None:
        """The socket closes when `login_key`, its log-in or display link, ends.

        A `binding` restricts it to one table and viewer.
        """
        self._catalogue = catalogue
        self.person, self.login_key, self._binding = person, login_key, binding
        self._wire, self._house, self._desk = wire, house, desk
        self._sockets, self._metrics = sockets, metrics
        self._unsent: deque[_Unsent] = deque()
        # Tables of which changes were dropped, and the last index that was sent before.
        self._behind: dict[str, int] = {}
        self._sent_index: dict[str, int] = {}  # by table, of the last message that was queued
        self._wakeup: asyncio.Future[None] | None = None  # set while the writer is waiting
        self._bucket = TokenBucket(MESSAGE_BURST, MESSAGES_PER_SECOND, at=time.monotonic())
        self._watching: dict[str, Viewer] = {}  # by table
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
            welcome = WelcomeMessage(
                type="welcome",
                protocol=PROTOCOL,
                name=self.person.name,
                language=self._catalogue.language,
                may=permitted_acts(self.person),
            )
            self._enqueue(welcome.text())
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._closing = True
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    @property
    def is_watching(self) -> bool:
        return bool(self._watching)

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables it watches."""
        return tuple(self._watching)

    def is_dealing(self, table: str) -> bool:
        """Whether it is the table's console, held by somebody who may deal."""
        return self._watching.get(table) is Watcher.DEALER and may_deal(self.person)

    def close(self, reason: CloseReason) -> None:
        """Send the reason and close; queued messages are dropped."""
        if self._closing:
            return
        self._unsent.clear()
        self._behind.clear()
        self._enqueue(ClosingMessage(code=reason).text())
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
            case AskMessage() | OpenMessage():
                if self._binding is None or self._binding.may_submit(message):
                    self._start_task(self._submit(message))
                else:
                    self._refuse(self._binding.refusal, message.id)
            case PingMessage():
                self._enqueue(PongMessage(type="pong", at=milliseconds_now()).text())
            case HelloMessage():
                self._refuse(refusal(Code.BAD_MESSAGE, "hello"))
            case _:
                assert_never(message)

    def _start_task(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _submit(self, message: AskMessage | OpenMessage) -> None:
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
            self._enqueue(answer.text())

    async def _answer_to(self, message: AskMessage | OpenMessage) -> ReplyMessage | RefusalMessage:
        match message:
            case OpenMessage():
                return await self._desk.open(self.person, message)
            case AskMessage(id=id, table=table, due=str() as key):
                return await self._desk.do_step(self.person, table, id, key, message.line)
            case AskMessage(id=id, table=table):
                request = SubmitCommandRequest(
                    id=id, command=message.command or {}, approval=message.approval
                )
                return await self._desk.submit(self.person, table, request)
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
        self._enqueue(MovedMessage(type="moved", table=table, socket=address).text())

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
        self._watching[table] = viewer
        streams = self._sockets.streams(table, host, self._house)
        watching = Watching(viewer, self._catalogue.language, frozenset(message.extras))
        streams.add(self, watching, self._missed(host, table, message.after))

    def _missed(self, host: FloorHost, table: str, after: int | None) -> list[FloorUpdate]:
        """What happened at the table since, as far as it is still known here."""
        if after is None:
            return []
        return self._sockets.replay_buffer(host).updates_after(after, table) or []

    def _unwatch(self, table: str) -> None:
        if self._watching.pop(table, None) is not None:
            self._sockets.stop_watching(self, table)
        self._behind.pop(table, None)
        self._sent_index.pop(table, None)
        for unsent in [one for one in self._unsent if one.table == table]:
            self._unsent.remove(unsent)

    # Sending.

    def send_change(self, table: str, text: str, index: int) -> None:
        """Queue a change; if the client is far behind, drop its changes for one view later."""
        if table in self._behind:
            return
        if len(self._unsent) >= MAX_QUEUED_MESSAGES:
            self._fall_behind(table)
            return
        after, self._sent_index[table] = self._sent_index.get(table, index), index
        self._enqueue(text, table, after)

    def send_view(self, table: str, text: str, index: int) -> None:
        """Queue a whole view, which replaces what is queued about the table."""
        for unsent in [one for one in self._unsent if one.table == table]:
            self._unsent.remove(unsent)
        self._behind.pop(table, None)
        after, self._sent_index[table] = self._sent_index.get(table, index), index
        self._enqueue(text, table, after)

    def _fall_behind(self, table: str) -> None:
        queued = [one for one in self._unsent if one.table == table]
        for unsent in queued:
            self._unsent.remove(unsent)
        first = min((one.after for one in queued), default=self._sent_index.get(table, 0))
        self._behind[table] = first

    def _catch_up(self) -> None:
        """The client reads again: send whole views of the tables of which it missed changes."""
        for table, after in tuple(self._behind.items()):
            del self._behind[table]
            host = self._house.host_of(table)
            if table in self._watching and host is not None:
                self._metrics.resyncs.inc()
                streams = self._sockets.streams(table, host, self._house)
                streams.send_view_again(self, self._missed(host, table, after))

    def _refuse(self, refused: Refusal, id: str | None = None) -> None:
        message = RefusalMessage(
            id=id, code=refused.code.value, case=refused.case, say=refused.message
        )
        self._enqueue(message.text())

    def _drop(self, reason: CloseReason) -> None:
        self._metrics.dropped.labels(reason.value).inc()
        self.close(reason)

    def _enqueue(self, text: str, table: str = "", after: int = 0) -> None:
        """Queue a message, about a table if it has to do with its view."""
        if self._closing:
            return
        if len(self._unsent) >= 4 * MAX_QUEUED_MESSAGES:  # of answers: it asks and does not read
            self._drop(CloseReason.TOO_SLOW)
            return
        self._unsent.append(_Unsent(text, table, after))
        if self._wakeup is not None and not self._wakeup.done():
            self._wakeup.set_result(None)

    async def _write(self) -> None:
        """Send queued messages in order, and close the socket after the last one."""
        loop, unsent, send = asyncio.get_running_loop(), self._unsent, self._wire.send
        while unsent or not self._closing:
            while unsent:
                message = {"type": "websocket.send", "text": unsent.popleft().text}
                try:
                    async with asyncio.timeout(READ_SECONDS):
                        await send(message)
                except TimeoutError:
                    self._metrics.dropped.labels(CloseReason.TOO_SLOW.value).inc()
                    return
            if self._behind:
                self._catch_up()
                continue
            if not self._closing:
                self._wakeup = loop.create_future()
                await self._wakeup
        if self._wire.application_state is WebSocketState.CONNECTED:
            await self._wire.close(1000)


class _Unsent(NamedTuple):
    """A queued message; `after` is the last index that was sent about its table before."""

    text: str
    table: str
    after: int


def permitted_acts(person: Person) -> list[str]:
    """The commands and other acts that the person's role allows at some table."""
    commands = (
        type(example).__name__ for example in EXAMPLES if person.role in permission(example).roles
    )
    return sorted({*commands, *(act.value for act in Act if may(person, act))})
