"""Links object code and calls it, without the compiler that produced it.

All arguments are passed as one row of 64-bit words: the address and shape of an array, an integer
as it is, and the fields of a group of arrays (see `arrays`) one by one. The last words receive the
result. A call through ctypes releases the GIL, so chunks can run on threads.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

SYMBOL_LENGTH_BYTES = 2  # size of the field with the symbol's length
# The last words: the return value, and where Numba's calling convention puts result and error.
RETURN_WORD, RESULT_WORD, ERROR_WORD = -3, -2, -1
WORD_BYTES = 8
# Takes the addresses of result, error and words; returns 0 if all is well.
LinkedCode = Callable[[int, int, int], int]


@dataclass(frozen=True)
class ObjectCode:
    symbol: str  # the function to call
    code: bytes

    def serialise(self) -> bytes:
        symbol = self.symbol.encode()
        return len(symbol).to_bytes(SYMBOL_LENGTH_BYTES, "little") + symbol + self.code

    @classmethod
    def parse(cls, content: memoryview) -> "ObjectCode":
        """Parse serialised code. The file's seal has been checked, so the content is trusted."""
        start = SYMBOL_LENGTH_BYTES + int.from_bytes(content[:SYMBOL_LENGTH_BYTES], "little")
        return cls(bytes(content[SYMBOL_LENGTH_BYTES:start]).decode(), bytes(content[start:]))


@dataclass(frozen=True)
class KernelCall:
    """The arguments of one call, flattened to words."""

    types: str
    words: NDArray[np.int64]
    arguments: tuple[Any, ...]  # kept alive until the call returns

    @classmethod
    def from_arguments(cls, arguments: tuple[Any, ...]) -> "KernelCall":
        words: list[int] = []
        types = ",".join(_flatten_argument(argument, words) for argument in arguments)
        return cls(types, np.array([*words, 0, 0, 0], np.int64), arguments)

    def call(self, code: LinkedCode) -> int:
        address = self.words.ctypes.data
        if code(
            address + WORD_BYTES * (len(self.words) + RESULT_WORD),
            address + WORD_BYTES * (len(self.words) + ERROR_WORD),
            address,
        ):
            raise ArithmeticError("a kernel reported an error")
        return int(self.words[RETURN_WORD])


def _flatten_argument(argument: Any, words: list[int]) -> str:
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise ValueError("a kernel takes contiguous arrays, not slices with gaps")
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
    """The LLVM binding, imported only when code is linked, since importing it is slow."""
    return import_module("llvmlite.binding")


@cache
def host_cpu() -> str:
    """The processor's name and features, for which code is compiled."""
    llvm = _binding()
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


@cache
def host_features() -> frozenset[str]:
    """The features that this processor has."""
    return frozenset(name for name, has in _binding().get_host_cpu_features().items() if has)


def process_triple() -> str:
    """The kind of code that this process can link, such as `x86_64-unknown-linux-gnu`.

    Linking any other kind would end the process.
    """
    triple: str = _binding().get_process_triple()
    return triple


@cache
def _linker() -> Any:
    llvm = _binding()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler()


def link(name: str, object_code: ObjectCode) -> LinkedCode:
    library = _binding().JITLibraryBuilder().add_object_img(object_code.code).add_current_process()
    resources = library.export_symbol(object_code.symbol).link(_linker(), name)
    _loaded_code.append(resources)
    function: LinkedCode = ctypes.CFUNCTYPE(ctypes.c_int, *3 * [ctypes.c_void_p])(
        resources[object_code.symbol]
    )
    return function


_loaded_code: list[Any] = []  # keeps linked code in memory
