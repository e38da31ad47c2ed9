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
END_SECONDS = 25.0
UNFINISHED = 1  # the status of a process that ended so


def end_in_time() -> None:
    """From now on; the process may well end before."""
    timer = threading.Timer(END_SECONDS, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    log.error("the server ends unfinished: the database does not answer", seconds=END_SECONDS)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(UNFINISHED)  # threads that wait for the database would be waited for
