"""Irregularities: what may be reported in a round, when, and what follows.

The dealer reports and a supervisor approves. Only New York has rules for this ((j)); the other
books adopt them as house rules (R96), and R95 adds what no document covers. Nothing is erased from
the record: a void is another event.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, assert_never

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.dealing import seat_place
from headsup.game.round.decision import Decision, HasChecked, HasFolded, HasRaised
from headsup.game.round.events import (
    DecisionReopened,
    HandVoided,
    IrregularityReported,
    RoundEvent,
    RoundVoided,
)
from headsup.game.round.state import Phase, Round, Seat
from headsup.game.rulebook.model import Cause, Resolution, VoidScope

_DECIDING = (Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP, Phase.RIVER_DUE, Phase.RIVER)
_DEALT = (*_DECIDING, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE)
_WAGERED = (Phase.NO_MORE_BETS, *_DEALT)
_MISSABLE = (*_DECIDING, Phase.REVEAL_DUE)
# A wrong count may be noticed before the cards are entered, or as the hands are turned up.
_COUNTABLE = (*_WAGERED, Phase.RESOLVING)
# With a real deck, found while the hands are turned over: a resolved hand stands (R105).
_FOUND_LATE = (Cause.FOUL_DECK, Cause.DEALER_CARD_COUNT)
_FOLDABLE = (Phase.RIVER, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE)


class Precondition(NamedTuple):
    """A condition on the round, and on the reported seat if there is one."""

    holds: Callable[[Round, Seat | None], bool]
    refusal_case: str  # the case of the refusal if it does not hold


_ALWAYS = Precondition(lambda _, __: True, "")
# (j)(1) applies until the last player has raised or folded, which may be before the river. After
# that, turning up the dealer's card is the normal reveal.
_UNDECIDED = Precondition(
    lambda round, _: any(seat.can_still_decide for seat in round.seats.values()), "all_decided"
)
_IN_PLAY = Precondition(lambda _, seat: not _has(seat, HasFolded), "hand_folded")
_FOLDED = Precondition(lambda _, seat: _has(seat, HasFolded), "hand_not_folded")
_NOT_RAISED = Precondition(lambda _, seat: not _has(seat, HasRaised), "has_raised")
# The seat checked or folded, and no card has been turned up or seen since.
_CAN_TAKE_BACK = Precondition(
    lambda round, seat: not round.board_seen and (_has(seat, HasChecked) or _has(seat, HasFolded)),
    "nothing_to_take_back",
)
# (j)(3): the next cards in sequence are the board's, so none of those may be face up, nor the
# dealer's hand, which is turned up last.
_FACE_DOWN = Precondition(
    lambda round, _: not (round.board_shown or round.board_seen or round.dealer_shown),
    "turned_face_up",
)
_STREET_CLOSED = Precondition(
    lambda round, _: round.phase in (Phase.FLOP_DUE, Phase.RIVER_DUE), "street_open"
)


def _has(seat: Seat | None, decision: type[Decision]) -> bool:
    return seat is not None and isinstance(seat.decision, decision)


@dataclass(frozen=True, slots=True)
class ReportingRule:
    """When a cause may be reported, whether for one seat, and how it is resolved without a void."""

    phases: tuple[Phase, ...]
    names_seat: bool = False
    precondition: Precondition = _ALWAYS
    resolutions: Mapping[Resolution, Precondition] = field(default_factory=dict)


def reporting_rule(cause: Cause) -> ReportingRule:
    match cause:
        case Cause.DEALER_CARD_EXPOSED:
            return ReportingRule(_DECIDING, precondition=_UNDECIDED)
        case Cause.CARD_FOUND_FACE_UP:
            return ReportingRule(_WAGERED)
        case Cause.PLAYER_CARD_COUNT:
            return ReportingRule(_COUNTABLE, names_seat=True)
        case Cause.DEALER_CARD_COUNT:
            return ReportingRule(_DEALT, resolutions={Resolution.CORRECT: _FACE_DOWN})
        case Cause.PLAYER_CARD_EXPOSED:
            # The player may play on (R95), unless the hand is folded.
            play_on = {Resolution.PLAY_ON: _ALWAYS}
            return ReportingRule(
                _DECIDING, names_seat=True, precondition=_IN_PLAY, resolutions=play_on
            )
        case Cause.EARLY_BOARD_CARD:
            return ReportingRule(_DECIDING, resolutions={Resolution.PLAY_ON: _STREET_CLOSED})
        case Cause.BOARD_CARD_COUNT:
            return ReportingRule(_DEALT)
        case Cause.FOUL_DECK:
            return ReportingRule(_WAGERED)
        case Cause.MISSED_RAISE:
            # The check or fold is taken back if no card has been turned up since. Later it stands,
            # and the player may raise on the street that is open.
            resolutions = {Resolution.CORRECT: _CAN_TAKE_BACK, Resolution.PLAY_ON: _ALWAYS}
            return ReportingRule(
                _MISSABLE, names_seat=True, precondition=_NOT_RAISED, resolutions=resolutions
            )
        case Cause.FOLDED_CARD_EXPOSED:
            # The fold stands: the card is dead, and nobody gets a stake back because it was seen.
            fold_stands = {Resolution.PLAY_ON: _ALWAYS}
            return ReportingRule(
                _FOLDABLE, names_seat=True, precondition=_FOLDED, resolutions=fold_stands
            )
        case _:
            assert_never(cause)


def report_irregularity(
    state: Round, command: ReportIrregularity
) -> tuple[RoundEvent, ...] | Refusal:
    """The events of an approved irregularity."""
    if command.cause not in state.rules.book.irregularities:
        known = tuple(state.rules.book.irregularities)
        return refusal(Code.UNKNOWN_IRREGULARITY, cause=command.cause, known=known)
    refused = (
        _refuse_phase(state, command)
        or _refuse_people(command)
        or _refuse_seat(state, command)
        or _refuse_state(state, command)
        or _refuse_resolution(state, command)
    )
    if refused is not None:
        return refused
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
            rule = state.irregularity_rule(command.cause)
            grounds = (command.cause, rule.clause, rule.house_rule)
            if rule.voids is VoidScope.HAND and command.seat is not None:
                return (HandVoided(command.seat, *grounds),)
            return (RoundVoided(*grounds),)
        case _:
            assert_never(command.resolution)


def _refuse_phase(state: Round, command: ReportIrregularity) -> Refusal | None:
    if state.void is not None:
        return refusal(Code.ALREADY_VOID)
    rule = reporting_rule(command.cause)
    too_late = rule.precondition is _UNDECIDED and not _UNDECIDED.holds(state, None)
    if too_late or not _may_report_at(state, command.cause, rule):
        return refusal(Code.WRONG_PHASE, "report", cause=command.cause, phase=state.phase)
    return None


def _may_report_at(state: Round, cause: Cause, rule: ReportingRule) -> bool:
    """A wrong dealer's hand can be found until the first hand that was compared with it is paid."""
    if state.phase in rule.phases:
        return True
    if state.phase is not Phase.RESOLVING or state.felt is None or cause not in _FOUND_LATE:
        return False
    compared = any(seat_place(seat) in state.felt.turned for seat in state.resolved)
    return cause is not Cause.DEALER_CARD_COUNT or not compared


