"""The last entries of a floor, held for those who lost their connection for a moment.

Who comes back says the last index they saw and is told exactly what they missed; after longer than
this remembers, one whole view says more in less.
"""

from collections import deque

from headsup.house.floor.host import Happened, Host

# Each holds a whole floor as it was then: held by table, tables that rest would hold what others
# have long left behind.
MOST_MISSED = 128


class Recent:
    """What happened on one floor since it is watched, at most the last `MOST_MISSED` entries."""

    def __init__(self, host: Host) -> None:
        self._kept: deque[Happened] = deque(maxlen=MOST_MISSED)
        self._start = self._end = index_of(host)
        host.watch(self._keep)

    def _keep(self, happened: Happened) -> None:
        if len(self._kept) == MOST_MISSED:
            self._start = self._kept[0].journal.head.count - 1
        self._kept.append(happened)
        self._end = happened.journal.head.count - 1

    def after(self, index: int, table: str) -> list[Happened] | None:
        """What happened at the table after that entry; None where that is not known here."""
        if not self._start <= index <= self._end:
            return None
        kept = (one for one in self._kept if one.table == table)
        return [one for one in kept if one.journal.head.count - 1 > index]


def index_of(host: Host) -> int:
    """The index of the last entry of the floor's log."""
    return host.journal.head.count - 1
