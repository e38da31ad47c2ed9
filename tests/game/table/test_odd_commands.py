"""Every command gets an answer: odd names, huge numbers, wrong phases, any actor."""

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headsup.game.record.message_codec import read_command, write_command
from headsup.game.refusal import Refusal
from headsup.game.round.commands import TimeOut
from headsup.game.round.state import Phase
from headsup.game.table.commands import Actor, Command
from headsup.game.table.decide import act
from headsup.game.table.equipment import ReportEquipmentDown
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.rounds import OpenRound
from tests.support.odd_commands import askers, commands
from tests.support.tables import BOOKS, TRIPS_6, Play, opened, table_at


@cache
def moments() -> tuple[Play, ...]:
    """Tables of every book in several phases, with equipment down, a frozen meter, cells to set."""
    phases = (Phase.BETTING, Phase.NO_MORE_BETS, Phase.POCKET, Phase.RIVER, Phase.CLOSED)
    tables = [table_at(phase, book) for book in BOOKS for phase in phases]
    down = opened("washington", **TRIPS_6)
    down.does(ReportEquipmentDown("power"), FreezeMeter("display"), OpenRound())
    return (Play(), *tables, down, opened("galaxy"))


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=4 * settings().max_examples)
@given(st.data(), commands, askers, st.sampled_from(["T1", "", "T2", "\x00", "x" * 5_000]))
def test_every_command_is_answered_and_refusals_are_printable(
    data: st.DataObject, command: Command, by: Actor, table: str
) -> None:
    play = data.draw(st.sampled_from(range(len(moments()))).map(moments().__getitem__))
    floor, answer = act(play.floor, table, by, command)
    if isinstance(answer, Refusal):
        assert floor is play.floor
        assert answer.message
        assert answer.message.isprintable()
        assert len(answer.message) < 10_000
        return
    assert floor.ledger.total() == 0
    assert read_command(write_command(command)) == command


@pytest.mark.parametrize("waited", [2**63, 2**70, 10**400, -(2**63)])
def test_a_number_that_a_log_cannot_hold_is_refused(waited: int) -> None:
    """R33 has no most for the time a seat has had, but the log's reader does."""
    play = table_at(Phase.POCKET)
    assert play.refuses(TimeOut(1, waited)) == "bad_command"
    command = TimeOut(1, 2**63 - 1)
    play.does(command)
    assert read_command(write_command(command)) == command


# The cost of a command.
