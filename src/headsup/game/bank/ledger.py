"""The double-entry ledger. Money is only moved between accounts, never made or deleted.

A transfer takes from the debited account and gives to the credited one, so all balances add up to
zero. Mistakes are corrected by further transfers, each with its own reason. Amounts are
micro-dollars, so that chips and meters share one unit.

Accounts of the house and the outside world may be negative, which shows what they have put in.
Chips are whole cents. Fractions of a cent occur in pools, in the accounts that fund them, and
between a tray and its breakage account (R18).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from headsup.game.bank.balances import Account as Account
from headsup.game.bank.balances import AccountKind as AccountKind
from headsup.game.bank.balances import Balances, home_of
from headsup.game.values.money import MICROS_PER_CENT, Micros
from headsup.game.values.str_enum import TextEnum


class Reason(TextEnum):
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    STAKE = "stake"
    STAKE_RETURNED = "stake_returned"
    STAKE_LOST = "stake_lost"
    COUPON_ISSUED = "coupon_issued"
    COUPON_CANCELLED = "coupon_cancelled"
    COUPON_STAKED = "coupon_staked"
    COUPON_RETURNED = "coupon_returned"
    COUPON_SPENT = "coupon_spent"
    TAKEN_UP = "taken_up"  # a "for 1" stake goes into the tray before play (WA App. E note 3)
    WINNINGS = "winnings"
    BREAKAGE = "breakage"
    PAYOUT_CORRECTION = "payout_correction"
    SEED = "seed"
    CONTRIBUTION = "contribution"
    CONTRIBUTION_REVERSED = "contribution_reversed"
    AWARD = "award"  # out of the pool, into the winner's prize account
    AWARD_RETURNED = "award_returned"  # of a hand that was void after all
    AWARD_HELD = "award_held"  # it waits to be verified
    RESEED_RETURNED = "reseed_returned"  # of an award that was refused
    PRIZE = "prize"  # from the prize account to the winner
    CASH_FOR_CHIPS = "cash_for_chips"  # a guest's cash goes into the box, chips out of the tray
    FLOAT = "float"  # the chips that a tray first opens with
    FILL = "fill"  # chips from the cage to the tray
    CREDIT = "credit"  # chips from the tray to the cage, or a prize that the cage owes the tray
    BOX_PULLED = "box_pulled"
    VARIANCE = "variance"  # makes the book of a tray what was counted
    RESEED = "reseed"
    OVERFLOW = "overflow"
    RESERVE_RELEASED = "reserve_released"
    METER_TRANSFER = "meter_transfer"
    METER_CORRECTION = "meter_correction"


class Transfer(NamedTuple):
    """One movement of money. `reference` names the round, command or approval it belongs to."""

    debit: Account
    credit: Account
    amount: Micros
    reason: Reason
    reference: str


Transfers: TypeAlias = tuple[Transfer, ...]


class Breach(TextEnum):
    """The rule that a transfer breaks. If it breaks several, the first of these is reported."""

    NOT_WHOLE = "not_whole"
    NOT_POSITIVE = "not_positive"
    NO_ROUTE = "no_route"
    SAME_ACCOUNT = "same_account"
    FRACTION_OF_A_CENT = "fraction_of_a_cent"
    OVERDRAFT = "overdraft"


class InvalidTransfer(ValueError):
    """A batch contains a transfer that is not allowed. The ledger is unchanged.

    Not a refusal: commands check for the money first, so this means a bug or a damaged record.
    """

    def __init__(self, breach: Breach, index: int, transfer: Transfer, detail: str) -> None:
        super().__init__(f"transfer {index} ({transfer.reason}): {detail}")
        self.breach = breach
        self.index = index
        self.transfer = transfer


class UnbalancedPosting(RuntimeError):
    """A batch made or lost money. This is a bug, never a refusal."""


def _routes() -> frozenset[tuple[Reason, AccountKind, AccountKind]]:
    """The kinds of account between which each reason may move money."""
    kind = AccountKind
    pools = (kind.METER, kind.ESCROW)
    routes = {
        (Reason.BUY_IN, kind.CAGE, kind.PLAYER),
        (Reason.CASH_OUT, kind.PLAYER, kind.CAGE),
        (Reason.COUPON_ISSUED, kind.ISSUED_COUPON, kind.COUPON),
        (Reason.COUPON_CANCELLED, kind.COUPON, kind.ISSUED_COUPON),
        (Reason.COUPON_STAKED, kind.COUPON, kind.WAGER),
        (Reason.COUPON_RETURNED, kind.WAGER, kind.COUPON),
        (Reason.COUPON_SPENT, kind.WAGER, kind.SPENT_COUPON),
        (Reason.BREAKAGE, kind.BANK, kind.BREAKAGE),
        (Reason.BREAKAGE, kind.BREAKAGE, kind.BANK),
        (Reason.BREAKAGE, kind.BREAKAGE, kind.PLAYER),
        (Reason.AWARD, kind.BONUS, kind.PRIZE),
        (Reason.AWARD_RETURNED, kind.PRIZE, kind.BONUS),
        (Reason.AWARD_RETURNED, kind.HELD, kind.BONUS),
        (Reason.AWARD_HELD, kind.PRIZE, kind.HELD),
        (Reason.CASH_FOR_CHIPS, kind.TRAY, kind.DROP),
        (Reason.FLOAT, kind.VAULT, kind.TRAY),
        (Reason.FLOAT, kind.TRAY, kind.VAULT),
        (Reason.FILL, kind.VAULT, kind.TRAY),
        (Reason.CREDIT, kind.TRAY, kind.VAULT),
        (Reason.BOX_PULLED, kind.DROP, kind.VAULT),
        (Reason.VARIANCE, kind.TRAY, kind.VARIANCE),
        (Reason.VARIANCE, kind.VARIANCE, kind.TRAY),
        (Reason.VARIANCE, kind.VAULT, kind.VARIANCE),
        (Reason.VARIANCE, kind.VARIANCE, kind.VAULT),
    }
    # Accounts play from a screen, guests with chips. No wager of one is paid by the other's tray.
    for purse, tray in ((kind.PLAYER, kind.BANK), (kind.GUESTS, kind.TRAY)):
        routes |= {
            (Reason.STAKE, purse, kind.WAGER),
            (Reason.STAKE_RETURNED, kind.WAGER, purse),
            (Reason.STAKE_LOST, kind.WAGER, tray),
            (Reason.TAKEN_UP, kind.WAGER, tray),
            (Reason.STAKE_RETURNED, tray, purse),
            (Reason.WINNINGS, tray, purse),
            (Reason.PRIZE, kind.PRIZE, purse),
            (Reason.PRIZE, kind.HELD, purse),
            (Reason.PAYOUT_CORRECTION, tray, purse),
            (Reason.PAYOUT_CORRECTION, purse, tray),
        }
    for pool in pools:
        routes |= {
            (Reason.SEED, kind.SEED, pool),
            (Reason.RESEED, kind.SEED, pool),
            (Reason.CONTRIBUTION, kind.ACCRUAL, pool),
            (Reason.CONTRIBUTION_REVERSED, pool, kind.ACCRUAL),
            (Reason.AWARD, pool, kind.PRIZE),
            (Reason.AWARD_RETURNED, kind.PRIZE, pool),
            (Reason.AWARD_RETURNED, kind.HELD, pool),
            (Reason.RESEED_RETURNED, pool, kind.SEED),
            (Reason.OVERFLOW, pool, kind.RESERVE),
            (Reason.RESERVE_RELEASED, kind.RESERVE, pool),
            (Reason.METER_CORRECTION, kind.ACCRUAL, pool),
            (Reason.METER_CORRECTION, pool, kind.ACCRUAL),
            (Reason.METER_TRANSFER, pool, pool),
            (Reason.METER_TRANSFER, pool, kind.TRANSIT),
            (Reason.METER_TRANSFER, pool, kind.OUTSIDE),
            (Reason.METER_TRANSFER, kind.TRANSIT, pool),
        }
    return frozenset(routes)


ROUTES = _routes()

NEVER_NEGATIVE = frozenset(
    {
        AccountKind.PLAYER,
        AccountKind.WAGER,
        AccountKind.PRIZE,
        AccountKind.HELD,
        AccountKind.METER,
        AccountKind.ESCROW,
        AccountKind.RESERVE,
        AccountKind.COUPON,
        AccountKind.SPENT_COUPON,
        AccountKind.DROP,
    }
)

CHIP_ACCOUNTS = frozenset(
    {
        AccountKind.PLAYER,
        AccountKind.CAGE,
        AccountKind.WAGER,
        AccountKind.PRIZE,
        AccountKind.HELD,
        AccountKind.BONUS,
        AccountKind.ISSUED_COUPON,
        AccountKind.COUPON,
        AccountKind.SPENT_COUPON,
        AccountKind.TRAY,
        AccountKind.GUESTS,
        AccountKind.DROP,
        AccountKind.VAULT,
        AccountKind.VARIANCE,
    }
)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The balances of all accounts, derived from the transfers in the log."""

    balances: Balances = field(default_factory=Balances)

    def balance(self, account: Account) -> Micros:
        return self.balances.get(account)

    def total(self) -> Micros:
        """The sum of all balances, which must be zero. For auditors: it visits every account."""
        return sum(balance for _, balance in self.balances)

    def __iter__(self) -> Iterator[tuple[Account, Micros]]:
        """Accounts in a fixed order, for auditors to compare."""
        return iter(sorted(self.balances))


