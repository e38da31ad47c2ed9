"""The promotional coupons that a table has issued and nobody has spent (New York (c)(1), R12).

A coupon belongs to a person, not to a seat, and is good for one settled wager at its table. It
stays among the unspent ones while it lies on the felt: the bets of the open round say where. So a
coupon comes back by itself when its bet is withdrawn, replaced or void.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line
from headsup.game.values.money import Cents


class Coupon(NamedTuple):
    """A stake for one wager, of exactly this amount."""

    player: str
    wager: Wager
    amount: Cents
    expires: str  # the last day on which it can be staked, like 2026-12-31 (UTC)


class Coupons(NamedTuple):
    """A table's coupons. They are numbered as they are issued, and no number is used again."""

    issued: int = 0
    unspent: Mapping[int, Coupon] = MappingProxyType({})

    def of(self, player: str) -> Mapping[int, Coupon]:
        """The player's unspent coupons, including those on the felt."""
        return {
            number: coupon for number, coupon in self.unspent.items() if coupon.player == player
        }

    @property
    def total(self) -> Cents:
        """The face value of all unspent coupons, including those on the felt."""
        return sum(coupon.amount for coupon in self.unspent.values())

    def with_new(self, number: int, coupon: Coupon) -> "Coupons":
        return Coupons(number, {**self.unspent, number: coupon})

    def without(self, numbers: Iterable[int]) -> "Coupons":
        gone = frozenset(numbers)
        kept = {number: item for number, item in self.unspent.items() if number not in gone}
        return Coupons(self.issued, kept)


NO_COUPONS = Coupons()


def is_spent(line: Line) -> bool:
    """Whether this wager used its coupon up. Only a void wager gives it back."""
    return line.coupon and line.result is not Result.VOID
