"""The peer: FastAPI and SQLite with nothing in between.

`python -m bench.servers.bare FILE ENTRIES ROW MESSAGE`: each incoming message makes ENTRIES entries
on average. An entry is a row of ROW bytes, committed as durably as headsup's (WAL,
`synchronous=FULL`, one commit for all waiting rows), then MESSAGE sent to each of the six sockets
of its table, encoded each time by FastAPI's `send_json`.
"""

import asyncio
import json
import sqlite3
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import uvicorn
from fastapi import FastAPI, WebSocket
from starlette.websockets import WebSocketDisconnect

from headsup.web.server.connections import connection_options
from headsup.web.server.operations import Metrics
from headsup.web.server.process import run_loop, tune_gc

app = FastAPI()
_tables: dict[str, set[WebSocket]] = defaultdict(set)
_waiting: list[tuple[str, str, asyncio.Future[int]]] = []
_thread = ThreadPoolExecutor(1)
_committing: set[asyncio.Task[None]] = set()


class Log:
    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute(
            "CREATE TABLE entries (id INTEGER PRIMARY KEY, at TEXT, said TEXT)"
        )

    def store(self, rows: list[tuple[str, str]]) -> list[int]:
        self._connection.execute("BEGIN IMMEDIATE")
        ids = [
            self._connection.execute("INSERT INTO entries (at, said) VALUES (?, ?)", row).lastrowid
            for row in rows
        ]
        self._connection.execute("COMMIT")
        return [id or 0 for id in ids]


async def _commit(log: Log) -> None:
    loop = asyncio.get_running_loop()
    while _waiting:
        batch = _waiting.copy()
        _waiting.clear()
        rows = [(table, text) for table, text, _ in batch]
        for (_, _, done), id in zip(
            batch, await loop.run_in_executor(_thread, log.store, rows), strict=True
        ):
            done.set_result(id)


async def _store(log: Log, table: str, text: str) -> int:
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    _waiting.append((table, text, done))
    if not _committing:
        task = asyncio.create_task(_commit(log))
        _committing.add(task)
        task.add_done_callback(_committing.discard)
    return await done


class Echo:
    def __init__(self, log: Log, entries: float, row: int, message: str) -> None:
        self._log, self._entries, self._due = log, entries, 0.0
        self._message, self._row = json.loads(message), "x" * row

    async def echo(self, wire: WebSocket, table: str, text: str) -> None:
        self._due += self._entries
        index = await self._entry(table, text)
        answer = {"type": "reply", "id": json.loads(text)["id"], "index": index}
        await wire.send_json(answer)
        await self._broadcast(table, index)
        while self._due >= 1:
            await self._broadcast(table, await self._entry(table, text))

    async def _entry(self, table: str, text: str) -> int:
        self._due -= 1
        return await _store(self._log, table, text + self._row[len(text) :])

    async def _broadcast(self, table: str, index: int) -> None:
        message = {**self._message, "table": table, "index": index}
        for other in tuple(_tables[table]):
            await other.send_json(message)


def serve(file: str, entries: float, row: int, message: str) -> None:
    echo = Echo(Log(file), entries, row, message)

    @app.websocket("/ws/{table}")
    async def socket(wire: WebSocket, table: str) -> None:
        await wire.accept()
        _tables[table].add(wire)
        echoes: set[asyncio.Task[None]] = set()
        try:
            while True:
                text = await wire.receive_text()
                task = asyncio.create_task(echo.echo(wire, table, text))
                echoes.add(task)
                task.add_done_callback(echoes.discard)
        except WebSocketDisconnect:
            _tables[table].discard(wire)

    run_loop(_serve())


async def _serve() -> None:
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="error", **connection_options(Metrics()))
    )
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    tune_gc()
    port = server.servers[0].sockets[0].getsockname()[1]
    print(json.dumps({"port": port}), flush=True)
    await task


if __name__ == "__main__":
    serve(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
