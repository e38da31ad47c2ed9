"""Checks a seat's stakes, its coupons, and the Raise on each street.

Refusals do not name the seat; the caller adds it.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import Basis
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, WAGERS, Street, Wager
from headsup.game.values.money import MAX_STAKE_CENTS, Cents

Stakes = Mapping[Wager, Cents]
NO_COUPONS: Mapping[Wager, int] = MappingProxyType({})


def refuse_stakes(rules: TableRules, stakes: Stakes) -> Refusal | None:
    """Why this table does not take these stakes; None if it does."""
    accepted = accept_stakes(rules, stakes)
    return accepted if isinstance(accepted, Refusal) else None


def accept_stakes(rules: TableRules, stakes: Stakes) -> Stakes | Refusal:
    """The stakes in the order of `WAGERS`, or why this table does not take them.

    The fixed order makes a replayed record lead to exactly the same state.
    """
    return _accept_cached(rules, tuple(stakes.items()))


@lru_cache(maxsize=4096)
def _accept_cached(rules: TableRules, placed: tuple[tuple[Wager, Cents], ...]) -> Stakes | Refusal:
    """Cached, because players repeat their bets; the same mapping also lets its JSON be cached."""
    stakes = dict(placed)
    return _refuse(rules, stakes) or {wager: stakes[wager] for wager in WAGERS if wager in stakes}


def _refuse(rules: TableRules, stakes: Stakes) -> Refusal | None:
    for wager in (Wager.ANTE, Wager.ODDS):
        if wager not in stakes:
            return refusal(Code.MISSING_WAGER, wager=rules.book.label(wager))
    for wager, cents in stakes.items():
        if refused := _refuse_unoffered(rules, wager) or _refuse_amount(rules, wager, cents):
            return refused
    if stakes[Wager.ANTE] != stakes[Wager.ODDS]:
        return _unequal_refusal(rules, stakes)
    for wager, cents in stakes.items():
        if refused := _refuse_off_limits(rules, wager, cents) or _refuse_above_single_max(
            rules, wager, cents
        ):
            return refused
    return _refuse_progressive_stake(rules, stakes) or _refuse_too_many(rules, stakes)


def _refuse_unoffered(rules: TableRules, wager: Wager) -> Refusal | None:
    if wager is Wager.RAISE or not rules.offers(wager):
        return refusal(Code.WAGER_NOT_OFFERED, rules=rules.id, wager=rules.book.label(wager))
    return None


def _refuse_amount(rules: TableRules, wager: Wager, cents: Cents) -> Refusal | None:
    name = rules.book.label(wager)
    if cents <= 0:
        return refusal(Code.STAKE_NOT_POSITIVE, wager=name, stake=cents)
    if cents > MAX_STAKE_CENTS:
        return refusal(Code.AMOUNT_TOO_LARGE, "stake", wager=name, most=MAX_STAKE_CENTS)
    return None


def _unequal_refusal(rules: TableRules, stakes: Stakes) -> Refusal:
    clause = rules.book.clauses["ante_equals_odds"]
    ante_label, odds_label = rules.book.label(Wager.ANTE), rules.book.label(Wager.ODDS)
    return refusal(
        Code.ANTE_NOT_EQUAL_ODDS,
        one=ante_label,
        ante=stakes[Wager.ANTE],
        other=odds_label,
        odds=stakes[Wager.ODDS],
        clause=clause,
    )


def _refuse_off_limits(rules: TableRules, wager: Wager, cents: Cents) -> Refusal | None:
    # R5–R6: the Ante's limits apply to the Odds too; the Raise follows from the Ante.
    limit = rules.limits.get(Wager.ANTE if wager is Wager.ODDS else wager)
    if limit is None:
        return None
    name = rules.book.label(wager)
    if cents < limit.min:
        return refusal(Code.BELOW_MINIMUM, wager=name, stake=cents, least=limit.min)
    if limit.max and cents > limit.max:
        return refusal(Code.ABOVE_MAXIMUM, wager=name, stake=cents, most=limit.max)
    if limit.step and cents % limit.step:
        return refusal(Code.OFF_STEP, wager=name, stake=cents, step=limit.step)
    return None


def _refuse_above_single_max(rules: TableRules, wager: Wager, cents: Cents) -> Refusal | None:
    """R6: a maximum for any single wager also limits the Ante, so that the largest Raise fits."""
    single = rules.single_wager_max
    if not single:
        return None
    maximum = single
    if wager is Wager.ANTE:
        maximum //= max(multiple for raises in rules.raises.values() for multiple in raises)
    if cents <= maximum:
        return None
    name = rules.book.label(wager)
    return refusal(
        Code.ABOVE_MAXIMUM, "single", wager=name, stake=cents, most=maximum, single=single
    )


def _refuse_progressive_stake(rules: TableRules, stakes: Stakes) -> Refusal | None:
    cents, required = stakes.get(Wager.PROGRESSIVE), rules.progressive_stake
    if cents is None or cents == required:
        return None
    clause = rules.book.options["progressive_stake"].clause
    name = rules.book.label(Wager.PROGRESSIVE)
    return refusal(Code.PROGRESSIVE_STAKE, wager=name, stake=cents, only=required, clause=clause)


def _refuse_too_many(rules: TableRules, stakes: Stakes) -> Refusal | None:
    """R10: Washington allows four options, and side wagers get what the others leave."""
    sides = [rules.book.label(wager) for wager in SIDE_WAGERS if wager in stakes]
    allowed = rules.max_side_wagers
    if len(sides) <= allowed:
        return None
    clause = rules.book.max_options_clause
    if allowed == 0:
        return refusal(Code.TOO_MANY_WAGERS, "none", sides=sides, clause=clause)
    if allowed == 1:
        return refusal(Code.TOO_MANY_WAGERS, "one", sides=sides, clause=clause)
    return refusal(Code.TOO_MANY_WAGERS, sides=sides, allowed=allowed, clause=clause)


def refuse_raise(rules: TableRules, street: Street, multiple: int) -> Refusal | None:
    """Why this multiple of the Ante may not be raised on this street; None if it may."""
    allowed = rules.raises[street]
    if multiple in allowed:
        return None
    return refusal(
        Code.RAISE_NOT_ALLOWED,
        name=rules.book.label(Wager.RAISE),
        multiple=multiple,
        street=street,
        rules=rules.id,
        allowed=allowed,
        clause=rules.book.options[f"{street.value}_raises"].clause,
    )


# Promotional coupons as stakes (New York (c)(1), R12). A coupon wins chips, but never becomes money
# itself, whether it wins, loses or is handed back.


def refuse_coupons(
    rules: TableRules, stakes: Mapping[Wager, int], coupons: Collection[Wager]
) -> Refusal | None:
    """Why these wagers may not be staked with coupons; None if they may."""
    for wager in coupons:
        if refused := _refuse_without_coupons(rules):
            return refused
        if not isinstance(wager, Wager) or wager not in stakes:
            return refusal(Code.NO_COUPONS, "no_stake", wager=rules.book.label_for_key(wager))
        if refused := _refuse_chips_only(rules, wager):
            return refused
    return None


def refuse_coupon(rules: TableRules, wager: Wager, cents: Cents) -> Refusal | None:
    """Why no coupon for this wager and amount could be staked here; None if one could."""
    return (
        _refuse_without_coupons(rules)
        or _refuse_unoffered(rules, wager)
        or _refuse_chips_only(rules, wager)
        or _refuse_amount(rules, wager, cents)
        or _refuse_off_limits(rules, wager, cents)
        or _refuse_above_single_max(rules, wager, cents)
    )


def _refuse_without_coupons(rules: TableRules) -> Refusal | None:
    return None if rules.coupons else refusal(Code.NO_COUPONS, rules=rules.id)


def _refuse_chips_only(rules: TableRules, wager: Wager) -> Refusal | None:
    if not _needs_chips(rules, wager):
        return None
    return refusal(Code.NO_COUPONS, "in_chips", wager=rules.book.label(wager))


def _needs_chips(rules: TableRules, wager: Wager) -> bool:
    """A pool is players' money, and a "for 1" stake goes into the tray before play."""
    table = rules.paytables.get(wager)
    return wager is Wager.PROGRESSIVE or (table is not None and table.basis is Basis.FOR)


def sort_coupons(coupons: Mapping[Wager, int]) -> Mapping[Wager, int]:
    """The coupons in a fixed order of wagers, so that a record has one spelling."""
    return {wager: coupons[wager] for wager in Wager if wager in coupons} if coupons else NO_COUPONS
