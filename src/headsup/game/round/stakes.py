"""Which stakes a seat may place: before the cards what is offered, equal and within limits, and
then the Raise that each street allows. What is wrong is a refusal; the caller knows whose it is."""

from collections.abc import Mapping
from functools import lru_cache

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, WAGERS, Street, Wager
from headsup.game.values.money import MAX_STAKE_CENTS, Cents

Stakes = Mapping[Wager, Cents]


def refuse_stakes(rules: TableRules, stakes: Stakes) -> Refusal | None:
    """Why this table may not take these stakes; None where it may."""
    found = accept_stakes(rules, stakes)
    return found if isinstance(found, Refusal) else None


def accept_stakes(rules: TableRules, stakes: Stakes) -> Stakes | Refusal:
    """These stakes in the order of the wagers, so that a record read back folds to the very same
    state; or why this table may not take them."""
    return _accept_cached(rules, tuple(stakes.items()))


@lru_cache(maxsize=4096)
def _accept_cached(rules: TableRules, placed: tuple[tuple[Wager, Cents], ...]) -> Stakes | Refusal:
    """Players bet the same again and again: what was looked at once is not looked at twice, and
    is the same value each time, which need not be written twice either."""
    stakes = dict(placed)
    unfit = _refuse(rules, stakes)
    return unfit or {wager: stakes[wager] for wager in WAGERS if wager in stakes}


def _refuse(rules: TableRules, stakes: Stakes) -> Refusal | None:
    for wager in (Wager.ANTE, Wager.ODDS):
        if wager not in stakes:
            return refusal(Code.MISSING_WAGER, wager=rules.book.label(wager))
    for wager, cents in stakes.items():
        if wrong := _refuse_unoffered(rules, wager) or _refuse_amount(rules, wager, cents):
            return wrong
    if stakes[Wager.ANTE] != stakes[Wager.ODDS]:
        return _unequal_refusal(rules, stakes)
    for wager, cents in stakes.items():
        if wrong := _refuse_off_limits(rules, wager, cents) or _refuse_above_single_max(
            rules, wager, cents
        ):
            return wrong
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
    one, other = rules.book.label(Wager.ANTE), rules.book.label(Wager.ODDS)
    ante, odds = stakes[Wager.ANTE], stakes[Wager.ODDS]
    return refusal(
        Code.ANTE_NOT_EQUAL_ODDS, one=one, ante=ante, other=other, odds=odds, clause=clause
    )


def _refuse_off_limits(rules: TableRules, wager: Wager, cents: Cents) -> Refusal | None:
    # R5–R6: the Ante's limits bind the Odds too; the Raise follows from the Ante.
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
    """R6: where no single wager may pass a limit, the largest Raise may not either."""
    single = rules.single_wager_max
    if not single:
        return None
    most = single
    if wager is Wager.ANTE:
        most //= max(multiple for raises in rules.raises.values() for multiple in raises)
    if cents <= most:
        return None
    name = rules.book.label(wager)
    return refusal(Code.ABOVE_MAXIMUM, "single", wager=name, stake=cents, most=most, single=single)


def _refuse_progressive_stake(rules: TableRules, stakes: Stakes) -> Refusal | None:
    cents, only = stakes.get(Wager.PROGRESSIVE), rules.progressive_stake
    if cents is None or cents == only:
        return None
    clause = rules.book.options["progressive_stake"].clause
    name = rules.book.label(Wager.PROGRESSIVE)
    return refusal(Code.PROGRESSIVE_STAKE, wager=name, stake=cents, only=only, clause=clause)


def _refuse_too_many(rules: TableRules, stakes: Stakes) -> Refusal | None:
    """R10: how many of Washington's four options are left for side wagers."""
    sides = [rules.book.label(wager) for wager in SIDE_WAGERS if wager in stakes]
    allowed, most = rules.max_side_wagers, rules.book.max_options
    if len(sides) <= allowed:
        return None
    clause = rules.book.max_options_clause
    if allowed == 0:
        return refusal(Code.TOO_MANY_WAGERS, "none", sides=sides, options=most, clause=clause)
    if allowed == 1:
        return refusal(Code.TOO_MANY_WAGERS, "one", sides=sides, options=most, clause=clause)
    return refusal(Code.TOO_MANY_WAGERS, sides=sides, options=most, allowed=allowed, clause=clause)


def refuse_raise(rules: TableRules, street: Street, multiple: int) -> Refusal | None:
    """Why this multiple of the Ante may not be raised on this street; None where it may."""
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
