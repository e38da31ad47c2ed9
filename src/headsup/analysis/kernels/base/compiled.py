"""How kernels are compiled, and how the machine code is kept between runs.

The folder is named after a hash of all kernel sources: Numba notices an edited file, but not an
edited function that another file calls, and would silently return the old answer. Numba's own
files are trusted as they are, and a flipped bit in one gave wrong answers; here each kernel is one
sealed file.

Numba is loaded only by a kernel that finds no code of its own: an `entry` is kept as object code,
which needs nothing to be run again but a linker (`object_code`).
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

from headsup.analysis.cache import cache_folder, forget_oldest, keep, read, source_hash
from headsup.analysis.kernels.base.object_code import LinkedCode, ObjectCode, Signature, host, link

VERSIONS_KEPT = 3  # folders, each of some megabytes
_building = RLock()


@cache
def machine_code_folder() -> Path | None:
    """One for each version of the kernels and of what compiles them."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = (version("numba"), version("llvmlite"), sys.implementation.cache_tag)
    made_by = f"{source_hash(Path(__file__).parents[1])} {versions}"
    return folder / f"kernels-{hashlib.sha256(made_by.encode()).hexdigest()[:16]}"


def is_compiled() -> bool:
    """Whether some machine code is there already: without it the first run takes a while."""
    folder = machine_code_folder()
    return folder is not None and any(folder.glob("*.kernel"))


def keep_code(path: Path, code: bytes) -> None:
    first = not path.parent.exists()
    keep(path, code)
    if first:
        forget_oldest(path.parent.parent, "kernels-*", VERSIONS_KEPT)


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
        with _building:
            building: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
            return building.dispatcher(self.py_func, self._bare)

    @property
    def _numba_type_(self) -> Any:
        """How Numba sees it where another kernel calls it."""
        return self.dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)


class Entry(Kernel):
    """A kernel that is called from Python, allocates nothing, and returns nothing or a number."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, bare=True)
        self._codes: dict[str, LinkedCode] = {}

    def __call__(self, *arguments: Any) -> Any:
        signature = Signature.of(arguments)
        if signature.text not in self._codes:
            with _building:  # another thread may have been first
                if signature.text not in self._codes:
                    self._codes[signature.text] = self._linked(signature)
        return signature.call(self._codes[signature.text])

    def _linked(self, signature: Signature) -> LinkedCode:
        key = hashlib.sha256(f"{signature.text} {host()}".encode()).hexdigest()[:16]
        name = f"{code_name(self.py_func)}-{key}"
        folder = machine_code_folder()
        path = folder / f"{name}.kernel" if folder else None
        content = read(path) if path else None
        if content is not None:
            return link(name, ObjectCode.parse(content))
        building: Any = import_module("headsup.analysis.kernels.base.numba_compiler")
        built: ObjectCode = building.object_code(self.py_func, signature)
        if path:
            keep_code(path, built.serialise())
        return link(name, built)


def _jit_is_off() -> bool:
    """As Numba itself understands the variable: kernels are then plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call; release the GIL, so that chunks run on ordinary threads.

    Numba infers types from the call, so what a kernel takes is not checked before.
    """
    return function if _jit_is_off() else Kernel(function)


def bare_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """One that makes no arrays, and so need not count who holds those it is given: where many are
    looked up in a loop, counting takes as long as the work."""
    return function if _jit_is_off() else Kernel(function, bare=True)


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for one that is kept as object code."""
    return function if _jit_is_off() else Entry(function)
