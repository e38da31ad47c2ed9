"""What moved between wallets and a floor, held against the buy-ins, cash-outs and corrections of
its log."""

from collections.abc import Iterable

from sqlalchemy import Connection

from headsup.game.record.timestamps import is_before
from headsup.game.values.money import format_cents
from headsup.house.audit.differences import Differences, StoredRow
from headsup.house.audit.rows_by_entry import RowsByEntry
from headsup.house.store.protocol import WalletMove
from headsup.house.store.schema import WALLET_MOVES

MAX_BATCH_COMMANDS = 1_000  # commands that a floor decides together (`Host`)
_COMPARED_COLUMNS = ("person", "cents", "reason", "table", "by")


class WalletMovesAudit:
    """Of one floor. Older servers wrote a move with the first entry of all that was decided
    together: such a row waits for the entry that it is of."""

    def __init__(self, connection: Connection, floor: str, differences: Differences) -> None:
        self._differences = differences
        self._rows = RowsByEntry(connection, WALLET_MOVES, WALLET_MOVES.c.floor == floor)
        self._waiting: list[StoredRow] = []
        self._last = ""  # the time of the entry before

    def take(self, index: int, at: str, moves: Iterable[WalletMove]) -> None:
        here = list(self._rows.until(index))
        owed = [due for move in moves if not self._found(due := _expected_row(move, at), here)]
        for due in owed:
            # The row of this very entry that is most likely the one, with something else in it.
            row = next((one for one in here if one["reason"] == due["reason"]), None)
            if row is None or row["index"] != index:
                self._differences.missing(_move_name(due, index))
            else:
                here.remove(row)
                self._differences.compare(_move_name(due, index), row, due)
        self._waiting += here
        self._last = at
        self._give_up([row for row in self._waiting if not _may_belong_later(row, index)])

    def close(self) -> None:
        self._rows.close()

    def finish(self) -> None:
        self._give_up([*self._waiting, *self._rows.until()])

    def _found(self, due: StoredRow, here: list[StoredRow]) -> bool:
        for rows in (here, self._waiting):
            for row in rows:
                if all(row[name] == due[name] for name in _COMPARED_COLUMNS) and self._in_time(
                    row, due
                ):
                    rows.remove(row)
                    return True
        return False

    def _in_time(self, row: StoredRow, due: StoredRow) -> bool:
        """A row has the clock's own time, which a log does not write while it was put back."""
        found, at = row["at"], str(due["at"])
        return found == at or (self._last == at and is_before(str(found), at))

    def _give_up(self, rows: list[StoredRow]) -> None:
        for row in rows:
            self._differences.extra(_move_name(row, row["index"]))
        self._waiting = [row for row in self._waiting if row not in rows]


def _expected_row(move: WalletMove, at: str) -> StoredRow:
    said = {"person": move.person, "cents": move.cents, "reason": move.reason}
    return {**said, "table": move.table, "by": "", "at": at}


def _may_belong_later(row: StoredRow, index: int) -> bool:
    """Whether it may be of an entry that comes after this one."""
    first = row["index"]
    return isinstance(first, int) and 0 <= first <= index < first + MAX_BATCH_COMMANDS


def _move_name(row: StoredRow, index: object) -> str:
    cents = row["cents"]
    amount = format_cents(cents) if isinstance(cents, int) else str(cents)
    return f"table {row['table']}: {row['reason']} of {row['person']}, {amount} with entry {index},"