def player_account(name: str) -> Account:
    return Account(AccountKind.PLAYER, name)


# Accounts that nearly every command needs are cached.


@lru_cache(maxsize=4096)
def bank_account(table: str) -> Account:
    return Account(AccountKind.BANK, table)


@lru_cache(maxsize=4096)
def tray_account(table: str) -> Account:
    return Account(AccountKind.TRAY, table)


@lru_cache(maxsize=4096)
def guests_account(table: str) -> Account:
    return Account(AccountKind.GUESTS, table)


def drop_account(table: str) -> Account:
    return Account(AccountKind.DROP, table)


def variance_account(table: str) -> Account:
    return Account(AccountKind.VARIANCE, table)


def vault_account(table: str) -> Account:
    return Account(AccountKind.VAULT, table)


@lru_cache(maxsize=4096)
def cage_account(room: str = "room") -> Account:
    return Account(AccountKind.CAGE, room)


def issued_coupon_account(table: str) -> Account:
    return Account(AccountKind.ISSUED_COUPON, table)


def coupon_account(table: str, player: str) -> Account:
    return Account(AccountKind.COUPON, f"{table}/{player}")


def spent_coupon_account(table: str) -> Account:
    return Account(AccountKind.SPENT_COUPON, table)


@lru_cache(maxsize=4096)
def breakage_account(table: str) -> Account:
    return Account(AccountKind.BREAKAGE, table)


