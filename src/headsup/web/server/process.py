"""Runs the server process: event loop, garbage collection, and a deadline for shutting down.

A server told to stop finishes the commands it accepted and releases its floors. If the database
does not answer, that could take for ever, so after SHUTDOWN_SECONDS the process exits as it is.
Everything it confirmed is stored, as after a power cut; other servers take over its floors when
their leases expire.
"""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from headsup.web.server.log import log

# Longer than all the timeouts of an orderly shutdown together: sockets, requests, the store.
SHUTDOWN_SECONDS = 25.0
EXIT_UNFINISHED = 1  # exit status after the deadline


def start_shutdown_deadline() -> None:
    """Start the countdown; an orderly shutdown normally ends the process first."""
    timer = threading.Timer(SHUTDOWN_SECONDS, _force_exit)
    timer.daemon = True
    timer.start()


def _force_exit() -> None:
    log.error("forced exit: the database does not answer", seconds=SHUTDOWN_SECONDS)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_UNFINISHED)  # a normal exit would wait for threads stuck in the database


# Event loop and garbage collection.

try:
    import uvloop
except ImportError:  # not available on every platform
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    new_loop = uvloop.new_event_loop

# Reference counting frees nearly everything. The search for cycles pauses the whole server for some
# tenths of a second. So it runs only every GC_COLLECT_SECONDS, or when far more objects were made
# than freed, and never over the objects from the start. Python's own schedule would run it again
# and again while caches fill, and find nothing. Run every second, it would take 2 % of a core.
GC_CHECK_SECONDS = 60.0
GC_COLLECT_SECONDS = 600.0
MAX_UNFREED_OBJECTS = 1_000_000  # since the last collection; full caches hold half as many

# The committing thread needs the interpreter after every SQL statement. With Python's default of
# 5 ms each time, every commit would wait noticeably longer.
THREAD_SWITCH_SECONDS = 0.0005


def run_loop(main: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main)


def tune_gc() -> None:
    """Call inside the running loop, once all long-lived objects exist."""
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    gc.freeze()  # what the start left to collect is small, and looking for it takes long
    gc.disable()
    loop = asyncio.get_running_loop()
    _schedule_gc_check(loop, loop.time())


def _schedule_gc_check(loop: asyncio.AbstractEventLoop, last_collected: float) -> None:
    loop.call_later(GC_CHECK_SECONDS, _check_gc, loop, last_collected)


def _check_gc(loop: asyncio.AbstractEventLoop, last_collected: float) -> None:
    if (
        gc.get_count()[0] > MAX_UNFREED_OBJECTS
        or loop.time() >= last_collected + GC_COLLECT_SECONDS
    ):
        gc.collect()
        last_collected = loop.time()
    _schedule_gc_check(loop, last_collected)
