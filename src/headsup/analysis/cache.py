"""Where what was computed is kept between runs: a private folder of sealed files.

A file is trusted only whole. Its seal is a hash over its kind, its name and all of its content;
one that does not fit is told of, and what it held is made again. Nothing depends on the folder:
where it cannot be written, answers are the same and only slower.
"""

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from shutil import rmtree

import platformdirs

SEAL_BYTES = 32  # bytes of SHA-256 at the head of a file; the content follows
WarningListener = Callable[[str], None]


class DamagedFile(ValueError):
    """The file is not as it was written."""


@dataclass
class CacheWarnings:
    """Told of files that cannot be used or written; a command says it to the user."""

    tell: list[WarningListener] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def add(self, tell: WarningListener) -> None:
        if tell not in self.tell:
            self.tell.append(tell)

    def say(self, sentence: str) -> None:
        """Each sentence once: a full disk refuses every file alike."""
        if sentence not in self.told:
            self.told.add(sentence)
            for tell in self.tell:
                tell(sentence)


cache_warnings = CacheWarnings()


def cache_folder() -> Path | None:
    """A private, writable folder for what can be computed again, or None where there is none.

    `HEADSUP_CACHE_DIR` wins; then the user's cache folder; then one of the user's own under the
    temporary folder (services often run with no home, or with a read-only one).
    """
    named = os.environ.get("HEADSUP_CACHE_DIR")
    candidates = [Path(named)] if named else [_user_folder(), _temporary_folder()]
    return next((folder for folder in candidates if folder and _is_private(folder)), None)


def _user_folder() -> Path | None:
    folder = platformdirs.user_cache_path("headsup", appauthor=False)
    return folder if folder.is_absolute() else None  # no home at all leaves a literal "~"


def _temporary_folder() -> Path:
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"headsup-{owner}"


def _is_private(folder: Path) -> bool:
    """Machine code is kept here: where somebody else may write, it could be theirs."""
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
def source_hash(folder: Path) -> str:
    """Names what the Python files in and below a folder compute: stale once one of them changes."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def seal(path: Path, content: bytes) -> bytes:
    return _digest(path, memoryview(content)) + content


def unseal(path: Path, data: bytes | mmap) -> memoryview:
    """The content, if it is all there and belongs under this name."""
    view = memoryview(data)
    if bytes(view[:SEAL_BYTES]) != _digest(path, view[SEAL_BYTES:]):
        raise DamagedFile("its checksum does not match")
    return view[SEAL_BYTES:]


def _digest(path: Path, content: memoryview) -> bytes:
    digest = hashlib.sha256(f"headsup {path.name}\0".encode())
    digest.update(content)
    return digest.digest()


def read_sealed(path: Path) -> memoryview | None:
    """What was kept under this name, mapped into memory; None if nothing usable is there."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < SEAL_BYTES:
                raise DamagedFile("it is too short")
            return unseal(path, mmap(file.fileno(), 0, access=ACCESS_READ))
    except FileNotFoundError:
        return None
    except (DamagedFile, OSError) as error:
        discard(path, _reason(error))
        return None


def discard(path: Path, reason: str) -> None:
    """Tell of a file that cannot be used; it is in nobody's way when it is made again."""
    cache_warnings.say(f"{path} cannot be used and is made again: {reason}")
    with suppress(OSError):
        path.unlink()


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file for the next run. A disk that is full or read-only costs time, nothing else."""
    try:
        save(path, seal(path, content))
    except OSError as error:
        cache_warnings.say(f"nothing can be kept for the next run: {_reason(error)}")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def save(path: Path, data: bytes) -> None:
    """Whole or not at all: written beside, then renamed over. The seal shows what a crash loses."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.stem, suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load_or_compute(
    named: Callable[[Path], Path],
    make: Callable[[], bytes],
    most: int,
    folder: Path | None,
    usable: Callable[[memoryview], bool] = bool,
) -> memoryview:
    """What is kept under a name in the folder, or made now and kept; `most` of its kind stay.

    Without a folder it is made each time.
    """
    if folder is None:
        return memoryview(make())
    path = named(folder)
    content = read_sealed(path)
    if content is None or not usable(content):
        content = memoryview(make())
        write_sealed(path, bytes(content))
        delete_oldest(folder, f"*{path.suffix}", most)
    return content


def delete_oldest(folder: Path, pattern: str, kept: int) -> None:
    """Files are quickly made again, and each paytable or version tried leaves some."""
    with suppress(OSError):  # another process may be doing the same
        found = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)
        for old in found[: max(0, len(found) - kept)]:
            if old.is_dir():
                rmtree(old, ignore_errors=True)
            else:
                old.unlink(missing_ok=True)


@dataclass(frozen=True)
class CacheKind:
    """Files of one kind: what they hold, for a person, and their names, the present one first."""

    about: str
    patterns: tuple[str, ...]


STRATEGY_FILES, ROUND_FILES, LESSON_FILES, COVARIANCE_FILES = (
    "*.strategy",
    "*.cases",
    "*.lessons",
    "*.together",
)
ONE_DECK_FILES = "*.onedeck"
OLD_ROUND_FILES = "*.joint"  # of versions before, read by none now
CACHE_KINDS = {
    "strategies": CacheKind("the best decisions of each game solved", (STRATEGY_FILES,)),
    "rounds": CacheKind(
        "all ways their rounds end, for sessions", (ROUND_FILES, ONE_DECK_FILES, OLD_ROUND_FILES)
    ),
    "lessons": CacheKind("what is asked in training", (LESSON_FILES,)),
    "bets together": CacheKind("how wagers vary together, for par sheets", (COVARIANCE_FILES,)),
    "machine code": CacheKind("compiled kernels", ("kernels-*/*",)),
}


def cached_files(folder: Path) -> dict[str, list[Path]]:
    """Every file kept between runs, by kind; nothing else in the folder is ours."""
    return {
        kind: sorted(path for pattern in one.patterns for path in folder.glob(pattern))
        for kind, one in CACHE_KINDS.items()
    }


def clear_cache(folder: Path) -> None:
    for files in cached_files(folder).values():
        for file in files:
            with suppress(OSError):
                file.unlink()
    for emptied in folder.glob("kernels-*"):
        with suppress(OSError):
            emptied.rmdir()
