"""How the process of a server runs: on which event loop, and how often it looks for garbage."""

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

try:
    import uvloop
except ImportError:  # it is not made for every system
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    new_loop = uvloop.new_event_loop

# Nearly all that a server makes is freed when it is no longer used. What goes round in circles is
# looked for once in so many seconds, and never among what there was at the start. Left to itself
# the search comes when more was made than freed: late, where much is remembered for a while, and
# then through so much that everybody waits for a tenth of a second.
SEARCH_SECONDS = 60.0


def run_loop(main: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main)


def settle_down() -> None:
    """Once everything that stays is there, in the loop that is to run."""
    gc.collect()
    gc.freeze()
    gc.disable()
    _search_later(asyncio.get_running_loop())


def _search_later(loop: asyncio.AbstractEventLoop) -> None:
    loop.call_later(SEARCH_SECONDS, _search, loop)


def _search(loop: asyncio.AbstractEventLoop) -> None:
    gc.collect()
    _search_later(loop)
