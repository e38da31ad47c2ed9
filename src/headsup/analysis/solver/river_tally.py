"""Tallies what every hole meets over all boards, by its river action and its verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import (
    IMPOSSIBLE,
    MAX_RAISE,
    PASSIVE,
    TALLY_FIELDS,
    VERDICTS,
    Int64s,
)
from headsup.analysis.kernels.base.numbering import RANK_BOARDS, SUITED_BOARDS, TYPES
from headsup.analysis.kernels.solve.river_tally import (
    ACTIONS,
    RiverTallies,
    TallyScratch,
    tally_rank_boards,
    tally_suited_boards,
)
from headsup.analysis.solver.actions import RiverActions
from headsup.analysis.solver.layers import CHUNKS
from headsup.analysis.solver.showdowns import Showdowns
from headsup.analysis.workers.executor import AccumulatorPool, KernelPool, split_range


@dataclass(frozen=True)
class RiverTally:
    """A hole's tally is that of its ranks, plus that of its type for each of the four suits."""

    ranks: Int64s  # [pair, action, verdict, 4]: as if no flush were possible
    types: Int64s  # [type, action, verdict, 4]: the difference that a flush makes
    varies: NDArray[np.bool_]  # [verdict]: whether a hand folds or makes the largest raise

    @classmethod
    def count(cls, showdowns: Showdowns, actions: RiverActions, pool: KernelPool) -> "RiverTally":
        ways = showdowns.ways
        sums = AccumulatorPool(lambda: (TallyScratch.empty(), RiverTallies.empty()))

        def tally_suits(first: int, last: int) -> None:
            with sums.borrow() as scratch:
                tally_suited_boards(
                    first, last, ways.types, showdowns.suited_boards, actions.suited, *scratch
                )

        def tally_ranks(first: int, last: int) -> None:
            with sums.borrow() as scratch:
                tally_rank_boards(
                    *(first, last, ways.rank_boards.ways, ways.types, showdowns.rank_boards),
                    *(actions.ranks, showdowns.deals, *scratch),
                )

        tasks: list[Callable[[], object]] = [
            partial(tally_suits, *part) for part in split_range(0, SUITED_BOARDS, CHUNKS)
        ]
        tasks += [partial(tally_ranks, *part) for part in split_range(0, RANK_BOARDS, CHUNKS // 4)]
        pool.run(tasks)
        (_, tallies), *others = sums.collect()
        for _, other in others:
            for mine, theirs in zip(tallies, other, strict=True):
                mine += theirs
        types, ranks = _unpack_tallies(tallies.packed), tallies.pairs
        varies = [
            np.asarray(tally[:, [PASSIVE, MAX_RAISE], :, 0].any((0, 1))) for tally in (types, ranks)
        ]
        return cls(ranks, types, varies[0] | varies[1])

    def sums(self, pays: NDArray[np.int64]) -> tuple[Int64s, Int64s]:
        """[pair] and [type]: sums over all boards of a linear quantity such as `Terms.pays`."""
        by_ranks = np.einsum("iavk,vk->i", self.ranks, pays)
        return by_ranks, np.einsum("iavk,vk->i", self.types, pays)


def _unpack_tallies(packed: Int64s) -> Int64s:
    """[type, action, verdict, 4]: each 64-bit word holds two signed 32-bit numbers."""
    four = np.zeros((TYPES, ACTIONS, VERDICTS, TALLY_FIELDS), np.int64)
    words = packed.reshape(ACTIONS, VERDICTS, TYPES, 2).transpose(2, 0, 1, 3)
    lower = words.astype(np.int32)
    upper = words - lower >> 32
    four[..., 0], four[..., 1] = upper[..., 0], upper[..., 1]
    four[..., 2], four[..., 3] = lower[..., 1], lower[..., 0]
    four[:, :, IMPOSSIBLE] = 0
    return four
