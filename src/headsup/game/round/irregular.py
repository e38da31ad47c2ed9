"""Irregularities: what the dealer reports and a supervisor approves, and what follows.

Only New York has rules for them ((j)); the other books take them over as house rules (R96), and
R95 adds what no document covers. Everything stays in the record: a void is a further event.
"""

from headsup.game.refusal import Refused
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.events import HandVoided, IrregularityReported, RoundEvent, RoundVoided
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.model import Irregularity

_DECIDING = (Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP, Phase.RIVER_DUE, Phase.RIVER)
_DEALT = (*_DECIDING, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE)
_WAGERED = (Phase.NO_MORE_BETS, *_DEALT)

# When each can happen. A dealer's card seen after every decision is the ordinary reveal.
_WHEN: dict[str, tuple[Phase, ...]] = {
    "dealer_card_exposed": _DECIDING,
    "card_found_face_up": _WAGERED,
    "player_card_count": _DEALT,
    "dealer_card_count": _DEALT,
    "player_card_exposed": _DECIDING,
    "early_board_card": _DECIDING,
    "board_card_count": _DEALT,
    "foul_deck": _WAGERED,
}
_OF_A_SEAT = ("player_card_count", "player_card_exposed")
# "correct": put right in sequence. "play_on": the player, or the closed street, lets it stand.
_RESOLUTIONS = {
    "dealer_card_count": "correct",
    "player_card_exposed": "play_on",
    "early_board_card": "play_on",
}


def report(state: Round, command: ReportIrregularity) -> tuple[RoundEvent, ...]:
    """The events of an approved irregularity."""
    rule = _rule(state, command)
    _check_approval(command)
    _check_seat(state, command)
    _check_resolution(state, command, rule)
    reported = IrregularityReported(
        command.cause,
        command.seat,
        command.resolution,
        command.dealer,
        command.supervisor,
        command.note,
    )
    if command.resolution != "void":
        return (reported,)
    if rule.voids == "hand" and command.seat is not None:
        return (reported, HandVoided(command.seat, command.cause))
    return (reported, RoundVoided(command.cause))


def _rule(state: Round, command: ReportIrregularity) -> Irregularity:
    rule = state.rules.book.irregularities.get(command.cause)
    if rule is None:
        known = ", ".join(state.rules.book.irregularities)
        raise Refused("unknown_irregularity", f"'{command.cause}' is not one of {known}")
    if state.void is not None:
        raise Refused("already_void", "the round is void already")
    # (j)(1) ends with the last decision, which may come before the last street.
    over = command.cause == "dealer_card_exposed" and not any(
        seat.deciding for seat in state.seats.values()
    )
    if over or state.phase not in _WHEN[command.cause]:
        raise Refused(
            "wrong_phase",
            f"{command.cause.replace('_', ' ')} cannot be reported at {state.phase.value}",
        )
    return rule


def _check_approval(command: ReportIrregularity) -> None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        raise Refused("needs_two_people", "an irregularity needs a dealer and another supervisor")


def _check_seat(state: Round, command: ReportIrregularity) -> None:
    cause = command.cause.replace("_", " ")
    if command.cause not in _OF_A_SEAT:
        if command.seat is not None:
            raise Refused("no_such_seat", f"{cause} concerns the whole table, not one seat")
        return
    if command.seat is None or command.seat not in state.seats:
        raise Refused("no_such_seat", f"{cause} needs a seat that has a wager in this round")
    if state.seats[command.seat].void is not None:
        raise Refused("already_void", f"seat {command.seat}'s hand is void already")


def _check_resolution(state: Round, command: ReportIrregularity, rule: Irregularity) -> None:
    if command.resolution == "void":
        return
    if not rule.correctable or command.resolution != _RESOLUTIONS.get(command.cause):
        raise Refused(
            "bad_resolution",
            f"{command.cause.replace('_', ' ')} cannot be resolved by '{command.resolution}'",
        )
    if command.cause == "dealer_card_count" and state.dealer_shown:
        raise Refused("bad_resolution", "the dealer's cards are face up already (NY (j)(3))")
    closed = state.phase in (Phase.FLOP_DUE, Phase.RIVER_DUE)
    if command.cause == "early_board_card" and not closed:
        raise Refused("bad_resolution", "an early board card stands only once its street is closed")
