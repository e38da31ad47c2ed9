"""The machine of `test_table_machine`, with commands chosen and cut down by Hypothesis.

Hypothesis steers by what it has seen and shrinks a failure to its simplest commands; the seeded
runs beside it are the longer ones.
"""

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from tests.game.test_table_machine import Machine, anything, sensible
from tests.tables import BOOKS

CHOICES = st.randoms(use_true_random=False)


def machine_of(book: str) -> type[RuleBasedStateMachine]:
    class FloorUnderCommands(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.machine = Machine()

        # After each command the machine itself checks that all holds.
        @rule(random=CHOICES)
        def something_sensible(self, random: Random) -> None:
            self.machine.ask(sensible(random, self.machine.floor, book))

        @rule(random=CHOICES)
        def anything_at_all(self, random: Random) -> None:
            self.machine.ask(anything(random, book))

        def teardown(self) -> None:
            self.machine.ends()

    return FloorUnderCommands


def tried(book: str, examples: int, steps: int) -> None:
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
    tried(book, examples=5, steps=30)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_a18_a_hundred_thousand_commands_over_all_books_break_no_floor(book: str) -> None:
    tried(book, examples=190, steps=100)
