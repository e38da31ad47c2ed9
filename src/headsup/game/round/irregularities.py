"""Irregularities: what the dealer reports and a supervisor approves, and what follows.

Only New York has rules for them ((j)); the other books take them over as house rules (R96), and
R95 adds what no document covers. Everything stays in the record: a void is a further event.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, assert_never

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.decision import Decision, HasChecked, HasFolded, HasRaised
from headsup.game.round.events import (
    DecisionReopened,
    HandVoided,
    IrregularityReported,
    RoundEvent,
    RoundVoided,
)
from headsup.game.round.state import Phase, Round, Seat
from headsup.game.rulebook.irregularity import Cause, Resolution, VoidScope
from headsup.game.rulebook.model import IrregularityRule

_DECIDING = (Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP, Phase.RIVER_DUE, Phase.RIVER)
_DEALT = (*_DECIDING, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE)
_WAGERED = (Phase.NO_MORE_BETS, *_DEALT)
_MISSABLE = (*_DECIDING, Phase.REVEAL_DUE)
_FOLDABLE = (Phase.RIVER, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE)


class Precondition(NamedTuple):
    """Of the round, and of the seat that is reported if it is one."""

    holds: Callable[[Round, Seat | None], bool]
    otherwise: str  # the case of the sentence that refuses


_ALWAYS = Precondition(lambda _, __: True, "")
# (j)(1) holds until the last player has raised or folded, which may be before the last street;
# seen later, it is the ordinary reveal.
_UNDECIDED = Precondition(
    lambda round, _: any(seat.deciding for seat in round.seats.values()), "all_decided"
)
_IN_PLAY = Precondition(lambda _, seat: not _has(seat, HasFolded), "hand_folded")
_FOLDED = Precondition(lambda _, seat: _has(seat, HasFolded), "hand_not_folded")
_NOT_RAISED = Precondition(lambda _, seat: not _has(seat, HasRaised), "has_raised")
# Noted on the last street that was open: no card has been turned up since, nor seen too early.
_PASSED = Precondition(
    lambda round, seat: not round.board_seen and (_has(seat, HasChecked) or _has(seat, HasFolded)),
    "nothing_to_take_back",
)
# (j)(3): the cards that would follow in sequence are the board's, and none of them may be face up;
# the hand itself is turned up last.
_FACE_DOWN = Precondition(
    lambda round, _: not (round.board_shown or round.board_seen or round.dealer_shown),
    "turned_face_up",
)
_STREET_CLOSED = Precondition(
    lambda round, _: round.phase in (Phase.FLOP_DUE, Phase.RIVER_DUE), "street_open"
)


def _has(seat: Seat | None, decided: type[Decision]) -> bool:
    return seat is not None and isinstance(seat.decision, decided)


@dataclass(frozen=True, slots=True)
class ReportingRule:
    """How one cause is reported: when, whether of a seat, and what may be done but void."""

    when: tuple[Phase, ...]
    of_a_seat: bool = False
    provided: Precondition = _ALWAYS
    open: Mapping[Resolution, Precondition] = field(default_factory=dict)


def reporting_rule(cause: Cause) -> ReportingRule:
    match cause:
        case Cause.DEALER_CARD_EXPOSED:
            return ReportingRule(_DECIDING, provided=_UNDECIDED)
        case Cause.CARD_FOUND_FACE_UP:
            return ReportingRule(_WAGERED)
        case Cause.PLAYER_CARD_COUNT:
            return ReportingRule(_DEALT, of_a_seat=True)
        case Cause.DEALER_CARD_COUNT:
            return ReportingRule(_DEALT, open={Resolution.CORRECT: _FACE_DOWN})
        case Cause.PLAYER_CARD_EXPOSED:
            # The player may play on (R95); a hand that was folded has nothing left to play.
            play_on = {Resolution.PLAY_ON: _ALWAYS}
            return ReportingRule(_DECIDING, of_a_seat=True, provided=_IN_PLAY, open=play_on)
        case Cause.EARLY_BOARD_CARD:
            return ReportingRule(_DECIDING, open={Resolution.PLAY_ON: _STREET_CLOSED})
        case Cause.BOARD_CARD_COUNT:
            return ReportingRule(_DEALT)
        case Cause.FOUL_DECK:
            return ReportingRule(_WAGERED)
        case Cause.MISSED_RAISE:
            # Taken back while no card has been turned up since; later the check stands, and the
            # player may raise on the street that is open.
            ways = {Resolution.CORRECT: _PASSED, Resolution.PLAY_ON: _ALWAYS}
            return ReportingRule(_MISSABLE, of_a_seat=True, provided=_NOT_RAISED, open=ways)
        case Cause.FOLDED_CARD_EXPOSED:
            # The fold stands: a dead card was seen, and nobody gets a stake back for it.
            stands = {Resolution.PLAY_ON: _ALWAYS}
            return ReportingRule(_FOLDABLE, of_a_seat=True, provided=_FOLDED, open=stands)
        case _:
            assert_never(cause)


def report_irregularity(
    state: Round, command: ReportIrregularity
) -> tuple[RoundEvent, ...] | Refusal:
    """The events of an approved irregularity."""
    if command.cause not in state.rules.book.irregularities:
        known = tuple(state.rules.book.irregularities)
        return refusal(Code.UNKNOWN_IRREGULARITY, cause=command.cause, known=known)
    wrong = (
        _refuse_moment(state, command)
        or _refuse_people(command)
        or _refuse_seat(state, command)
        or _refuse_state(state, command)
        or _refuse_resolution(state, command)
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
        case Resolution.CORRECT:
            if command.cause is Cause.MISSED_RAISE and command.seat is not None:
                return (DecisionReopened(command.seat),)
            return ()
        case Resolution.PLAY_ON:
            return ()
        case Resolution.VOID:
            rule = irregularity_rule(state, command.cause)
            why = (command.cause, rule.clause, rule.house_rule)
            if rule.voids is VoidScope.HAND and command.seat is not None:
                return (HandVoided(command.seat, *why),)
            return (RoundVoided(*why),)
        case _:
            assert_never(command.resolution)


def irregularity_rule(state: Round, cause: Cause) -> IrregularityRule:
    """What the book says of this cause at this moment.

    A card found face up before the deal is a misdeal: (j)(2)(ii) begins once all hole cards are
    out, so nothing is settled (R91).
    """
    rule = state.rules.book.irregularities[cause]
    if cause is Cause.CARD_FOUND_FACE_UP and not state.deck:
        return replace(rule, settles=(), clause="R91", house_rule=True)
    return rule


def _refuse_moment(state: Round, command: ReportIrregularity) -> Refusal | None:
    if state.void is not None:
        return refusal(Code.ALREADY_VOID)
    how = reporting_rule(command.cause)
    over = how.provided is _UNDECIDED and not _UNDECIDED.holds(state, None)
    if over or state.phase not in how.when:
        return refusal(Code.WRONG_PHASE, "report", cause=command.cause, phase=state.phase)
    return None


def _refuse_people(command: ReportIrregularity) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "irregularity")
    return None


def _refuse_seat(state: Round, command: ReportIrregularity) -> Refusal | None:
    cause, seat = command.cause, command.seat
    if not reporting_rule(cause).of_a_seat:
        if seat is None:
            return None
        return refusal(Code.NO_SUCH_SEAT, "of_the_table", cause=cause)
    if seat is None or seat not in state.seats:
        return refusal(Code.NO_SUCH_SEAT, "of_a_seat", cause=cause)
    if state.seats[seat].void is not None:
        return refusal(Code.ALREADY_VOID, "hand", seat=seat)
    return None


def _reported_seat(state: Round, command: ReportIrregularity) -> Seat | None:
    return None if command.seat is None else state.seats[command.seat]


def _refuse_state(state: Round, command: ReportIrregularity) -> Refusal | None:
    condition = reporting_rule(command.cause).provided
    if condition.holds(state, _reported_seat(state, command)):
        return None
    return refusal(Code.BAD_IRREGULARITY, condition.otherwise, seat=command.seat)


def _refuse_resolution(state: Round, command: ReportIrregularity) -> Refusal | None:
    cause, resolution = command.cause, command.resolution
    rule = irregularity_rule(state, cause)
    if resolution is Resolution.VOID and rule.voids is not VoidScope.NONE:
        return None
    open_ = reporting_rule(cause).open if rule.correctable else {}
    if resolution not in open_:
        return refusal(Code.BAD_RESOLUTION, cause=cause, resolution=resolution)
    condition = open_[resolution]
    if condition.holds(state, _reported_seat(state, command)):
        return None
    return refusal(Code.BAD_RESOLUTION, condition.otherwise, seat=command.seat)
