"""Stores computed results between runs, in a private folder of sealed files.

Results of the printed games come with the program, in the same form. Each file starts with a hash
over its kind, its name and its whole content. If the hash does not match, the user is warned and
the result is computed again. Nothing depends on the folder: if it cannot be written, the program
only runs slower.
"""

import hashlib
import json
import lzma
import os
import stat
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from shutil import rmtree

import platformdirs

from headsup.version import __version__

PACKAGE = Path(__file__).parents[__name__.count(".") - 1]  # `headsup`, wherever this module is
SHIPPED_RESULTS = PACKAGE / "analysis" / "shipped"
MAX_STRATEGIES = 24  # stored; a strategy has 4 MB, other results less
SEAL_BYTES = 32  # bytes of SHA-256 at the head of a file; the content follows
WarningListener = Callable[[str], None]


class DamagedFile(ValueError):
    """The file's content is not what was written."""


@dataclass
class CacheWarnings:
    """Passes on warnings about files that cannot be read or written. Commands print them."""

    callbacks: list[WarningListener] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)

    def add(self, callback: WarningListener) -> None:
        if callback not in self.callbacks:
            self.callbacks.append(callback)

    def warn(self, sentence: str) -> None:
        """Send each sentence only once: a full disk fails every file in the same way."""
        if sentence not in self.sent:
            self.sent.add(sentence)
            for callback in self.callbacks:
                callback(sentence)


cache_warnings = CacheWarnings()


def cache_folder() -> Path | None:
    """The first private, writable folder of these, or None.

    `HEADSUP_CACHE_DIR` if set; else the user's cache folder; else a folder for this user under the
    temporary folder (services often have no home, or a read-only one).
    """
    configured = os.environ.get("HEADSUP_CACHE_DIR")
    candidates = [Path(configured)] if configured else [_user_folder(), _temporary_folder()]
    return next((folder for folder in candidates if folder and _is_private(folder)), None)


def _user_folder() -> Path | None:
    folder = platformdirs.user_cache_path("headsup", appauthor=False)
    return folder if folder.is_absolute() else None  # without a home the path keeps a literal "~"


def _temporary_folder() -> Path:
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"headsup-{owner}"


def _is_private(folder: Path) -> bool:
    """Only this user may write: the folder holds machine code that will be run."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and not _is_owned(folder):
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_owned(folder: Path) -> bool:
    """Whether the folder is this user's alone, and no link that somebody else may have made."""
    if folder.is_symlink() and _others_may_write(folder.parent.stat()):
        return False
    status = folder.stat()
    return status.st_uid == os.getuid() and not _others_may_write(status)


def _others_may_write(status: os.stat_result) -> bool:
    return bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


@cache
def results_hash(package: Path = PACKAGE, version: str = __version__) -> str:
    """A hash of all that results depend on besides their inputs.

    That is the program's version, and all code and data of the mathematics and the rules.
    """
    rooms = [source_hash(package / room) for room in ("analysis", "game")]
    return hashlib.sha256(" ".join([version, *rooms]).encode()).hexdigest()[:16]


