"""The automatic dealer: what is due at a table, and when, at a pace that people like.

Pure: it says what is due so many seconds after which moment, and knows no clock. The house notes
when each moment came, and does what is due first, unless something else happened before.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import TypeAlias, assert_never

from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.round.commands import CloseBets, Proceed, TimeOut
from headsup.game.round.state import Phase, Round
from headsup.game.table.commands import OpenRound
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.str_enum import TextEnum

MAX_STEP_SECONDS = 600.0  # seconds that any step of a round may wait


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

    def __post_init__(self) -> None:
        if wrong := timing_refusals({one.name: getattr(self, one.name) for one in fields(self)}):
            raise Refused.of(next(iter(wrong.values())))

    def times(self, factor: float) -> "Timings":
        """The same at another pace."""
        return Timings(**{one.name: getattr(self, one.name) * factor for one in fields(self)})


def timing_refusals(seconds: Mapping[str, float]) -> dict[str, Refusal]:
    """By step, why so many seconds cannot be waited there."""
    return {
        name: refusal(Code.BAD_TIMING, where=name, value=value, most=MAX_STEP_SECONDS)
        for name, value in seconds.items()
        if type(value) not in (int, float)
        or not isfinite(value)
        or not 0 <= value <= MAX_STEP_SECONDS
    }


@dataclass(frozen=True, slots=True)
class TablePace:
    """What a table's timings are instead of the usual ones, who set them and when."""

    timings: Timings
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class SealStep:
    """The house commits itself to the shuffle of the next round."""


@dataclass(frozen=True, slots=True)
class DealStep:
    """The shoe's turn: the house hands a shuffled deck to the round."""


@dataclass(frozen=True, slots=True)
class OpenSealStep:
    """The round is closed: what was sealed is opened."""


DueStep: TypeAlias = SealStep | OpenRound | CloseBets | DealStep | Proceed | TimeOut | OpenSealStep


@dataclass(frozen=True, slots=True)
class ScheduledStep:
    """What is due, so many seconds after the moment: that is, since it was first among what
    `due_steps` gives. A moment that is there no longer is forgotten."""

    after: float
    what: DueStep
    moment: Hashable


class ClockKind(TextEnum):
    """What players are given time for."""

    BETS = "bets"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """How long players still have, and of how long, in seconds; whose decision, if it is one."""

    what: ClockKind
    seat: int | None
    left: float
    of: float


def time_left(one: ScheduledStep, waited: float) -> TimeLeft | None:
    """What is left of a time that players are given, so many seconds after its moment."""
    left = max(one.after - waited, 0.0)
    match one.what:
        case CloseBets():
            return TimeLeft(ClockKind.BETS, None, left, one.after)
        case TimeOut(seat):
            return TimeLeft(ClockKind.DECISION, seat, left, one.after)
        case SealStep() | OpenRound() | DealStep() | Proceed() | OpenSealStep():
            return None
        case _:
            assert_never(one.what)


def due_steps(
    table: Table, timings: Timings, away: frozenset[int] = frozenset()
) -> tuple[ScheduledStep, ...]:
    """What the dealer does next, whichever is due first; nothing while nobody sits, nobody has
    bet, or a person must deal. `away` are seats whose player has no connection."""
    round = table.round
    if round is None or round.phase is Phase.CLOSED:
        return tuple(_between_rounds(table, timings))
    return tuple(
        ScheduledStep(after, what, (round.number, *moment))
        for after, what, *moment in _in_round(table, round, timings, away)
    )


def _between_rounds(table: Table, timings: Timings) -> Iterator[ScheduledStep]:
    sealed, rounds = table.sealed, table.rounds
    if sealed is not None and sealed.round == rounds:
        yield ScheduledStep(0.0, OpenSealStep(), (rounds, "reveal"))
    elif table.players and table.shuffle is ShuffleSource.SEALED and sealed is None:
        yield ScheduledStep(0.0, SealStep(), (rounds, "seal"))
    elif table.players:
        yield ScheduledStep(timings.open, OpenRound(), (rounds, "open"))


def _in_round(
    table: Table, round: Round, timings: Timings, away: frozenset[int]
) -> Iterator[tuple[float, DueStep, Hashable] | tuple[float, DueStep, Hashable, Hashable]]:
    """What is due, and of which moment of this round."""
    phase = round.phase
    match phase:
        case Phase.BETTING:
            yield from _betting(table, round, timings, away)
        case Phase.NO_MORE_BETS:
            if table.shuffle is not ShuffleSource.ENTERED:
                yield timings.deal, DealStep(), phase
        case Phase.RESOLVING:
            yield timings.resolve, Proceed(), phase, len(round.resolved)
        case Phase.SETTLED:
            yield timings.close, Proceed(), phase
        case Phase.POCKET | Phase.FLOP | Phase.RIVER:
            # Who acts in turn has the time from the turn on; all at once, from the street on.
            owing = round.owing()
            for seat in owing[:1] if round.clockwise else owing:
                grace = round.rules.grace_seconds + round.seats[seat].extra_seconds
                yield float(grace), TimeOut(seat, grace), phase, seat
        case _:
            yield timings.card, Proceed(), phase


def _betting(
    table: Table, round: Round, timings: Timings, away: frozenset[int]
) -> Iterator[tuple[float, DueStep, Hashable] | tuple[float, DueStep, Hashable, Hashable]]:
    """Others have a while from the first bet on; who takes bets back and places them again does
    not make them wait longer."""
    if not round.seats:
        return
    yield timings.betting, CloseBets(), "first bet"
    if table.players.keys() - away <= round.seats.keys():
        yield timings.all_in, CloseBets(), "all in", frozenset(round.seats)
