"""The next step at a table: the dealer's, or what the dealer has to wait for.

Every step has a key that names the round and the step. A request that names the key is carried out
once: the floor's owner compares the key when it decides the command.
"""

from typing import assert_never

from headsup.game.refusal import Code
from headsup.game.round.commands import CloseBets, DealFaceDown, Proceed
from headsup.game.round.dealing import seat_place
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.round.turned_over import cards_due, hand_to_pay, known_cards_due
from headsup.game.table.chips.held_awards import award_to_verify
from headsup.game.table.equipment import refuse_uncounted
from headsup.game.table.rounds import OpenRound
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.str_enum import TextEnum


class DealerStep(TextEnum):
    """The next step of a table. During the first three the dealer waits for others."""

    PLAYERS = "players"  # nobody is seated
    BETS = "bets"  # nobody has bet
    DECISIONS = "decisions"  # from the seats returned with it
    OPEN_ROUND = "open_round"
    CLOSE_BETS = "close_bets"
    COUNT_BY_HAND = "count_by_hand"  # the tabulator is down: the dealer counts
    VERIFY_AWARD = "verify_award"  # two people verify or refuse an award that is held
    CORRECT_FLAG = "correct_flag"  # flags and felt differ: a supervisor corrects it
    ENTER_CARDS = "enter_cards"
    DEAL_FACE_DOWN = "deal_face_down"  # a real deck, whose cards are turned over later
    TURN_OVER = "turn_over"  # real cards: the dealer turns them over and enters them
    DEAL = "deal"
    FLOP = "flop"
    TURN_AND_RIVER = "turn_and_river"
    REVEAL = "reveal"
    SETTLE = "settle"
    RESOLVE = "resolve"  # the hand of the seat returned with it
    CLOSE = "close"


def step_key(table: Table) -> str:
    """The key of the next step. It does not depend on how many players have bet."""
    return f"{table.rounds} {next_step(table)[0].value} {_progress(table.round)}"


def _progress(round: Round | None) -> str:
    """Tells steps of the same kind in a round apart: how many hands are resolved, and with a real
    deck also what is turned over."""
    if round is None:
        return "0"
    if round.felt is None:
        return str(len(round.resolved))
    settled = 0 if round.settlement is None else len(round.settlement.seats)
    return f"{round.board_shown}-{len(round.felt.turned)}-{settled}-{len(round.resolved)}"


def step_from_key(key: str) -> DealerStep | None:
    """The step a key names; None if it is not a valid key."""
    parts = key.split(" ")
    steps = {step.value: step for step in DealerStep}
    return steps.get(parts[1]) if len(parts) == 3 else None


def next_step(table: Table) -> tuple[DealerStep, tuple[int, ...]]:
    """The next step and the seats it concerns."""
    round = table.round
    if round is None:
        return _opening_step(table), ()
    is_deciding = round.phase in STREET_BY_PHASE
    if not is_deciding and (due := cards_due(round)) and not known_cards_due(round, due):
        return DealerStep.TURN_OVER, tuple(
            number for number in round.seats if seat_place(number) == due.place
        )
    match round.phase:
        case Phase.CLOSED:
            return _opening_step(table), ()
        case Phase.POCKET | Phase.FLOP | Phase.RIVER:
            return DealerStep.DECISIONS, tuple(round.seats_owing())
        case Phase.BETTING:
            step = DealerStep.CLOSE_BETS if round.seats else DealerStep.BETS
            return step, tuple(sorted(round.seats))
        case Phase.NO_MORE_BETS:
            return _dealing_step(table, round), ()
        case Phase.RESOLVING:
            seat = hand_to_pay(round)
            return DealerStep.RESOLVE, round.unresolved_seats()[:1] if seat is None else (seat,)
        case Phase.FLOP_DUE:
            return DealerStep.FLOP, ()
        case Phase.RIVER_DUE:
            return DealerStep.TURN_AND_RIVER, ()
        case Phase.REVEAL_DUE:
            return DealerStep.REVEAL, ()
        case Phase.SETTLEMENT_DUE:
            return DealerStep.SETTLE, ()
        case Phase.SETTLED:
            waits = award_to_verify(table) is not None
            return DealerStep.VERIFY_AWARD if waits else DealerStep.CLOSE, ()
        case _:
            assert_never(round.phase)


def _opening_step(table: Table) -> DealerStep:
    return DealerStep.OPEN_ROUND if table.players else DealerStep.PLAYERS


def is_doable(step: DealerStep) -> bool:
    """Whether one key does the step."""
    return step is DealerStep.DEAL or command_for(step) is not None


def command_for(step: DealerStep) -> OpenRound | CloseBets | DealFaceDown | Proceed | None:
    """The command that does a step; None if somebody else's turn, cards or counts are due."""
    match step:
        case DealerStep.OPEN_ROUND:
            return OpenRound()
        case DealerStep.CLOSE_BETS:
            return CloseBets()
        case DealerStep.DEAL_FACE_DOWN:
            return DealFaceDown()
        case (
            DealerStep.FLOP
            | DealerStep.TURN_AND_RIVER
            | DealerStep.REVEAL
            | DealerStep.SETTLE
            | DealerStep.RESOLVE
            | DealerStep.CLOSE
            | DealerStep.BETS  # a round that nobody bets in is closed
        ):
            return Proceed()
        case (
            DealerStep.PLAYERS
            | DealerStep.DECISIONS
            | DealerStep.COUNT_BY_HAND
            | DealerStep.CORRECT_FLAG
            | DealerStep.VERIFY_AWARD
            | DealerStep.ENTER_CARDS
            | DealerStep.TURN_OVER
            | DealerStep.DEAL
        ):
            return None
        case _:
            assert_never(step)


def _dealing_step(table: Table, round: Round) -> DealerStep:
    """Before the cards, the wagers are counted and must match those on the felt (R87, R88)."""
    if refused := refuse_uncounted(table, round):
        by_hand = refused.code is Code.EQUIPMENT_DOWN
        return DealerStep.COUNT_BY_HAND if by_hand else DealerStep.CORRECT_FLAG
    if round.felt is not None:
        return DealerStep.DEAL_FACE_DOWN
    return DealerStep.ENTER_CARDS if table.shuffle is ShuffleSource.ENTERED else DealerStep.DEAL
