"""Money is only moved: double entry in millionths of a dollar, so chips and meters share one unit.

A transfer takes from the debited account and gives to the credited one; a balance is what was
given less what was taken, so all balances together are always zero. Nothing is changed or
deleted: a mistake is put right by a further transfer with its own reason.

Accounts of the house and of the world outside may go below zero, and so show what they have
put in. Chips are whole cents; only pools and what funds them hold fractions of a cent.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.money import MICROS_PER_CENT
from headsup.game.refusal import Code, Refused
from headsup.game.word import Word


class AccountKind(Word):
    PLAYER = "player"  # a patron's chips at the table
    CAGE = "cage"  # the world outside: buy-ins come from it, cash-outs go to it
    BANK = "bank"  # the table's chip tray
    WAGER = "wager"  # one stake on the felt: zero again when the round is closed
    PRIZE = "prize"  # won of a pool and on its way to the winner, whose hand is settled in turn
    METER = "meter"  # the progressive pool shown
    ESCROW = "escrow"  # the same where the operator is only custodian (Washington App. D note 6)
    RESERVE = "reserve"  # what came in above a meter's maximum (R85)
    ACCRUAL = "accrual"  # what the house owes the pools out of the stakes in its tray
    SEED = "seed"  # house money that opens a meter and resets it (R73)
    BONUS = "bonus"  # what the house paid out as Bonus Jackpots; the prize shown is no money (R82)
    BREAKAGE = "breakage"  # pays rounded to chips (R18): above zero when the house kept more


class Reason(Word):
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    STAKE = "stake"
    STAKE_RETURNED = "stake_returned"
    STAKE_LOST = "stake_lost"
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


class Account(NamedTuple):
    """A named tuple, not a dataclass: it is hashed four times per transfer."""

    kind: AccountKind
    owner: str


class Transfer(NamedTuple):
    """One movement. `reference` says which round, command or approval it belongs to."""

    debit: Account
    credit: Account
    amount: int
    reason: Reason
    reference: str


class LedgerRefused(Refused):
    """A batch that may not be posted, and its first bad transfer; the ledger is as it was."""

    def __init__(self, code: Code, index: int, transfer: Transfer, detail: str) -> None:
        super().__init__(code, f"transfer {index} ({transfer.reason}): {detail}")
        self.index = index
        self.transfer = transfer


class BrokenSum(RuntimeError):
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

IN_CHIPS = frozenset(
    {
        AccountKind.PLAYER,
        AccountKind.CAGE,
        AccountKind.BANK,
        AccountKind.WAGER,
        AccountKind.PRIZE,
        AccountKind.BONUS,
        AccountKind.BREAKAGE,
    }
)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The balance of every account that is not at zero: a projection that replay rebuilds."""

    balances: MappingProxyType[Account, int] = field(default_factory=lambda: MappingProxyType({}))

    def balance(self, account: Account) -> int:
        return self.balances.get(account, 0)

    def total(self) -> int:
        """Zero, or money was made or lost."""
        return sum(self.balances.values())

    def __iter__(self) -> Iterator[tuple[Account, int]]:
        """Accounts in a fixed order, for an auditor to compare."""
        return iter(sorted(self.balances.items()))


def player(name: str) -> Account:
    return Account(AccountKind.PLAYER, name)


def bank(table: str) -> Account:
    return Account(AccountKind.BANK, table)


def cage(room: str = "room") -> Account:
    return Account(AccountKind.CAGE, room)


def breakage(table: str) -> Account:
    return Account(AccountKind.BREAKAGE, table)


@lru_cache(maxsize=4096)
def felt(table: str, seat: int, wager: str) -> Account:
    """One stake on the layout. Each has its own account, so that it cannot be settled twice."""
    return Account(AccountKind.WAGER, f"{table}/{seat}/{wager}")


def prize(table: str, seat: int) -> Account:
    return Account(AccountKind.PRIZE, f"{table}/{seat}")


def post(ledger: Ledger, transfers: Iterable[Transfer]) -> Ledger:
    """The ledger after these transfers, in this order; all of them, or `LedgerRefused`."""
    balances = ledger.balances.copy()
    balance_of = balances.get
    for index, transfer in enumerate(transfers):
        debit, credit, amount, reason, _ = transfer
        if (reason, debit.kind, credit.kind) not in ROUTES or amount <= 0 or debit == credit:
            raise _refusal(index, transfer)
        if amount % MICROS_PER_CENT and (debit.kind in IN_CHIPS or credit.kind in IN_CHIPS):
            raise _refusal(index, transfer)
        left = balance_of(debit, 0) - amount
        if left < 0 and debit.kind in NEVER_NEGATIVE:
            raise _overdraft(index, transfer, left + amount)
        if left:
            balances[debit] = left
        else:
            del balances[debit]
        if left := balance_of(credit, 0) + amount:
            balances[credit] = left
        else:
            del balances[credit]
    return _balanced(balances)


def _balanced(balances: dict[Account, int]) -> Ledger:
    """Summed over all accounts rather than over the batch, so that any earlier damage shows."""
    total = sum(balances.values())
    if type(total) is not int or total != 0:
        raise BrokenSum(f"all accounts together hold {total!r} micro-dollars instead of 0")
    return Ledger(MappingProxyType(balances))


def _refusal(index: int, transfer: Transfer) -> LedgerRefused:
    """Which rule an unpostable transfer breaks; the first in this order is named."""
    debit, credit, amount, reason, _ = transfer
    if amount <= 0:
        code, detail = Code.AMOUNT_NOT_POSITIVE, f"{amount} is not an amount above zero"
    elif (reason, debit.kind, credit.kind) not in ROUTES:
        code = Code.NO_SUCH_ROUTE
        detail = f"money does not move from {debit.kind} to {credit.kind} for this reason"
    elif debit == credit:
        code, detail = Code.SAME_ACCOUNT, f"{debit.kind} {debit.owner} would pay itself"
    else:
        code = Code.FRACTION_OF_A_CENT
        detail = f"{amount} micro-dollars are not whole cents, and chips are"
    return LedgerRefused(code, index, transfer, detail)


def _overdraft(index: int, transfer: Transfer, held: int) -> LedgerRefused:
    account = transfer.debit
    detail = f"{account.kind} {account.owner} holds {held} of {transfer.amount} micro-dollars"
    return LedgerRefused(Code.OVERDRAFT, index, transfer, detail)
