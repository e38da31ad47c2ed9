"""Machine code in an object file, linked and called with nothing of what compiled it.

All arguments are handed over as one row of 64-bit words: for an array its address and its shape,
for a number itself, and for a group of arrays (`arrays`) its fields in turn. Words at the end take
what comes back. Calling through ctypes lets go of the GIL, so that chunks run on ordinary threads.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

SYMBOL_LENGTH_BYTES = 2  # bytes that say how long the symbol is
# The last words: what is returned, and where Numba's convention puts a result and an error.
RETURN_WORD, RESULT_WORD, ERROR_WORD = -3, -2, -1
WORD_BYTES = 8  # of a word
LinkedCode = Callable[[int, int, int], int]  # where a result, an error and the words are; 0 is well


@dataclass(frozen=True)
class ObjectCode:
    symbol: str  # the function to call
    code: bytes

    def serialise(self) -> bytes:
        symbol = self.symbol.encode()
        return len(symbol).to_bytes(SYMBOL_LENGTH_BYTES, "little") + symbol + self.code

    @classmethod
    def parse(cls, content: memoryview) -> "ObjectCode":
        """What was written; a file's seal has shown that nothing else is in it."""
        at = SYMBOL_LENGTH_BYTES + int.from_bytes(content[:SYMBOL_LENGTH_BYTES], "little")
        return cls(bytes(content[SYMBOL_LENGTH_BYTES:at]).decode(), bytes(content[at:]))


@dataclass(frozen=True)
class KernelCall:
    """What a call hands over: its types, and the words."""

    text: str
    words: NDArray[np.int64]
    arguments: tuple[Any, ...]  # alive until the call is over

    @classmethod
    def of(cls, arguments: tuple[Any, ...]) -> "KernelCall":
        words: list[int] = []
        types = ",".join(_flatten_argument(argument, words) for argument in arguments)
        return cls(types, np.array([*words, 0, 0, 0], np.int64), arguments)

    def call(self, code: LinkedCode) -> int:
        at = self.words.ctypes.data
        if code(
            at + WORD_BYTES * (len(self.words) + RESULT_WORD),
            at + WORD_BYTES * (len(self.words) + ERROR_WORD),
            at,
        ):
            raise ArithmeticError("a kernel failed")
        return int(self.words[RETURN_WORD])


def _flatten_argument(argument: Any, words: list[int]) -> str:
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise ValueError("a kernel takes whole arrays, not every second row or column of one")
        words.append(argument.__array_interface__["data"][0])
        words.extend(argument.shape)
        return f"{argument.dtype.name}[{argument.ndim}]"
    if isinstance(argument, tuple):
        fields = ",".join(_flatten_argument(field, words) for field in argument)
        return f"{type(argument).__name__}({fields})"
    words.append(int(argument))
    return "int"


@cache
def _binding() -> Any:
    """LLVM, loaded where code is linked: what only names kernels need not wait for it."""
    return import_module("llvmlite.binding")


@cache
def host_cpu() -> str:
    """The processor that code is for."""
    llvm = _binding()
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


@cache
def _linker() -> Any:
    llvm = _binding()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler()


def link(name: str, built: ObjectCode) -> LinkedCode:
    library = _binding().JITLibraryBuilder().add_object_img(built.code).add_current_process()
    resources = library.export_symbol(built.symbol).link(_linker(), name)
    _loaded_code.append(resources)
    function: LinkedCode = ctypes.CFUNCTYPE(ctypes.c_int, *3 * [ctypes.c_void_p])(
        resources[built.symbol]
    )
    return function


_loaded_code: list[Any] = []  # code stays where it is while it may be called
