"""What every account holds, in a structure that never changes and is not copied whole.

Accounts are kept at their home (a table, a meter, a room), there on shelves: the stakes of each
seat on one, all chips on another. What changes together lies together; a posting copies a shelf or
two, whatever else there is on the floor. Each shelf and home remembers its hash, as the nodes of a
trie do.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from headsup.game.values.money import Micros
from headsup.game.values.str_enum import TextEnum
from headsup.game.values.trie import REMOVED, Trie


class AccountKind(TextEnum):
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
    COUPON = "coupon"  # what promotional coupons on the felt stand for; no money (R12)
    BREAKAGE = "breakage"  # pays rounded to chips (R18): above zero when the house kept more


class Account(NamedTuple):
    """A named tuple, not a dataclass: it is hashed four times per transfer."""

    kind: AccountKind
    owner: str


BucketKey = tuple[str, str]  # home and shelf
Entries = dict[Account, Micros]


@lru_cache(maxsize=65536)
def bucket_key(account: Account) -> BucketKey:
    """`T1/3/ante` is at home at T1 on the shelf T1/3; chips and tray of T1 are on T1 itself."""
    owner = account.owner
    return owner.partition("/")[0], owner.rpartition("/")[0] or owner


class Bucket:
    __slots__ = ("entries", "memo", "text")

    def __init__(self, entries: Entries, memo: Any = None) -> None:
        self.entries = entries
        self.memo = memo  # what helps to hash it, handed on to the shelf that takes its place
        self.text = ""  # its name and hash, remembered once they were asked for


def _replace_bucket(shelf: Bucket, entries: Entries) -> Bucket:
    """As of the leaves of a trie: what helps to hash it is held by one of them."""
    memo, shelf.memo = shelf.memo, None
    return Bucket(entries, memo)


class Partition:
    __slots__ = ("shelves", "text")

    def __init__(self, shelves: dict[str, Bucket]) -> None:
        self.shelves = shelves
        self.text = ""  # as of a shelf


NO_ENTRIES: Entries = {}


class Balances:
    """All accounts that are not at zero."""

    __slots__ = ("_last", "homes")

    def __init__(self, homes: Trie[Partition] | None = None) -> None:
        self.homes: Trie[Partition] = Trie() if homes is None else homes
        self._last: tuple[str, Partition | None] = ("/", None)  # which no home is named

    def get(self, account: Account) -> Micros:
        return self.shelf(bucket_key(account)).get(account, 0)

    def shelf(self, address: BucketKey) -> Entries:
        """What lies there, to be copied before it is changed."""
        home = self.home(address[0])
        shelf = None if home is None else home.shelves.get(address[1])
        return NO_ENTRIES if shelf is None else shelf.entries

    def home(self, name: str) -> Partition | None:
        """A command asks for one home several times; on a large floor the way to it is long. While
        nothing at home there has moved it is the same one."""
        last = self._last
        if last[0] != name:
            last = self._last = name, self.homes.get(name)
        return last[1]

    def with_shelves(self, shelves: Mapping[BucketKey, Entries]) -> "Balances":
        """With other entries on these shelves; those at zero are not kept."""
        changed: dict[str, dict[str, Bucket]] = {}
        for (home, place), entries in shelves.items():
            if 0 in entries.values():
                entries = {account: held for account, held in entries.items() if held}
            there = changed.get(home)
            if there is None:
                before = self.home(home)
                there = changed[home] = {} if before is None else before.shelves.copy()
            old = there.pop(place, None)
            if entries:
                there[place] = Bucket(entries) if old is None else _replace_bucket(old, entries)
        homes = {
            home: Partition(shelves) if shelves else REMOVED for home, shelves in changed.items()
        }
        return Balances(self.homes.with_changes(homes))

    def __iter__(self) -> Iterator[tuple[Account, Micros]]:
        """Every account, in no order to rely on."""
        for _, home in self.homes.unsorted():
            for shelf in home.shelves.values():
                yield from shelf.entries.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Balances) and dict(self) == dict(other)

    __hash__: Any = None
