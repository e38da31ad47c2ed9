"""The balances of all accounts, in an immutable structure that is cheap to change and to hash.

Accounts are grouped into partitions (one for each table, meter or room) and there into buckets
(the stakes of one seat, the chips of all players). Accounts that change together share a bucket, so
a posting copies only a bucket or two, however large the floor is. Buckets and partitions cache
their hashes, like the nodes of a trie.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from headsup.game.values.money import Micros
from headsup.game.values.str_enum import TextEnum
from headsup.game.values.trie import REMOVED, Trie


class AccountKind(TextEnum):
    PLAYER = "player"  # a patron's chips at the table
    CAGE = "cage"  # the world outside: the source of buy-ins, the target of cash-outs
    BANK = "bank"  # the table's chip tray
    WAGER = "wager"  # one stake on the felt: zero again when the round is closed
    PRIZE = "prize"  # won from a pool, until the winner's hand is settled
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


class Account(NamedTuple):
    """A named tuple because it is hashed four times per transfer: dataclasses hash slower."""

    kind: AccountKind
    owner: str


BucketKey = tuple[str, str]  # the names of partition and bucket
Entries = dict[Account, Micros]


@lru_cache(maxsize=65536)
def bucket_key(account: Account) -> BucketKey:
    """`T1/3/ante` is in partition T1, bucket T1/3; the chips and tray of T1 are in bucket T1."""
    owner = account.owner
    return owner.partition("/")[0], owner.rpartition("/")[0] or owner


class Bucket:
    __slots__ = ("entries", "memo", "text")

    def __init__(self, entries: Entries, memo: Any = None) -> None:
        self.entries = entries
        self.memo = memo  # the digest's own cache, passed on to the bucket that replaces this
        self.text = ""  # its name and hash, computed on first use


def _replace_bucket(bucket: Bucket, entries: Entries) -> Bucket:
    """Move the memo to the new bucket: only one of them holds it, like the leaves of a trie."""
    memo, bucket.memo = bucket.memo, None
    return Bucket(entries, memo)


class Partition:
    __slots__ = ("buckets", "text")

    def __init__(self, buckets: dict[str, Bucket]) -> None:
        self.buckets = buckets
        self.text = ""  # its name and hash, as for a bucket


NO_ENTRIES: Entries = {}


class Balances:
    """The balances of all accounts that are not zero."""

    __slots__ = ("_last", "partitions")

    def __init__(self, partitions: Trie[Partition] | None = None) -> None:
        self.partitions: Trie[Partition] = Trie() if partitions is None else partitions
        self._last: tuple[str, Partition | None] = ("/", None)  # no partition has this name

    def get(self, account: Account) -> Micros:
        return self.bucket(bucket_key(account)).get(account, 0)

    def bucket(self, key: BucketKey) -> Entries:
        """The bucket's entries. Copy them before changing them."""
        partition = self.partition(key[0])
        bucket = None if partition is None else partition.buckets.get(key[1])
        return NO_ENTRIES if bucket is None else bucket.entries

    def partition(self, name: str) -> Partition | None:
        """The partition of this name, or None. An unchanged partition is the same object.

        The last lookup is cached: a command uses one partition several times.
        """
        last = self._last
        if last[0] != name:
            last = self._last = name, self.partitions.get(name)
        return last[1]

    def with_buckets(self, replacements: Mapping[BucketKey, Entries]) -> "Balances":
        """A copy with these buckets replaced. Zero balances are dropped."""
        changed: dict[str, dict[str, Bucket]] = {}
        for (partition_name, bucket_name), entries in replacements.items():
            if 0 in entries.values():
                entries = {account: balance for account, balance in entries.items() if balance}
            buckets = changed.get(partition_name)
            if buckets is None:
                partition = self.partition(partition_name)
                buckets = {} if partition is None else partition.buckets.copy()
                changed[partition_name] = buckets
            old = buckets.pop(bucket_name, None)
            if entries:
                new = Bucket(entries) if old is None else _replace_bucket(old, entries)
                buckets[bucket_name] = new
        partitions = {
            name: Partition(buckets) if buckets else REMOVED for name, buckets in changed.items()
        }
        return Balances(self.partitions.with_changes(partitions))

    def __iter__(self) -> Iterator[tuple[Account, Micros]]:
        """Every account and its balance, in an unspecified order."""
        for _, partition in self.partitions.unsorted():
            for bucket in partition.buckets.values():
                yield from bucket.entries.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Balances) and dict(self) == dict(other)

    __hash__: Any = None
