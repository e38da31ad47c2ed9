"""Checks a table's rules before it opens: exposure, caps and approvals."""

from fractions import Fraction

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import Cap
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager

# R63: a paytable with higher pays is a long shot, and its cost must be bounded. Only Galaxy's fifth
# All 6 table prints such pays.
LONG_SHOT_PAYS = 10_000
DEFAULT_EXPOSURE_CENTS = 100_000_000  # for documents without this option

_CAP = "options.cap"
# WAC 230-15-490: Ante, Odds and Raise count as one kind of prize, since they bet on one hand.
_MAIN = (Wager.ANTE, Wager.ODDS, Wager.RAISE)


def refuse_opening(rules: TableRules) -> Refusal | None:
    """The refusal if no table may open with these rules."""
    return (
        _refuse_exposure(rules)
        or _refuse_cap(rules)
        or _refuse_unapproved(rules)
        or _refuse_unlimited(rules)
    )


# R63: long shots.


def _refuse_exposure(rules: TableRules) -> Refusal | None:
    """A table with long-shot pays opens only if a maximum stake or a cap bounds the loss."""
    for key, table in rules.paytables.items():
        pays = table.highest_pay
        is_listed = (key, table.id) in rules.book.needs_limit
        if not is_listed and pays <= LONG_SHOT_PAYS:
            continue
        wager = Wager("odds" if key == "bad_beat" else key)
        max_win, name = _max_win(rules, wager, pays), rules.book.label(wager)
        if max_win is None:
            return refusal(Code.NEEDS_LIMIT, key=key, name=name, id=table.id)
        exposure_max = rules.options.get("exposure_max", DEFAULT_EXPOSURE_CENTS)
        if max_win > exposure_max:
            return refusal(
                Code.NEEDS_LIMIT,
                "exposure",
                key=key,
                name=name,
                id=table.id,
                won=int(max_win),
                most=exposure_max,
            )
    return None


def _max_win(rules: TableRules, wager: Wager, pays: Fraction) -> Fraction | None:
    """The most that one wager can win at these pays; None if nothing bounds it."""
    bounds = []
    if stake := largest_stake(rules, wager):
        bounds.append(pays * stake)
    cap = rules.cap
    if cap is not None and wager in cap.wagers and pays >= cap.spares_below:
        bounds.append(Fraction(cap.amount))
    return min(bounds, default=None)


def largest_stake(rules: TableRules, wager: Wager) -> int:
    """The posted maximum of one wager in cents; 0 if none is posted."""
    if wager is Wager.PROGRESSIVE:
        return rules.progressive_stake
    # The Odds equal the Ante.
    limit = rules.limits.get(Wager.ANTE if wager is Wager.ODDS else wager)
    maximums = (limit.max if limit else 0, rules.single_wager_max)
    return min((maximum for maximum in maximums if maximum), default=0)


# R102: what a cap must not cut in Washington.


def _refuse_cap(rules: TableRules) -> Refusal | None:
    limits, cap = rules.book.cap_limits, rules.cap
    if cap is None or not limits.pays or rules.options.get("tribal", False):
        return None
    clause = limits.clause
    if cap.spares_below < limits.pays:
        return refusal(Code.BAD_OPTION, "cap_spares", where=_CAP, least=limits.pays, clause=clause)
    kinds = {Wager.ODDS if wager in _MAIN else wager for wager in cap.wagers}
    if len(kinds) > 1:
        return refusal(Code.BAD_OPTION, "cap_mixed", where=_CAP, clause=clause)
    (wager,) = kinds
    return _refuse_low_cap(rules, cap, wager, limits.pays, clause)


def _refuse_low_cap(
    rules: TableRules, cap: Cap, wager: Wager, max_pays: int, clause: str
) -> Refusal | None:
    tables = [rules.paytables[key] for key in _paytable_keys(wager) if key in rules.paytables]
    pays = min(
        max((table.highest_pay for table in tables), default=Fraction(0)), Fraction(max_pays)
    )
    stake = largest_stake(rules, wager)
    posted = Wager.ANTE if wager is Wager.ODDS else wager
    if not stake:
        return refusal(
            Code.BAD_OPTION, "cap_unposted", where=_CAP, wager=posted.value, clause=clause
        )
    if cap.amount >= pays * stake:
        return None
    return refusal(
        Code.BAD_OPTION,
        "cap_low",
        where=_CAP,
        least=int(pays * stake),
        wager=rules.book.label(posted),
        pays=pays,
        clause=clause,
    )


def _paytable_keys(wager: Wager) -> tuple[str, ...]:
    return ("odds", "bad_beat") if wager is Wager.ODDS else (wager.value,)


# What Washington asks for before a table opens: approvals (R25) and a maximum wager.


def _refuse_unapproved(rules: TableRules) -> Refusal | None:
    """Card rooms need the commission's approval of their controls, tribes that of their agency."""
    options = rules.options
    if options.get("approval") == "":
        return refusal(Code.NEEDS_APPROVAL, "table", clause=rules.book.options["approval"].clause)
    if rules.face_up and not (options.get("face_up_approval") and options.get("face_up_from")):
        clause = rules.book.options["face_up_approval"].clause
        return refusal(Code.NEEDS_APPROVAL, "face_up", clause=clause)
    return None


def _refuse_unlimited(rules: TableRules) -> Refusal | None:
    """A commercial card room posts a maximum for every wager (WAC 230-15-140). The code does not
    bind tribal operations (footnote 1)."""
    if rules.options.get("tribal", True):  # other books have no such option
        return None
    sides = (wager for wager in SIDE_WAGERS if rules.offers(wager))
    for wager in (Wager.ANTE, *sides):
        if not largest_stake(rules, wager):
            name, clause = rules.book.label(wager), rules.book.clauses["limits"]
            return refusal(
                Code.NEEDS_LIMIT, "commercial", key=wager.value, name=name, clause=clause
            )
    return None


def refuse_before_approval(rules: TableRules, day: str) -> Refusal | None:
    """R25: refuse what is approved only from a later day on.

    The caller passes the day, since rules have no clock.
    """
    for option, applies in (("approved_from", True), ("face_up_from", rules.face_up)):
        begins = str(rules.options.get(option, ""))
        if applies and begins > day:  # days sort as text
            clause = rules.book.options[option].clause
            return refusal(Code.NEEDS_APPROVAL, option, day=begins, clause=clause)
    return None