@cache
def source_hash(folder: Path) -> str:
    """A hash of all files below a folder, code and data, with their places."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    sources = [path for path in files if path.parent.name != "__pycache__"]
    if not sources:
        raise FileNotFoundError(f"there are no files in {folder}")
    digest = hashlib.sha256()
    for path in sources:
        content = hashlib.sha256(path.read_bytes()).digest()
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + content)
    return digest.hexdigest()[:16]


def seal(path: Path, content: bytes) -> bytes:
    return _digest(path, memoryview(content)) + content


def unseal(path: Path, data: bytes | mmap) -> memoryview:
    """The content, after checking that it is complete and belongs under this name."""
    view = memoryview(data)
    if bytes(view[:SEAL_BYTES]) != _digest(path, view[SEAL_BYTES:]):
        raise DamagedFile("its checksum does not match")
    return view[SEAL_BYTES:]


def _digest(path: Path, content: memoryview) -> bytes:
    digest = hashlib.sha256(f"headsup {path.name}\0".encode())
    digest.update(content)
    return digest.digest()


def read_sealed(path: Path) -> memoryview | None:
    """The stored content, mapped into memory; None if the file is missing or damaged."""
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
    """Warn about an unusable file and delete it, so that it can be rebuilt."""
    cache_warnings.warn(f"{path} cannot be used and will be rebuilt: {reason}")
    with suppress(OSError):
        path.unlink()


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file for the next run. A full or read-only disk only causes a warning."""
    try:
        save(path, seal(path, content))
    except OSError as error:
        cache_warnings.warn(f"cannot write to the cache: {_reason(error)}")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def save(path: Path, data: bytes) -> None:
    """Write to a temporary file, then rename it. If a crash still loses data, the seal shows it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.stem, suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@dataclass(frozen=True)
class CacheKind:
    """One kind of cache file: a name and a description for people, and how many files remain."""

    name: str
    about: str
    pattern: str
    max_files: int = MAX_STRATEGIES

    def file(self, folder: Path, inputs: Sequence[str]) -> Path:
        """The file of the result for these inputs, as computed by this very program."""
        return folder / f"{hash_inputs(inputs)}-{results_hash()}{self.pattern[1:]}"

    @property
    def shipped_file(self) -> Path:
        """The results of the printed games. A test computes all of them again."""
        return SHIPPED_RESULTS / f"{self.pattern[2:]}.xz"


def hash_inputs(inputs: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:16]


def load_or_compute(
    kind: CacheKind, inputs: Sequence[str], compute: Callable[[], bytes], folder: Path | None
) -> memoryview:
    """The stored result for these inputs, computed and stored if missing.

    The result must depend on nothing else but the program. Without a folder nothing is stored.
    """
    if stored := read_cached(kind, inputs, folder):
        return stored
    content = compute()
    if folder is not None:
        write_sealed(kind.file(folder, inputs), content)
        delete_oldest(folder, kind.pattern, kind.max_files)
    return memoryview(content)


def read_cached(kind: CacheKind, inputs: Sequence[str], folder: Path | None) -> memoryview | None:
    return None if folder is None else read_sealed(kind.file(folder, inputs))


def read_shipped(kind: CacheKind, inputs: Sequence[str]) -> memoryview | None:
    """The result that comes with the program, or None."""
    path = kind.shipped_file
    try:
        content = lzma.decompress(unseal(path, path.read_bytes()))
    except FileNotFoundError:
        return None
    except (DamagedFile, OSError, lzma.LZMAError) as error:
        cache_warnings.warn(f"ignoring {path} ({_reason(error)}); reinstall headsup to repair it")
        return None
    head, _, results = content.partition(b"\n")
    offset, length = json.loads(head).get(hash_inputs(inputs), (0, 0))
    return memoryview(results[offset : offset + length]) if length else None


def write_shipped(kind: CacheKind, results: Mapping[str, bytes]) -> None:
    """Write the results of a kind, by the hash of their inputs.

    Compressed together they take a seventh, as most of their decisions are alike.
    """
    head, offset = {}, 0
    for key, result in results.items():
        head[key] = offset, len(result)
        offset += len(result)
    content = b"".join([json.dumps(head).encode(), b"\n", *results.values()])
    compressed = lzma.compress(content, check=lzma.CHECK_NONE, preset=9 | lzma.PRESET_EXTREME)
    SHIPPED_RESULTS.mkdir(exist_ok=True)
    kind.shipped_file.write_bytes(seal(kind.shipped_file, compressed))


def delete_oldest(folder: Path, pattern: str, max_files: int) -> None:
    """Delete all but the newest files: every paytable or version in use adds some."""
    with suppress(OSError):  # another process may be doing the same
        files = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)
        for old in files[: max(0, len(files) - max_files)]:
            if old.is_dir():
                rmtree(old, ignore_errors=True)
            else:
                old.unlink(missing_ok=True)


STRATEGIES = CacheKind(
    "strategies", "the best decision everywhere, for each game solved", "*.strategy"
)
ROUNDS = CacheKind("rounds", "every way a round can end, for sessions", "*.cases")
ONE_DECK = CacheKind("one deck", "the same with the cards of All 6", "*.onedeck")
LESSONS = CacheKind(
    "lessons", "what best play does with each kind of hand, for training", "*.lessons"
)
COMBINED_BETS = CacheKind(
    "bets together", "covariances between wagers, for par sheets", "*.together", 4 * MAX_STRATEGIES
)
MACHINE_CODE = CacheKind("machine code", "compiled kernels", "kernels-*/*")
CACHE_KINDS = (STRATEGIES, ROUNDS, ONE_DECK, LESSONS, COMBINED_BETS, MACHINE_CODE)


def cached_files(folder: Path) -> dict[CacheKind, list[Path]]:
    """All cache files by kind. Anything else in the folder belongs to somebody else."""
    return {kind: sorted(folder.glob(kind.pattern)) for kind in CACHE_KINDS}


def clear_cache(folder: Path) -> None:
    for files in cached_files(folder).values():
        for file in files:
            with suppress(OSError):
                file.unlink()
    for kernel_folder in folder.glob("kernels-*"):
        with suppress(OSError):
            kernel_folder.rmdir()
