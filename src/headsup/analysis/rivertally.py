"""What every hole meets on all boards at once, by its river action and its verdict."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.actions import RiverActions
from headsup.analysis.chunks import Crew, Sums, split
from headsup.analysis.kernels.arrays import (
    IMPOSSIBLE,
    MOST,
    PASSIVE,
    TALLIED,
    VERDICTS,
    Int64s,
)
from headsup.analysis.kernels.lattice import lattice
from headsup.analysis.kernels.numbering import (
    PAIRS,
    RANK_BOARDS,
    SUITED_BOARDS,
    TYPES,
)
from headsup.analysis.kernels.rivertally import ACTIONS, tally_rank_boards, tally_suited_boards
from headsup.analysis.layers import CHUNKS
from headsup.analysis.showdowns import Showdowns

LOW_HALF = (1 << 32) - 1


@dataclass(frozen=True)
class RiverTally:
    """A hole's is that of its ranks, plus that of its type as each of the four suits sees it."""

    ranks: Int64s  # [pair, action, verdict, 4]: as if no flush were possible
    types: Int64s  # [type, action, verdict, 4]: the difference that a flush makes
    varies: NDArray[np.bool_]  # [verdict]: whether some hand does other than raise the least

    @classmethod
    def count(cls, showdowns: Showdowns, actions: RiverActions, crew: Crew) -> "RiverTally":
        known, ways, ones = lattice(), showdowns.ways, np.ones(TYPES, np.int64)
        sums = Sums(
            lambda: (
                np.zeros((RANK_BOARDS, TYPES), np.uint8),
                np.zeros((TYPES, ACTIONS * VERDICTS, 2), np.int64),
            )
        )

        def tally(first: int, last: int) -> None:
            with sums.one() as (boards, packed):
                tally_suited_boards(
                    *(first, last, known.suited_boards, ways.types),
                    *(showdowns.suited_boards, actions.suited, ones, boards, packed),
                )

        crew.run(partial(tally, *part) for part in split(0, SUITED_BOARDS, CHUNKS))
        (boards, packed), *others = sums.all()
        for more_boards, more in others:
            boards += more_boards
            packed += more
        types = _unpacked(packed)
        varied = [PASSIVE, MOST]
        varies = np.asarray(types[:, varied, :, 0].any((0, 1)))
        ranks = np.zeros((PAIRS, ACTIONS, VERDICTS, TALLIED), np.int64)
        tally_rank_boards(
            *(ways.rank_boards.ways, ways.types, showdowns.rank_boards, actions.ranks),
            *(boards, ranks, types),
        )
        return cls(ranks, types, varies | np.asarray(ranks[:, varied, :, 0].any((0, 1))))

    def sums(self, pays: NDArray[np.int64]) -> tuple[Int64s, Int64s]:
        """[pair] and [type]: something linear, as `Terms.pays` is, summed over all boards."""
        by_ranks = np.einsum("iavk,vk->i", self.ranks, pays)
        return by_ranks, np.einsum("iavk,vk->i", self.types, pays)


def _unpacked(packed: Int64s) -> Int64s:
    boards, weak = packed[..., 0] >> 32, packed[..., 0] & LOW_HALF
    wins, ties = packed[..., 1] >> 32, packed[..., 1] & LOW_HALF
    four = np.stack([boards, wins, ties, weak], -1)
    four = four.reshape(TYPES, ACTIONS, VERDICTS, TALLIED)
    four[:, :, IMPOSSIBLE] = 0
    return four
