"""Compiles kernels with Numba. Imported only when there is something to compile."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import cgutils, types
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from headsup.analysis.kernels.base.compiled import code_name
from headsup.analysis.kernels.base.object_code import RETURN_WORD, KernelCall, ObjectCode

# Kernels never divide by zero; this model avoids the check and the exception.
ERROR_MODEL: Literal["numpy"] = "numpy"
# Functions that object code may take from the process it is linked into.
C_LIBRARY = {"memcpy", "memmove", "memset"}


def jit(function: Callable[..., Any], bare: bool = True) -> Any:
    """Numba's dispatcher for a kernel."""
    compile_function: Any = numba.njit
    return compile_function(nogil=True, error_model=ERROR_MODEL, _nrt=not bare)(function)


@intrinsic
def _pointer(_: Any, address: Any) -> Any:
    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(address), generate


_carray: Any = vars(numba)["carray"]  # the stubs leave it out


class UnlinkableKernel(TypeError):
    """A kernel that needs Numba at run time, because it allocates or may raise."""


@dataclass(frozen=True)
class PortableCode:
    """A kernel and everything it calls, as LLVM bitcode. One function is visible from outside."""

    symbol: str
    bitcode: bytes

    def object_code(self, machine: Any) -> ObjectCode:
        """The machine code for a target machine of LLVM."""
        module = llvm.parse_bitcode(self.bitcode)
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        options = llvm.create_pipeline_tuning_options(3)
        options.loop_vectorization = options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        named = [*module.functions, *module.global_variables]
        missing = {entry.name for entry in named if entry.is_declaration} - C_LIBRARY
        missing = {name for name in missing if not name.startswith("llvm.")}
        if missing:
            raise UnlinkableKernel(f"{self.symbol} needs {', '.join(sorted(missing))}")
        return ObjectCode(self.symbol, machine.emit_object(module))


def object_code(function: Callable[..., Any], signature: KernelCall) -> ObjectCode:
    """The machine code of a kernel for this processor."""
    portable, machine = _compile(function, signature)
    return portable.object_code(machine)


def portable_code(function: Callable[..., Any], signature: KernelCall) -> PortableCode:
    """The code of a kernel for any processor, if Numba was told to compile for the simplest."""
    return _compile(function, signature)[0]


def _compile(function: Callable[..., Any], signature: KernelCall) -> tuple[PortableCode, Any]:
    """Compile a kernel and everything it calls into a function of one pointer.

    Numba's wrapper for Python callers is left out, because it needs Numba's runtime. Names are
    replaced, as Numba numbers them in the order in which functions happen to be compiled.
    """
    typed: Any = types
    unpack = jit(_make_unpacker(function, signature), bare=False)
    try:
        unpack.compile((typed.CPointer(typed.int64),))
    except NumbaError as error:
        raise UnlinkableKernel(f"cannot compile {code_name(function)}: {error}") from error
    (compiled,) = unpack.overloads.values()
    library, entry = compiled.library, compiled.fndesc.llvm_func_name
    module = llvm.parse_bitcode(library._final_module.as_bitcode())
    module.name = symbol = code_name(function)
    named = [*module.functions, *module.global_variables]
    for number, value in enumerate(value for value in named if not value.is_declaration):
        if value.name == entry:
            value.name = symbol
        else:
            value.linkage, value.name = llvm.Linkage.internal, f"part_{number}"
    return PortableCode(symbol, module.as_bitcode()), library.codegen._tm


def _make_unpacker(function: Callable[..., Any], signature: KernelCall) -> Callable[..., Any]:
    """Build a Python function that reads the arguments from a row of words and calls the kernel."""
    names: dict[str, Any] = {"carray": _carray, "pointer": _pointer}
    names["kernel"] = jit(function)
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
