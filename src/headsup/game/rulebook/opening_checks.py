"""What must be settled before a table opens with its rules: exposure, caps and approvals."""

from fractions import Fraction

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import Cap, PayKind, Paytable
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager

# R63: above this a paytable is a long shot, and what it may cost must be bounded. Only Galaxy's
# fifth All 6 table prints such pays.
LONG_SHOT_PAYS = 10_000
DEFAULT_EXPOSURE_CENTS = 100_000_000  # cents, where a document has no such option

_CAP = "options.cap"
# Prizes of one kind (WAC 230-15-490): Ante, Odds and Raise are one bet on one hand.
_MAIN = (Wager.ANTE, Wager.ODDS, Wager.RAISE)


def refuse_opening(rules: TableRules) -> Refusal | None:
    """Why no table may open with these rules; None where one may."""
    return _refuse_exposure(rules) or _refuse_cap(rules) or _refuse_unapproved(rules)


# R63: long shots.


def _refuse_exposure(rules: TableRules) -> Refusal | None:
    """A table that pays 200,000 to 1 opens only where a stake or a cap keeps it within bounds."""
    for key, table in rules.paytables.items():
        pays = highest_pay(table)
        listed = (key, table.id) in rules.book.needs_limit
        if not listed and pays <= LONG_SHOT_PAYS:
            continue
        wager = Wager("odds" if key == "bad_beat" else key)
        won, name = _max_win(rules, wager, pays), rules.book.label(wager)
        if won is None:
            return refusal(Code.NEEDS_LIMIT, key=key, name=name, id=table.id)
        most = rules.options.get("exposure_max", DEFAULT_EXPOSURE_CENTS)
        if won > most:
            return refusal(
                Code.NEEDS_LIMIT,
                "exposure",
                key=key,
                name=name,
                id=table.id,
                won=int(won),
                most=most,
            )
    return None


def highest_pay(table: Paytable) -> Fraction:
    """The most that one row pays, in stakes."""
    return max(
        (row.pay.amount for row in table.rows if row.pay.kind is PayKind.PAYS), default=Fraction(0)
    )


def _max_win(rules: TableRules, wager: Wager, pays: Fraction) -> Fraction | None:
    """What one wager could win at these pays; None where nothing bounds it."""
    bounds = []
    if stake := largest_stake(rules, wager):
        bounds.append(pays * stake)
    cap = rules.cap
    if cap is not None and wager in cap.wagers and pays >= cap.spares_below:
        bounds.append(Fraction(cap.amount))
    return min(bounds, default=None)


def largest_stake(rules: TableRules, wager: Wager) -> int:
    """The posted maximum of one wager, in cents; 0 where none is posted."""
    if wager is Wager.PROGRESSIVE:
        return rules.progressive_stake
    # The Odds equal the Ante.
    limit = rules.limits.get(Wager.ANTE if wager is Wager.ODDS else wager)
    posted = [most for most in (limit.max if limit else 0, rules.single_wager_max) if most]
    return min(posted, default=0)


# R102: what a cap must leave alone in Washington.


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
    rules: TableRules, cap: Cap, wager: Wager, most: int, clause: str
) -> Refusal | None:
    tables = [rules.paytables[key] for key in _paytable_keys(wager) if key in rules.paytables]
    pays = min(max(map(highest_pay, tables), default=Fraction(0)), Fraction(most))
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


# R25: what the letters ask for.


def _refuse_unapproved(rules: TableRules) -> Refusal | None:
    options = rules.options
    if rules.face_up and not (options.get("face_up_approval") and options.get("face_up_from")):
        clause = rules.book.options["face_up_approval"].clause
        return refusal(Code.NEEDS_APPROVAL, "face_up", clause=clause)
    return None


def refuse_before_approval(rules: TableRules, day: str) -> Refusal | None:
    """R25: what was approved from a later day on does not begin on this one. The rules alone have
    no clock: whoever carries out a command knows the day."""
    for option, applies in (("approved_from", True), ("face_up_from", rules.face_up)):
        begins = str(rules.options.get(option, ""))
        if applies and begins > day:  # days sort as text
            clause = rules.book.options[option].clause
            return refusal(Code.NEEDS_APPROVAL, option, day=begins, clause=clause)
    return None
