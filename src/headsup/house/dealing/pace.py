"""Schedules the steps of the automatic dealer at a pace that suits people.

This module has no clock. It gives each step a delay after a moment of the round; the dealer notes
when it first sees a moment, and does the step that is due first.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import TypeAlias, assert_never

from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.round.commands import CloseBets, Proceed, TimeOut
from headsup.game.round.state import Round
from headsup.game.table.pacing import MAX_STEP_MILLISECONDS
from headsup.game.table.rounds import OpenRound
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Pace, Table
from headsup.game.values.str_enum import TextEnum
from headsup.house.floor.next_step import DealerStep, next_step

MAX_STEP_SECONDS = MAX_STEP_MILLISECONDS / 1000


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds before each step. The time for decisions is in the table's rules (R33)."""

    open: float = 1.0  # from the close of one round to the next
    betting: float = 20.0  # from the first bet, for others to bet too
    all_in: float = 1.5  # once everyone at the table has bet
    deal: float = 0.8
    card: float = 1.2  # before a street is turned up
    resolve: float = 1.2  # before each hand is settled
    close: float = 4.0  # to look at the results

    def __post_init__(self) -> None:
        seconds = {field.name: getattr(self, field.name) for field in fields(self)}
        if refusals := timing_refusals(seconds):
            raise Refused.of(next(iter(refusals.values())))

    def scaled(self, factor: float) -> "Timings":
        """All timings multiplied by a factor."""
        seconds = {field.name: getattr(self, field.name) * factor for field in fields(self)}
        return Timings(**seconds)


def timing_refusals(seconds: Mapping[str, float]) -> dict[str, Refusal]:
    """By step, why its seconds are not allowed."""
    return {
        name: refusal(Code.BAD_TIMING, where=name, value=value, most=MAX_STEP_SECONDS)
        for name, value in seconds.items()
        if type(value) not in (int, float)
        or not isfinite(value)
        or not 0 <= value <= MAX_STEP_SECONDS
    }


def timings_of(pace: Pace) -> Timings:
    return Timings(**{step: milliseconds / 1000 for step, milliseconds in pace.steps.items()})


def pace_of(timings: Timings, by: str, at: str) -> Pace:
    """The timings to the millisecond, as a log has them."""
    steps = {name: round(seconds * 1000) for name, seconds in asdict(timings).items()}
    return Pace(**steps, by=by, at=at)


@dataclass(frozen=True, slots=True)
class SealStep:
    """Publish the commitment to the next round's shuffle."""


@dataclass(frozen=True, slots=True)
class DealStep:
    """Give the round a shuffled deck."""


@dataclass(frozen=True, slots=True)
class OpenSealStep:
    """Open the seal after the round has closed."""


DueStep: TypeAlias = SealStep | OpenRound | CloseBets | DealStep | Proceed | TimeOut | OpenSealStep


@dataclass(frozen=True, slots=True)
class ScheduledStep:
    """A step that is due `delay` seconds after a moment. The moment is when `due_steps` first
    returned a step with this key; it is forgotten when no step has the key any more."""

    delay: float
    step: DueStep
    moment: Hashable


class ClockKind(TextEnum):
    """What the players' time is for."""

    BETS = "bets"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The seconds players have left and had in all, and whose decision it is, if it is one."""

    kind: ClockKind
    seat: int | None
    seconds: float
    total: float


def time_left(scheduled: ScheduledStep, waited: float) -> TimeLeft | None:
    """The players' time left, `waited` seconds after the moment; None if it is no deadline."""
    left = max(scheduled.delay - waited, 0.0)
    match scheduled.step:
        case CloseBets():
            return TimeLeft(ClockKind.BETS, None, left, scheduled.delay)
        case TimeOut(seat):
            return TimeLeft(ClockKind.DECISION, seat, left, scheduled.delay)
        case SealStep() | OpenRound() | DealStep() | Proceed() | OpenSealStep():
            return None
        case _:
            assert_never(scheduled.step)


def due_steps(
    table: Table, timings: Timings, away: frozenset[int] = frozenset()
) -> tuple[ScheduledStep, ...]:
    """The dealer's possible next steps; whichever is due first is done. Empty while the table
    waits for players, bets, or staff. `away` are seats whose player is disconnected."""
    round, number = table.round, table.rounds
    return tuple(
        ScheduledStep(delay, step, (number, *moment))
        for delay, step, *moment in _possible_steps(table, round, timings, away)
    )


# Delay, step and key of the moment within this round.
_Possible: TypeAlias = tuple[float, DueStep, Hashable] | tuple[float, DueStep, Hashable, Hashable]


def _possible_steps(
    table: Table, round: Round | None, timings: Timings, away: frozenset[int]
) -> Iterator[_Possible]:
    step, seats = next_step(table)
    match step:
        case DealerStep.PLAYERS | DealerStep.OPEN_ROUND:
            yield from _between_rounds(table, timings)
        case DealerStep.CLOSE_BETS:
            # The time to bet runs from the first bet. Taking bets back and placing them again does
            # not extend it.
            yield timings.betting, CloseBets(), "first bet"
            if table.players.keys() - away <= set(seats):
                yield timings.all_in, CloseBets(), "all in", frozenset(seats)
        case DealerStep.DEAL:
            yield timings.deal, DealStep(), step
        case DealerStep.DECISIONS:
            yield from _decisions(round, seats) if round is not None else ()
        case DealerStep.FLOP | DealerStep.TURN_AND_RIVER | DealerStep.REVEAL | DealerStep.SETTLE:
            yield timings.card, Proceed(), step
        case DealerStep.RESOLVE:
            yield timings.resolve, Proceed(), step, seats
        case DealerStep.CLOSE:
            yield timings.close, Proceed(), step
        case (
            DealerStep.BETS
            | DealerStep.COUNT_BY_HAND
            | DealerStep.CORRECT_FLAG
            | DealerStep.VERIFY_AWARD
            | DealerStep.ENTER_CARDS
            | DealerStep.DEAL_FACE_DOWN
            | DealerStep.TURN_OVER
        ):
            return
        case _:
            assert_never(step)


def _between_rounds(table: Table, timings: Timings) -> Iterator[_Possible]:
    sealed, rounds = table.sealed, table.rounds
    if sealed is not None and sealed.round == rounds:
        yield 0.0, OpenSealStep(), "reveal"
    elif table.players and table.shuffle is ShuffleSource.SEALED and sealed is None:
        yield 0.0, SealStep(), "seal"
    elif table.players:
        yield timings.open, OpenRound(), "open"


def _decisions(round: Round, owing: tuple[int, ...]) -> Iterator[_Possible]:
    """If players act in turn, their time starts with their turn, otherwise with the street."""
    for seat in owing[:1] if round.clockwise else owing:
        grace = round.rules.grace_seconds + round.seats[seat].extra_seconds
        yield float(grace), TimeOut(seat, grace), round.phase, seat
