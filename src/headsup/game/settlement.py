"""Every payout rule, once: what each wager wins, loses or gets back, and by which clause.

Amounts are cents; a line's `net` is what the wager changes in the player's money.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from headsup.game.awards import MICROS_PER_CENT, split_awards
from headsup.game.cards import Cards
from headsup.game.decision import UNDECIDED, Decision, HasFolded, HasRaised
from headsup.game.hands import Category, category_of, strength
from headsup.game.money import Cents, Micros
from headsup.game.outcomes import (
    all_6_outcome,
    both_hole_cards_outcome,
    pocket_outcome,
    progressive_outcome,
)
from headsup.game.refusal import Refused
from headsup.game.rulebook.model import LOSS, PUSH, Basis, Cap, Irregularity, Pay, PayKind
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import SIDE_WAGERS, Comparison, Result, Wager


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards all seats share."""

    dealer: Cards
    board: Cards
    all_6: Cards = ()


class SeatPlay(NamedTuple):
    """One seat's cards, stakes in cents and decision.

    `void` is the irregularity that voided the hand: its stakes return, but for what it settles.
    A void may come before the last decision, and then the hand was never folded.
    """

    seat: int
    hole: Cards
    stakes: Mapping[Wager, Cents]
    decision: Decision
    void: Irregularity | None = None

    @property
    def multiple(self) -> int:
        """Of the Ante, that was raised; 0 where the hand was not."""
        return self.decision.multiple if isinstance(self.decision, HasRaised) else 0

    @property
    def folded(self) -> bool:
        return isinstance(self.decision, HasFolded)


@dataclass(frozen=True, slots=True)
class Line:
    """How one wager settles. `award` is the part paid from the progressive pool."""

    wager: Wager
    stake: Cents
    result: Result
    net: Cents
    outcome: str
    why: str
    clause: str
    pay: Pay | None = None
    kept: bool = False  # the prize is "for 1": the stake stays with the house
    award: Cents = 0
    breakage: Cents = 0  # what rounding to chips kept from the player (or gave, if negative)
    shortfall: Cents = 0  # what a payout cap cut off


class SeatSettlement(NamedTuple):
    seat: int
    strength: int
    lines: tuple[Line, ...]

    @property
    def net(self) -> int:
        return sum(line.net for line in self.lines)


@dataclass(frozen=True, slots=True)
class Settlement:
    """`seats` in the order in which the dealer settles them (R97)."""

    dealer_strength: int
    dealer_qualifies: bool
    seats: tuple[SeatSettlement, ...]
    meter_before: Micros | None
    meter_after: Micros | None

    def seat(self, number: int) -> SeatSettlement:
        return next(seat for seat in self.seats if seat.seat == number)


def settle(
    rules: TableRules, deal: Deal, plays: Sequence[SeatPlay], meter: int | None = None
) -> Settlement:
    """Settle a finished round. `meter` is the pool in micros, this round's wagers counted (R72).

    Contributions, and taking them back for a void wager, are the table's business (R94).
    """
    dealer = _strength(deal.dealer, deal.board)
    qualifies = dealer >= rules.qualifier_strength
    seats = [
        _settle_seat(rules, deal, play, dealer, qualifies) for play in in_settlement_order(plays)
    ]
    seats, after = _pay_pool(rules, seats, meter)
    if rules.cap is not None and rules.cap.scope == "table":
        seats = _cap_table(rules.cap, seats)
    return Settlement(dealer, qualifies, tuple(seats), meter, after)


