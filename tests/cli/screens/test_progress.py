"""Progress lines if standard error is not a terminal."""

import pytest

from headsup.cli.screens import progress
from headsup.cli.screens.progress import LINE_SECONDS, progress_bar


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "monotonic", made)
    return made


def test_a_long_computation_prints_its_progress_now_and_then(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("Counting every round") as show:
        for done in range(1, 101):
            clock.now += LINE_SECONDS / 25
            show(done, 100)
    streams = capsys.readouterr()
    lines = [f"headsup: Counting every round, {percent} %" for percent in (25, 50, 75)]
    assert (streams.out, streams.err.splitlines()) == ("", lines)


def test_work_in_even_steps_shows_the_time_left(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """The time left comes from the clock alone."""
    with progress_bar("Dealing every board (first time only)", timed=True) as show:
        for done in range(1, 101):
            clock.now += LINE_SECONDS / 25
            show(done, 100)
    first, *_ = capsys.readouterr().err.splitlines()
    assert first == "headsup: Dealing every board (first time only), 25 %, 0:00:30 left"


def test_a_short_computation_prints_no_progress(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("Counting every round") as show:
        for done in range(1, 101):
            clock.now += LINE_SECONDS / 101
            show(done, 100)
    assert capsys.readouterr() == ("", "")
