"""Settles a whole round, seat by seat in the dealer's order."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from headsup.game.refusal import Refusal, Refused
from headsup.game.round.decision import UNDECIDED, HasFolded
from headsup.game.rulebook.model import IrregularityRule, SettlementOrder
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Comparison, Result, Wager
from headsup.game.settlement.caps import apply_cap
from headsup.game.settlement.cards_needed import refuse_unknown_cards
from headsup.game.settlement.lines import mark_coupons
from headsup.game.settlement.main_wagers import main_lines
from headsup.game.settlement.model import Deal, Line, SeatPlay, SeatSettlement, Settlement
from headsup.game.settlement.progressive import pay_pool
from headsup.game.settlement.side_wagers import side_lines
from headsup.game.values.hands import category_of
from headsup.game.values.hands import strength as hand_strength
from headsup.game.values.money import Micros

_COMPARISONS = tuple(Comparison)
_SEAT = attrgetter("seat")


def settle(
    rules: TableRules, deal: Deal, plays: Sequence[SeatPlay], meter: Micros | None = None
) -> Settlement:
    """Like `try_settle`, but raises `Refused`."""
    settlement = try_settle(rules, deal, plays, meter)
    if isinstance(settlement, Refusal):
        raise Refused.of(settlement)
    return settlement


def try_settle(
    rules: TableRules, deal: Deal, plays: Sequence[SeatPlay], meter: Micros | None = None
) -> Settlement | Refusal:
    """Settle a finished round. `meter` is the pool including this round's contributions (R72).

    It is refused if a wager rests on an unknown card, or if a seat wins a share of the pool and no
    meter is given. Contributions, and reversing them for void wagers, are up to the table (R94).
    """
    for play in plays:
        if refused := refuse_unknown_cards(rules, deal, play):
            return refused
    dealer = dealer_hand(rules, deal)
    plays = sort_for_settlement(rules, plays, dealer.qualifies)
    seats = [settle_seat(rules, deal, play, dealer) for play in plays]
    paid = pay_pool(rules, seats, meter)
    if isinstance(paid, Refusal):
        return paid
    seats, meter_after = paid
    capped = tuple(apply_cap(rules, plays, seats))
    return Settlement(*dealer, capped, meter, meter_after)


def sort_for_settlement(
    rules: TableRules, plays: Iterable[SeatPlay], qualifies: bool | None
) -> list[SeatPlay]:
    """Folders first, then raisers, each from the dealer's right (New York (e)(9)–(10), R97).

    In New York raisers come first when the dealer does not qualify ((e)(8)). Seats are numbered
    from the dealer's left, so the rightmost has the highest number. A void hand that neither raised
    nor folded comes with the raisers. A round whose hands are all void has no dealer's hand to go
    by: folders come first.
    """
    from_the_right = sorted(plays, key=_SEAT, reverse=True)
    folders = [play for play in from_the_right if type(play.decision) is HasFolded]
    raisers = [play for play in from_the_right if type(play.decision) is not HasFolded]
    by_hand = rules.book.settlement_order is SettlementOrder.BY_DEALERS_HAND
    if by_hand and qualifies is False and any(play.void is None for play in from_the_right):
        return raisers + folders
    return folders + raisers


def _strength(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """The hand's strength; 0 if not all seven cards are known."""
    return hand_strength(hole + board) if len(hole) == 2 and len(board) == 5 else 0


class DealerHand(NamedTuple):
    strength: int  # 0 if the round was voided before all cards were known
    qualifies: bool | None  # None if the rules ask for no hand, or if the dealer has none


def dealer_hand(rules: TableRules, deal: Deal) -> DealerHand:
    strength = _strength(deal.dealer, deal.board)
    if not rules.qualifier_strength or not strength:
        return DealerHand(strength, None)
    return DealerHand(strength, strength >= rules.qualifier_strength)


def settle_seat(
    rules: TableRules, deal: Deal, play: SeatPlay, dealer: DealerHand
) -> SeatSettlement:
    """Settle one hand, without shares of the pool and without the cap."""
    dealer_strength, qualifies = dealer
    strength = _strength(play.hole, deal.board)
    if play.void is not None:
        lines = _void_lines(rules, deal, play, play.void, strength)
        return SeatSettlement(play.seat, strength, mark_coupons(lines, play.coupons))
    comparison = _COMPARISONS[(strength > dealer_strength) - (strength < dealer_strength) + 1]
    category = category_of(strength)
    stakes = play.stakes
    main = main_lines(
        rules, stakes[Wager.ANTE], play.multiple, category, comparison, qualifies is not False
    )
    sides = side_lines(rules, deal, play, category)
    if rules.trips_plus_before_main and Wager.TRIPS_PLUS in stakes:
        lines = (sides[0], *main, *sides[1:])  # only the order differs, not the money (R55)
    else:
        lines = (*main, *sides)
    return SeatSettlement(play.seat, strength, mark_coupons(lines, play.coupons))


def void_hand(rules: TableRules, deal: Deal, play: SeatPlay) -> SeatSettlement:
    """Settle a void hand on its own."""
    return settle_seat(rules, deal, play, DealerHand(0, None))


def _void_lines(
    rules: TableRules, deal: Deal, play: SeatPlay, void: IrregularityRule, strength: int
) -> tuple[Line, ...]:
    """R90–R94: a void returns every stake except those the rule book still settles."""
    stakes = dict(play.stakes)
    if play.multiple:
        stakes[Wager.RAISE] = play.stakes[Wager.ANTE] * play.multiple
    why = f"returned: {void.cause.words}" + (", a house rule" if void.house_rule else "")
    unfolded = play._replace(decision=UNDECIDED)  # a void also undoes a fold (R92)
    settled = {wager: stakes[wager] for wager in void.settles if wager in stakes}
    sides = side_lines(rules, deal, unfolded._replace(stakes=settled), category_of(strength))
    by_wager = {line.wager: line for line in sides}
    return tuple(
        by_wager.get(wager)
        or Line(wager, stake, Result.VOID, 0, Outcome.VOID, why, void.clause, cause=void.cause)
        for wager, stake in stakes.items()
    )
