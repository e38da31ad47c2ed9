"""The process that computes for a server: shared, replaced when it dies, killed at the end."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from fractions import Fraction
from pathlib import Path

import pytest
import pytest_asyncio

from headsup.web.workers.hand_values import NoAnswer, advise_hand, shipped_rules
from headsup.web.workers.solver import MAX_OF_A_KIND, Solver

SECONDS = 60  # for a process to start on a busy machine


@pytest_asyncio.fixture
async def solver() -> AsyncIterator[Solver]:
    solver = Solver()
    async with asyncio.timeout(SECONDS):
        yield solver
        await solver.stop()


# What the process is asked to do.


def count_up(path: str, number: int) -> int:
    """Leaves a mark for each time that it is really computed."""
    with open(path, "a") as file:
        file.write(f"{number}\n")
    return number


def die_once(path: str) -> int:
    if not os.path.exists(path):
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def die_always(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for(path: str, started: str) -> str:
    Path(started).touch()
    while not os.path.exists(path):
        time.sleep(0.01)
    return path


def print_and_fail(_: int) -> None:
    print("a library's message")
    raise ZeroDivisionError


async def appears(*paths: Path) -> None:
    while not all(path.exists() for path in paths):
        await asyncio.sleep(0.01)


async def test_equal_questions_are_computed_once(solver: Solver, tmp_path: Path) -> None:
    file = tmp_path / "marks"
    at_once = [solver.ask(count_up, str(file), 7) for _ in range(5)]
    assert await asyncio.gather(*at_once, solver.ask(count_up, str(file), 8)) == [7] * 5 + [8]
    assert solver.peek(count_up, str(file), 7) == 7
    assert sorted(file.read_text().split()) == ["7", "8"]


async def test_a_caller_who_gives_up_does_not_stop_the_work(solver: Solver, tmp_path: Path) -> None:
    go, started = tmp_path / "go", tmp_path / "started"
    question = asyncio.create_task(solver.ask(wait_for, str(go), str(started)))
    await appears(started)
    question.cancel()
    await asyncio.wait([question])
    assert solver.peek(wait_for, str(go), str(started)) is None
    go.touch()
    assert await solver.ask(wait_for, str(go), str(started)) == str(go)


async def test_a_question_that_the_process_dies_of_is_asked_once_more(
    solver: Solver, tmp_path: Path
) -> None:
    first = await solver.ask(os.getpid)
    go, started = tmp_path / "go", tmp_path / "started"
    other = asyncio.create_task(solver.ask(wait_for, str(go), str(started)))
    await appears(started)
    second = await solver.ask(die_once, str(tmp_path / "died"))
    assert second != first
    go.touch()
    assert await other == str(go)  # it was under way in the process that died
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


async def test_a_question_that_always_kills_the_process_has_no_answer(solver: Solver) -> None:
    with pytest.raises(NoAnswer, match="has died"):
        await solver.ask(die_always, 1)
    assert await solver.ask(abs, -3) == 3


async def test_a_failure_is_reported_and_then_tried_again(
    solver: Solver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("sys.executable", str(tmp_path / "nothing"))
        with pytest.raises(NoAnswer, match="cannot be started"):
            await solver.ask(abs, -3)
    assert await solver.ask(abs, -3) == 3
    with pytest.raises(NoAnswer, match="could not be computed"):
        await solver.ask(print_and_fail, 1)  # what it prints is no answer either


async def test_rules_that_cannot_be_solved_are_refused_in_a_sentence(solver: Solver) -> None:
    unknown = shipped_rules("no-such-book")
    with pytest.raises(NoAnswer, match="no-such-book"):
        await solver.ask(advise_hand, unknown, (0, 1), (), (), Fraction(0))


async def test_a_busy_kind_of_question_does_not_delay_the_others(
    solver: Solver, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    started = [tmp_path / f"started{number}" for number in range(MAX_OF_A_KIND + 1)]
    waiting = [asyncio.create_task(solver.ask(wait_for, str(go), str(file))) for file in started]
    await appears(*started[:MAX_OF_A_KIND])
    assert await solver.ask(abs, -3) == 3
    assert not started[-1].exists()  # it waits for its turn
    go.touch()
    assert await asyncio.gather(*waiting) == [str(go)] * len(started)


async def test_the_process_is_killed_with_the_server(tmp_path: Path) -> None:
    solver = Solver()
    async with asyncio.timeout(SECONDS):
        pid = await solver.ask(os.getpid)
        started = tmp_path / "started"
        question = asyncio.create_task(solver.ask(wait_for, str(tmp_path / "never"), str(started)))
        await appears(started)
        await solver.stop()
        await asyncio.wait([question])
    assert question.cancelled()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
