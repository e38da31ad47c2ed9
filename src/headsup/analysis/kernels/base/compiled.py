"""Marks the functions that run as machine code, and finds or makes that code.

An *entry* is called from Python. Its code comes with the program (`shipped_code`) or is in the
cache; only if neither has it, Numba is imported and compiles it. A *bare* kernel is a part of
entries; called from Python, it runs as the plain function it is.

The cache folder is named after a hash of all kernel sources. Numba's own cache notices an edited
file, but not an edited function that another file calls, and would silently run old code. It also
trusts its files blindly: one flipped bit gave wrong answers. Here each entry is a sealed file.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from typing import Any

from headsup.analysis.cache import (
    cache_folder,
    cache_warnings,
    delete_oldest,
    read_sealed,
    source_hash,
    write_sealed,
)
from headsup.analysis.kernels.base.object_code import (
    KernelCall,
    LinkedCode,
    ObjectCode,
    host_cpu,
    link,
)
from headsup.analysis.kernels.base.shipped_code import KERNELS, find_shipped_code

MAX_KERNEL_FOLDERS = 3  # each has up to a megabyte
_build_lock = RLock()
# Tried before shipped and cached code. `headsup.tools.shipped_code` adds one that recompiles.
CodeSource = Callable[[Callable[..., Any], KernelCall], ObjectCode | None]
code_sources: list[CodeSource] = []


@cache
def machine_code_folder() -> Path | None:
    """The cache folder for these kernel sources and these versions of Numba, LLVM and Python."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = (version("numba"), version("llvmlite"), sys.implementation.cache_tag)
    sources_and_versions = f"{source_hash(KERNELS)} {versions}"
    return folder / f"kernels-{hashlib.sha256(sources_and_versions.encode()).hexdigest()[:16]}"


def _store_code(path: Path, code: bytes) -> None:
    is_new_folder = not path.parent.exists()
    write_sealed(path, code)
    if is_new_folder:
        delete_oldest(path.parent.parent, "kernels-*", MAX_KERNEL_FOLDERS)


def code_name(function: Callable[..., Any]) -> str:
    name = f"{function.__module__}.{function.__qualname__}"
    return name.removeprefix("headsup.analysis.kernels.")


class BareKernel:
    """A function that Numba compiles as part of the entries that call it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function

    @cached_property
    def _dispatcher(self) -> Any:
        with _build_lock:
            compiler: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
            return compiler.jit(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """The type that Numba sees when another kernel calls this one."""
        return self._dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)


class EntryKernel(BareKernel):
    """A kernel called from Python that allocates nothing and returns an integer or nothing."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._codes: dict[str, LinkedCode] = {}

    def __call__(self, *arguments: Any) -> Any:
        signature = KernelCall.from_arguments(arguments)
        if signature.types not in self._codes:
            with _build_lock:  # another thread may have linked it meanwhile
                if signature.types not in self._codes:
                    self._codes[signature.types] = link_kernel(self.py_func, signature)
        return signature.call(self._codes[signature.types])


def link_kernel(function: Callable[..., Any], signature: KernelCall) -> LinkedCode:
    key = hashlib.sha256(f"{signature.types} {host_cpu()}".encode()).hexdigest()[:16]
    name = f"{code_name(function)}-{key}"
    for source in code_sources:
        if (made := source(function, signature)) is not None:
            return link(name, made)
    shipped = find_shipped_code(code_name(function), signature.types)
    if shipped is not None:
        return link(name, shipped)
    folder = machine_code_folder()
    path = folder / f"{name}.kernel" if folder else None
    content = read_sealed(path) if path else None
    if content is not None:
        return link(name, ObjectCode.parse(content))
    how_often = "once" if folder else "on every run, as no cache folder can be written"
    cache_warnings.warn(
        f"compiling machine code for this calculation; this takes up to a minute, {how_often}"
    )
    compiler: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
    code: ObjectCode = compiler.object_code(function, signature)
    if path:
        _store_code(path, code.serialise())
    return link(name, code)


def _is_jit_disabled() -> bool:
    """Whether kernels are to run as plain Python, by the same variable and rule as Numba's."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def bare_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A part of entries. It allocates nothing, so it is compiled without reference counting.

    In a loop that looks up many arrays, counting costs as much as the work itself.
    """
    return function if _is_jit_disabled() else BareKernel(function)


def entry_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A bare kernel called from Python. It releases the GIL, so chunks can run on threads."""
    return function if _is_jit_disabled() else EntryKernel(function)
