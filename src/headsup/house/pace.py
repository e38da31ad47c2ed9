"""The automatic dealer: what is due at a table, and when, at a pace that people like.

Pure: it is told what time it is and since when the table stands as it does, and says when the
next thing is due. The house does it then, unless something else happened before.
"""

from dataclasses import dataclass
from typing import TypeAlias

from headsup.game.round.commands import CloseBets, Proceed, TimeOut
from headsup.game.round.state import STREETS, Phase
from headsup.game.table.commands import OpenRound
from headsup.game.table.state import Table


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds. How long a decision is waited for is in the table's rules (R33)."""

    open: float = 1.0  # from the close of one round to the next
    betting: float = 20.0  # from the first bet, while others may still join
    all_in: float = 1.5  # once everyone who sits has bet
    deal: float = 0.8
    card: float = 1.2  # before a street is turned up
    resolve: float = 1.2  # each hand at settlement
    close: float = 4.0  # to look at the results


@dataclass(frozen=True, slots=True)
class DealNow:
    """The shoe's turn: the house hands a shuffled deck to the round."""


Due: TypeAlias = OpenRound | CloseBets | DealNow | Proceed | TimeOut


@dataclass(frozen=True, slots=True)
class Next:
    """What is due, so many seconds after the table came to stand as it does."""

    after: float
    what: Due


def due(table: Table, timings: Timings, away: frozenset[int] = frozenset()) -> Next | None:
    """What the dealer does next; None while nobody sits or nobody has bet. `away` are seats whose
    player has no connection."""
    round = table.round
    if round is None or round.phase is Phase.CLOSED:
        return Next(timings.open, OpenRound()) if table.players else None
    match round.phase:
        case Phase.BETTING:
            if not round.seats:
                return None
            present = {seat for seat in table.players if seat not in away}
            waits = present - set(round.seats)
            return Next(timings.betting if waits else timings.all_in, CloseBets())
        case Phase.NO_MORE_BETS:
            return Next(timings.deal, DealNow())
        case Phase.RESOLVING:
            return Next(timings.resolve, Proceed())
        case Phase.SETTLED:
            return Next(timings.close, Proceed())
        case phase if phase in STREETS:
            seat = round.owing()[0]
            grace = round.rules.grace_seconds + round.seats[seat].extra_seconds
            return Next(grace, TimeOut(seat, grace))
        case _:
            return Next(timings.card, Proceed())