def _strength(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Zero where a voided round never came to all its cards."""
    return strength(hole + board) if len(hole) == 2 and len(board) == 5 else 0


def _settle_seat(
    rules: TableRules, deal: Deal, play: SeatPlay, dealer: int, qualifies: bool
) -> SeatSettlement:
    own = _strength(play.hole, deal.board)
    if play.void is not None:
        void_lines = _void_lines(rules, deal, play, play.void, own)
        return SeatSettlement(play.seat, own, _capped_for_player(void_lines, rules))
    comparison = _COMPARISONS[(own > dealer) - (own < dealer) + 1]
    category = category_of(own)
    stakes = play.stakes
    main = main_lines(rules, stakes[Wager.ANTE], play.multiple, category, comparison, qualifies)
    sides = [
        side_line(rules, deal, play, wager, category) for wager in SIDE_WAGERS if wager in stakes
    ]
    if rules.trips_plus_before_main:  # a house procedure; the money is the same (R55)
        sides.sort(key=lambda line: line.wager is not Wager.TRIPS_PLUS)
        first = sum(line.wager is Wager.TRIPS_PLUS for line in sides)
        lines = (*sides[:first], *main, *sides[first:])
    else:
        lines = (*main, *sides)
    return SeatSettlement(play.seat, own, _capped_for_player(lines, rules))


_COMPARISONS = tuple(Comparison)


def _void_lines(
    rules: TableRules, deal: Deal, play: SeatPlay, void: Irregularity, own: int
) -> tuple[Line, ...]:
    """R90–R94: a void returns every stake, but settles what the rule book says it still does."""
    stakes = dict(play.stakes)
    if play.multiple:
        stakes[Wager.RAISE] = play.stakes[Wager.ANTE] * play.multiple
    why = f"returned: {void.cause.words}" + (", a house rule" if void.house_rule else "")
    settles = void.settles if len(deal.board) == 5 else ()
    unfolded = play._replace(decision=UNDECIDED)  # all hands are void: a fold is undone too (R92)
    return tuple(
        side_line(rules, deal, unfolded, wager, category_of(own))
        if wager in settles
        else Line(wager, stake, Result.VOID, 0, void.cause.value, why, void.clause)
        for wager, stake in stakes.items()
    )


# The main game.


@lru_cache(maxsize=4096)
def main_lines(
    rules: TableRules,
    ante: int,
    multiple: int,
    category: Category,
    comparison: Comparison,
    qualifies: bool,
) -> tuple[Line, ...]:
    """Ante, Odds and Raise; `multiple` 0 is a fold. All that the main game turns on is here.

    Lines are values, so a table that sees the same case again is given the same ones.
    """
    clauses = rules.book.clauses
    if not multiple:
        why = "the hand was folded"
        return tuple(
            _line(rules, wager, ante, LOSS, "fold", why, clauses["fold"])
            for wager in (Wager.ANTE, Wager.ODDS)
        )
    return (
        _ante_line(rules, ante, comparison, qualifies),
        _odds_line(rules, ante, category, comparison),
        _raise_line(rules, ante * multiple, comparison),
    )


_EVEN = Pay(PayKind.PAYS, Fraction(1), "1")


def _ante_line(rules: TableRules, ante: int, comparison: Comparison, qualifies: bool) -> Line:
    clauses = rules.book.clauses
    if not qualifies:  # R36: pushes even when the dealer's hand is the better one
        why = "the dealer does not qualify"
        return _line(rules, Wager.ANTE, ante, PUSH, "not_qualified", why, clauses["not_qualified"])
    pay, outcome, why, clause = {
        Comparison.WIN: (_EVEN, "win", "the player's hand wins", "ante_win"),
        Comparison.TIE: (PUSH, "tie", "the hands are copies", "ante_tie"),
        Comparison.LOSE: (LOSS, "lose", "the dealer's hand wins", "ante_lose"),
    }[comparison]
    return _line(rules, Wager.ANTE, ante, pay, outcome, why, clauses[clause])


def _raise_line(rules: TableRules, stake: int, comparison: Comparison) -> Line:
    pay, outcome, why, clause = {
        Comparison.WIN: (_EVEN, "win", "the player's hand wins", "raise_win"),
        Comparison.TIE: (PUSH, "tie", "the hands are copies", "tie"),
        Comparison.LOSE: (LOSS, "lose", "the dealer's hand wins", "raise_lose"),
    }[comparison]
    return _line(rules, Wager.RAISE, stake, pay, outcome, why, rules.book.clauses[clause])


def _odds_line(rules: TableRules, stake: int, category: Category, comparison: Comparison) -> Line:
    """Odds: pays on a win and, as a Bad Beat, on a loss; a copy pushes whatever the hand."""
    clauses = rules.book.clauses
    if comparison is Comparison.TIE:
        return _line(rules, Wager.ODDS, stake, PUSH, "tie", "the hands are copies", clauses["tie"])
    won = comparison is Comparison.WIN
    table = rules.paytables.get("odds" if won else "bad_beat")
    default = PUSH if won else LOSS
    pay, outcome = default, "other"
    if table is not None:
        outcome = category.key if category.key in table.pays else "other"
        pay = table.pays.get(outcome, default)
    if won:
        clause = "odds_win" if pay.kind is PayKind.PAYS else "odds_push"
        why = f"wins with {_a(category)}" + (": a push" if pay.kind is PayKind.PUSH else "")
    else:
        clause = "bad_beat" if pay.kind is PayKind.PAYS else "odds_lose"
        why = f"{_a(category)} loses" + (": a Bad Beat" if pay.kind is PayKind.PAYS else "")
    return _line(rules, Wager.ODDS, stake, pay, outcome, why, clauses[clause])


def _a(category: Category) -> str:
    plain = (Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND)
    if category in (*plain, Category.ONE_PAIR, Category.HIGH_CARD):
        return category.words
    return f"a {category.words}"


# The side wagers.


def side_line(
    rules: TableRules, deal: Deal, play: SeatPlay, wager: Wager, category: Category
) -> Line:
    """One side wager; a share of the pool is paid later, when all claims are known."""
    stake = play.stakes[wager]
    if play.folded and not rules.after_fold[wager]:
        return _forfeited(rules, wager, stake)
    return paid_line(rules, wager, stake, _side_outcome(rules, deal, play, wager, category))


def _forfeited(rules: TableRules, wager: Wager, stake: int) -> Line:
    why = "forfeited with the folded hand"
    return _line(rules, wager, stake, LOSS, "fold", why, rules.book.clauses["forfeit"])


@lru_cache(maxsize=4096)
def paid_line(rules: TableRules, wager: Wager, stake: int, outcome: str) -> Line:
    """What a side wager pays for a row of its paytable, or for a hand that it does not list."""
    table = rules.paytables[wager.value]
    pay = table.pays.get(outcome, LOSS)
    clause = rules.book.clauses[wager.value]
    why = outcome.replace("_", " ")
    return _line(rules, wager, stake, pay, outcome, why, clause, table.basis)


def _side_outcome(
    rules: TableRules, deal: Deal, play: SeatPlay, wager: Wager, category: Category
) -> str:
    if wager is Wager.TRIPS_PLUS:
        if rules.both_hole_cards:
            return both_hole_cards_outcome(play.hole, deal.board)
        return category.key
    if wager is Wager.POCKET_BONUS:
        return pocket_outcome(play.hole)
    if wager is Wager.ALL_6:
        return all_6_outcome(play.hole, deal.all_6)
    rows = rules.paytables["progressive"].pays
    return progressive_outcome(play.hole, deal.board, category, rows)


def _line(
    rules: TableRules,
    wager: Wager,
    stake: int,
    pay: Pay,
    outcome: str,
    why: str,
    clause: str,
    basis: Basis = Basis.TO,
) -> Line:
    if pay.kind is PayKind.LOSS:
        return Line(wager, stake, Result.LOSE, -stake, outcome, why, clause, pay)
    if pay.kind is PayKind.PUSH:
        return Line(wager, stake, Result.PUSH, 0, outcome, why, clause, pay)
    kept = stake if basis is Basis.FOR else 0
    if pay.kind is PayKind.POOL:
        return Line(wager, stake, Result.WIN, -kept, outcome, why, clause, pay, kept > 0)
    exact = stake * pay.amount.numerator
    prize = _in_chips(exact, pay.amount.denominator, rules)
    breakage = exact // pay.amount.denominator - prize
    result = Result.WIN if exact else (Result.LOSE if kept else Result.PUSH)
    return Line(
        wager, stake, result, prize - kept, outcome, why, clause, pay, kept > 0, breakage=breakage
    )


def _in_chips(numerator: int, denominator: int, rules: TableRules) -> int:
    """numerator/denominator cents, rounded to whole chips as the table does (R18)."""
    unit = rules.chip_unit * denominator
    if rules.rounding == "up":
        return -(-numerator // unit) * rules.chip_unit
    if rules.rounding == "nearest":
        numerator += unit // 2  # halves go to the player
    return numerator // unit * rules.chip_unit


# The progressive pool.


def in_settlement_order(plays: Iterable[SeatPlay]) -> list[SeatPlay]:
    """Folders first, then raisers, each from the dealer's right (New York (e)(9)–(10), R97).

    Seats are numbered from the dealer's left, so the right is the highest number. A void hand
    that had neither raised nor folded is with the raisers.
    """
    return sorted(plays, key=lambda play: (not play.folded, -play.seat))


def pool_claims(seats: Sequence[SeatSettlement]) -> list[tuple[int, Line]]:
    """Lines that win a share of the pool, with their seat's index, in the order of settlement."""
    return [
        (i, line)
        for i, seat in enumerate(seats)
        for line in seat.lines
        if line.wager is Wager.PROGRESSIVE
        and line.pay is not None
        and line.pay.kind is PayKind.POOL
    ]


def _pay_pool(
    rules: TableRules, seats: list[SeatSettlement], meter: int | None
) -> tuple[list[SeatSettlement], int | None]:
    """Pay percentage awards from one snapshot of the pool; only these ever lower it (R75)."""
    claims = pool_claims(seats)
    if not claims:
        return seats, meter
    if meter is None:
        seat, line = seats[claims[0][0]].seat, claims[0][1]
        raise Refused(
            "missing_meter",
            f"meter: seat {seat} wins {line.pay.short if line.pay else ''} of the pool, "
            "so the meter's amount is needed",
        )
    shares = [line.pay.amount for _, line in claims if line.pay]
    if rules.bonus_jackpot:  # R82: the house's prize, paid to each winner; the figure stays posted
        awards = tuple(split_awards(meter, [share])[0][0] for share in shares)
        remaining = meter
    else:
        awards, remaining = split_awards(meter, shares, rules.sequential_awards)
    paid = list(seats)
    for (i, line), micros in zip(claims, awards, strict=True):
        award = micros // MICROS_PER_CENT
        won = replace(line, net=line.net + award, award=award)
        lines = tuple(won if other is line else other for other in paid[i].lines)
        paid[i] = paid[i]._replace(lines=lines)
    if 1 in shares and not rules.bonus_jackpot:
        remaining += rules.meter_seed  # R73: reset to the seed; the odd cent is carried over (R79)
    return paid, remaining


# Caps on what one round pays.

_CUT_ORDER = (Wager.ANTE, Wager.RAISE, Wager.ODDS, *SIDE_WAGERS)


def _capped_for_player(lines: tuple[Line, ...], rules: TableRules) -> tuple[Line, ...]:
    cap = rules.cap
    return lines if cap is None or cap.scope != "player" else _capped(lines, cap, cap.amount)


def _cappable(line: Line, cap: Cap) -> bool:
    """A winning line the cap covers; shares of the pool are never cut (R103)."""
    return (
        line.wager in cap.wagers
        and line.net > 0
        and line.pay is not None
        and line.pay.kind is PayKind.PAYS
        and line.pay.amount >= cap.spares_below
    )


def _capped(lines: tuple[Line, ...], cap: Cap, allowance: int) -> tuple[Line, ...]:
    """R101: pay Ante, Raise, then Odds until the allowance is used; record what is cut."""
    for line in sorted(lines, key=lambda line: _CUT_ORDER.index(line.wager)):
        if _cappable(line, cap):
            paid = min(line.net, allowance)
            allowance -= paid
            if paid < line.net:
                cut = replace(line, net=paid, shortfall=line.net - paid)
                lines = tuple(cut if other is line else other for other in lines)
    return lines


def _cap_table(cap: Cap, seats: list[SeatSettlement]) -> list[SeatSettlement]:
    """R102: a cap over the whole table is shared in proportion to what each seat won."""
    won = [sum(line.net for line in seat.lines if _cappable(line, cap)) for seat in seats]
    total = sum(won)
    if total <= cap.amount:
        return seats
    return [
        seat._replace(lines=_capped(seat.lines, cap, cap.amount * amount // total))
        for seat, amount in zip(seats, won, strict=True)
    ]
