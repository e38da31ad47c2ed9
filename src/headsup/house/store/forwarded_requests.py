"""Stores commands from one server to the owner of a floor, and the owner's answers.

A row stays until the asking server has read the answer or given up. A request that has expired is
not carried out any more.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, insert, select, update

from headsup.house.store.database import Database
from headsup.house.store.schema import REQUESTS
from headsup.house.store.signals import Signal, notify


@dataclass(frozen=True, slots=True)
class Request:
    """`payload` is the command and its sender as JSON."""

    number: str
    floor: str
    asker: str  # the server that waits for the answer
    payload: str


_ANSWER = (
    update(REQUESTS)
    .where(REQUESTS.c.number == bindparam("b_number"))
    .values(answer=bindparam("b_answer"))
)


def put_request(database: Database, request: Request, microseconds: int) -> None:
    """Send a request that expires after that time."""
    with database.engine.begin() as connection:
        row = {
            "number": request.number,
            "floor": request.floor,
            "asker": request.asker,
            "asked": request.payload,
            "answer": "",
            "expires": database.now(connection) + microseconds,
        }
        connection.execute(insert(REQUESTS), row)
        notify(connection, [(Signal.ASKED, request.floor)])


def open_requests(database: Database, floors: Collection[str]) -> list[Request]:
    """The unanswered requests to these floors."""
    columns = (REQUESTS.c.number, REQUESTS.c.floor, REQUESTS.c.asker, REQUESTS.c.asked)
    with database.read_connection() as connection:
        is_unanswered = (REQUESTS.c.floor.in_(floors), REQUESTS.c.answer == "")
        is_current = REQUESTS.c.expires > database.now(connection)
        rows = connection.execute(select(*columns).where(*is_unanswered, is_current)).all()
    return [Request(*row) for row in rows]


def answer_requests(database: Database, answers: Mapping[Request, str]) -> None:
    rows = [{"b_number": request.number, "b_answer": answer} for request, answer in answers.items()]
    with database.engine.begin() as connection:
        connection.execute(_ANSWER, sorted(rows, key=lambda row: row["b_number"]))
        notify(connection, [(Signal.ANSWERED, request.asker) for request in answers])


def read_answers(database: Database, asker: str) -> dict[str, str]:
    """The answers to a server's requests, by number."""
    query = select(REQUESTS.c.number, REQUESTS.c.answer)
    with database.read_connection() as connection:
        rows = connection.execute(query.where(REQUESTS.c.asker == asker, REQUESTS.c.answer != ""))
        return {row.number: row.answer for row in rows}


def remove_requests(database: Database, numbers: Collection[str]) -> None:
    """Delete these requests, and those whose asking server is dead."""
    with database.engine.begin() as connection:
        expired = REQUESTS.c.expires < database.now(connection) - 60_000_000
        connection.execute(delete(REQUESTS).where(REQUESTS.c.number.in_(numbers) | expired))
