"""The cage: deposits into players' wallets, and payouts from them.

Large amounts take two people. What one person pays in on one gaming day counts together, and so
does what they are paid out: otherwise a large amount could be split into small ones.

Every move has two sides, a wallet and the house's cash, so together they sum to zero. The client
chooses each move's id: sending the same move again changes nothing.
"""

from dataclasses import dataclass

from headsup.game.table.state import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.game.values.money import Cents, format_cents
from headsup.game.values.str_enum import TextEnum
from headsup.house.store.database import Database
from headsup.house.store.engine import Connection
from headsup.house.store.errors import KeyTaken
from headsup.house.store.house_log import CashMoved, find_cash, house_transaction, record_cash
from headsup.house.store.incidents import record_incident
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.wallets import cash_of_day, change_wallet, has_wallet

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
    except KeyTaken:  # the same id was used at the same time
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
    balance = change_wallet(connection, move.player, move.cents)
    details = {"act": move.act, "player": move.player, "amount": format_cents(move.cents)}
    if balance is None:
        # The same move may have come first, and emptied the wallet while this one waited.
        if (previous := _previous_result(connection, move)) is not None:
            return previous
        if not has_wallet(connection, move.player):
            return CashRefusal.NO_WALLET
        record_incident(connection, IncidentKind.NEGATIVE_BALANCE, move.by, details, at)
        return CashRefusal.TOO_LITTLE
    # The wallet's row is locked now, so that moves at the same time wait and count each other.
    of_day = cash_of_day(connection, move.player, at[:10], move.cents > 0) + move.cents
    if thresholds.is_large(of_day) and not move.two_signed:
        raise _OneSigned
    moved = CashMoved(move.player, move.cents, move.reason, balance)
    record_cash(connection, at, move.by, moved, move.id)
    if thresholds.is_large(of_day):
        details |= {"note": move.note, "of_day": format_cents(of_day)}
        record_incident(connection, IncidentKind.LARGE_TRANSACTION, move.by, details, at)
    return balance
