"""How far a long answer is, told where standard error is no terminal."""

import pytest

from headsup.cli.options.solutions import DEALING
from headsup.cli.screens import progress
from headsup.cli.screens.progress import LINE_SECONDS, progress_bar


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "monotonic", made)
    return made


def test_a_long_answer_says_now_and_then_how_far_it_is(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("Counting every round") as show:
        for done in range(1, 101):
            clock.now += LINE_SECONDS / 25
            show(done, 100)
    said = capsys.readouterr()
    lines = [f"headsup: Counting every round, {percent} %" for percent in (25, 50, 75)]
    assert (said.out, said.err.splitlines()) == ("", lines)


def test_work_in_even_steps_says_how_long_it_still_takes(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the clock alone: how long it takes elsewhere is not said beside it."""
    with progress_bar(DEALING, timed=True) as show:
        for done in range(1, 101):
            clock.now += LINE_SECONDS / 25
            show(done, 100)
    first, *_ = capsys.readouterr().err.splitlines()
    assert first == "headsup: Dealing every board, only this once, 25 %, 0:00:30 left"


def test_a_short_answer_says_nothing_of_it(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("Counting every round") as show:
        for done in range(1, 101):
            clock.now += LINE_SECONDS / 101
            show(done, 100)
    assert capsys.readouterr() == ("", "")
