"""state + command → events, or a refusal without effect."""

from typing import assert_never

from headsup.game.dealing import is_deck, places
from headsup.game.refusal import Refusal, Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReportIrregularity,
    RoundCommand,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    BoardCompleted,
    CardsDealt,
    Checked,
    DealerRevealed,
    FlopRevealed,
    Folded,
    Raised,
    RoundClosed,
    RoundEvent,
    RoundSettled,
    TurnAndRiverRevealed,
)
from headsup.game.round.irregular import report
from headsup.game.round.state import NO_CARDS, STREETS, Phase, Round, Seat
from headsup.game.settlement import settle
from headsup.game.stakes import check_raise, check_stakes
from headsup.game.wagers import WAGERS, Street, Wager

Decision = tuple[RoundEvent, ...] | Refusal


def decide(state: Round, command: RoundCommand, meter: int | None = None) -> Decision:
    """What follows from the command. `meter` is the pool in micros, needed at settlement."""
    try:
        return decided(state, command, meter)
    except Refused as refused:
        return Refusal(refused.code, refused.message)


def decided(state: Round, command: RoundCommand, meter: int | None) -> tuple[RoundEvent, ...]:
    """As `decide`, but a refusal is raised."""
    match command:
        case Check(seat):
            street = _turn(state, seat)
            if street is Street.RIVER:
                raise Refused("must_raise_or_fold", f"seat {seat} must raise or fold on the river")
            return (Checked(seat, street),)
        case Raise(seat, multiple):
            street = _turn(state, seat)
            check_raise(state.rules, street, multiple, f"seat {seat}")
            return (Raised(seat, street, multiple),)
        case Fold(seat):
            if _turn(state, seat) is not Street.RIVER:
                raise Refused("no_early_fold", f"seat {seat} may fold only on the river")
            return (Folded(seat),)
        case TimeOut(seat):
            street = _turn(state, seat)
            late = Folded(seat, True) if street is Street.RIVER else Checked(seat, street, True)
            return (late,)
        case PlaceBets(seat, stakes):
            return _place(state, seat, dict(stakes))
        case WithdrawBets(seat):
            _in_phase(state, Phase.BETTING, "wagers stand once bets are closed")
            _seated(state, seat)
            return (BetsWithdrawn(seat),)
        case CloseBets():
            return _close(state)
        case DealCards(deck):
            return _deal(state, deck)
        case Proceed():
            return _proceed(state, meter)
        case ReportIrregularity():
            return report(state, command)
        case _:
            assert_never(command)


def legal(state: Round, number: int) -> tuple[Check | Raise | Fold, ...]:
    """What this seat may decide at this moment; empty when it is not its turn."""
    try:
        street = _turn(state, number)
    except Refused:
        return ()
    raises = tuple(Raise(number, multiple) for multiple in state.rules.raises[street])
    return (*raises, Fold(number) if street is Street.RIVER else Check(number))


def _seated(state: Round, number: int) -> Seat:
    if number not in state.seats:
        raise Refused("no_such_seat", f"seat {number} has no wager in this round")
    return state.seats[number]


def _in_phase(state: Round, phase: Phase, otherwise: str) -> None:
    if state.phase is not phase:
        raise Refused("wrong_phase", f"{otherwise} (the round is at {state.phase.value})")


def _turn(state: Round, number: int) -> Street:
    """The open street, if this seat may act on it now."""
    seat = _seated(state, number)
    street = STREETS.get(state.phase)
    if street is None:
        raise Refused(
            "wrong_phase", f"seat {number}: no decision is open (the round is at {state.phase})"
        )
    if not seat.owes:
        raise Refused("already_acted", f"seat {number} has no decision to make on this street")
    if state.clockwise and state.owing()[0] != number:
        raise Refused("not_your_turn", f"seat {number}: seat {state.owing()[0]} acts first")
    return street


def _place(state: Round, number: int, stakes: dict[Wager, int]) -> tuple[RoundEvent, ...]:
    _in_phase(state, Phase.BETTING, f"seat {number}: no more bets")
    if not 1 <= number <= state.rules.book.seats:
        raise Refused(
            "no_such_seat", f"seat {number}: seats are numbered 1 to {state.rules.book.seats}"
        )
    if not set(map(type, stakes.values())) <= {int}:
        raise Refused("bad_money", f"seat {number}: stakes are whole cents")
    check_stakes(state.rules, stakes, f"seat {number}")
    # In the order of the wagers, so that a record read back folds to the very same state.
    return (BetsPlaced(number, {wager: stakes[wager] for wager in WAGERS if wager in stakes}),)


def _close(state: Round) -> tuple[RoundEvent, ...]:
    _in_phase(state, Phase.BETTING, "bets are closed already")
    if not state.seats:
        raise Refused("no_wagers", "nobody has placed a wager")
    return (BetsClosed(),)


def _deal(state: Round, deck: tuple[int, ...]) -> tuple[RoundEvent, ...]:
    _in_phase(state, Phase.NO_MORE_BETS, "cards are dealt after no more bets")
    if not is_deck(deck):
        raise Refused("bad_deck", "a deck is 52 different cards")
    where = places(state.rules.dealing, tuple(state.seats), state.rules.offers(Wager.ALL_6))
    return (CardsDealt(tuple(deck), where),)


def _proceed(state: Round, meter: int | None) -> tuple[RoundEvent, ...]:
    board = state.deal.board
    match state.phase:
        case Phase.BETTING if not state.seats:
            return (RoundClosed(),)  # nobody plays: the round is given up
        case Phase.FLOP_DUE:
            return (FlopRevealed(board[:3]),)
        case Phase.RIVER_DUE:
            return (TurnAndRiverRevealed(board[3:]),)
        case Phase.REVEAL_DUE:
            return (DealerRevealed(state.deal.dealer),)
        case Phase.SETTLEMENT_DUE:
            return _settle(state, meter)
        case Phase.SETTLED:
            return (RoundClosed(),)
        case _:
            raise Refused(
                "nothing_due", f"nothing is due from the dealer (the round is at {state.phase})"
            )


def _settle(state: Round, meter: int | None) -> tuple[RoundEvent, ...]:
    settles_on_board = state.void is not None and any(
        wager in seat.stakes
        for seat in state.seats.values()
        if seat.void is not None
        for wager in seat.void.settles
    )
    events: tuple[RoundEvent, ...] = ()
    board_done = state.board_shown == 5
    if settles_on_board and state.deck and not board_done:
        events = (BoardCompleted(state.deal.board[state.board_shown :]),)
        board_done = True
    deal = state.deal if board_done else NO_CARDS
    settlement = settle(state.rules, deal, state.plays(), meter)
    return (*events, RoundSettled(settlement))
