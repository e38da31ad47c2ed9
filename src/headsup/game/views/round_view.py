"""Builds the view of a round and of its seats."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias, assert_never

from headsup.game.round.dealing import ALL_6, seat_place
from headsup.game.round.decision import (
    HAS_CHECKED,
    Decision,
    HasChecked,
    HasFolded,
    HasRaised,
    Undecided,
)
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round, Seat
from headsup.game.rulebook.model import Dealing, IrregularityRule
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Result, SeatResult, Street, Wager
from headsup.game.settlement import Line, SeatSettlement, Settlement
from headsup.game.values.cards import Cards
from headsup.game.values.draws import draws
from headsup.game.values.hands import best_five, category_of, hand_name, showdown_names, strength
from headsup.game.values.identity_cache import IdentityCache
from headsup.game.values.money import Cents
from headsup.game.views.model import (
    Gesture,
    HandView,
    HiddenDecision,
    LastHand,
    LastRound,
    LineView,
    OwedDecision,
    RaiseAmount,
    ResultView,
    RoundView,
    SeatView,
    VisibleDecision,
    VoidView,
)

_STREETS, _PHASES = tuple(Street), tuple(Phase)  # in playing order


def own_seat_view(round: Round, seat: int) -> SeatView | None:
    """The seat as its own player sees it, which is more than others see; None without a wager."""
    return _cached_seat_view(round, seat, round.seats[seat], seat) if seat in round.seats else None


def with_own_seat(shared: RoundView, seat: int, hand: SeatView) -> RoundView:
    return replace(shared, seats={**shared.seats, seat: hand})


def round_view(round: Round) -> RoundView:
    """The round as everyone sees it."""
    return build_round_view(
        round, {number: seat_view(round, number) for number in sorted(round.seats)}
    )


def build_round_view(round: Round, hands: Mapping[int, SeatView]) -> RoundView:
    """Build the round's view from these seat views.

    A hand's result is shown once the hand is resolved (New York (e)(9)–(10)).
    """
    settlement = round.settlement
    announced = settlement is not None and round.dealer_shown
    dealer = dealer_hand(round)
    return RoundView(
        number=round.number,
        phase=round.phase,
        board=round.deal.board[: round.board_shown],
        board_down=_face_down_count(round),
        dealer=round.deal.dealer if round.dealer_shown else (),
        all_6=round.deal.all_6 if _shows_all_6(round) else (),
        void=round.void.cause if round.void else None,
        voided=_void(round.void),
        seats=hands,
        results=results_of(round),
        dealer_category=dealer.category if dealer else None,
        dealer_qualifies=settlement.dealer_qualifies if settlement and announced else None,
        dealer_hand=dealer,
    )


def dealer_hand(round: Round) -> HandView | None:
    """The dealer's hand, with every kicker that decided against a hand turned up so far."""
    settlement = round.settlement
    if settlement is None or not round.dealer_shown:
        return None
    hand = _hand(settlement.dealer_strength, round.deal.dealer, round.deal.board)
    if hand is None:
        return None
    shown = (number for number in round.resolved if _is_turned_up(round, number))
    names = (_showdown_names(round, settlement, number)[1] for number in shown)
    return replace(hand, name=max(names, key=len, default=hand.name))


def results_of(round: Round) -> Mapping[int, ResultView] | None:
    """The results of resolved hands, in the order in which they were resolved."""
    settlement = round.settlement
    if settlement is None:
        return None
    return {number: result_view(settlement.seat(number)) for number in round.resolved}


def seat_view(round: Round, number: int) -> SeatView:
    """The seat as everyone sees it."""
    return _cached_seat_view(round, number, round.seats[number], None)


def last_round(round: Round | None) -> LastRound | None:
    """The results of a finished round for the display; None for a void round."""
    if round is None or round.void is not None or round.settlement is None:
        return None
    if round.phase not in (Phase.SETTLED, Phase.CLOSED):
        return None
    settlement = round.settlement
    dealer = _hand(settlement.dealer_strength, round.deal.dealer, round.deal.board)
    if dealer is None:
        return None
    resolved = (_last_hand(round, number) for number in round.resolved)
    hands = tuple(hand for hand in resolved if hand is not None)
    return LastRound(round.number, dealer.category, settlement.dealer_qualifies, hands)


