"""Arrays that no two threads share a line of memory of."""

import numpy as np

from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.thread_memory import CACHE_LINE_BYTES, allocate_padded
from headsup.analysis.kernels.simulate.tables import empty_sums


def _lines(array: Int64s) -> set[int]:
    start = array.__array_interface__["data"][0]
    return {*range(start // CACHE_LINE_BYTES, (start + array.nbytes - 1) // CACHE_LINE_BYTES + 1)}


def test_every_array_has_lines_of_its_own() -> None:
    rooms = [
        allocate_padded(((3,), np.int64), ((2, 40), np.int16), ((1,), np.uint8)) for _ in range(20)
    ]
    arrays = [array for room in rooms for array in room]
    assert sum(len(_lines(array)) for array in arrays) == len(set().union(*map(_lines, arrays)))
    assert [(array.shape, array.dtype.name) for array in rooms[0]] == [
        ((3,), "int64"),
        ((2, 40), "int16"),
        ((1,), "uint8"),
    ]
    assert not any(array.any() for array in arrays)


def test_chunks_of_a_simulation_are_added_up_apart() -> None:
    one, other = (empty_sums(seats=1, sessions=0, claims=0, cuts=0) for _ in range(2))
    small = ("totals", "squares", "together", "products", "raised", "claimed", "cut")
    for name in small:
        assert not any(_lines(getattr(one, name)) & _lines(getattr(other, more)) for more in small)
