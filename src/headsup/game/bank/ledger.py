"""Money is only moved: double entry in millionths of a dollar, so chips and meters share one unit.

A transfer takes from the debited account and gives to the credited one; a balance is what was
given less what was taken, so all balances together are always zero. Nothing is changed or
deleted: a mistake is put right by a further transfer with its own reason.

Accounts of the house and of the world outside may go below zero, and so show what they have
put in. Chips are whole cents; fractions of a cent are in pools and what funds them, and in what
rounding to chips moves between a tray and its breakage (R18).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from headsup.game.bank.balances import Account as Account
from headsup.game.bank.balances import AccountKind as AccountKind
from headsup.game.bank.balances import Balances, BucketKey, Entries, bucket_key
from headsup.game.values.money import MICROS_PER_CENT, Micros
from headsup.game.values.str_enum import TextEnum


class Reason(TextEnum):
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    STAKE = "stake"
    STAKE_RETURNED = "stake_returned"
    STAKE_LOST = "stake_lost"
    COUPON_STAKED = "coupon_staked"
    COUPON_TAKEN = "coupon_taken"
    TAKEN_UP = "taken_up"  # a "for 1" stake goes into the tray before play (App. E note 3)
    WINNINGS = "winnings"
    BREAKAGE = "breakage"
    PAYOUT_CORRECTION = "payout_correction"
    SEED = "seed"
    CONTRIBUTION = "contribution"
    CONTRIBUTION_REVERSED = "contribution_reversed"
    AWARD = "award"  # out of the pool, to wait for its winner
    PRIZE = "prize"  # handed to the winner
    RESEED = "reseed"
    OVERFLOW = "overflow"
    RESERVE_RELEASED = "reserve_released"
    METER_TRANSFER = "meter_transfer"
    METER_CORRECTION = "meter_correction"


class Transfer(NamedTuple):
    """One movement. `reference` says which round, command or approval it belongs to."""

    debit: Account
    credit: Account
    amount: Micros
    reason: Reason
    reference: str


Transfers: TypeAlias = tuple[Transfer, ...]


class Breach(TextEnum):
    """Which rule a transfer breaks; the first in this order is named."""

    NOT_WHOLE = "not_whole"
    NOT_POSITIVE = "not_positive"
    NO_ROUTE = "no_route"
    SAME_ACCOUNT = "same_account"
    FRACTION_OF_A_CENT = "fraction_of_a_cent"
    OVERDRAFT = "overdraft"


class InvalidTransfer(ValueError):
    """A batch with a transfer that may not be; the ledger is as it was.

    No refusal: whoever decides asks for the money first, so this is a bug or a broken record.
    """

    def __init__(self, breach: Breach, index: int, transfer: Transfer, detail: str) -> None:
        super().__init__(f"transfer {index} ({transfer.reason}): {detail}")
        self.breach = breach
        self.index = index
        self.transfer = transfer


class UnbalancedPosting(RuntimeError):
    """Money was made or lost: a bug, never a refusal."""


def _routes() -> frozenset[tuple[Reason, AccountKind, AccountKind]]:
    """Which kinds of account each reason may move money between; nothing else moves."""
    kind = AccountKind
    pools = (kind.METER, kind.ESCROW)
    routes = {
        (Reason.BUY_IN, kind.CAGE, kind.PLAYER),
        (Reason.CASH_OUT, kind.PLAYER, kind.CAGE),
        (Reason.STAKE, kind.PLAYER, kind.WAGER),
        (Reason.STAKE_RETURNED, kind.WAGER, kind.PLAYER),
        (Reason.STAKE_LOST, kind.WAGER, kind.BANK),
        (Reason.COUPON_STAKED, kind.COUPON, kind.WAGER),
        (Reason.COUPON_TAKEN, kind.WAGER, kind.COUPON),
        (Reason.TAKEN_UP, kind.WAGER, kind.BANK),
        (Reason.STAKE_RETURNED, kind.BANK, kind.PLAYER),
        (Reason.WINNINGS, kind.BANK, kind.PLAYER),
        (Reason.BREAKAGE, kind.BANK, kind.BREAKAGE),
        (Reason.BREAKAGE, kind.BREAKAGE, kind.BANK),
        (Reason.BREAKAGE, kind.BREAKAGE, kind.PLAYER),
        (Reason.PRIZE, kind.PRIZE, kind.PLAYER),
        (Reason.PAYOUT_CORRECTION, kind.BANK, kind.PLAYER),
        (Reason.PAYOUT_CORRECTION, kind.PLAYER, kind.BANK),
        (Reason.AWARD, kind.BONUS, kind.PRIZE),
    }
    for pool in pools:
        routes |= {
            (Reason.SEED, kind.SEED, pool),
            (Reason.RESEED, kind.SEED, pool),
            (Reason.CONTRIBUTION, kind.ACCRUAL, pool),
            (Reason.CONTRIBUTION_REVERSED, pool, kind.ACCRUAL),
            (Reason.AWARD, pool, kind.PRIZE),
            (Reason.OVERFLOW, pool, kind.RESERVE),
            (Reason.RESERVE_RELEASED, kind.RESERVE, pool),
            (Reason.METER_CORRECTION, kind.ACCRUAL, pool),
            (Reason.METER_CORRECTION, pool, kind.ACCRUAL),
            (Reason.METER_TRANSFER, pool, pool),
        }
    return frozenset(routes)


ROUTES = _routes()

NEVER_NEGATIVE = frozenset(
    {
        AccountKind.PLAYER,
        AccountKind.WAGER,
        AccountKind.PRIZE,
        AccountKind.METER,
        AccountKind.ESCROW,
        AccountKind.RESERVE,
    }
)

CHIP_ACCOUNTS = frozenset(
    {
        AccountKind.PLAYER,
        AccountKind.CAGE,
        AccountKind.WAGER,
        AccountKind.PRIZE,
        AccountKind.BONUS,
        AccountKind.COUPON,
    }
)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The balance of every account: a projection that replay rebuilds."""

    balances: Balances = field(default_factory=Balances)

    def balance(self, account: Account) -> Micros:
        return self.balances.get(account)

    def total(self) -> Micros:
        """Zero, or money was made or lost. It walks all accounts: for auditors."""
        return sum(held for _, held in self.balances)

    def __iter__(self) -> Iterator[tuple[Account, Micros]]:
        """Accounts in a fixed order, for an auditor to compare."""
        return iter(sorted(self.balances))