def _last_hand(round: Round, number: int) -> LastHand | None:
    hand = _announced_hand(round, number, round.seats[number].hole)
    if hand is None or round.settlement is None:
        return None
    settled = round.settlement.seat(number)
    award = sum(line.award for line in settled.lines)
    return LastHand(number, hand.category, settled.result, award)


def _face_down_count(round: Round) -> int:
    """Board cards lying face down: none if the dealer deals them by hand as needed (R20)."""
    at_once = round.rules.dealing != Dealing.HAND or round.rules.board == "at_once"
    return 5 - round.board_shown if at_once and round.dealt and round.settlement is None else 0


def _shows_all_6(round: Round) -> bool:
    """The All 6 cards are turned up for the settlement, those of a real deck when they are told."""
    if round.felt is not None:
        return ALL_6 in round.felt.turned
    return round.settlement is not None and not round.void


def _void(rule: IrregularityRule | None) -> VoidView | None:
    if rule is None:
        return None
    return VoidView(rule.cause, rule.clause, rule.house_rule, rule.settles)


def _cached_seat_view(round: Round, number: int, seat: Seat, viewer: int | None) -> SeatView:
    """The seat's view, cached for as long as the seat and what may be seen of it stay the same."""
    turned_up, decision = _is_turned_up(round, number), _decision(round, number, seat, viewer)
    shows_hole = may_see_hole(round, number, viewer)
    # The cards of a real deck are on the felt, where their player looks at them.
    reads = viewer == number and round.felt is None
    board = round.deal.board[: round.board_shown] if reads else ()
    views, visibility = _SEAT_VIEWS(seat), (shows_hole, type(decision), turned_up, board)
    if (view := views.get(visibility)) is None:
        view = views[visibility] = _build_seat_view(
            round, number, seat, shows_hole, decision, turned_up, board
        )
    return view


# What a viewer may see of a seat: whether its cards, what kind of decision, whether the hand is
# turned up, and the board cards that the player's own hand is read with.
_Visibility: TypeAlias = tuple[bool, type[VisibleDecision], bool, Cards]
_SEAT_VIEWS: IdentityCache[Seat, dict[_Visibility, SeatView]] = IdentityCache(lambda _: {})


def _build_seat_view(
    round: Round,
    number: int,
    seat: Seat,
    shows_hole: bool,
    decision: VisibleDecision,
    turned_up: bool,
    board: Cards,
) -> SeatView:
    return SeatView(
        stakes=seat.stakes,
        coupons=seat.coupons,
        hole=seat.hole if shows_hole else (),
        decision=decision,
        void=seat.void.cause if seat.void else None,
        voided=_void(seat.void),
        raises=_raises(round.rules, seat.stakes[Wager.ANTE]),
        grace_seconds=round.rules.grace_seconds + seat.extra_seconds,
        hand=_announced_hand(round, number, seat.hole) if shows_hole and turned_up else None,
        reads=_hand_so_far(seat.hole, board) if board else None,
        draws=draws(seat.hole, board),
    )


def may_see_hole(round: Round, number: int, viewer: int | None) -> bool:
    """The viewer's own cards, cards dealt face up, and hands turned up when resolved.

    Of a real deck, the server shows only the hands that were turned over.
    """
    if round.felt is not None:
        return seat_place(number) in round.felt.turned
    return viewer == number or round.rules.face_up or _is_turned_up(round, number)


def _is_turned_up(round: Round, number: int) -> bool:
    """Whether the dealer has turned up the hand, which happens only if a wager depends on it.

    That is a raised hand, or a folded or void one with a side wager to settle
    (New York (e)(9)–(10), (j)(2)).
    """
    if round.felt is not None:
        is_settled = round.settlement is not None and round.settlement.has_seat(number)
        return is_settled and seat_place(number) in round.felt.turned
    if number not in round.resolved or round.settlement is None:
        return False
    lines = round.settlement.seat(number).lines
    return any(line.result is not Result.VOID and line.outcome != "fold" for line in lines)


def _announced_hand(round: Round, number: int, hole: Cards) -> HandView | None:
    """The best five cards of a hand that is turned up and resolved (New York (e)(10))."""
    if not _is_turned_up(round, number) or round.settlement is None:
        return None
    rank = round.settlement.seat(number).strength
    if not rank:
        return None
    name, _ = _showdown_names(round, round.settlement, number)
    return HandView(category_of(rank), name, best_five((*hole, *round.deal.board)))


