"""How kernels are compiled, and how the machine code is kept between runs.

The folder is named after a hash of all kernel sources: Numba notices an edited file, but not an
edited function that another file calls, and would silently return the old answer. Numba's own
files are trusted as they are, and a flipped bit in one gave wrong answers; here each kernel is one
sealed file.
"""

import hashlib
import pickle
import sys
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from headsup.analysis.cache import (
    cache_folder,
    forget_oldest,
    keep,
    read,
    source_hash,
)

VERSIONS_KEPT = 3  # folders, each of some megabytes


@cache
def machine_code_folder() -> Path | None:
    """One for each version of the kernels and of what compiles them."""
    folder = cache_folder()
    if folder is None:
        return None
    versions = (version("numba"), version("llvmlite"), sys.implementation.cache_tag)
    made_by = f"{source_hash(Path(__file__).parent)} {versions}"
    return folder / f"kernels-{hashlib.sha256(made_by.encode()).hexdigest()[:16]}"


def is_compiled() -> bool:
    """Whether some machine code is there already: without it the first run takes a while."""
    folder = machine_code_folder()
    return folder is not None and any(folder.glob("*.kernel"))


class SealedCache(NullCache):
    """One kernel's machine code for each signature it was called with, as Numba asks for it."""

    def __init__(self, kernel: Callable[..., Any], folder: Path) -> None:
        self._folder, self._name = folder, f"{kernel.__module__}.{kernel.__qualname__}"

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        content = read(self._path(signature, target.codegen()))
        if content is None:
            return None
        rebuild: Any = CompileResult._rebuild
        return rebuild(target, *pickle.loads(content))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if compiled.lifted or compiled.library.has_dynamic_globals:
            return  # holds addresses of this process
        first = not self._folder.exists()
        pickled: Any = dumps
        keep(self._path(signature, compiled.codegen), pickled(compiled._reduce()))
        if first:
            forget_oldest(self._folder.parent, "kernels-*", VERSIONS_KEPT)

    def _path(self, signature: Any, codegen: Any) -> Path:
        """By everything that decides which code it is, the processor's features included."""
        key = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()
        name = self._name.removeprefix("headsup.analysis.kernels.")
        return self._folder / f"{name}-{key[:16]}.kernel"


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call; release the GIL, so that chunks run on ordinary threads.

    Numba infers types from the call, so what a kernel takes is not checked before.
    """
    return _sealed(numba.njit(nogil=True)(function), function)


def bare_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """One that makes no arrays, and so need not count who holds those it is given: where many are
    looked up in a loop, counting takes as long as the work."""
    compile_bare: Any = partial(numba.njit, nogil=True, _nrt=False)
    return _sealed(compile_bare(function), function)


def _sealed(compiled: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    folder = machine_code_folder()
    if folder is not None and hasattr(compiled, "_cache"):  # plain Python where the JIT is off
        compiled._cache = SealedCache(function, folder)
    kept: Callable[..., Any] = compiled
    return kept
