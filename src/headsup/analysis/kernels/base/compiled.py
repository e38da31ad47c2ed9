"""Compiles kernels on first use and caches their machine code between runs.

The cache folder is named after a hash of all kernel sources. Numba's own cache notices an edited
file, but not an edited function that another file calls, and would silently run old code. It also
trusts its files blindly: one flipped bit gave wrong answers. Here each kernel is a sealed file.

Numba is imported only when some code is missing. An `entry_kernel` is cached as object code, which
only needs a linker to run again (see `object_code`).
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

MAX_KERNEL_FOLDERS = 3  # each has a few megabytes
_build_lock = RLock()


@cache
def machine_code_folder() -> Path | None:
    """The cache folder for these kernel sources and these versions of Numba, LLVM and Python."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = (version("numba"), version("llvmlite"), sys.implementation.cache_tag)
    sources_and_versions = f"{source_hash(Path(__file__).parents[1])} {versions}"
    return folder / f"kernels-{hashlib.sha256(sources_and_versions.encode()).hexdigest()[:16]}"


def has_compiled_kernels() -> bool:
    """Whether any machine code is cached. Without it, the first run takes up to a minute."""
    folder = machine_code_folder()
    return folder is not None and any(folder.glob("*.kernel"))


def store_code(path: Path, code: bytes) -> None:
    is_new_folder = not path.parent.exists()
    write_sealed(path, code)
    if is_new_folder:
        delete_oldest(path.parent.parent, "kernels-*", MAX_KERNEL_FOLDERS)


def code_name(function: Callable[..., Any]) -> str:
    name = f"{function.__module__}.{function.__qualname__}"
    return name.removeprefix("headsup.analysis.kernels.")


class Kernel:
    """A function that Numba compiles on its first call, or as part of kernels that call it."""

    def __init__(self, function: Callable[..., Any], bare: bool = False) -> None:
        update_wrapper(self, function)
        self.py_func, self._bare = function, bare

    @cached_property
    def dispatcher(self) -> Any:
        with _build_lock:
            compiler: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
            return compiler.dispatcher(self.py_func, self._bare)

    @property
    def _numba_type_(self) -> Any:
        """The type that Numba sees when another kernel calls this one."""
        return self.dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)


class EntryKernel(Kernel):
    """A kernel called from Python that allocates nothing and returns an integer or nothing."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, bare=True)
        self._codes: dict[str, LinkedCode] = {}

    def __call__(self, *arguments: Any) -> Any:
        signature = KernelCall.from_arguments(arguments)
        if signature.types not in self._codes:
            with _build_lock:  # another thread may have linked it meanwhile
                if signature.types not in self._codes:
                    self._codes[signature.types] = self._link(signature)
        return signature.call(self._codes[signature.types])

    def _link(self, signature: KernelCall) -> LinkedCode:
        key = hashlib.sha256(f"{signature.types} {host_cpu()}".encode()).hexdigest()[:16]
        name = f"{code_name(self.py_func)}-{key}"
        folder = machine_code_folder()
        path = folder / f"{name}.kernel" if folder else None
        content = read_sealed(path) if path else None
        if content is not None:
            return link(name, ObjectCode.parse(content))
        compiler: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
        code: ObjectCode = compiler.object_code(self.py_func, signature)
        if path:
            store_code(path, code.serialise())
        return link(name, code)


def _is_jit_disabled() -> bool:
    """Whether kernels are to run as plain Python, by the same variable and rule as Numba's."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function on its first call. It releases the GIL, so chunks can run on threads.

    Numba infers types from each call, so arguments are not checked beforehand.
    """
    return function if _is_jit_disabled() else Kernel(function)


def bare_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that allocates nothing, compiled without reference counting.

    In a loop that looks up many arrays, counting costs as much as the work itself.
    """
    return function if _is_jit_disabled() else Kernel(function, bare=True)


def entry_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A bare kernel called from Python. As object code, it runs in new processes without Numba."""
    return function if _is_jit_disabled() else EntryKernel(function)
