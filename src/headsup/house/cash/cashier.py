"""The cage: money that people bring and take. A player's wallet and the house's cash are the two
sides of every move, so all of it together is always nothing.

Each move has an id that the asker made: sent again it changes nothing.
"""

import json
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from headsup.game.values.money import Cents, format_cents
from headsup.game.values.str_enum import TextEnum
from headsup.house.cash.thresholds import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.incidents.significant_events import record_incident
from headsup.house.store.database import Database
from headsup.house.store.house_chain import insert_linked
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.schema import ANSWERS, WALLET_MOVES, WALLETS

MAX_LISTED_MOVES = 200
DEPOSIT, PAY_OUT = "deposit", "pay_out"


@dataclass(frozen=True, slots=True)
class CashMove:
    """Cents into a player's wallet, or out of it; `by` are the names of who signs."""

    id: str
    player: str
    cents: Cents
    note: str
    by: str

    @property
    def digest(self) -> str:
        said = json.dumps([self.player, self.cents, self.note, self.by])
        return sha256(said.encode("ascii")).hexdigest()

    @property
    def reason(self) -> str:
        return DEPOSIT if self.cents > 0 else PAY_OUT


class CashRefusal(TextEnum):
    NO_WALLET = "no_wallet"  # nobody of that name has one
    TOO_LITTLE = "wallet_short"
    ID_USED = "id_used"


@dataclass(frozen=True, slots=True)
class WalletEntry:
    """One move of a wallet, and where it came from or went to."""

    number: int
    cents: Cents
    reason: str
    table: str
    by: str
    at: str


def move_cash(
    database: Database, move: CashMove, at: str, large: ReportingThresholds = DEFAULT_THRESHOLDS
) -> Cents | CashRefusal:
    """What the wallet then holds."""
    try:
        with database.engine.begin() as connection:
            moved = _previous_result(connection, move)
            return _apply_move(connection, move, at, large) if moved is None else moved
    except IntegrityError:  # the same id at the same moment
        with database.reading() as connection:
            moved = _previous_result(connection, move)
            return CashRefusal.ID_USED if moved is None else moved  # an empty wallet holds 0


def _previous_result(connection: Connection, move: CashMove) -> Cents | CashRefusal | None:
    query = select(ANSWERS.c.digest, ANSWERS.c.answer)
    row = connection.execute(
        query.where(ANSWERS.c.floor == "", ANSWERS.c.command == move.id)
    ).one_or_none()
    if row is None:
        return None
    return int(row.answer) if row.digest == move.digest else CashRefusal.ID_USED


def _apply_move(
    connection: Connection, move: CashMove, at: str, large: ReportingThresholds
) -> Cents | CashRefusal:
    own, held = WALLETS.c.person == move.player, WALLETS.c.cents + move.cents
    change = update(WALLETS).where(own, held >= 0).values(cents=held).returning(WALLETS.c.cents)
    after = connection.execute(change).scalar_one_or_none()
    said = {"act": move.reason, "player": move.player, "amount": format_cents(move.cents)}
    if after is None:
        # Another of the same id may have been first, and emptied the wallet while this one waited.
        if (moved := _previous_result(connection, move)) is not None:
            return moved
        there = connection.execute(select(WALLETS.c.cents).where(own)).scalar_one_or_none()
        if there is None:
            return CashRefusal.NO_WALLET
        record_incident(connection, IncidentKind.NEGATIVE_BALANCE, move.by, said, at)
        return CashRefusal.TOO_LITTLE
    reason = f"{move.reason}: {move.note}" if move.note else move.reason
    row = {"person": move.player, "cents": move.cents, "reason": reason, "floor": ""}
    place = {"index": 0, "at": at, "table": "", "by": move.by}
    insert_linked(connection, WALLET_MOVES, [{**row, **place}])
    answer = {"floor": "", "command": move.id, "digest": move.digest, "answer": str(after)}
    connection.execute(insert(ANSWERS), answer)
    if large.is_large(move.cents):
        noted = {**said, "note": move.note}
        record_incident(connection, IncidentKind.LARGE_TRANSACTION, move.by, noted, at)
    return int(after)


def list_moves(database: Database, player: str, before: int | None = None) -> list[WalletEntry]:
    """The newest first."""
    row = WALLET_MOVES.c
    columns = (row.number, row.cents, row.reason, row.table, row.by, row.at)
    query = select(*columns).where(row.person == player)
    if before is not None:
        query = query.where(row.number < before)
    with database.reading() as connection:
        rows = connection.execute(query.order_by(row.number.desc()).limit(MAX_LISTED_MOVES)).all()
    return [WalletEntry(*found) for found in rows]
