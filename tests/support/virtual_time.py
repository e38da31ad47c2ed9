"""An event loop with virtual time: minutes of waiting take no time in a test.

If nothing is ready, the clock jumps to the next timer, unless a thread is working: its work takes
no virtual time either.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

_LOOK_SECONDS = 0.01
_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


class _Hurried(selectors.DefaultSelector):
    passed = 0.0
    threads = 0  # at work

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(timeout if timeout is None else min(timeout, _LOOK_SECONDS))
        if not ready and timeout and not self.threads:
            self.passed += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._hurried = _Hurried()
        super().__init__(self._hurried)

    def time(self) -> float:
        return self._hurried.passed

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Given], _Made], *args: *_Given
    ) -> asyncio.Future[_Made]:
        def back(_: object) -> None:
            self._hurried.threads -= 1

        self._hurried.threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(back)
        return future


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(test())
