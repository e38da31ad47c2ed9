"""The settled rounds of a table, by one hash each, so that any of them can be shown ever after.

A table does not carry its whole past about. It keeps the peaks of a Merkle mountain range: one
hash for each power of two in the number of its settled rounds. Who names a round, with the hashes
beside its way up to a peak, has shown that it was played here and who was in it; the record holds
all that is needed to do so (`make_round_proof`).
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


class RoundProof(NamedTuple):
    """A settled round out of the record, and what shows that it is this table's."""

    round: SettledRound
    place: int  # how many rounds were settled before it
    path: tuple[str, ...]  # the hashes beside it, from its own up to a peak


class RoundHistory(NamedTuple):
    last: SettledRound | None = None
    rounds: int = 0
    peaks: tuple[str, ...] = ()  # the oldest and highest first

    def with_round(self, settled: SettledRound) -> "RoundHistory":
        made = self.completed(settled)
        left = self.peaks[: len(self.peaks) + 1 - len(made)]
        return RoundHistory(settled, self.rounds + 1, (*left, made[-1]))

    def completed(self, settled: SettledRound) -> tuple[str, ...]:
        """The hashes that one more round makes: its own, and of each further power of two rounds
        that end with it."""
        made, carried = [_leaf(settled)], self.rounds
        while carried & 1:  # as in adding one to a binary number
            made.append(_node(self.peaks[-len(made)], made[-1]))
            carried >>= 1
        return tuple(made)

    def holds(self, recalled: RoundProof) -> bool:
        """Whether this round was settled here, at this place and with these players."""
        if not 0 <= recalled.place < self.rounds:
            return False
        height = peak_height(recalled.place, self.rounds)
        peak = self.peaks[(self.rounds >> height + 1).bit_count()]  # as many are higher
        fits = len(recalled.path) == height and all(map(_HASH.fullmatch, recalled.path))
        return fits and _top(recalled) == peak

    def is_of(self, rounds: Sequence[SettledRound]) -> bool:
        """Whether these are all the rounds of this past, in their order."""
        if len(rounds) != self.rounds:
            return False
        peaks = [row[-1] for row in merkle_rows(rounds) if len(row) & 1]
        return self.peaks == tuple(reversed(peaks))


def peak_height(place: int, rounds: int) -> int:
    """How far a place among so many rounds is below its peak: where their numbers first differ in
    binary, all places before are under higher peaks."""
    return (place ^ rounds).bit_length() - 1


def make_round_proof(rounds: Sequence[SettledRound], place: int) -> RoundProof:
    """The round at this place among all the rounds that the record says were settled."""
    rows = merkle_rows(rounds)
    height = peak_height(place, len(rounds))
    path = tuple(rows[level][(place >> level) ^ 1] for level in range(height))
    return RoundProof(rounds[place], place, path)


def merkle_rows(rounds: Sequence[SettledRound]) -> list[list[str]]:
    """Of each round, of each two, each four and so on, as far as they are whole."""
    rows = [[_leaf(settled) for settled in rounds]]
    while len(rows[-1]) > 1:
        row = rows[-1]
        rows.append([_node(row[i], row[i + 1]) for i in range(0, len(row) - 1, 2)])
    return rows


def _top(recalled: RoundProof) -> str:
    top, at = _leaf(recalled.round), recalled.place
    for beside in recalled.path:
        top = _node(beside, top) if at & 1 else _node(top, beside)
        at >>= 1
    return top


# The first letter keeps a round from being taken for two hashes.


def _leaf(settled: SettledRound) -> str:
    return sha256(f"r{dumps(settled)}".encode()).hexdigest()


def _node(left: str, right: str) -> str:
    return sha256(f"n{left}{right}".encode()).hexdigest()
