"""What `headsup doctor` looks at in a house: its database, and the way to its server."""

import http.client
from base64 import b64encode
from collections.abc import Iterator
from importlib.util import find_spec
from secrets import token_bytes
from urllib.parse import SplitResult, urlsplit

from headsup.cli.doctor.checks import Finding, State
from headsup.game.refusal import Refused

TIMEOUT_SECONDS = 5
SWITCHING_PROTOCOLS = 101
SERVER_LIBRARIES = ("sqlalchemy", "alembic")


def check_database(address: str) -> Iterator[Finding]:
    """The named database, or the one in the data folder."""
    if not all(find_spec(library) for library in SERVER_LIBRARIES):
        if address:
            remedy = "pip install 'headsup[server]'"
            yield Finding("database", State.WRONG, "cannot be read without an extra", remedy)
        return
    from headsup.cli.options.databases import database_file, open_for_reading
    from headsup.house.integrity.database_kind import read_database_kind
    from headsup.house.store.engine import public_address
    from headsup.web.server.server import default_database

    try:
        where = address or default_database()
        file = database_file(where)
        if not address and (file is None or not file.exists()):
            yield Finding("database", State.GOOD, "none yet; `headsup serve` makes one")
            return
        with open_for_reading(where) as database:
            floors = len(database.floors())
            with database.read_connection() as connection:
                kind = read_database_kind(connection)
    except Refused as refused:
        remedy = "check the address, or restore a backup: headsup restore"
        yield Finding("database", State.WRONG, str(refused), remedy)
        return
    text = f"{public_address(where)}, {kind or 'empty'}, {floors} "
    text += "floor" if floors == 1 else "floors"
    yield Finding("database", State.GOOD, text)


def check_proxy(public: str) -> Iterator[Finding]:
    """The server at its public address: over HTTPS, ready, and with its sockets passed on."""
    address = urlsplit(public)
    if address.scheme not in ("http", "https") or not address.hostname:
        remedy = "such as: headsup doctor --public https://tables.example"
        yield Finding("server", State.WRONG, f"{public} is no web address", remedy)
        return
    try:
        status = _status(address, "/ready", {})
    except (OSError, http.client.HTTPException) as error:
        remedy = "start the server, and check the proxy's address for it"
        yield Finding("server", State.WRONG, f"{public} does not answer: {error}", remedy)
        return
    if status == http.client.OK:
        yield Finding("server", State.GOOD, f"{public} is ready")
    else:
        remedy = "see the server's log; behind a proxy, pass /ready to the server"
        yield Finding("server", State.WRONG, f"{public}/ready answers {status}", remedy)
    yield _check_sockets(address, public)
    if address.scheme == "https":
        yield Finding("encryption", State.GOOD, "HTTPS with a valid certificate")
    else:
        remedy = "let the proxy serve HTTPS, as docs/examples/nginx.conf does"
        yield Finding("encryption", State.NOTE, "passwords travel unencrypted", remedy)


def _check_sockets(address: SplitResult, public: str) -> Finding:
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": b64encode(token_bytes(16)).decode(),
        "Origin": f"{address.scheme}://{address.netloc}",
    }
    try:
        status = _status(address, "/ws", headers)
    except (OSError, http.client.HTTPException) as error:
        status, reason = 0, str(error)
    else:
        reason = f"answers {status}"
    if status == SWITCHING_PROTOCOLS:
        return Finding("sockets", State.GOOD, "are passed on")
    remedy = f"pass Upgrade, Connection and Host on, and serve with --public {public}"
    return Finding("sockets", State.WRONG, f"{public}/ws {reason}", remedy)


def _status(address: SplitResult, path: str, headers: dict[str, str]) -> int:
    kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
    connection = kinds[address.scheme](
        address.hostname or "", address.port, timeout=TIMEOUT_SECONDS
    )
    try:
        connection.request("GET", path, headers=headers)
        status: int = connection.getresponse().status
        return status
    finally:
        connection.close()
