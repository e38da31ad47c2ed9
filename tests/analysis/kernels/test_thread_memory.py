"""Padded arrays: no two of them share a cache line."""

import numpy as np

from headsup.analysis.kernels.base.arrays import CACHE_LINE_BYTES, Int64s, allocate_padded
from headsup.analysis.kernels.simulate.tables import empty_sums


def _lines(array: Int64s) -> set[int]:
    start = array.__array_interface__["data"][0]
    return {*range(start // CACHE_LINE_BYTES, (start + array.nbytes - 1) // CACHE_LINE_BYTES + 1)}


def test_each_array_has_its_own_cache_lines() -> None:
    groups = [
        allocate_padded(((3,), np.int64), ((2, 40), np.int16), ((1,), np.uint8)) for _ in range(20)
    ]
    arrays = [array for group in groups for array in group]
    assert sum(len(_lines(array)) for array in arrays) == len(set().union(*map(_lines, arrays)))
    assert [(array.shape, array.dtype.name) for array in groups[0]] == [
        ((3,), "int64"),
        ((2, 40), "int16"),
        ((1,), "uint8"),
    ]
    assert not any(array.any() for array in arrays)


def test_sums_of_two_chunks_share_no_cache_line() -> None:
    one, other = (empty_sums(seats=1, sessions=0, claims=0, cuts=0) for _ in range(2))
    small = ("totals", "squares", "table_squares", "products", "raised", "claim_count", "cut_count")
    for name in small:
        assert not any(
            _lines(getattr(one, name)) & _lines(getattr(other, other_name)) for other_name in small
        )
