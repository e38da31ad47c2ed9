"""Promotional coupons as stakes (New York (c)(1), R12).

A coupon is worth nothing but the wager it makes: what it wins is paid in chips, and the coupon
itself never becomes money, whether it wins, loses or is handed back.
"""

from collections.abc import Collection, Mapping

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import Basis
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager


def refuse_coupons(
    rules: TableRules, stakes: Mapping[Wager, int], coupons: Collection[Wager]
) -> Refusal | None:
    """Why these stakes may not be coupons."""
    if coupons and not rules.coupons:
        return refusal(Code.NO_COUPONS, rules=rules.id)
    for wager in coupons:
        if not isinstance(wager, Wager) or wager not in stakes:
            return refusal(Code.NO_COUPONS, "no_stake", wager=rules.book.called(wager))
        if _needs_chips(rules, wager):
            return refusal(Code.NO_COUPONS, "in_chips", wager=rules.book.label(wager))
    return None


def _needs_chips(rules: TableRules, wager: Wager) -> bool:
    """A pool is players' money, and a stake "for 1" goes into the tray before play."""
    table = rules.paytables.get(wager)
    return wager is Wager.PROGRESSIVE or (table is not None and table.basis is Basis.FOR)


def sort_coupons(coupons: Collection[Wager]) -> tuple[Wager, ...]:
    """Each once, in the order of the wagers, so that a record has one spelling."""
    return tuple(wager for wager in Wager if wager in coupons) if coupons else ()
