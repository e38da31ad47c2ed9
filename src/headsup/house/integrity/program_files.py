"""Detects changes to the program's files, rule books included, since the program started.

A server is the approved one only while its files stay the same (N.J.A.C. 13:69O-1.5(c), (d)). They
are read again when a table is opened, once a day and on request. With a signed list
(`manifest.py`) they must match it, too.
"""

import marshal
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from stat import S_ISREG
from types import CodeType

from headsup.game.refusal import Refused

# Bytecode in `__pycache__`, which Python runs instead of the source. A .pyc file is valid if its
# header has the source's time and size, or even without any check, so a forged one is easily
# made. The only test is to compile the source and compare.

_HEADER_BYTES = 16  # magic number, flags, and a time with a size or a hash
_HASHED, _CHECK_SOURCE = 0b01, 0b10  # flags: has a hash; Python compares it with the source's
_verified_pairs: set[tuple[bytes, bytes]] = set()  # digests of source and bytecode that match


def find_foreign_bytecode(folder: Path, names: Iterable[str]) -> set[str]:
    """The .pyc files that this Python would run, but that do not match their source. Blocks:
    run in a thread."""
    foreign = set()
    for path in (folder / name for name in names if name.endswith(".py")):
        with suppress(NotImplementedError):  # this Python stores no bytecode
            cached = Path(cache_from_source(path))
            if not _matches_source(path, cached):
                is_inside = cached.is_relative_to(folder)
                foreign.add(cached.relative_to(folder).as_posix() if is_inside else str(cached))
    return foreign


def _matches_source(path: Path, cached: Path) -> bool:
    try:
        if not S_ISREG(cached.stat().st_mode):
            return False
        bytecode = cached.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return True  # no bytecode
    except OSError:
        return False
    try:
        return _is_same_code(path.read_bytes(), bytecode, path.stat())
    except Exception:  # marshal raises all kinds of errors for invalid bytes
        return False


def _is_same_code(source: bytes, bytecode: bytes, stat: os.stat_result) -> bool:
    header, flags = bytecode[:_HEADER_BYTES], int.from_bytes(bytecode[4:8], "little")
    if (
        len(header) < _HEADER_BYTES
        or header[:4] != MAGIC_NUMBER
        or flags & ~(_HASHED | _CHECK_SOURCE)
    ):
        return False
    if _is_stale(header, flags, source, stat):
        return True  # Python will not use it
    pair = sha256(source).digest(), sha256(bytecode).digest()
    if pair not in _verified_pairs:
        compiled = compile(source, "", "exec", dont_inherit=True)
        if not _is_equal_code(marshal.loads(bytecode[_HEADER_BYTES:]), compiled):
            return False
        _verified_pairs.add(pair)
    return True


def _is_stale(header: bytes, flags: int, source: bytes, stat: os.stat_result) -> bool:
    if not flags & _HASHED:
        stamp = (int(stat.st_mtime), stat.st_size)
        return header[8:] != b"".join((n & 0xFFFFFFFF).to_bytes(4, "little") for n in stamp)
    return bool(flags & _CHECK_SOURCE) and header[8:] != source_hash(source)


def _is_equal_code(one: object, other: object) -> bool:
    """Compare code objects fully: `==` ignores where exceptions are caught, for example."""
    if not isinstance(one, CodeType) or not isinstance(other, CodeType):
        return not isinstance(one, CodeType) and not isinstance(other, CodeType)
    return (
        one == other
        and one.co_exceptiontable == other.co_exceptiontable
        and one.co_qualname == other.co_qualname
        and all(map(_is_equal_code, one.co_consts, other.co_consts))
    )


# Source files.

_PROGRAM_FOLDER = Path(__file__).parents[2]
_UNREADABLE = ""  # differs from every digest
MANIFEST_LABEL = "the signed list of files"


def program_files(folder: Path = _PROGRAM_FOLDER) -> dict[str, str]:
    """The SHA-256 of every file by name, without bytecode. A broken link gets an empty digest,
    which no list can approve."""
    return {
        name: _digest(path) if path.is_symlink() else sha256(path.read_bytes()).hexdigest()
        for name, path in _walk_files(folder)
    }


def unapproved_files(
    files: Mapping[str, str], approved: Mapping[str, str], folder: Path = _PROGRAM_FOLDER
) -> set[str]:
    """The files that differ from the approved list, and bytecode that does not match its source.
    Blocks."""
    return changed_files(files, approved) | find_foreign_bytecode(folder, files)


def _walk_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file with its name. Files in an unreadable folder count as removed. A link to a folder
    counts as a file: Python imports from it, but it is not followed here."""
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(Path(parent, name))]
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for path in (Path(parent, name) for name in sorted([*names, *links])):
            if os.path.islink(path) or os.path.isfile(path):
                yield path.relative_to(folder).as_posix(), path


def _digest(path: Path) -> str:
    if not os.path.isfile(path):
        return _UNREADABLE
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return _UNREADABLE


def digest_of(files: Mapping[str, str]) -> str:
    lines = (f"{name}\0{digest}\n" for name, digest in sorted(files.items()))
    return sha256("".join(lines).encode()).hexdigest()


def manifest_text(files: Mapping[str, str]) -> str:
    """The list of files in the format of `sha256sum`, which can also check it."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))


def changed_files(one: Mapping[str, str], other: Mapping[str, str]) -> set[str]:
    """The names that are missing on one side, or have different digests."""
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


class Program:
    """The files in a folder as they were when this was created.

    `approved` reads the signed list of files, and refuses a list without a valid signature.
    """

    def __init__(
        self,
        folder: Path = _PROGRAM_FOLDER,
        approved: Callable[[], Mapping[str, str]] | None = None,
    ) -> None:
        self._folder, self._files = folder, program_files(folder)
        self.digest, self.count = digest_of(self._files), len(self._files)
        self.approved = approved

    def find_changed_files(self) -> tuple[str, ...]:
        """The files that were changed, added, removed or made unreadable since the start, and
        those that are not approved. Blocks: run in a thread."""
        current = {name: _digest(path) for name, path in _walk_files(self._folder)}
        return tuple(sorted(changed_files(current, self._files) | self._unapproved(current)))

    def _unapproved(self, current: Mapping[str, str]) -> set[str]:
        if self.approved is None:
            return set()
        try:
            return unapproved_files(current, self.approved(), self._folder)
        except Refused:  # the list was valid at the start
            return {MANIFEST_LABEL}


@cache
def running_program() -> Program:
    """The program of this process. Call it at the start: the first call reads the files."""
    return Program()
