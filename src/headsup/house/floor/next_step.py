"""What is to be done next at a table, and by whom: a step of the dealer, or somebody else's.

Its key says which step of which round it is. Who asks for a step by its key has it done once: the
floor's owner compares it at the moment of deciding.
"""

from headsup.game.refusal import Code
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.table.equipment import refuse_uncounted
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.str_enum import TextEnum


class DealerStep(TextEnum):
    """The next step of a table; the first ones wait for somebody else."""

    PLAYERS = "players"  # nobody sits
    BETS = "bets"  # nobody has bet
    DECISIONS = "decisions"  # of the seats named
    OPEN_ROUND = "open_round"
    CLOSE_BETS = "close_bets"
    COUNT_BY_HAND = "count_by_hand"  # the tabulator is down: the dealer counts
    CORRECT_FLAG = "correct_flag"  # flags and felt differ: a supervisor settles it
    ENTER_CARDS = "enter_cards"
    DEAL = "deal"
    FLOP = "flop"
    TURN_AND_RIVER = "turn_and_river"
    REVEAL = "reveal"
    SETTLE = "settle"
    RESOLVE = "resolve"  # the hand of the seat named
    CLOSE = "close"


_PROCEEDS = {
    Phase.FLOP_DUE: DealerStep.FLOP,
    Phase.RIVER_DUE: DealerStep.TURN_AND_RIVER,
    Phase.REVEAL_DUE: DealerStep.REVEAL,
    Phase.SETTLEMENT_DUE: DealerStep.SETTLE,
    Phase.RESOLVING: DealerStep.RESOLVE,
    Phase.SETTLED: DealerStep.CLOSE,
}


def step_key(table: Table) -> str:
    """Another bet does not change what is due."""
    resolved = len(table.round.resolved) if table.round is not None else 0
    return f"{table.rounds} {next_step(table)[0].value} {resolved}"


def step_from_key(key: str) -> DealerStep | None:
    """The step of a key; None where it is none of ours."""
    found = key.split(" ")
    known = {step.value: step for step in DealerStep}
    return known.get(found[1]) if len(found) == 3 else None


def next_step(table: Table) -> tuple[DealerStep, tuple[int, ...]]:
    """And of which seats."""
    round = table.round
    if round is None or round.phase is Phase.CLOSED:
        return (DealerStep.OPEN_ROUND if table.players else DealerStep.PLAYERS), ()
    if round.phase in STREET_BY_PHASE:
        return DealerStep.DECISIONS, tuple(round.owing())
    match round.phase:
        case Phase.BETTING:
            step = DealerStep.CLOSE_BETS if round.seats else DealerStep.BETS
            return step, tuple(sorted(round.seats))
        case Phase.NO_MORE_BETS:
            return _dealing(table, round), ()
        case Phase.RESOLVING:
            return DealerStep.RESOLVE, round.unresolved()[:1]
        case _:
            return _PROCEEDS[round.phase], ()


def _dealing(table: Table, round: Round) -> DealerStep:
    """Wagers are counted before the cards, and are those on the felt (R87, R88)."""
    if unready := refuse_uncounted(table, round):
        by_hand = unready.code is Code.EQUIPMENT_DOWN
        return DealerStep.COUNT_BY_HAND if by_hand else DealerStep.CORRECT_FLAG
    return DealerStep.ENTER_CARDS if table.shuffle is ShuffleSource.ENTERED else DealerStep.DEAL
