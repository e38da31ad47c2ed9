"""Which stakes a seat may place: before the cards what is offered, equal and within limits, and
then the Raise that each street allows."""

from collections.abc import Mapping
from functools import lru_cache

from headsup.game.money import MAX_STAKE_CENTS, dollars
from headsup.game.refusal import Refused, shown
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import SIDE_WAGERS, Street, Wager


def check_stakes(rules: TableRules, stakes: Mapping[Wager, int], where: str) -> None:
    """Refuse stakes (in cents) that this table may not take; `where` opens the sentence."""
    _accepted(rules, tuple(stakes.items()), where)


@lru_cache(maxsize=4096)
def _accepted(rules: TableRules, placed: tuple[tuple[Wager, int], ...], where: str) -> None:
    """Players bet the same again and again; what was accepted once is not checked twice."""
    stakes = dict(placed)
    for wager in (Wager.ANTE, Wager.ODDS):
        if wager not in stakes:
            raise Refused("missing_wager", f"{where}: {_named(rules, wager)} is missing")
    for wager, cents in stakes.items():
        _check_offered(rules, wager, where)
        _check_amount(wager, cents, where)
    _check_equal(rules, stakes, where)
    for wager, cents in stakes.items():
        _check_limits(rules, wager, cents, where)
    _check_progressive(rules, stakes, where)
    _check_count(rules, stakes, where)


def _named(rules: TableRules, wager: Wager) -> str:
    return f"{wager.value} ({rules.book.label(wager)})" if wager in rules.book.labels else wager


def _check_offered(rules: TableRules, wager: Wager, where: str) -> None:
    if wager is Wager.RAISE or not rules.offers(wager):
        raise Refused("wager_not_offered", f"{where}: {rules.id} does not offer {wager.value}")


def _check_amount(wager: Wager, cents: int, where: str) -> None:
    if cents <= 0:
        raise Refused(
            "stake_not_positive", f"{where}: {wager.value} is {dollars(cents)}; a stake is positive"
        )
    if cents > MAX_STAKE_CENTS:
        raise Refused(
            "amount_too_large",
            f"{where}: {wager.value} is above {dollars(MAX_STAKE_CENTS)}, the most handled",
        )


def _check_equal(rules: TableRules, stakes: Mapping[Wager, int], where: str) -> None:
    ante, odds = stakes[Wager.ANTE], stakes[Wager.ODDS]
    if ante != odds:
        raise Refused(
            "ante_not_equal_odds",
            f"{where}: ante {dollars(ante)} and odds {dollars(odds)} must be equal "
            f"({rules.book.clauses['ante_equals_odds']})",
        )


def _check_limits(rules: TableRules, wager: Wager, cents: int, where: str) -> None:
    # R5–R6: the Ante's limits bind the Odds too; the Raise follows from the Ante.
    limit = rules.limits.get(Wager.ANTE if wager is Wager.ODDS else wager)
    if limit is not None:
        if cents < limit.min:
            raise _off(
                "below_minimum", wager, cents, f"below the minimum {dollars(limit.min)}", where
            )
        if limit.max and cents > limit.max:
            raise _off(
                "above_maximum", wager, cents, f"above the maximum {dollars(limit.max)}", where
            )
        if limit.step and cents % limit.step:
            raise _off("off_step", wager, cents, f"not a multiple of {dollars(limit.step)}", where)
    if rules.single_wager_max:
        most = rules.single_wager_max
        if wager is Wager.ANTE:
            most //= max(multiple for raises in rules.raises.values() for multiple in raises)
        if cents > most:
            reason = (
                f"above {dollars(most)}: no single wager may pass "
                f"{dollars(rules.single_wager_max)}, the largest Raise included"
            )
            raise _off("above_maximum", wager, cents, reason, where)


def _off(code: str, wager: Wager, cents: int, reason: str, where: str) -> Refused:
    return Refused(code, f"{where}: {wager.value} {dollars(cents)} is {reason}")


def _check_progressive(rules: TableRules, stakes: Mapping[Wager, int], where: str) -> None:
    cents = stakes.get(Wager.PROGRESSIVE)
    if cents is not None and cents != rules.progressive_stake:
        clause = rules.book.options["progressive_stake"].clause
        raise Refused(
            "progressive_stake",
            f"{where}: progressive is {dollars(cents)}; this table takes exactly "
            f"{dollars(rules.progressive_stake)} ({clause})",
        )


def _check_count(rules: TableRules, stakes: Mapping[Wager, int], where: str) -> None:
    sides = [wager.value for wager in SIDE_WAGERS if wager in stakes]
    if len(sides) > rules.max_side_wagers:
        allowed = {0: "no optional wager", 1: "one optional wager"}.get(
            rules.max_side_wagers, f"{rules.max_side_wagers} optional wagers"
        )
        raise Refused(
            "too_many_wagers",
            f"{where}: {', '.join(sides)}: at most {rules.book.max_options} wagering options, so "
            f"{allowed} ({rules.book.max_options_clause})",
        )


def check_raise(rules: TableRules, street: Street, multiple: int, where: str) -> None:
    """Refuse a multiple of the Ante that the rules do not allow on this street."""
    allowed = rules.raises[street]
    if multiple not in allowed:
        times = " or ".join(f"{item}×" for item in allowed)
        clause = rules.book.options[f"{street.value}_raises"].clause
        raise Refused(
            "raise_not_allowed",
            f"{where}: a raise of {shown(multiple)}× on the {street.value} is not allowed; "
            f"{rules.id} allows {times} ({clause})",
        )
