"""How kernels are compiled, and where the machine code is kept between runs.

The folder is named after a hash of all kernel sources: Numba notices an edited file, but not an
edited function that another file calls, and would silently return the old answer.
"""

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs


@cache
def source_hash() -> str:
    """Names the kernels: anything computed by them is stale once this changes."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """A private, writable folder for what can be computed again, or None where there is none.

    `HEADSUP_CACHE_DIR` wins; then the user's cache folder; then one of the user's own under the
    temporary folder (services often run with no home, or with a read-only one).
    """
    named = os.environ.get("HEADSUP_CACHE_DIR")
    candidates = [Path(named)] if named else [_user_folder(), _temporary_folder()]
    return next((folder for folder in candidates if folder and _is_ours(folder)), None)


def _user_folder() -> Path | None:
    folder = platformdirs.user_cache_path("headsup", appauthor=False)
    return folder if folder.is_absolute() else None  # no home at all leaves a literal "~"


def _temporary_folder() -> Path:
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"headsup-{owner}"


def _is_ours(folder: Path) -> bool:
    """Numba's cache holds pickles: one that somebody else may write to would run their code."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        status = folder.stat()
        return not hasattr(os, "getuid") or (
            status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        )
    except OSError:
        return False


@cache
def _machine_code_folder() -> str | None:
    folder = cache_folder()
    return str(folder / f"kernels-{source_hash()}") if folder else None


def is_compiled() -> bool:
    """Whether some machine code is there already: without it the first run takes a while."""
    folder = _machine_code_folder()
    return folder is not None and any(Path(folder).rglob("*.nbi"))


# Told of machine code on disk that cannot be used; a command says it to the user.
trouble: list[Callable[[str], None]] = []


class _SoundCache:
    """Numba's cache of one kernel; damaged machine code is told of, dropped and made again."""

    def __init__(self, cache: Any, name: str) -> None:
        self._cache, self._name = cache, name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._cache, attribute)

    def load_overload(self, *arguments: Any) -> Any:
        try:
            return self._cache.load_overload(*arguments)
        except Exception as error:  # whatever unpickling arbitrary bytes may raise
            for tell in trouble:
                tell(f"the compiled {self._name} cannot be used and is made again: {error!r}")
            self._cache.flush()
            return None


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call; release the GIL, so that chunks run on ordinary threads.

    Numba infers types from the call, so what a kernel takes is not checked before.
    """
    folder = _machine_code_folder()
    config: Any = numba.config  # read when a function is decorated, whenever Numba was imported
    before = config.CACHE_DIR
    config.CACHE_DIR = folder or ""
    try:
        compiled: Callable[..., Any] = numba.njit(cache=folder is not None, nogil=True)(function)
    finally:
        config.CACHE_DIR = before
    if folder is not None and hasattr(compiled, "_cache"):
        compiled._cache = _SoundCache(compiled._cache, function.__name__)
    return compiled
