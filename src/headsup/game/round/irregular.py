"""Irregularities: what the dealer reports and a supervisor approves, and what follows.

Only New York has rules for them ((j)); the other books take them over as house rules (R96), and
R95 adds what no document covers. Everything stays in the record: a void is a further event.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, assert_never

from headsup.game.irregularity import Cause, Resolution, Voids
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.events import HandVoided, IrregularityReported, RoundEvent, RoundVoided
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.model import Irregularity

_DECIDING = (Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP, Phase.RIVER_DUE, Phase.RIVER)
_DEALT = (*_DECIDING, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE)
_WAGERED = (Phase.NO_MORE_BETS, *_DEALT)


class Condition(NamedTuple):
    holds: Callable[[Round], bool]
    otherwise: str  # the case of the sentence that refuses


_ALWAYS = Condition(lambda _: True, "")
# "In sequence …, provided that such cards have not already been turned face up": the cards that
# follow in sequence are the board's, and the hand itself is turned up last.
_FACE_DOWN = Condition(
    lambda round: round.board_shown == 0 and not round.dealer_shown, "turned_face_up"
)
_STREET_CLOSED = Condition(
    lambda round: round.phase in (Phase.FLOP_DUE, Phase.RIVER_DUE), "street_open"
)


@dataclass(frozen=True, slots=True)
class Reportable:
    """How one cause is reported: when, whether of a seat, and what may be done but void."""

    when: tuple[Phase, ...]
    of_a_seat: bool = False
    undecided: bool = False  # only while some hand has a decision to make
    open: Mapping[Resolution, Condition] = field(default_factory=dict)


def reportable(cause: Cause) -> Reportable:
    match cause:
        case Cause.DEALER_CARD_EXPOSED:
            # (j)(1): "prior to each player placing an authorized wager or folding", which may be
            # before the last street; seen later, it is the ordinary reveal.
            return Reportable(_DECIDING, undecided=True)
        case Cause.CARD_FOUND_FACE_UP:
            return Reportable(_WAGERED)
        case Cause.PLAYER_CARD_COUNT:
            return Reportable(_DEALT, of_a_seat=True)
        case Cause.DEALER_CARD_COUNT:
            return Reportable(_DEALT, open={Resolution.CORRECT: _FACE_DOWN})
        case Cause.PLAYER_CARD_EXPOSED:
            # The player may play on (R95).
            return Reportable(_DECIDING, of_a_seat=True, open={Resolution.PLAY_ON: _ALWAYS})
        case Cause.EARLY_BOARD_CARD:
            return Reportable(_DECIDING, open={Resolution.PLAY_ON: _STREET_CLOSED})
        case Cause.BOARD_CARD_COUNT:
            return Reportable(_DEALT)
        case Cause.FOUL_DECK:
            return Reportable(_WAGERED)
        case _:
            assert_never(cause)


def report(state: Round, command: ReportIrregularity) -> tuple[RoundEvent, ...] | Refusal:
    """The events of an approved irregularity."""
    if not isinstance(command.cause, Cause) or command.cause not in state.rules.book.irregularities:
        known = tuple(state.rules.book.irregularities)
        return refusal(Code.UNKNOWN_IRREGULARITY, cause=command.cause, known=known)
    wrong = (
        _wrong_moment(state, command)
        or _wrong_people(command)
        or _wrong_seat(state, command)
        or _wrong_resolution(state, command)
    )
    if wrong is not None:
        return wrong
    reported = IrregularityReported(
        command.cause,
        command.seat,
        command.resolution,
        command.dealer,
        command.supervisor,
        command.note,
    )
    return (reported, *_consequences(state, command))


def _consequences(state: Round, command: ReportIrregularity) -> tuple[RoundEvent, ...]:
    match command.resolution:
        case Resolution.CORRECT | Resolution.PLAY_ON:
            return ()
        case Resolution.VOID:
            rule = rule_for(state, command.cause)
            if rule.voids is Voids.HAND and command.seat is not None:
                return (HandVoided(command.seat, command.cause),)
            return (RoundVoided(command.cause),)
        case _:
            assert_never(command.resolution)


def rule_for(state: Round, cause: Cause) -> Irregularity:
    """What the book says of this cause at this moment.

    A card found face up before the deal is a misdeal: (j)(2)(ii) speaks of "after each player and
    the dealer has received their initial two cards", so nothing is settled (R91).
    """
    rule = state.rules.book.irregularities[cause]
    if cause is Cause.CARD_FOUND_FACE_UP and not state.deck:
        return replace(rule, settles=(), clause="R91", house_rule=True)
    return rule


def _wrong_moment(state: Round, command: ReportIrregularity) -> Refusal | None:
    if state.void is not None:
        return refusal(Code.ALREADY_VOID)
    how = reportable(command.cause)
    over = how.undecided and not any(seat.deciding for seat in state.seats.values())
    if over or state.phase not in how.when:
        return refusal(Code.WRONG_PHASE, "report", cause=command.cause, phase=state.phase)
    return None


def _wrong_people(command: ReportIrregularity) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "irregularity")
    return None


def _wrong_seat(state: Round, command: ReportIrregularity) -> Refusal | None:
    cause, seat = command.cause, command.seat
    if not reportable(cause).of_a_seat:
        if seat is None:
            return None
        return refusal(Code.NO_SUCH_SEAT, "of_the_table", cause=cause)
    if type(seat) is not int or seat not in state.seats:
        return refusal(Code.NO_SUCH_SEAT, "of_a_seat", cause=cause)
    if state.seats[seat].void is not None:
        return refusal(Code.ALREADY_VOID, "hand", seat=seat)
    return None


def _wrong_resolution(state: Round, command: ReportIrregularity) -> Refusal | None:
    cause, resolution = command.cause, command.resolution
    if resolution is Resolution.VOID:
        return None
    open_ = reportable(cause).open if rule_for(state, cause).correctable else {}
    if not isinstance(resolution, Resolution) or resolution not in open_:
        return refusal(Code.BAD_RESOLUTION, cause=cause, resolution=resolution)
    condition = open_[resolution]
    return None if condition.holds(state) else refusal(Code.BAD_RESOLUTION, condition.otherwise)
