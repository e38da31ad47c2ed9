"""Applies events to a round: state + event → state. Nothing is refused here: it has happened."""

from typing import assert_never

from headsup.game.round.dealing import deal_cards
from headsup.game.round.decision import HAS_CHECKED, HAS_FOLDED, UNDECIDED, Decision, raise_decision
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    BoardCompleted,
    CardsDealt,
    Checked,
    DealerRevealed,
    DecisionReopened,
    FlopRevealed,
    Folded,
    HandResolved,
    HandVoided,
    IrregularityReported,
    Raised,
    RoundClosed,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    TimeExtended,
    TurnAndRiverRevealed,
)
from headsup.game.round.irregularities import irregularity_rule
from headsup.game.round.state import Phase, Round, Seat
from headsup.game.rulebook.model import Cause, Resolution

_NEXT_PHASE = {
    Phase.POCKET: Phase.FLOP_DUE,
    Phase.FLOP: Phase.RIVER_DUE,
    Phase.RIVER: Phase.REVEAL_DUE,
}


_REOPENED_PHASE = {due: street for street, due in _NEXT_PHASE.items()}


def evolve(state: Round, event: RoundEvent) -> Round:
    match event:
        case Checked(seat, _, auto):
            return _update_seat(state, seat, _with_decision(state.seats[seat], HAS_CHECKED, auto))
        case Raised(seat, street, multiple):
            return _update_seat(
                state, seat, _with_decision(state.seats[seat], raise_decision(street, multiple))
            )
        case Folded(seat, auto):
            return _update_seat(state, seat, _with_decision(state.seats[seat], HAS_FOLDED, auto))
        case TimeExtended(seat, seconds):
            before = state.seats[seat]
            extended = before._replace(extra_seconds=before.extra_seconds + seconds)
            return state._replace(seats={**state.seats, seat: extended})
        case BetsPlaced(seat, stakes, coupons):
            return state.with_seats(
                {**state.seats, seat: Seat(stakes, coupons=coupons)}, state.phase
            )
        case BetsWithdrawn(seat):
            seats = {number: other for number, other in state.seats.items() if number != seat}
            return state._replace(seats=seats)
        case BetsClosed():
            return state.with_seats(state.seats, Phase.NO_MORE_BETS)
        case CardsDealt(deck, places):
            return _deal(state, deck, places)
        case FlopRevealed():
            return _open_street(state._replace(board_shown=3, board_seen=False), Phase.FLOP)
        case TurnAndRiverRevealed():
            return _open_street(state._replace(board_shown=5, board_seen=False), Phase.RIVER)
        case DealerRevealed():
            return state._replace(dealer_shown=True, phase=Phase.SETTLEMENT_DUE)
        case IrregularityReported(cause, _, resolution):
            # What the report leads to follows in further events, except that a card was seen.
            is_seen = cause is Cause.EARLY_BOARD_CARD and resolution is Resolution.PLAY_ON
            return state._replace(board_seen=True) if is_seen else state
        case HandVoided(seat, cause):
            return _update_seat(
                state, seat, state.seats[seat]._replace(void=irregularity_rule(state, cause))
            )
        case RoundVoided(cause):
            return _void_round(state, cause)
        case DecisionReopened(seat):
            return _reopen_decision(state, seat)
        case BoardCompleted():
            return state._replace(board_shown=5)
        case RoundSettled(settlement):
            return state._replace(settlement=settlement, phase=Phase.RESOLVING)
        case HandResolved(seat):
            return _resolve_hand(state, seat)
        case RoundClosed():
            return state.with_seats(state.seats, Phase.CLOSED)
        case _:
            assert_never(event)


def _deal(state: Round, deck: tuple[int, ...], places: tuple[str, ...]) -> Round:
    deal, holes = deal_cards(deck, places)
    seats = {number: seat._replace(hole=holes[number]) for number, seat in state.seats.items()}
    return state._replace(phase=Phase.POCKET, deck=deck, places=places, deal=deal, seats=seats)


def _with_decision(seat: Seat, decision: Decision, auto: bool = False) -> Seat:
    stakes, hole, _, was_auto, void, _, coupons = seat
    return tuple.__new__(Seat, (stakes, hole, decision, was_auto or auto, void, 0, coupons))


def _update_seat(state: Round, number: int, seat: Seat) -> Round:
    """Replace a seat; the street closes when no seat has to act any more."""
    seats = {**state.seats, number: seat}
    phase = state.phase
    if phase in _NEXT_PHASE and not _has_seat_to_act(seats):
        phase = _NEXT_PHASE[phase]
    return state.with_seats(seats, phase)


def _has_seat_to_act(seats: dict[int, Seat]) -> bool:
    # The last seat is the most likely to owe a decision, so the search starts there.
    for seat in reversed(seats.values()):  # noqa: SIM110 - `any` costs twice as much
        if seat.owes_decision:
            return True
    return False


def _open_street(state: Round, phase: Phase) -> Round:
    """Open a street, or skip it if no seat has a decision left."""
    seats = {
        number: seat._replace(decision=UNDECIDED) if seat.can_still_decide else seat
        for number, seat in state.seats.items()
    }
    if not _has_seat_to_act(seats):
        phase = _NEXT_PHASE[phase]
    return state.with_seats(seats, phase)


def _resolve_hand(state: Round, seat: int) -> Round:
    resolved = (*state.resolved, seat)
    phase = state.phase if len(resolved) < len(state.seats) else Phase.SETTLED
    return state.with_resolved(resolved, phase)


def _void_round(state: Round, cause: Cause) -> Round:
    """Void every hand; one that is void already keeps its cause."""
    rule = irregularity_rule(state, cause)
    seats = {
        number: seat if seat.void else seat._replace(void=rule)
        for number, seat in state.seats.items()
    }
    return state._replace(void=rule, seats=seats, phase=Phase.SETTLEMENT_DUE)


def _reopen_decision(state: Round, number: int) -> Round:
    """The seat decides again, on the street where its decision was recorded."""
    seats = {**state.seats, number: state.seats[number]._replace(decision=UNDECIDED)}
    return state.with_seats(seats, _REOPENED_PHASE.get(state.phase, state.phase))
