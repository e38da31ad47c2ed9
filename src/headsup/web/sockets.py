"""The live connection: one socket per browser, watching tables and asking commands.

A socket is opened with a ticket, may be slow but not for long, and may say little and not too
often. What it is sent is made from what its viewer may know, and from nothing else.
"""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fastapi import WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from headsup.game.announcements import told, write_announcement
from headsup.game.record.commands import read_command
from headsup.game.record.journal import Journal
from headsup.game.refusal import Refusal, Refused
from headsup.game.table.commands import By, Command, PlayerAt, Sit, Staff
from headsup.game.viewers import AtSeat, Viewer, Watcher, parse_viewer
from headsup.game.views import seen
from headsup.game.views.wire import write_view
from headsup.house.accounts import Person, Role
from headsup.house.host import Asked, CarriedOut, Happened, Host, Unavailable
from headsup.house.house import House
from headsup.web.log import log
from headsup.web.operations import Metrics
from headsup.web.protocol import (
    FROM_CLIENT,
    MOST_BYTES,
    AnsweredMessage,
    AskMessage,
    ClosingMessage,
    DeclinedMessage,
    HelloMessage,
    Message,
    PingMessage,
    PongMessage,
    UnwatchMessage,
    WatchMessage,
    WelcomeMessage,
)
from headsup.web.security import Bucket

HELLO_SECONDS = 5
MOST_QUEUED = 256  # messages for a reader; one that is further behind is closed
BURST, PER_SECOND = 20, 2.0


class Sockets:
    """All sockets of this server, by person: to close them when a log-in ends."""

    def __init__(self, metrics: Metrics) -> None:
        self._open: dict[str, set[Socket]] = defaultdict(set)
        self._metrics = metrics

    def add(self, socket: "Socket") -> None:
        self._open[socket.person.id].add(socket)
        self._metrics.sockets.inc()

    def remove(self, socket: "Socket") -> None:
        held = self._open.get(socket.person.id, set())
        if socket in held:
            held.discard(socket)
            self._metrics.sockets.dec()
        if not held:
            self._open.pop(socket.person.id, None)

    def watching(self, table: str) -> frozenset[str]:
        """The names of those who look at a table here."""
        sockets = (socket for held in self._open.values() for socket in held)
        return frozenset(socket.person.name for socket in sockets if socket.watches(table))

    def close_person(self, person: str) -> None:
        for socket in tuple(self._open.get(person, ())):
            socket.close("logged_out")

    def close_all(self, code: str) -> None:
        for held in tuple(self._open.values()):
            for socket in tuple(held):
                socket.close(code)


