"""The cage: deposits into players' wallets, and payouts from them.

Large amounts take two people. What one person pays in on one gaming day counts together, and so
does what they are paid out: otherwise a large amount could be split into small ones.

Every move has two sides, a wallet and the house's cash, so together they sum to zero. The client
chooses each move's id: sending the same move again changes nothing.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from headsup.game.table.state import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.game.values.money import Cents, format_cents
from headsup.game.values.str_enum import TextEnum
from headsup.house.incidents.significant_events import record_incident
from headsup.house.store.database import Database
from headsup.house.store.house_log import CashMoved, find_cash, house_transaction, record_cash
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.schema import WALLET_MOVES, WALLETS

MAX_LISTED_MOVES = 200
DEPOSIT, PAY_OUT = "deposit", "pay_out"


@dataclass(frozen=True, slots=True)
class CashMove:
    """Cents into a player's wallet, or out of it if negative; `by` names those who signed.

    `two_signed` says whether two people did.
    """

    id: str
    player: str
    cents: Cents
    note: str
    by: str
    two_signed: bool = False

    @property
    def act(self) -> str:
        return DEPOSIT if self.cents > 0 else PAY_OUT

    @property
    def reason(self) -> str:
        return f"{self.act}: {self.note}" if self.note else self.act


class CashRefusal(TextEnum):
    NO_WALLET = "no_wallet"  # no player of that name
    TOO_LITTLE = "wallet_short"
    ID_USED = "id_used"
    NEEDS_TWO = "needs_two_people"  # large by itself, or with the person's others of the day


class _OneSigned(Exception):
    """Takes back a move that two people have to sign."""


@dataclass(frozen=True, slots=True)
class WalletEntry:
    """One move in a wallet's history."""

    number: int
    cents: Cents
    reason: str
    table: str
    by: str
    at: str


def move_cash(
    database: Database,
    move: CashMove,
    at: str,
    thresholds: ReportingThresholds = DEFAULT_THRESHOLDS,
) -> Cents | CashRefusal:
    """Apply the move, once. Returns the wallet's new balance."""
    try:
        with house_transaction(database.engine) as connection:
            previous = _previous_result(connection, move)
            return _apply_move(connection, move, at, thresholds) if previous is None else previous
    except _OneSigned:
        return CashRefusal.NEEDS_TWO
    except IntegrityError:  # the same id was used at the same time
        with database.read_connection() as connection:
            previous = _previous_result(connection, move)
            return CashRefusal.ID_USED if previous is None else previous  # 0 is a valid balance


def _previous_result(connection: Connection, move: CashMove) -> Cents | CashRefusal | None:
    if (found := find_cash(connection, move.id)) is None:
        return None
    by, moved = found
    is_same = (by, *moved[:3]) == (move.by, move.player, move.cents, move.reason)
    return moved.balance if is_same else CashRefusal.ID_USED


def _apply_move(
    connection: Connection, move: CashMove, at: str, thresholds: ReportingThresholds
) -> Cents | CashRefusal:
    is_owner, new_cents = WALLETS.c.person == move.player, WALLETS.c.cents + move.cents
    change = update(WALLETS).where(is_owner, new_cents >= 0).values(cents=new_cents)
    balance = connection.execute(change.returning(WALLETS.c.cents)).scalar_one_or_none()
    details = {"act": move.act, "player": move.player, "amount": format_cents(move.cents)}
    if balance is None:
        # The same move may have come first, and emptied the wallet while this one waited.
        if (previous := _previous_result(connection, move)) is not None:
            return previous
        current = connection.execute(select(WALLETS.c.cents).where(is_owner)).scalar_one_or_none()
        if current is None:
            return CashRefusal.NO_WALLET
        record_incident(connection, IncidentKind.NEGATIVE_BALANCE, move.by, details, at)
        return CashRefusal.TOO_LITTLE
    # The wallet's row is locked now, so that moves at the same time wait and count each other.
    of_day = _sum_of_day(connection, move, at[:10]) + move.cents
    if thresholds.is_large(of_day) and not move.two_signed:
        raise _OneSigned
    moved = CashMoved(move.player, move.cents, move.reason, int(balance))
    record_cash(connection, at, move.by, moved, move.id)
    if thresholds.is_large(of_day):
        details |= {"note": move.note, "of_day": format_cents(of_day)}
        record_incident(connection, IncidentKind.LARGE_TRANSACTION, move.by, details, at)
    return int(balance)


def _sum_of_day(connection: Connection, move: CashMove, day: str) -> Cents:
    """What the person paid in on this day so far; or was paid out, if the move is a payout."""
    row = WALLET_MOVES.c
    same_way = row.cents > 0 if move.cents > 0 else row.cents < 0
    query = select(func.coalesce(func.sum(row.cents), 0)).where(
        row.person == move.player, row.floor == "", same_way, row.at >= day, row.at < f"{day}~"
    )
    return int(connection.execute(query).scalar_one())


def list_moves(database: Database, player: str, before: int | None = None) -> list[WalletEntry]:
    """A wallet's moves, newest first; `before` is the number of a move to continue from."""
    row = WALLET_MOVES.c
    columns = (row.number, row.cents, row.reason, row.table, row.by, row.at)
    query = select(*columns).where(row.person == player)
    if before is not None:
        query = query.where(row.number < before)
    with database.read_connection() as connection:
        rows = connection.execute(query.order_by(row.number.desc()).limit(MAX_LISTED_MOVES)).all()
    return [WalletEntry(*row) for row in rows]
