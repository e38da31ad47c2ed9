"""How the process of a server runs: on which event loop, and how often it looks for garbage."""

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine
from typing import Any

try:
    import uvloop
except ImportError:  # it is not made for every system
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    new_loop = uvloop.new_event_loop

# Nearly all that a server makes is freed when it is no longer used. What goes round in circles is
# looked for now and then, or where far more was made than freed, and never among what there was at
# the start: while it is, everybody waits for some tenths of a second. Left to itself the search
# comes again and again while caches fill, and finds nothing; made every second it is short, and
# takes a fiftieth of the processor.
GC_CHECK_SECONDS = 60.0
GC_COLLECT_SECONDS = 600.0
MAX_UNFREED_OBJECTS = (
    1_000_000  # things not freed since the last search: full caches hold half as many
)

# How long a thread that works may be waited for by another: the one that commits comes back to the
# interpreter after every statement, and with the usual 5 ms everyone would wait for it at the end.
THREAD_SWITCH_SECONDS = 0.0005


def run_loop(main: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main)


def tune_gc() -> None:
    """Once everything that stays is there, in the loop that is to run."""
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.disable()
    loop = asyncio.get_running_loop()
    _schedule_gc_check(loop, loop.time())


def _schedule_gc_check(loop: asyncio.AbstractEventLoop, searched: float) -> None:
    loop.call_later(GC_CHECK_SECONDS, _check_gc, loop, searched)


def _check_gc(loop: asyncio.AbstractEventLoop, searched: float) -> None:
    if gc.get_count()[0] > MAX_UNFREED_OBJECTS or loop.time() >= searched + GC_COLLECT_SECONDS:
        gc.collect()
        searched = loop.time()
    _schedule_gc_check(loop, searched)
