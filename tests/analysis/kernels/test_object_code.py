"""Kernels as object code: their arguments, and their independence of Numba."""

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


def test_arrays_numbers_and_tuples_are_passed() -> None:
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
    with pytest.raises(ValueError, match="contiguous arrays"):
        _add_up(0, Counted(counts, 1), False, np.zeros(3, np.int64))


def test_code_that_needs_numba_at_run_time_is_refused() -> None:
    with pytest.raises(TypeError, match=r"cannot compile .*_allocate"):
        _allocate(3)


def test_object_code_survives_serialising() -> None:
    code = ObjectCode("symbol", bytes(range(256)))
    assert ObjectCode.parse(memoryview(code.serialise())) == code


def test_a_signature_depends_on_types_not_values() -> None:
    row = np.zeros(3, np.int64)
    types = [KernelCall.from_arguments(values).types for values in ((1, row), (2, row + 1))]
    assert types == 2 * ["int,int64[1]"]
    assert KernelCall.from_arguments((row.astype(np.int32),)).types == "int32[1]"