def player_account(name: str) -> Account:
    return Account(AccountKind.PLAYER, name)


# What is asked for at nearly every command is made once.


@lru_cache(maxsize=4096)
def bank_account(table: str) -> Account:
    return Account(AccountKind.BANK, table)


@lru_cache(maxsize=4096)
def cage_account(room: str = "room") -> Account:
    return Account(AccountKind.CAGE, room)


def coupon_account(table: str) -> Account:
    return Account(AccountKind.COUPON, table)


@lru_cache(maxsize=4096)
def breakage_account(table: str) -> Account:
    return Account(AccountKind.BREAKAGE, table)


@lru_cache(maxsize=65536)
def wager_account(table: str, seat: int, wager: str) -> Account:
    """One stake on the layout. Each has its own account, so that it cannot be settled twice."""
    return Account(AccountKind.WAGER, f"{table}/{seat}/{wager}")


def prize_account(table: str, seat: int) -> Account:
    return Account(AccountKind.PRIZE, f"{table}/{seat}")


class TransferPath(NamedTuple):
    """Where a lawful transfer takes from and gives to."""

    source: BucketKey
    target: BucketKey
    unit: Micros  # of which its amount is a multiple
    overdraws: bool  # the debited account may go below zero


@lru_cache(maxsize=65536)  # tables move money between the same accounts again and again
def _transfer_path(debit: Account, credit: Account, reason: Reason) -> TransferPath | None:
    if (reason, debit.kind, credit.kind) not in ROUTES or debit == credit:
        return None
    in_chips = debit.kind in CHIP_ACCOUNTS or credit.kind in CHIP_ACCOUNTS
    unit = MICROS_PER_CENT if in_chips else 1
    return TransferPath(
        bucket_key(debit), bucket_key(credit), unit, debit.kind not in NEVER_NEGATIVE
    )


def post(ledger: Ledger, transfers: Iterable[Transfer]) -> Ledger:
    """The ledger after these transfers, in this order; all of them, or `InvalidTransfer`."""
    balances = ledger.balances
    shelves: dict[BucketKey, Entries] = {}
    before = 0
    for index, transfer in enumerate(transfers):
        debit, credit, amount, reason, _ = transfer
        way = _transfer_path(debit, credit, reason)
        if way is None or type(amount) is not int or amount <= 0 or amount % way[2]:
            raise _invalid_transfer(index, transfer)
        source_at, target_at, _, overdraws = way
        source = shelves.get(source_at)
        if source is None:
            source = shelves[source_at] = balances.shelf(source_at).copy()
            before += sum(source.values())
        target = shelves.get(target_at)
        if target is None:
            target = shelves[target_at] = balances.shelf(target_at).copy()
            before += sum(target.values())
        left = source.get(debit, 0) - amount
        if left < 0 and not overdraws:
            raise _overdraft(index, transfer, left + amount)
        source[debit] = left
        target[credit] = target.get(credit, 0) + amount
    # Of these shelves alone: what all accounts hold is for the auditor to add up.
    if sum([sum(entries.values()) for entries in shelves.values()]) != before:
        raise UnbalancedPosting("a batch of transfers made or lost money")
    return Ledger(balances.with_shelves(shelves))


def _invalid_transfer(index: int, transfer: Transfer) -> InvalidTransfer:
    debit, credit, amount, reason, _ = transfer
    if type(amount) is not int:
        breach, detail = Breach.NOT_WHOLE, f"{amount!r} is not a whole number"
    elif amount <= 0:
        breach, detail = Breach.NOT_POSITIVE, f"{amount} is not an amount above zero"
    elif (reason, debit.kind, credit.kind) not in ROUTES:
        breach = Breach.NO_ROUTE
        detail = f"money does not move from {debit.kind} to {credit.kind} for this reason"
    elif debit == credit:
        breach, detail = Breach.SAME_ACCOUNT, f"{debit.kind} {debit.owner} would pay itself"
    else:
        breach = Breach.FRACTION_OF_A_CENT
        detail = f"{amount} micro-dollars are not whole cents, and chips are"
    return InvalidTransfer(breach, index, transfer, detail)


def _overdraft(index: int, transfer: Transfer, held: Micros) -> InvalidTransfer:
    account = transfer.debit
    detail = f"{account.kind} {account.owner} holds {held} of {transfer.amount} micro-dollars"
    return InvalidTransfer(Breach.OVERDRAFT, index, transfer, detail)
