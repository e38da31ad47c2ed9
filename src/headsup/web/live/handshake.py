"""Opens a socket for the holder of a valid ticket, and serves it until it closes."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress

from fastapi import WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect

from headsup.game.words.catalogue import Catalogue
from headsup.game.words.languages import preferred_catalogue
from headsup.house.people.person import Admission
from headsup.house.store.errors import StoreError
from headsup.web.live.protocol import (
    MAX_MESSAGE_BYTES,
    PROTOCOL,
    CloseReason,
    ClosingMessage,
    HelloMessage,
)
from headsup.web.live.sockets import CLOSE_SECONDS, Socket, Sockets
from headsup.web.server.log import log

HELLO_SECONDS = 5


async def serve_socket(
    wire: WebSocket,
    redeem: Callable[[str], Admission | None],
    make_socket: Callable[[WebSocket, Admission, Catalogue], Socket],
    sockets: Sockets,
    valid_logins: Callable[[Collection[str]], frozenset[str]],
) -> None:
    """Serve a connection from its ticket to its end."""
    await wire.accept()
    try:
        admitted = await _read_hello(wire, redeem, sockets)
    except (WebSocketDisconnect, RuntimeError):
        return  # the client left before its first message
    except StoreError as error:
        log.error("database unavailable", path="/ws", kind=type(error).__name__)
        await _turn_away(wire, CloseReason.UNAVAILABLE, 1013)
        return
    if isinstance(admitted, CloseReason):
        await _turn_away(wire, admitted, 1008)
        return
    socket = make_socket(wire, *admitted)
    sockets.add(socket)
    log.info("socket opened", who=socket.person.name)
    try:
        await _recheck_login(socket, valid_logins)
        with suppress(WebSocketDisconnect):
            await socket.run()
    finally:
        sockets.remove(socket)
        log.info("socket closed", who=socket.person.name)


async def _recheck_login(
    socket: Socket, valid_logins: Callable[[Collection[str]], frozenset[str]]
) -> None:
    """Close the socket if its log-in ended between redeeming the ticket and registering the socket.

    From here on, ending the log-in closes the socket (`remote_logout`).
    """
    try:
        valid = await asyncio.to_thread(valid_logins, {socket.login_key})
    except StoreError as error:
        log.error("database unavailable", path="/ws", kind=type(error).__name__)
        socket.close(CloseReason.UNAVAILABLE)
    else:
        if socket.login_key not in valid:
            socket.close(CloseReason.LOGGED_OUT)


async def _turn_away(wire: WebSocket, reason: CloseReason, status: int) -> None:
    """Send the reason and close. A client that does not read is not waited for."""
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await wire.send_text(ClosingMessage(code=reason).text())
            await wire.close(status)


async def _read_hello(
    wire: WebSocket, redeem: Callable[[str], Admission | None], sockets: Sockets
) -> tuple[Admission, Catalogue] | CloseReason:
    """The holder of the ticket in the first message, which must come within HELLO_SECONDS, and the
    language they want; or why the socket is closed."""
    try:
        async with asyncio.timeout(HELLO_SECONDS) as deadline:
            with sockets.waiting_for_hello(deadline):
                first = await wire.receive()
    except TimeoutError:
        return CloseReason.BAD_TICKET
    if first["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(first.get("code", 1005))
    text = first.get("text")
    if text is None or len(text) > MAX_MESSAGE_BYTES:
        return CloseReason.BAD_TICKET
    try:
        hello = HelloMessage.model_validate_json(text)
    except (ValidationError, ValueError, RecursionError):
        return CloseReason.BAD_TICKET
    if hello.protocol != PROTOCOL:
        return CloseReason.BAD_PROTOCOL
    admission = await asyncio.to_thread(redeem, hello.ticket)
    if admission is None:
        return CloseReason.BAD_TICKET
    return admission, preferred_catalogue(hello.language)
