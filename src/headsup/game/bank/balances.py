"""The balances of all accounts, grouped by their home: a table, a meter or a room.

A posting copies only the homes whose accounts it changes, however large the floor is.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from headsup.game.values.money import Micros
from headsup.game.values.str_enum import TextEnum


class AccountKind(TextEnum):
    PLAYER = "player"  # a patron's chips at the table
    CAGE = "cage"  # the world outside: the source of buy-ins, the target of cash-outs
    BANK = "bank"  # the table's tray for accounts: chips that are figures on a screen
    WAGER = "wager"  # one stake on the felt: zero again when the round is closed
    PRIZE = "prize"  # won from a pool, until the winner's hand is settled
    HELD = "held"  # won from a pool, until it is verified and paid (R108)
    METER = "meter"  # the progressive pool on display
    ESCROW = (
        "escrow"  # the pool where the operator is only its custodian (Washington App. D note 6)
    )
    RESERVE = "reserve"  # contributions above a meter's maximum (R85)
    TRANSIT = "transit"  # pools on their way to another floor; over the house it adds up to zero
    OUTSIDE = "outside"  # pools that went to a game outside this system (R84)
    ACCRUAL = "accrual"  # what the house owes the pools out of the stakes in its tray
    SEED = "seed"  # house money that opens a meter and resets it (R73)
    BONUS = "bonus"  # Bonus Jackpots paid by the house; the posted prize itself is not money (R82)
    # The face value of promotional coupons, which is not money (R12).
    ISSUED_COUPON = "issued_coupon"  # below zero: all that the table issued and did not cancel
    COUPON = "coupon"  # a patron's unspent coupons, without those on the felt
    SPENT_COUPON = "spent_coupon"  # settled wagers
    BREAKAGE = "breakage"  # from rounding pays to chips (R18); above zero if the house gained
    # Real chips and cash, of players without accounts (R109).
    TRAY = "tray"  # the chips in the table's rack
    GUESTS = "guests"  # the chips that guests carry: unknown, so it may go either way
    DROP = "drop"  # the cash in the table's box
    VAULT = "vault"  # what the cage gave this table and has not got back
    VARIANCE = "variance"  # what counts of the tray found missing, or too much if below zero


class Account(NamedTuple):
    """A named tuple because it is hashed four times per transfer: dataclasses hash slower."""

    kind: AccountKind
    owner: str


Entries = Mapping[Account, Micros]


@lru_cache(maxsize=65536)
def home_of(account: Account) -> str:
    """The table, meter or room that an account belongs to: T1 for `T1/3/ante` and `T1/Ann`."""
    return account.owner.partition("/")[0]


NO_ENTRIES: Entries = {}


class Balances:
    """The balances of all accounts that are not zero, by home. Nothing in it ever changes.

    Unchanged homes of a changed copy are the same objects.
    """

    __slots__ = ("homes",)

    def __init__(self, homes: Mapping[str, Entries] | None = None) -> None:
        self.homes: Mapping[str, Entries] = {} if homes is None else homes

    @classmethod
    def of(cls, entries: Entries) -> "Balances":
        homes: dict[str, dict[Account, Micros]] = {}
        for account, balance in entries.items():
            homes.setdefault(home_of(account), {})[account] = balance
        return cls().with_homes(homes)

    def get(self, account: Account) -> Micros:
        return self.homes.get(home_of(account), NO_ENTRIES).get(account, 0)

    def home(self, name: str) -> Entries:
        return self.homes.get(name, NO_ENTRIES)

    def with_homes(self, replacements: Mapping[str, Entries]) -> "Balances":
        """A copy with the entries of these homes replaced. Zero balances are dropped."""
        homes = {**self.homes}
        for name, entries in replacements.items():
            if 0 in entries.values():
                entries = {account: balance for account, balance in entries.items() if balance}
            if entries:
                homes[name] = entries
            else:
                homes.pop(name, None)
        return Balances(homes)

    def __iter__(self) -> Iterator[tuple[Account, Micros]]:
        """Every account and its balance, in an unspecified order."""
        for entries in self.homes.values():
            yield from entries.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Balances) and self.homes == other.homes

    __hash__: Any = None
