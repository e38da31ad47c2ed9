"""The settled rounds of a table, by one hash each, so that any of them can be shown ever after.

A table does not carry its whole past about. It keeps the peaks of a Merkle mountain range: one
hash for each power of two in the number of its settled rounds. Who names a round, with the hashes
beside its way up to a peak, has shown that it was played here and who was in it; the record holds
all that is needed to do so (`recall`).
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from json import dumps
from typing import NamedTuple

_HASH = re.compile("[0-9a-f]{64}")


class SettledRound(NamedTuple):
    number: int
    players: tuple[tuple[int, str], ...]  # seat and player, by seat

    def player(self, seat: int) -> str | None:
        return dict(self.players).get(seat)


class Recalled(NamedTuple):
    """A settled round out of the record, and what shows that it is this table's."""

    round: SettledRound
    place: int  # how many rounds were settled before it
    path: tuple[str, ...]  # the hashes beside it, from its own up to a peak


class Past(NamedTuple):
    last: SettledRound | None = None
    rounds: int = 0
    peaks: tuple[str, ...] = ()  # the oldest and highest first

    def with_round(self, settled: SettledRound) -> "Past":
        peaks, carried, top = list(self.peaks), self.rounds, _leaf(settled)
        while carried & 1:  # as in adding one to a binary number
            top = _node(peaks.pop(), top)
            carried >>= 1
        return Past(settled, self.rounds + 1, (*peaks, top))

    def holds(self, recalled: Recalled) -> bool:
        """Whether this round was settled here, at this place and with these players."""
        start = 0
        heights = [
            bit for bit in reversed(range(self.rounds.bit_length())) if self.rounds >> bit & 1
        ]
        for peak, height in zip(self.peaks, heights, strict=True):
            if start <= recalled.place < start + (1 << height):
                fits = len(recalled.path) == height and all(map(_HASH.fullmatch, recalled.path))
                return fits and _top(recalled, recalled.place - start) == peak
            start += 1 << height
        return False


def recall(rounds: Sequence[SettledRound], place: int) -> Recalled:
    """The round at this place among all the rounds that the record says were settled."""
    start = 0
    while place - start >= (size := 1 << (len(rounds) - start).bit_length() - 1):
        start += size
    row = [_leaf(settled) for settled in rounds[start : start + size]]
    path, at = [], place - start
    while len(row) > 1:
        path.append(row[at ^ 1])
        row = [_node(row[i], row[i + 1]) for i in range(0, len(row), 2)]
        at >>= 1
    return Recalled(rounds[place], place, tuple(path))


def _top(recalled: Recalled, at: int) -> str:
    top = _leaf(recalled.round)
    for beside in recalled.path:
        top = _node(beside, top) if at & 1 else _node(top, beside)
        at >>= 1
    return top


# The first letter keeps a round from being taken for two hashes.


def _leaf(settled: SettledRound) -> str:
    return sha256(f"r{dumps(settled)}".encode()).hexdigest()


def _node(left: str, right: str) -> str:
    return sha256(f"n{left}{right}".encode()).hexdigest()
