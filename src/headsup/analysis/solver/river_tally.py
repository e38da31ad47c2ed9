"""What every hole meets on all boards at once, by its river action and its verdict."""

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
from headsup.analysis.solver.chunks import AccumulatorPool, KernelPool, split_range
from headsup.analysis.solver.layers import CHUNKS
from headsup.analysis.solver.showdowns import Showdowns


@dataclass(frozen=True)
class RiverTally:
    """A hole's is that of its ranks, plus that of its type as each of the four suits sees it."""

    ranks: Int64s  # [pair, action, verdict, 4]: as if no flush were possible
    types: Int64s  # [type, action, verdict, 4]: the difference that a flush makes
    varies: NDArray[np.bool_]  # [verdict]: whether some hand does other than raise the least

    @classmethod
    def count(cls, showdowns: Showdowns, actions: RiverActions, crew: KernelPool) -> "RiverTally":
        on, ways = showdowns, showdowns.ways
        sums = AccumulatorPool(lambda: (TallyScratch.empty(), RiverTallies.empty()))

        def tally_suits(first: int, last: int) -> None:
            with sums.one() as room:
                tally_suited_boards(
                    first, last, ways.types, on.suited_boards, actions.suited, *room
                )

        def tally_ranks(first: int, last: int) -> None:
            with sums.one() as room:
                tally_rank_boards(
                    *(first, last, ways.rank_boards.ways, ways.types, on.rank_boards),
                    *(actions.ranks, on.deals, *room),
                )

        calls: list[Callable[[], object]] = [
            partial(tally_suits, *part) for part in split_range(0, SUITED_BOARDS, CHUNKS)
        ]
        calls += [partial(tally_ranks, *part) for part in split_range(0, RANK_BOARDS, CHUNKS // 4)]
        crew.run(calls)
        (_, tallies), *others = sums.all()
        for _, more in others:
            for mine, theirs in zip(tallies, more, strict=True):
                mine += theirs
        types, ranks = _unpack_tallies(tallies.packed), tallies.pairs
        varies = [
            np.asarray(each[:, [PASSIVE, MAX_RAISE], :, 0].any((0, 1))) for each in (types, ranks)
        ]
        return cls(ranks, types, varies[0] | varies[1])

    def sums(self, pays: NDArray[np.int64]) -> tuple[Int64s, Int64s]:
        """[pair] and [type]: something linear, as `Terms.pays` is, summed over all boards."""
        by_ranks = np.einsum("iavk,vk->i", self.ranks, pays)
        return by_ranks, np.einsum("iavk,vk->i", self.types, pays)


def _unpack_tallies(packed: Int64s) -> Int64s:
    """[type, action, verdict, 4]: a word's lower half has a sign of its own."""
    four = np.zeros((TYPES, ACTIONS, VERDICTS, TALLY_FIELDS), np.int64)
    words = packed.reshape(ACTIONS, VERDICTS, TYPES, 2).transpose(2, 0, 1, 3)
    lower = words.astype(np.int32)
    upper = words - lower >> 32
    four[..., 0], four[..., 1] = upper[..., 0], upper[..., 1]
    four[..., 2], four[..., 3] = lower[..., 1], lower[..., 0]
    four[:, :, IMPOSSIBLE] = 0
    return four
