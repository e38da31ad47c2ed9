"""The last entries of each table of a floor, held for those who lost their connection for a moment.

Who comes back says the last index they saw and is told exactly what they missed; after longer than
this remembers, about a round, one whole view says more in less.
"""

from collections import defaultdict, deque

from headsup.house.host import Happened, Host

MOST_MISSED = 64


class Recent:
    """What happened on one floor since it is watched, at each table at most the last `MOST_MISSED`
    entries: how busy the others are does not shorten it."""

    def __init__(self, host: Host) -> None:
        self._kept: dict[str, deque[Happened]] = defaultdict(lambda: deque(maxlen=MOST_MISSED))
        self._gone: dict[str, int] = {}  # by table the last entry that is not held any more
        self._start = self._end = index_of(host)
        host.watch(self._keep)

    def _keep(self, happened: Happened) -> None:
        kept = self._kept[happened.table]
        if len(kept) == MOST_MISSED:
            self._gone[happened.table] = index_of(kept[0])
        kept.append(happened)
        self._end = index_of(happened)

    def after(self, index: int, table: str) -> list[Happened] | None:
        """What happened at the table after that entry; None where that is not known here."""
        if not self._gone.get(table, self._start) <= index <= self._end:
            return None
        return [one for one in self._kept.get(table, ()) if index_of(one) > index]


def index_of(moment: Host | Happened) -> int:
    """The index of the last entry of the floor's log, now or then."""
    return moment.journal.head.count - 1
