"""Commands from one server to the owner of a floor, and the answers back, as rows of a table.

A row is there until its asker has read the answer or has given up; one that has expired is not
carried out any more.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, insert, select, update

from headsup.house.store.database import Database
from headsup.house.store.schema import REQUESTS
from headsup.house.store.signals import Signal, notify


@dataclass(frozen=True, slots=True)
class Request:
    """`asked` is the command and who asks it, as JSON."""

    number: str
    floor: str
    asker: str  # the server that waits for the answer
    asked: str


_ANSWER = (
    update(REQUESTS)
    .where(REQUESTS.c.number == bindparam("b_number"))
    .values(answer=bindparam("said"))
)


def put_request(database: Database, request: Request, microseconds: int) -> None:
    """To be carried out within that time, or not at all."""
    with database.engine.begin() as connection:
        row = {
            "number": request.number,
            "floor": request.floor,
            "asker": request.asker,
            "asked": request.asked,
            "answer": "",
            "expires": database.now(connection) + microseconds,
        }
        connection.execute(insert(REQUESTS), row)
        notify(connection, [(Signal.ASKED, request.floor)])


def open_requests(database: Database, floors: Collection[str]) -> list[Request]:
    """What these floors were asked and have not answered."""
    fields = (REQUESTS.c.number, REQUESTS.c.floor, REQUESTS.c.asker, REQUESTS.c.asked)
    with database.reading() as connection:
        waiting = (REQUESTS.c.floor.in_(floors), REQUESTS.c.answer == "")
        fresh = REQUESTS.c.expires > database.now(connection)
        rows = connection.execute(select(*fields).where(*waiting, fresh)).all()
    return [Request(*row) for row in rows]


def answer_requests(database: Database, answers: Mapping[Request, str]) -> None:
    rows = [{"b_number": request.number, "said": answer} for request, answer in answers.items()]
    with database.engine.begin() as connection:
        connection.execute(_ANSWER, sorted(rows, key=lambda row: row["b_number"]))
        notify(connection, [(Signal.ANSWERED, request.asker) for request in answers])


def read_answers(database: Database, asker: str) -> dict[str, str]:
    """What a server was answered, by the number of the request."""
    query = select(REQUESTS.c.number, REQUESTS.c.answer)
    with database.reading() as connection:
        rows = connection.execute(query.where(REQUESTS.c.asker == asker, REQUESTS.c.answer != ""))
        return {row.number: row.answer for row in rows}


def remove_requests(database: Database, numbers: Collection[str]) -> None:
    """Those that were answered or given up, and those whose asker is dead."""
    with database.engine.begin() as connection:
        expired = REQUESTS.c.expires < database.now(connection) - 60_000_000
        connection.execute(delete(REQUESTS).where(REQUESTS.c.number.in_(numbers) | expired))
