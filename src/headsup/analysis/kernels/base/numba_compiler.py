"""Compiles kernels with Numba. Imported only when there is something to compile."""

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import cgutils, types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaError
from numba.core.serialize import dumps
from numba.extending import intrinsic

from headsup.analysis.cache import read_sealed
from headsup.analysis.kernels.base.compiled import code_name, machine_code_folder, store_code
from headsup.analysis.kernels.base.object_code import RETURN_WORD, KernelCall, ObjectCode

# Kernels never divide by zero; this model avoids the check and the exception.
ERROR_MODEL: Literal["numpy"] = "numpy"
# Functions that object code may take from the process it is linked into.
C_LIBRARY = {"memcpy", "memmove", "memset"}


class SealedCache(NullCache):
    """Numba's cache interface for one kernel: one sealed file per signature."""

    def __init__(self, kernel: Callable[..., Any], folder: Path) -> None:
        self._folder, self._name = folder, code_name(kernel)

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        content = read_sealed(self._path(signature, target.codegen()))
        if content is None:
            return None
        rebuild: Any = CompileResult._rebuild
        return rebuild(target, *pickle.loads(content))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if compiled.lifted or compiled.library.has_dynamic_globals:
            return  # contains addresses of this process
        pickled: Any = dumps
        store_code(self._path(signature, compiled.codegen), pickled(compiled._reduce()))

    def _path(self, signature: Any, codegen: Any) -> Path:
        """The file for a signature and this processor."""
        key = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()
        return self._folder / f"{self._name}-{key[:16]}.kernel"


def dispatcher(function: Callable[..., Any], bare: bool) -> Any:
    """Numba's dispatcher for a kernel, backed by the sealed cache."""
    compiled = _jit(function, bare)
    folder = machine_code_folder()
    if folder is not None:
        compiled._cache = SealedCache(function, folder)
    return compiled


def _jit(function: Callable[..., Any], bare: bool) -> Any:
    jit: Any = numba.njit
    return jit(nogil=True, error_model=ERROR_MODEL, _nrt=not bare)(function)


@intrinsic
def _pointer(_: Any, address: Any) -> Any:
    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(address), generate


_carray: Any = vars(numba)["carray"]  # the stubs leave it out


class UnlinkableKernel(TypeError):
    """A kernel that needs Numba at run time, because it allocates or may raise."""


def object_code(function: Callable[..., Any], signature: KernelCall) -> ObjectCode:
    """Compile a kernel and everything it calls into a function of one pointer.

    Numba's wrapper for Python callers is left out, because it needs Numba's runtime.
    """
    typed: Any = types
    unpack = _jit(_make_unpacker(function, signature), bare=False)
    try:
        unpack.compile((typed.CPointer(typed.int64),))
    except NumbaError as error:
        raise UnlinkableKernel(f"cannot compile {code_name(function)}: {error}") from error
    (compiled,) = unpack.overloads.values()
    library, symbol = compiled.library, compiled.fndesc.llvm_func_name
    module = llvm.parse_bitcode(library._final_module.as_bitcode())
    for value in (*module.functions, *module.global_variables):
        if value.name != symbol and not value.is_declaration:
            value.linkage = llvm.Linkage.internal
    machine = library.codegen._tm
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(3))
    builder.getModulePassManager().run(module, builder)
    named = [*module.functions, *module.global_variables]
    missing = {entry.name for entry in named if entry.is_declaration} - C_LIBRARY
    missing = {name for name in missing if not name.startswith("llvm.")}
    if missing:
        raise UnlinkableKernel(f"{code_name(function)} needs {', '.join(sorted(missing))}")
    return ObjectCode(symbol, machine.emit_object(module))


def _make_unpacker(function: Callable[..., Any], signature: KernelCall) -> Callable[..., Any]:
    """Build a Python function that reads the arguments from a row of words and calls the kernel."""
    names: dict[str, Any] = {"carray": _carray, "pointer": _pointer}
    names["kernel"] = _jit(function, bare=True)
    words = iter(range(len(signature.words)))
    arguments = [_argument_source(argument, words, names) for argument in signature.arguments]
    call = f"kernel({', '.join(arguments)})"
    if function.__annotations__.get("return") is not None:
        call = f"words[{len(signature.words) + RETURN_WORD}] = {call}"
    source = f"def unpack(at):\n    words = carray(at, ({len(signature.words)},))\n    {call}\n"
    exec(source, names)
    unpack: Callable[..., Any] = names["unpack"]
    return unpack


def _argument_source(argument: Any, words: Any, names: dict[str, Any]) -> str:
    if isinstance(argument, np.ndarray):
        names[argument.dtype.name] = argument.dtype.type
        address = next(words)
        shape = "".join(f"words[{next(words)}], " for _ in argument.shape)
        return f"carray(pointer(words[{address}]), ({shape}), {argument.dtype.name})"
    if isinstance(argument, tuple):
        name = type(argument).__name__
        names[name] = type(argument)
        return f"{name}({', '.join(_argument_source(field, words, names) for field in argument)})"
    return f"words[{next(words)}]"
