"""The server's client for the process that solves, values hands and computes house edges.

The process starts with the first question and is killed when the server stops. Equal questions are
computed once, and their answer is kept for later. If the process dies, a new one takes over.
"""

import asyncio
import pickle
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, TypeVar, TypeVarTuple

from headsup.web.server.log import log
from headsup.web.workers.hand_values import NoAnswer
from headsup.web.workers.solver_process import LENGTH_BYTES

R = TypeVar("R")
Ts = TypeVarTuple("Ts")
Question = tuple[Callable[..., Any], tuple[Any, ...]]  # a function and its arguments

MAX_ANSWERS = 2_000  # kept; the longest unused are dropped
# Questions of one kind at a time. So a hand of a solved game need not wait while another game is
# solved, nor a player for the house edges of a table that is being set up.
MAX_OF_A_KIND = 2


class Solver:
    """Asks the process. Cancelling a call does not stop the work; a later call gets its answer."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Question, asyncio.Task[Any]] = OrderedDict()
        self._turns: defaultdict[Callable[..., Any], asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(MAX_OF_A_KIND)
        )
        self._start_lock = asyncio.Lock()
        self._process: _SolverProcess | None = None

    async def ask(self, function: Callable[[*Ts], R], *arguments: *Ts) -> R:
        """The result of this function in the process. Raises NoAnswer."""
        task = self._task(function, arguments)
        try:
            result: R = await asyncio.shield(task)
        except NoAnswer:
            self._forget(function, arguments)
            raise
        return result

    def peek(self, function: Callable[[*Ts], R], *arguments: *Ts) -> R | None:
        """The same, or None while it is being computed."""
        task = self._task(function, arguments)
        if not task.done():
            return None
        if task.cancelled() or task.exception() is not None:
            self._forget(function, arguments)
        result: R = task.result()
        return result

    def _task(self, *question: *Question) -> asyncio.Task[Any]:
        task = self._answers.get(question)
        if task is None:
            task = asyncio.create_task(self._compute(*question), name="question")
            task.add_done_callback(_consume_exception)
            self._answers[question] = task
            if len(self._answers) > MAX_ANSWERS:
                self._answers.popitem(last=False)
        self._answers.move_to_end(question)
        return task

    def _forget(self, *question: *Question) -> None:
        """After a failure, so that the next call tries again."""
        self._answers.pop(question, None)

    async def _compute(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """If the process dies over this question or another, ask the next one once more."""
        async with self._turns[function]:
            try:
                return await (await self._running()).ask(function, arguments)
            except ConnectionError:
                log.warning("the solver has died and is started again")
            try:
                return await (await self._running()).ask(function, arguments)
            except ConnectionError:
                raise NoAnswer("the solver has died") from None

    async def _running(self) -> "_SolverProcess":
        async with self._start_lock:
            if self._process is None or not self._process.alive:
                try:
                    self._process = await _SolverProcess.start()
                except OSError as error:
                    raise NoAnswer("the solver cannot be started") from error
            return self._process

    async def stop(self) -> None:
        """Kill the process; open questions are cancelled."""
        tasks = [task for task in self._answers.values() if not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._process is not None:
            await self._process.stop()


class _SolverProcess:
    """One process, and the questions it is working on."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = count(1)
        self._open: dict[int, asyncio.Future[Any]] = {}
        self._reader = asyncio.create_task(self._read(), name="solver")

    @classmethod
    async def start(cls) -> "_SolverProcess":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "headsup.web.workers.solver_process"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal must not reach it
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        return not self._reader.done()

    async def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Raises ConnectionError if the process dies first."""
        assert self._process.stdin is not None
        number = next(self._numbers)
        answer = self._open[number] = asyncio.get_running_loop().create_future()
        try:
            self._process.stdin.write(pickle.dumps((number, function, arguments)))
            await self._process.stdin.drain()
            return await answer
        finally:
            del self._open[number]

    async def _read(self) -> None:
        output = self._process.stdout
        assert output is not None
        try:
            while True:
                length = int.from_bytes(await output.readexactly(LENGTH_BYTES))
                number, result, problem = pickle.loads(await output.readexactly(length))
                answer = self._open.get(number)
                if answer is None or answer.done():
                    continue
                if problem:
                    answer.set_exception(NoAnswer(problem))
                else:
                    answer.set_result(result)
        except asyncio.IncompleteReadError:
            pass  # it has died, or has been killed
        finally:
            self._kill()
            for answer in self._open.values():
                if not answer.done():
                    answer.set_exception(ConnectionError("the solver has died"))

    async def stop(self) -> None:
        self._kill()
        await self._process.wait()
        await asyncio.wait([self._reader])

    def _kill(self) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()


def _consume_exception(task: asyncio.Task[Any]) -> None:
    """Callers get the exception; without one, asyncio would log it as never retrieved."""
    if not task.cancelled():
        task.exception()
