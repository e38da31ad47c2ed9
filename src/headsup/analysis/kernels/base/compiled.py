"""How kernels are compiled, and how the machine code is kept between runs.

The folder is named after a hash of all kernel sources: Numba notices an edited file, but not an
edited function that another file calls, and would silently return the old answer. Numba's own
files are trusted as they are, and a flipped bit in one gave wrong answers; here each kernel is one
sealed file.

Numba is loaded only by a kernel that finds no code of its own: an `entry_kernel` is kept as object
code, which needs nothing to be run again but a linker (`object_code`).
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

MAX_KERNEL_FOLDERS = 3  # folders, each of some megabytes
_build_lock = RLock()


@cache
def machine_code_folder() -> Path | None:
    """One for each version of the kernels and of what compiles them."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = (version("numba"), version("llvmlite"), sys.implementation.cache_tag)
    made_by = f"{source_hash(Path(__file__).parents[1])} {versions}"
    return folder / f"kernels-{hashlib.sha256(made_by.encode()).hexdigest()[:16]}"


def has_compiled_kernels() -> bool:
    """Whether some machine code is there already: without it the first run takes a while."""
    folder = machine_code_folder()
    return folder is not None and any(folder.glob("*.kernel"))


def store_code(path: Path, code: bytes) -> None:
    first = not path.parent.exists()
    write_sealed(path, code)
    if first:
        delete_oldest(path.parent.parent, "kernels-*", MAX_KERNEL_FOLDERS)


def code_name(function: Callable[..., Any]) -> str:
    name = f"{function.__module__}.{function.__qualname__}"
    return name.removeprefix("headsup.analysis.kernels.")


class Kernel:
    """A function that Numba compiles on its first call, or into the kernels that call it."""

    def __init__(self, function: Callable[..., Any], bare: bool = False) -> None:
        update_wrapper(self, function)
        self.py_func, self._bare = function, bare

    @cached_property
    def dispatcher(self) -> Any:
        with _build_lock:
            building: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
            return building.dispatcher(self.py_func, self._bare)

    @property
    def _numba_type_(self) -> Any:
        """How Numba sees it where another kernel calls it."""
        return self.dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)


class EntryKernel(Kernel):
    """A kernel that is called from Python, allocates nothing, and returns nothing or a number."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, bare=True)
        self._codes: dict[str, LinkedCode] = {}

    def __call__(self, *arguments: Any) -> Any:
        signature = KernelCall.of(arguments)
        if signature.text not in self._codes:
            with _build_lock:  # another thread may have been first
                if signature.text not in self._codes:
                    self._codes[signature.text] = self._linked(signature)
        return signature.call(self._codes[signature.text])

    def _linked(self, signature: KernelCall) -> LinkedCode:
        key = hashlib.sha256(f"{signature.text} {host_cpu()}".encode()).hexdigest()[:16]
        name = f"{code_name(self.py_func)}-{key}"
        folder = machine_code_folder()
        path = folder / f"{name}.kernel" if folder else None
        content = read_sealed(path) if path else None
        if content is not None:
            return link(name, ObjectCode.parse(content))
        building: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
        built: ObjectCode = building.object_code(self.py_func, signature)
        if path:
            store_code(path, built.serialise())
        return link(name, built)


def _is_jit_disabled() -> bool:
    """As Numba itself understands the variable: kernels are then plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call; release the GIL, so that chunks run on ordinary threads.

    Numba infers types from the call, so what a kernel takes is not checked before.
    """
    return function if _is_jit_disabled() else Kernel(function)


def bare_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """One that makes no arrays, and so need not count who holds those it is given: where many are
    looked up in a loop, counting takes as long as the work."""
    return function if _is_jit_disabled() else Kernel(function, bare=True)


def entry_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for one that is kept as object code."""
    return function if _is_jit_disabled() else EntryKernel(function)