@lru_cache(maxsize=65536)
def wager_account(table: str, seat: int, wager: str) -> Account:
    """One stake on the felt. Each has its own account, so that it cannot be settled twice."""
    return Account(AccountKind.WAGER, f"{table}/{seat}/{wager}")


def prize_account(table: str, seat: int) -> Account:
    return Account(AccountKind.PRIZE, f"{table}/{seat}")


def held_account(table: str, award: int) -> Account:
    return Account(AccountKind.HELD, f"{table}/{award}")


class TransferPath(NamedTuple):
    """How an allowed transfer moves money."""

    source: str  # the home of the debited account, and of the credited one
    target: str
    unit: Micros  # amounts must be multiples of it
    may_overdraw: bool  # the debited account may go below zero


@lru_cache(maxsize=65536)  # tables keep moving money between the same accounts
def _transfer_path(debit: Account, credit: Account, reason: Reason) -> TransferPath | None:
    if (reason, debit.kind, credit.kind) not in ROUTES or debit == credit:
        return None
    in_chips = debit.kind in CHIP_ACCOUNTS or credit.kind in CHIP_ACCOUNTS
    unit = MICROS_PER_CENT if in_chips else 1
    return TransferPath(home_of(debit), home_of(credit), unit, debit.kind not in NEVER_NEGATIVE)


def post(ledger: Ledger, transfers: Iterable[Transfer]) -> Ledger:
    """The ledger after these transfers, in this order. One invalid transfer rejects them all."""
    balances = ledger.balances
    homes: dict[str, dict[Account, Micros]] = {}
    before = 0
    for index, transfer in enumerate(transfers):
        debit, credit, amount, reason, _ = transfer
        path = _transfer_path(debit, credit, reason)
        if path is None or type(amount) is not int or amount <= 0 or amount % path[2]:
            raise _invalid_transfer(index, transfer)
        source_home, target_home, _, may_overdraw = path
        source = homes.get(source_home)
        if source is None:
            source = homes[source_home] = {**balances.home(source_home)}
            before += sum(source.values())
        target = homes.get(target_home)
        if target is None:
            target = homes[target_home] = {**balances.home(target_home)}
            before += sum(target.values())
        rest = source.get(debit, 0) - amount
        if rest < 0 and not may_overdraw:
            raise _overdraft(index, transfer, rest + amount)
        source[debit] = rest
        target[credit] = target.get(credit, 0) + amount
    # Checks only these homes; adding up all accounts is the auditor's job.
    if sum([sum(entries.values()) for entries in homes.values()]) != before:
        raise UnbalancedPosting("a batch of transfers made or lost money")
    return Ledger(balances.with_homes(homes))


def _invalid_transfer(index: int, transfer: Transfer) -> InvalidTransfer:
    debit, credit, amount, reason, _ = transfer
    if type(amount) is not int:
        breach, detail = Breach.NOT_WHOLE, f"{amount!r} is not a whole number"
    elif amount <= 0:
        breach, detail = Breach.NOT_POSITIVE, f"{amount} is not above zero"
    elif (reason, debit.kind, credit.kind) not in ROUTES:
        breach = Breach.NO_ROUTE
        detail = f"money does not move from {debit.kind} to {credit.kind} for this reason"
    elif debit == credit:
        breach, detail = Breach.SAME_ACCOUNT, f"{debit.kind} {debit.owner} would pay itself"
    else:
        breach = Breach.FRACTION_OF_A_CENT
        detail = f"{amount} micro-dollars are not whole cents, as chips must be"
    return InvalidTransfer(breach, index, transfer, detail)


def _overdraft(index: int, transfer: Transfer, balance: Micros) -> InvalidTransfer:
    account = transfer.debit
    detail = f"{account.kind} {account.owner} holds {balance} of {transfer.amount} micro-dollars"
    return InvalidTransfer(Breach.OVERDRAFT, index, transfer, detail)