def _refuse_people(command: ReportIrregularity) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "irregularity")
    return None


def _refuse_seat(state: Round, command: ReportIrregularity) -> Refusal | None:
    cause, seat = command.cause, command.seat
    if not reporting_rule(cause).names_seat:
        if seat is None:
            return None
        return refusal(Code.NO_SUCH_SEAT, "of_the_table", cause=cause)
    if seat is None or seat not in state.seats:
        return refusal(Code.NO_SUCH_SEAT, "of_a_seat", cause=cause)
    if state.seats[seat].void is not None:
        return refusal(Code.ALREADY_VOID, "hand", seat=seat)
    if seat in state.resolved:
        return refusal(Code.BAD_IRREGULARITY, "resolved", seat=seat)
    return None


def _reported_seat(state: Round, command: ReportIrregularity) -> Seat | None:
    return None if command.seat is None else state.seats[command.seat]


def _refuse_state(state: Round, command: ReportIrregularity) -> Refusal | None:
    condition = reporting_rule(command.cause).precondition
    if condition.holds(state, _reported_seat(state, command)):
        return None
    return refusal(Code.BAD_IRREGULARITY, condition.refusal_case, seat=command.seat)


def _refuse_resolution(state: Round, command: ReportIrregularity) -> Refusal | None:
    cause, resolution = command.cause, command.resolution
    rule = state.irregularity_rule(cause)
    if resolution is Resolution.VOID and rule.voids is not VoidScope.NONE:
        return None
    preconditions = reporting_rule(cause).resolutions if rule.correctable else {}
    if resolution not in preconditions:
        return refusal(Code.BAD_RESOLUTION, cause=cause, resolution=resolution)
    condition = preconditions[resolution]
    if condition.holds(state, _reported_seat(state, command)):
        return None
    return refusal(Code.BAD_RESOLUTION, condition.refusal_case, seat=command.seat)
