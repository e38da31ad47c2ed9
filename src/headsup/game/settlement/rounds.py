"""A whole round, seat by seat in the order of settlement."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from headsup.game.refusal import Refusal, Refused
from headsup.game.round.decision import UNDECIDED, HasFolded
from headsup.game.rulebook.model import IrregularityRule
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Comparison, Result, Wager
from headsup.game.settlement.caps import apply_cap
from headsup.game.settlement.lines import mark_coupons
from headsup.game.settlement.main_wagers import main_lines
from headsup.game.settlement.model import Deal, Line, SeatPlay, SeatSettlement, Settlement
from headsup.game.settlement.progressive import pay_pool
from headsup.game.settlement.side_wagers import side_lines
from headsup.game.values.hands import category_of, strength
from headsup.game.values.money import Micros

_COMPARISONS = tuple(Comparison)
_SEAT = attrgetter("seat")


def settle(
    rules: TableRules, deal: Deal, plays: Sequence[SeatPlay], meter: Micros | None = None
) -> Settlement:
    """As `try_settle`; a share of a pool that was not given is refused."""
    settlement = try_settle(rules, deal, plays, meter)
    if isinstance(settlement, Refusal):
        raise Refused.of(settlement)
    return settlement


def try_settle(
    rules: TableRules, deal: Deal, plays: Sequence[SeatPlay], meter: Micros | None = None
) -> Settlement | Refusal:
    """Settle a finished round. `meter` is the pool with this round's wagers counted (R72).

    Contributions, and taking them back for a void wager, are the table's business (R94).
    """
    dealer = _strength(deal.dealer, deal.board)
    qualifies = dealer >= rules.qualifier_strength
    plays = sort_for_settlement(plays)
    seats = [_settle_seat(rules, deal, play, dealer, qualifies) for play in plays]
    shared = pay_pool(rules, seats, meter)
    if isinstance(shared, Refusal):
        return shared
    seats, after = shared
    return Settlement(dealer, qualifies, tuple(apply_cap(rules, plays, seats)), meter, after)


def sort_for_settlement(plays: Iterable[SeatPlay]) -> list[SeatPlay]:
    """Folders first, then raisers, each from the dealer's right (New York (e)(9)–(10), R97).

    Seats are numbered from the dealer's left, so the right is the highest number. A void hand
    that had neither raised nor folded is with the raisers.
    """
    from_the_right = sorted(plays, key=_SEAT, reverse=True)
    folders = [play for play in from_the_right if type(play.decision) is HasFolded]
    return folders + [play for play in from_the_right if type(play.decision) is not HasFolded]


def _strength(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Zero where a voided round never came to all its cards."""
    return strength(hole + board) if len(hole) == 2 and len(board) == 5 else 0


def _settle_seat(
    rules: TableRules, deal: Deal, play: SeatPlay, dealer: int, qualifies: bool
) -> SeatSettlement:
    own = _strength(play.hole, deal.board)
    if play.void is not None:
        lines = _void_lines(rules, deal, play, play.void, own)
        return SeatSettlement(play.seat, own, mark_coupons(lines, play.coupons))
    comparison = _COMPARISONS[(own > dealer) - (own < dealer) + 1]
    category = category_of(own)
    stakes = play.stakes
    main = main_lines(rules, stakes[Wager.ANTE], play.multiple, category, comparison, qualifies)
    sides = side_lines(rules, deal, play, category)
    if rules.trips_plus_before_main and Wager.TRIPS_PLUS in stakes:
        lines = (sides[0], *main, *sides[1:])  # a house procedure; the money is the same (R55)
    else:
        lines = (*main, *sides)
    return SeatSettlement(play.seat, own, mark_coupons(lines, play.coupons))


def _void_lines(
    rules: TableRules, deal: Deal, play: SeatPlay, void: IrregularityRule, own: int
) -> tuple[Line, ...]:
    """R90–R94: a void returns every stake, but settles what the rule book says it still does."""
    stakes = dict(play.stakes)
    if play.multiple:
        stakes[Wager.RAISE] = play.stakes[Wager.ANTE] * play.multiple
    why = f"returned: {void.cause.words}" + (", a house rule" if void.house_rule else "")
    still = void.settles if len(deal.board) == 5 else ()
    unfolded = play._replace(decision=UNDECIDED)  # all hands are void: a fold is undone too (R92)
    settled = {wager: stakes[wager] for wager in still if wager in stakes}
    sides = side_lines(rules, deal, unfolded._replace(stakes=settled), category_of(own))
    by_wager = {line.wager: line for line in sides}
    return tuple(
        by_wager.get(wager)
        or Line(wager, stake, Result.VOID, 0, Outcome.VOID, why, void.clause, cause=void.cause)
        for wager, stake in stakes.items()
    )
