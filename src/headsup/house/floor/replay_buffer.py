"""The latest updates of a floor, for clients that lose their connection for a moment.

A client that reconnects sends the last index it saw and gets the updates it missed. If it was gone
for longer than the buffer reaches back, it gets a whole view instead.
"""

from collections import deque

from headsup.house.floor.host import FloorHost, FloorUpdate

# Each update holds the state of the whole floor, so the buffer is one per floor: one per table
# would keep old states alive for tables where nothing happens.
REPLAY_BUFFER_ENTRIES = 128


class ReplayBuffer:
    """The last `REPLAY_BUFFER_ENTRIES` updates of one floor since the buffer was created."""

    def __init__(self, host: FloorHost) -> None:
        self._updates: deque[FloorUpdate] = deque(maxlen=REPLAY_BUFFER_ENTRIES)
        self._start = self._end = last_index(host)
        host.subscribe(self._add)

    def _add(self, update: FloorUpdate) -> None:
        if len(self._updates) == REPLAY_BUFFER_ENTRIES:
            self._start = self._updates[0].journal.head.count - 1
        self._updates.append(update)
        self._end = update.journal.head.count - 1

    def updates_after(self, index: int, table: str) -> list[FloorUpdate] | None:
        """The table's updates after that entry; None if the buffer does not reach back so far."""
        if not self._start <= index <= self._end:
            return None
        updates = (update for update in self._updates if update.table == table)
        return [update for update in updates if update.journal.head.count - 1 > index]


def last_index(host: FloorHost) -> int:
    """The index of the last entry of the floor's log."""
    return host.journal.head.count - 1
