"""The last entries of a floor, held for those who lost their connection for a moment.

Who comes back says the last index they saw and is told exactly what they missed; after longer than
this remembers, one whole view says more in less.
"""

from collections import deque

from headsup.house.floor.host import FloorHost, FloorUpdate

# Each holds a whole floor as it was then: held by table, tables that rest would hold what others
# have long left behind.
REPLAY_BUFFER_ENTRIES = 128


class ReplayBuffer:
    """What happened on one floor since it is watched, at most the last `REPLAY_BUFFER_ENTRIES`
    entries."""

    def __init__(self, host: FloorHost) -> None:
        self._kept: deque[FloorUpdate] = deque(maxlen=REPLAY_BUFFER_ENTRIES)
        self._start = self._end = last_index(host)
        host.watch(self._keep)

    def _keep(self, happened: FloorUpdate) -> None:
        if len(self._kept) == REPLAY_BUFFER_ENTRIES:
            self._start = self._kept[0].journal.head.count - 1
        self._kept.append(happened)
        self._end = happened.journal.head.count - 1

    def after(self, index: int, table: str) -> list[FloorUpdate] | None:
        """What happened at the table after that entry; None where that is not known here."""
        if not self._start <= index <= self._end:
            return None
        kept = (one for one in self._kept if one.table == table)
        return [one for one in kept if one.journal.head.count - 1 > index]


def last_index(host: FloorHost) -> int:
    """The index of the last entry of the floor's log."""
    return host.journal.head.count - 1