class Socket:
    def __init__(self, wire: WebSocket, house: House, person: Person, metrics: Metrics) -> None:
        self.person = person
        self._wire, self._house, self._metrics = wire, house, metrics
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(MOST_QUEUED)
        self._bucket = Bucket(BURST, PER_SECOND, at=time.monotonic())
        self._watching: dict[str, tuple[Viewer, Callable[[], None]]] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        writer = asyncio.create_task(self._write())
        try:
            self._send(WelcomeMessage(name=self.person.name, role=self.person.role.value))
            while True:
                await self._receive()
        except WebSocketDisconnect:
            pass
        finally:
            for _, unwatch in self._watching.values():
                unwatch()
            with suppress(asyncio.QueueFull):
                self._queue.put_nowait(None)
            writer.cancel()
            await asyncio.wait([writer])

    def watches(self, table: str) -> bool:
        return table in self._watching

    def close(self, code: str) -> None:
        """Say why and end; what is still queued is dropped."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._send(ClosingMessage(code=code))
        self._queue.put_nowait(None)

    # Receiving.

    async def _receive(self) -> None:
        text = await self._wire.receive_text()
        if len(text) > MOST_BYTES or not self._bucket.take(time.monotonic()):
            self._metrics.dropped.labels("too_much").inc()
            self.close("too_large" if len(text) > MOST_BYTES else "too_many")
            raise WebSocketDisconnect(1008)
        try:
            message = FROM_CLIENT.validate_json(text)
        except (ValidationError, RecursionError, ValueError):
            self._decline(None, "bad_message", "not a message")
            return
        match message:
            case WatchMessage():
                self._watch(message)
            case UnwatchMessage(table=table):
                if table in self._watching:
                    self._watching.pop(table)[1]()
            case AskMessage():
                task = asyncio.create_task(self._ask(message))
                self._asking.add(task)
                task.add_done_callback(self._asking.discard)
            case PingMessage():
                self._send(PongMessage())
            case HelloMessage():
                self._send(
                    DeclinedMessage(id=None, code="bad_message", message="you are in already")
                )

    def _watch(self, message: WatchMessage) -> None:
        host = self._house.host_of(message.table)
        if host is None:
            self._decline(None, "no_such_table", f"there is no table '{message.table}'")
            return
        try:
            viewer = parse_viewer(message.viewer)
        except Refused as refused:
            self._decline(None, refused.code, refused.message)
            return
        if not may_view(self.person, viewer, host.journal, message.table):
            self._decline(None, "not_your_view", f"{viewer} is not yours to see")
            return
        if message.table in self._watching:
            self._watching.pop(message.table)[1]()

        def happened(news: Happened) -> None:
            if news.table == message.table:
                self._happened(viewer, news)

        self._watching[message.table] = viewer, host.watch(happened)
        self._shown(viewer, host, message.table)

    def _shown(self, viewer: Viewer, host: Host, table: str) -> None:
        view = write_view(seen(viewer, host.journal.floor, table))
        index = host.journal.head.count - 1
        self._put({"type": "shown", "table": table, "index": index, "view": view})

    def _happened(self, viewer: Viewer, news: Happened) -> None:
        if not may_view(self.person, viewer, news.journal, news.table):
            viewer = Watcher.RAIL  # who has left the seat looks on
        floor = news.journal.floor
        announced = (told(viewer, floor, news.table, event) for event in news.events)
        events = [write_announcement(one) for one in announced if one is not None]
        view = write_view(seen(viewer, floor, news.table))
        view.pop("posted", None)
        self._put(
            {
                "type": "happened",
                "table": news.table,
                "index": news.journal.head.count - 1,
                "at": news.journal.at,
                "events": events,
                "view": view,
            }
        )

    async def _ask(self, message: AskMessage) -> None:
        started = time.monotonic()
        try:
            command = read_command(message.command)
        except Refused as refused:
            self._decline(message.id, refused.code, refused.message)
            return
        host = self._house.host_of(message.table)
        if host is None:
            self._decline(message.id, "no_such_table", f"there is no table '{message.table}'")
            return
        by = speaks_as(self.person, host.journal, message.table, command)
        if by is None:
            self._decline(message.id, "not_allowed", "that is not yours to ask")
            return
        try:
            outcome = await host.ask(Asked(message.id, message.table, by, command))
        except Unavailable:
            self._decline(message.id, "unavailable", "the table is not to be had now; try again")
            return
        self._metrics.answered.observe(time.monotonic() - started)
        match outcome:
            case CarriedOut(index):
                self._metrics.commands.labels("accepted").inc()
                self._send(AnsweredMessage(id=message.id, index=index))
            case Refusal():
                self._metrics.commands.labels("refused").inc()
                self._decline(message.id, outcome.code, outcome.message)

    # Sending.

    def _decline(self, id: str | None, code: str, message: str) -> None:
        self._send(DeclinedMessage(id=id, code=code, message=message))

    def _send(self, message: Message) -> None:
        self._put(message.model_dump())

    def _put(self, message: dict[str, Any]) -> None:
        try:
            self._queue.put_nowait(json.dumps(message, separators=(",", ":")))
        except asyncio.QueueFull:
            self._metrics.dropped.labels("slow").inc()
            self.close("too_slow")

    async def _write(self) -> None:
        while (text := await self._queue.get()) is not None:
            await self._wire.send_text(text)
        if self._wire.application_state is WebSocketState.CONNECTED:
            await self._wire.close(1000)


def may_view(person: Person, viewer: Viewer, journal: Journal, table: str) -> bool:
    """A seat is for who sits there, the console for staff, the rest for everyone."""
    match viewer:
        case AtSeat(seat):
            return journal.floor.tables[table].players.get(seat) == person.name
        case Watcher.DEALER:
            return person.role is not Role.PLAYER
        case Watcher.RAIL | Watcher.TABLEVISION:
            return True


def speaks_as(person: Person, journal: Journal, table: str, command: Command) -> By | None:
    """As whom a person asks a command: a player for the own seat, staff by name."""
    if person.role is not Role.PLAYER:
        return Staff(person.name)
    if isinstance(command, Sit):
        return PlayerAt(command.seat) if command.player == person.name else None
    seat = getattr(command, "seat", None)
    at = journal.floor.tables.get(table)
    if at is None or seat is None or at.players.get(seat) != person.name:
        return None
    return PlayerAt(seat)


async def serve_socket(
    wire: WebSocket,
    house: House,
    redeem: Callable[[str], Person | None],
    sockets: Sockets,
    metrics: Metrics,
) -> None:
    """From the ticket to the end of the connection."""
    await wire.accept()
    try:
        first = await asyncio.wait_for(wire.receive_text(), HELLO_SECONDS)
        hello = HelloMessage.model_validate_json(first[:MOST_BYTES])
        person = await asyncio.to_thread(redeem, hello.ticket)
    except (TimeoutError, ValidationError, WebSocketDisconnect, ValueError, KeyError):
        person = None
    if person is None:
        with suppress(RuntimeError):
            await wire.close(1008)
        return
    socket = Socket(wire, house, person, metrics)
    sockets.add(socket)
    log.info("socket opened", who=person.name)
    try:
        await socket.run()
    finally:
        sockets.remove(socket)
        log.info("socket closed", who=person.name)
