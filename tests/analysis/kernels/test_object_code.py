"""Kernels as object code: what they may be given, and that nothing of Numba is left in them."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from headsup.analysis.kernels.base.compiled import entry_kernel
from headsup.analysis.kernels.base.object_code import KernelCall, ObjectCode


class Counted(NamedTuple):
    counts: Any
    times: int


@entry_kernel
def _add_up(first: int, counted: Counted, twice: bool, out: Any) -> int:
    total = 0
    for row in range(first, counted.counts.shape[0]):
        for column in range(counted.counts.shape[1]):
            out[row] += counted.times * counted.counts[row, column]
            total += counted.counts[row, column]
    return 2 * total if twice else total


@entry_kernel
def _allocate(size: int) -> int:
    return np.zeros(size, np.int64).shape[0]


def test_arrays_numbers_and_groups_are_handed_over() -> None:
    counts = np.arange(6, dtype=np.int16).reshape(3, 2)
    out = np.zeros(3, np.int64)
    assert _add_up(1, Counted(counts, 10), True, out) == 2 * (2 + 3 + 4 + 5)
    assert out.tolist() == [0, 50, 90]


def test_each_kind_of_array_has_its_own_code() -> None:
    out = np.zeros(3, np.int64)
    assert _add_up(0, Counted(np.full((3, 2), 200, np.uint8), 1), False, out) == 1200
    assert out.tolist() == [400] * 3


def test_an_array_with_gaps_is_refused() -> None:
    counts = np.zeros((3, 4), np.int16)[:, ::2]
    with pytest.raises(ValueError, match="whole arrays"):
        _add_up(0, Counted(counts, 1), False, np.zeros(3, np.int64))


def test_code_that_needs_numba_to_run_is_not_kept() -> None:
    with pytest.raises(TypeError, match="_allocate is no object code"):
        _allocate(3)


def test_object_code_comes_back_as_it_was_written() -> None:
    code = ObjectCode("symbol", bytes(range(256)))
    assert ObjectCode.parse(memoryview(code.serialise())) == code


def test_a_signature_tells_types_apart_not_values() -> None:
    row = np.zeros(3, np.int64)
    assert KernelCall.of((1, row)).text == KernelCall.of((2, row + 1)).text == "int,int64[1]"
    assert KernelCall.of((row.astype(np.int32),)).text == "int32[1]"
