"""A house's database from Python: its audit, and what its tables won and should have won.

Needs the extra `server`, as everything that reads such a database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headsup.analysis.par.wager_edges import wager_edges
from headsup.analysis.solver.compile import compile_payoffs
from headsup.game.table.state import Table
from headsup.house.audit.house import HouseAudit, audit_house
from headsup.house.cash.expected_win import TableExpectation, expected_win
from headsup.house.cash.takings import table_takings
from headsup.house.floor.snapshots import Snapshots
from headsup.house.integrity.anchors import Anchor, read_anchors
from headsup.house.store.database import Database
from headsup.library.game import WORKBENCH


def audit(database: str, anchors: str | Path | None = None) -> HouseAudit:
    """Audit a whole house, as `headsup audit --database` does: `audit("sqlite:///house.db").holds`.

    `anchors` is the file that the server writes its anchors to.
    """
    found: dict[str, list[Anchor]] = {}
    if anchors is not None:
        with Path(anchors).open(encoding="ascii", errors="replace", newline="\n") as lines:
            found = read_anchors(lines, str(anchors))
    with _opened(database) as store:
        return audit_house(store, found)


def takings(
    database: str, since: str | None = None, until: str | None = None
) -> list[TableExpectation]:
    """What every table took from day `since` until before `until`, with the exact expected win."""
    with _opened(database) as store:
        return expected_wins(store, since, until)


def expected_wins(
    store: Database, since: str | None = None, until: str | None = None
) -> list[TableExpectation]:
    """The same of a database that is open."""
    with store.read_connection() as connection:
        taken = table_takings(connection, since, until)
    tables = _tables(store)
    return [
        expected_win(one, wager_edges(rules, WORKBENCH.strategy(compile_payoffs(rules)).solution))
        for one in taken
        if (table := tables.get(one.table)) is not None and (rules := table.rules)
    ]


def _tables(store: Database) -> dict[str, Table]:
    snapshots = Snapshots(store)
    floors = [snapshots.load(floor).floor for floor in store.floors()]
    return {id: table for floor in floors for id, table in floor.tables.items()}


@contextmanager
def _opened(address: str) -> Iterator[Database]:
    store = Database(address)
    try:
        store.refuse_other_versions()
        yield store
    finally:
        store.close()
