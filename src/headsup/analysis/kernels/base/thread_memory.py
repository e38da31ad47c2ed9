"""Memory for one thread alone.

Processors share memory by lines. Two threads that write to different numbers of one line wait for
each other at every write, and small arrays that are made one after the other lie in one line.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

CACHE_LINE_BYTES = 128  # bytes: lines are fetched in pairs


def allocate_padded(*wanted: tuple[Sequence[int], type[np.generic]]) -> list[NDArray[Any]]:
    """Arrays of zeros by shape and type, each on lines of its own."""
    sizes = [prod(shape) * np.dtype(of).itemsize for shape, of in wanted]
    lines = [-(-size // CACHE_LINE_BYTES) * CACHE_LINE_BYTES for size in sizes]
    memory = np.zeros(sum(lines) + CACHE_LINE_BYTES, np.uint8)
    at = -memory.__array_interface__["data"][0] % CACHE_LINE_BYTES
    arrays = []
    for (shape, of), size, taken in zip(wanted, sizes, lines, strict=True):
        arrays.append(memory[at : at + size].view(of).reshape(tuple(shape)))
        at += taken
    return arrays