def _showdown_names(round: Round, settlement: Settlement, number: int) -> tuple[str, str]:
    """The names of the seat's and the dealer's hand: unlike, if they were compared and differ."""
    hands = settlement.seat(number).strength, settlement.dealer_strength
    if all(hands) and isinstance(round.seats[number].decision, HasRaised):
        return showdown_names(*hands)
    return hand_name(hands[0]), hand_name(hands[1])


def _hand_so_far(hole: Cards, board: Cards) -> HandView | None:
    """The player's own hand with the open board."""
    return _hand(strength((*hole, *board)), hole, board) if hole else None


def _hand(rank: int, hole: Cards, board: Cards) -> HandView | None:
    """The hand of this strength; None if a void round ended before all cards were shown."""
    if not rank:
        return None
    return HandView(category_of(rank), hand_name(rank), best_five((*hole, *board)))


def _decision(round: Round, number: int, seat: Seat, viewer: int | None) -> VisibleDecision:
    if not may_see_decision(round, number, viewer):
        return HiddenDecision()
    match seat.decision:
        case HasRaised() | HasFolded() | HasChecked():
            return seat.decision
        case Undecided():
            return (
                OwedDecision()
                if round.phase in STREET_BY_PHASE and seat.owes_decision
                else seat.decision
            )
        case _:
            assert_never(seat.decision)


def may_see_decision(round: Round, number: int, viewer: int | None) -> bool:
    """Where all act at once, others' decisions on the open street are hidden (R34)."""
    street = STREET_BY_PHASE.get(round.phase)
    decision = round.seats[number].decision
    raised_earlier = isinstance(decision, HasRaised) and decision.street is not street
    return viewer == number or round.clockwise or street is None or raised_earlier


def decisions_on(round: Round, street: Street) -> dict[int, Decision]:
    """The decisions on a closed street, if they were hidden while it was open (R34)."""
    is_closed = _PHASES.index(round.phase) > _PHASES.index(Phase(street.value))
    if round.clockwise or not is_closed:
        return {}
    seats = sorted(round.seats.items())
    decisions = ((number, _decision_on(seat, street)) for number, seat in seats)
    return {number: decision for number, decision in decisions if decision is not None}


def _decision_on(seat: Seat, street: Street) -> Decision | None:
    """The seat's decision on this street; None if it had none to make or was void before."""
    match seat.decision:
        case HasRaised(raised_on):
            is_earlier = _STREETS.index(raised_on) < _STREETS.index(street)
            return None if is_earlier else seat.decision if raised_on is street else HAS_CHECKED
        case HasFolded() if street is Street.RIVER:
            return seat.decision
        case HasFolded() | HasChecked() | Undecided():
            return HAS_CHECKED if seat.void is None and street is not Street.RIVER else None
        case _:
            assert_never(seat.decision)


@lru_cache(maxsize=4096)  # equal Antes share one object, whose JSON is then cached
def _raises(rules: TableRules, ante: Cents) -> tuple[RaiseAmount, ...]:
    return tuple(
        RaiseAmount(street, multiple, multiple * ante)
        for street in Street
        for multiple in rules.raises[street]
    )


@IdentityCache
def result_view(seat: SeatSettlement) -> ResultView:
    beaten = seat.result is SeatResult.LOSE
    lines = {line.wager: _line(line, beaten) for line in seat.lines}
    return ResultView(seat.result, seat.net, lines)


def _paytable_key(wager: Wager, beaten: bool) -> str | None:
    """The paytable of a wager; losing Odds are paid by the Bad Beat table."""
    match wager:
        case Wager.ANTE | Wager.RAISE:
            return None
        case Wager.ODDS:
            return "bad_beat" if beaten else "odds"
        case Wager.TRIPS_PLUS | Wager.POCKET_BONUS | Wager.ALL_6 | Wager.PROGRESSIVE:
            return wager.value
        case _:
            assert_never(wager)


def _line(line: Line, beaten: bool) -> LineView:
    return LineView(
        line.stake,
        line.result,
        line.net,
        line.why,
        line.clause,
        line.pay,
        line.award,
        line.shortfall,
        _gesture(line),
        line.outcome,
        _paytable_key(line.wager, beaten),
    )


def _gesture(line: Line) -> Gesture | None:
    """An Ante that pushes because the dealer does not qualify is pushed back to the player.

    For other pushes the dealer taps the felt beside the wager (Galaxy 11(a), R50).
    """
    if line.result is not Result.PUSH:
        return None
    return Gesture.PUSHED_BACK if line.outcome == "not_qualified" else Gesture.TAPPED
