"""An event loop whose time passes at once: minutes of waiting take no time in a test.

Where nothing is ready the clock is put forward to the next timer, after a moment in which threads
that were started may come back.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

_FOR_THREADS = 0.01  # seconds


class _Hurried(selectors.DefaultSelector):
    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(timeout if timeout is None else min(timeout, _FOR_THREADS))
        if not ready and timeout:
            self.passed += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._hurried = _Hurried()
        super().__init__(self._hurried)

    def time(self) -> float:
        return self._hurried.passed


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(test())
