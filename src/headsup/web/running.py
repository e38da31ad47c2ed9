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
# looked for seldom, and never among what there was at the start: a look at everything takes as
# long as many actions.
OBJECTS_BEFORE_COLLECTING = (20_000, 20, 20)


def run_loop(main: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main)


def settle_down() -> None:
    """Once everything that stays is there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OBJECTS_BEFORE_COLLECTING)
