"""Decides a round's commands: state + command → events, or a refusal that changes nothing."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import assert_never

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round import events, turned_over
from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealCards,
    DealFaceDown,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReadCards,
    ReportIrregularity,
    RoundCommand,
    TimeOut,
    TurnOver,
    WithdrawBets,
)
from headsup.game.round.corrections import correct_cards, correct_decision, correct_stakes
from headsup.game.round.dealing import deal_order, is_deck
from headsup.game.round.events import RoundEvent
from headsup.game.round.irregularities import report_irregularity
from headsup.game.round.stakes import accept_stakes, refuse_coupons, refuse_raise, sort_coupons
from headsup.game.round.state import EMPTY_DEAL, STREET_BY_PHASE, Phase, Round
from headsup.game.round.turned_over import Pool, RoundAnswer
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import try_settle
from headsup.game.values.money import Micros

# One hour: a player who is away longer has left.
_MAX_EXTENSION_SECONDS = 3600


# The player at each seat. Seats of the same player share one payout cap.
Players = Mapping[int, str]
NO_PLAYERS: Players = MappingProxyType({})


def decide(
    state: Round, command: RoundCommand, meter: Micros | None = None, players: Players = NO_PLAYERS
) -> RoundAnswer:
    """The events that follow from the command, or a refusal.

    Only settlement needs `meter`, the amount of the pool, and `players`.
    """
    answer = _decide(state, command, Pool(meter, players))
    if state.felt is None or isinstance(answer, Refusal):
        return answer
    return (*answer, *turned_over.follow_up(state, answer, Pool(meter, players)))


def _decide(state: Round, command: RoundCommand, pool: Pool) -> RoundAnswer:
    match command:
        case Check(seat):
            return _check(state, seat)
        case Raise(seat, multiple):
            return _raise(state, seat, multiple)
        case Fold(seat):
            return _fold(state, seat)
        case TimeOut(seat, waited):
            return _time_out(state, seat, waited)
        case ExtendTime(seat, seconds):
            return _extend(state, seat, seconds)
        case PlaceBets(seat, stakes, coupons):
            return _place(state, seat, stakes, coupons)
        case WithdrawBets(seat):
            return _withdraw(state, seat)
        case CloseBets():
            return _close(state)
        case DealCards(deck):
            return _deal(state, deck)
        case DealFaceDown():
            return turned_over.deal_face_down(state)
        case TurnOver(place, cards):
            return turned_over.turn_over(state, place, cards, pool)
        case ReadCards(place, cards):
            return turned_over.read_cards(state, place, cards)
        case CorrectCards():
            return correct_cards(state, command)
        case CorrectDecision():
            return correct_decision(state, command)
        case CorrectStakes():
            return correct_stakes(state, command)
        case Proceed():
            if state.felt is not None:
                return turned_over.proceed(state, pool)
            return _proceed(state, pool.meter, pool.players)
        case ReportIrregularity():
            return report_irregularity(state, command)
        case _:
            assert_never(command)


def legal_actions(state: Round, number: int) -> tuple[Check | Raise | Fold, ...]:
    """What this seat may decide now; empty if it is not its turn."""
    if state.phase not in STREET_BY_PHASE:  # the usual case: called for each seat on each event
        return ()
    street = _street_to_act(state, number)
    return (
        () if isinstance(street, Refusal) else _choices(number, street, state.rules.raises[street])
    )


@lru_cache(maxsize=1024)
def _choices(
    number: int, street: Street, multiples: tuple[int, ...]
) -> tuple[Check | Raise | Fold, ...]:
    raises = tuple(Raise(number, multiple) for multiple in multiples)
    return (*raises, Fold(number) if street is Street.RIVER else Check(number))


# Decisions.


def _street_to_act(state: Round, number: int) -> Street | Refusal:
    """The open street, if this seat may act on it now."""
    if number not in state.seats:
        return refusal(Code.NO_SUCH_SEAT, "no_wager", seat=number)
    street = STREET_BY_PHASE.get(state.phase)
    if street is None:
        return refusal(Code.WRONG_PHASE, "no_decision", where=f"seat {number}", phase=state.phase)
    if not state.seats[number].owes_decision:
        return refusal(Code.ALREADY_ACTED, seat=number)
    if state.clockwise and (first := state.seats_owing()[0]) != number:
        return refusal(Code.NOT_YOUR_TURN, where=f"seat {number}", first=first)
    return street


def _check(state: Round, seat: int) -> RoundAnswer:
    street = _street_to_act(state, seat)
    if isinstance(street, Refusal):
        return street
    if street is Street.RIVER:
        return refusal(Code.MUST_RAISE_OR_FOLD, seat=seat)
    return (events.Checked(seat, street),)


def _raise(state: Round, seat: int, multiple: int) -> RoundAnswer:
    street = _street_to_act(state, seat)
    if isinstance(street, Refusal):
        return street
    if refused := refuse_raise(state.rules, street, multiple):
        return refused.within(f"seat {seat}")
    return (events.Raised(seat, street, multiple),)


def _fold(state: Round, seat: int) -> RoundAnswer:
    street = _street_to_act(state, seat)
    if isinstance(street, Refusal):
        return street
    if street is not Street.RIVER:
        return refusal(Code.NO_EARLY_FOLD, seat=seat)
    return (events.Folded(seat),)


def _time_out(state: Round, seat: int, waited: int | None) -> RoundAnswer:
    street = _street_to_act(state, seat)
    if isinstance(street, Refusal):
        return street
    grace = state.rules.grace_seconds + state.seats[seat].extra_seconds
    if waited is not None and waited < grace:
        clause = state.rules.book.options["grace_seconds"].clause
        return refusal(Code.TOO_SOON, seat=seat, left=grace - waited, clause=clause)
    if street is Street.RIVER:
        return (events.Folded(seat, True, waited),)
    return (events.Checked(seat, street, True, waited),)


def _extend(state: Round, seat: int, seconds: int) -> RoundAnswer:
    street = _street_to_act(state, seat)
    if isinstance(street, Refusal):
        return street
    if not 0 < seconds <= _MAX_EXTENSION_SECONDS:
        maximum = _MAX_EXTENSION_SECONDS
        return refusal(Code.BAD_AMOUNT, "extension", where=f"seat {seat}", most=maximum)
    return (events.TimeExtended(seat, seconds),)


# Wagers and cards.


def _place(
    state: Round, number: int, stakes: Mapping[Wager, int], coupons: Mapping[Wager, int]
) -> RoundAnswer:
    where = f"seat {number}"
    if state.phase is not Phase.BETTING:
        return refusal(Code.WRONG_PHASE, "no_more_bets", where=where, phase=state.phase)
    seats = state.rules.book.seats
    if not 1 <= number <= seats:
        return refusal(Code.NO_SUCH_SEAT, "numbered", where=where, seats=seats)
    accepted = accept_stakes(state.rules, stakes)
    if isinstance(accepted, Refusal):
        return accepted.within(where)
    if refused := refuse_coupons(state.rules, stakes, coupons):
        return refused.within(where)
    return (events.BetsPlaced(number, accepted, sort_coupons(coupons)),)


def _withdraw(state: Round, seat: int) -> RoundAnswer:
    if state.phase is not Phase.BETTING:
        return refusal(Code.WRONG_PHASE, "wagers_stand", phase=state.phase)
    if seat not in state.seats:
        return refusal(Code.NO_SUCH_SEAT, "no_wager", seat=seat)
    return (events.BetsWithdrawn(seat),)


def _close(state: Round) -> RoundAnswer:
    if state.phase is not Phase.BETTING:
        return refusal(Code.WRONG_PHASE, "bets_closed", phase=state.phase)
    return (events.BetsClosed(),) if state.seats else refusal(Code.NO_WAGERS)


def _deal(state: Round, deck: tuple[int, ...]) -> RoundAnswer:
    if state.felt is not None:
        return refusal(Code.BAD_DECK, "face_down")
    if state.phase is not Phase.NO_MORE_BETS:
        return refusal(Code.WRONG_PHASE, "before_the_deal", phase=state.phase)
    if not is_deck(deck):
        return refusal(Code.BAD_DECK)
    order = deal_order(state.rules.dealing, state.dealt_seats(), state.rules.offers(Wager.ALL_6))
    return (events.CardsDealt(tuple(deck), order),)


# The dealer.


def _proceed(state: Round, meter: Micros | None, players: Players) -> RoundAnswer:
    board = state.deal.board
    match state.phase:
        case Phase.BETTING if not state.seats:
            return (events.RoundClosed(),)  # nobody has wagered
        case Phase.FLOP_DUE:
            return (events.FlopRevealed(board[:3]),)
        case Phase.RIVER_DUE:
            return (events.TurnAndRiverRevealed(board[3:]),)
        case Phase.REVEAL_DUE:
            return (events.DealerRevealed(state.deal.dealer),)
        case Phase.SETTLEMENT_DUE:
            return _settle(state, meter, players)
        case Phase.RESOLVING:
            return (events.HandResolved(state.unresolved_seats()[0]),)
        case Phase.SETTLED:
            return (events.RoundClosed(state.pick_up_order()),)
        case _:
            return refusal(Code.NOTHING_DUE, phase=state.phase)


def _settle(state: Round, meter: Micros | None, players: Players) -> RoundAnswer:
    settles_on_board = state.void is not None and any(
        wager in seat.stakes
        for seat in state.seats.values()
        if seat.void is not None
        for wager in seat.void.settles
    )
    shown: tuple[RoundEvent, ...] = ()
    board_done = state.board_shown == 5
    if settles_on_board and state.dealt and not board_done:
        shown = (events.BoardCompleted(state.deal.board[state.board_shown :]),)
        board_done = True
    deal = state.deal if board_done else EMPTY_DEAL
    settlement = try_settle(state.rules, deal, state.seat_plays(players), meter)
    if isinstance(settlement, Refusal):  # a share of the pool was won, but `meter` is missing
        return settlement
    return (*shown, events.RoundSettled(settlement))
