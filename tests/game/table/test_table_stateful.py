"""The machine of `test_table_machine`, with commands chosen and shrunk by Hypothesis.

Hypothesis orders the commands and shrinks a failure to the fewest of them. Each command is made
from one random number, which takes half the time of drawing every choice in it separately.
"""

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from tests.support.machine import Machine
from tests.support.random_commands import anything, sensible
from tests.support.tables import BOOKS

CHOICES = st.integers(0, 2**64 - 1).map(Random)


def machine_of(book: str) -> type[RuleBasedStateMachine]:
    class FloorUnderCommands(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.machine = Machine()

        # The machine checks everything after each command.
        @rule(random=CHOICES)
        def something_sensible(self, random: Random) -> None:
            self.machine.ask(sensible(random, self.machine.floor, book))

        @rule(random=CHOICES)
        def anything_at_all(self, random: Random) -> None:
            self.machine.ask(anything(random, book))

        def teardown(self) -> None:
            self.machine.ends()

    return FloorUnderCommands


def run_machine(book: str, examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine_of(book),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize("book", BOOKS)
def test_no_command_breaks_a_floor(book: str) -> None:
    run_machine(book, examples=5, steps=30)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_a18_a_hundred_thousand_commands_over_all_books_break_no_floor(book: str) -> None:
    run_machine(book, examples=167, steps=100)
