"""From a ticket to an open socket, and to its end."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress

from fastapi import WebSocket
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocketDisconnect

from headsup.house.people.accounts import Admission
from headsup.web.live.protocol import MAX_MESSAGE_BYTES, CloseReason, ClosingMessage, HelloMessage
from headsup.web.live.sockets import Socket, Sockets
from headsup.web.server.log import log

HELLO_SECONDS = 5


async def serve_socket(
    wire: WebSocket,
    redeem: Callable[[str], Admission | None],
    make: Callable[[WebSocket, Admission], Socket],
    sockets: Sockets,
    still_good: Callable[[Collection[str]], frozenset[str]],
) -> None:
    """From the ticket to the end of the connection."""
    await wire.accept()
    try:
        admitted = await _read_hello(wire, redeem)
        if admitted is None:
            await wire.send_text(ClosingMessage(code=CloseReason.BAD_TICKET).model_dump_json())
            await wire.close(1008)
            return
    except (WebSocketDisconnect, RuntimeError):
        return  # gone before saying anything
    except SQLAlchemyError as error:
        log.error("no database", path="/ws", kind=type(error).__name__)
        await wire.send_text(ClosingMessage(code=CloseReason.UNAVAILABLE).model_dump_json())
        await wire.close(1013)
        return
    socket = make(wire, admitted)
    sockets.add(socket)
    log.info("socket opened", who=socket.person.name)
    try:
        await _recheck_login(socket, still_good)
        with suppress(WebSocketDisconnect):
            await socket.run()
    finally:
        sockets.remove(socket)
        log.info("socket closed", who=socket.person.name)


async def _recheck_login(
    socket: Socket, still_good: Callable[[Collection[str]], frozenset[str]]
) -> None:
    """Who left after the ticket was redeemed and before the socket was one of those that are
    closed then. From here on, who leaves is found among them."""
    try:
        good = await asyncio.to_thread(still_good, {socket.under})
    except SQLAlchemyError as error:
        log.error("no database", path="/ws", kind=type(error).__name__)
        socket.close(CloseReason.UNAVAILABLE)
    else:
        if socket.under not in good:
            socket.close(CloseReason.LOGGED_OUT)


async def _read_hello(
    wire: WebSocket, redeem: Callable[[str], Admission | None]
) -> Admission | None:
    """Who holds the ticket that the first message brings, within a few seconds."""
    try:
        first = await asyncio.wait_for(wire.receive(), HELLO_SECONDS)
    except TimeoutError:
        return None
    if first["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(first.get("code", 1005))
    text = first.get("text")
    if text is None or len(text) > MAX_MESSAGE_BYTES:
        return None
    try:
        hello = HelloMessage.model_validate_json(text)
    except (ValidationError, ValueError, RecursionError):
        return None
    return await asyncio.to_thread(redeem, hello.ticket)
