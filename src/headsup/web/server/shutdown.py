"""A server that is told to stop ends in time, also where its database has fallen silent.

It finishes what it accepted and lets its floors go. Where that takes longer than anybody waits, it
ends as it stands: whatever somebody was told is kept, and of the rest nobody knows more than after
a power cut. Its floors are taken over when their leases have run out.
"""

import os
import sys
import threading

from headsup.web.server.log import log

# Longer than all that is waited for on the way: for sockets, for requests, for the store.
SHUTDOWN_SECONDS = 25.0
EXIT_UNFINISHED = 1  # the status of a process that ended so


def start_shutdown_deadline() -> None:
    """From now on; the process may well end before."""
    timer = threading.Timer(SHUTDOWN_SECONDS, _force_exit)
    timer.daemon = True
    timer.start()


def _force_exit() -> None:
    log.error("the server ends unfinished: the database does not answer", seconds=SHUTDOWN_SECONDS)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_UNFINISHED)  # threads that wait for the database would be waited for
