"""Merkle proofs that a round was settled at a table, and with which players.

A table stores only the peaks of a Merkle mountain range: one hash for each power of two in the
number of its settled rounds. A round and the sibling hashes up to its peak prove that it was
settled here. The record has everything needed to make such a proof (`make_round_proof`).
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
    """A settled round from the record, and the proof that it was settled at this table."""

    round: SettledRound
    place: int  # how many rounds were settled before it
    path: tuple[str, ...]  # the sibling hashes from the round up to its peak


class RoundHistory(NamedTuple):
    last: SettledRound | None = None
    rounds: int = 0
    peaks: tuple[str, ...] = ()  # oldest and highest first

    def with_round(self, settled: SettledRound) -> "RoundHistory":
        hashes = self.new_hashes(settled)
        unchanged = self.peaks[: len(self.peaks) + 1 - len(hashes)]
        return RoundHistory(settled, self.rounds + 1, (*unchanged, hashes[-1]))

    def new_hashes(self, settled: SettledRound) -> tuple[str, ...]:
        """The hashes that one more round adds: its own, then those of the subtrees it completes."""
        hashes, carry = [_leaf(settled)], self.rounds
        while carry & 1:  # like adding one to a binary number
            hashes.append(_node(self.peaks[-len(hashes)], hashes[-1]))
            carry >>= 1
        return tuple(hashes)

    def proves(self, proof: RoundProof) -> bool:
        """Whether the proof shows that its round was settled here with these players."""
        if not 0 <= proof.place < self.rounds:
            return False
        height = peak_height(proof.place, self.rounds)
        peak = self.peaks[(self.rounds >> height + 1).bit_count()]  # the higher peaks come first
        well_formed = len(proof.path) == height and all(map(_HASH.fullmatch, proof.path))
        return well_formed and _top(proof) == peak

    def matches(self, rounds: Sequence[SettledRound]) -> bool:
        """Whether these are all the settled rounds, in order."""
        if len(rounds) != self.rounds:
            return False
        peaks = [row[-1] for row in merkle_rows(rounds) if len(row) & 1]
        return self.peaks == tuple(reversed(peaks))


def peak_height(place: int, rounds: int) -> int:
    """How far the round at this place is below its peak.

    It is the highest bit in which `place` and `rounds` differ: earlier peaks cover the bits above.
    """
    return (place ^ rounds).bit_length() - 1


def make_round_proof(rounds: Sequence[SettledRound], place: int) -> RoundProof:
    """Prove the round at this place among all rounds that were settled at the table."""
    rows = merkle_rows(rounds)
    height = peak_height(place, len(rounds))
    path = tuple(rows[level][(place >> level) ^ 1] for level in range(height))
    return RoundProof(rounds[place], place, path)


def merkle_rows(rounds: Sequence[SettledRound]) -> list[list[str]]:
    """The hashes of single rounds, then of complete groups of two, four, eight and so on."""
    rows = [[_leaf(settled) for settled in rounds]]
    while len(rows[-1]) > 1:
        row = rows[-1]
        rows.append([_node(row[i], row[i + 1]) for i in range(0, len(row) - 1, 2)])
    return rows


def _top(proof: RoundProof) -> str:
    top, position = _leaf(proof.round), proof.place
    for sibling in proof.path:
        top = _node(sibling, top) if position & 1 else _node(top, sibling)
        position >>= 1
    return top


# The first letter distinguishes a round from a pair of hashes.


def _leaf(settled: SettledRound) -> str:
    return sha256(f"r{dumps(settled)}".encode()).hexdigest()


def _node(left: str, right: str) -> str:
    return sha256(f"n{left}{right}".encode()).hexdigest()
