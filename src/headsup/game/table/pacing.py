"""A table's own pace: how long the automatic dealer waits before each step."""

from dataclasses import dataclass

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import ConsoleOnly
from headsup.game.table.state import Floor, Pace, Table, with_table

MAX_STEP_MILLISECONDS = 600_000


@dataclass(frozen=True, slots=True)
class SetPace:
    """Give the table its own pace; None returns it to the house's usual one."""

    pace: Pace | None


@dataclass(frozen=True, slots=True)
class PaceSet:
    pace: Pace | None

    audience = ConsoleOnly()


def decide_pace(command: SetPace) -> tuple[PaceSet] | Refusal:
    steps = () if command.pace is None else command.pace.steps.items()
    for step, milliseconds in steps:
        if not 0 <= milliseconds <= MAX_STEP_MILLISECONDS:
            seconds, most = milliseconds / 1000, MAX_STEP_MILLISECONDS / 1000
            return refusal(Code.BAD_TIMING, where=step, value=seconds, most=most)
    return (PaceSet(command.pace),)


def evolve_pace(floor: Floor, table: Table, event: PaceSet) -> Floor:
    return with_table(floor, table._replace(pace=event.pace))
