"""Detects changes to the program's files, rule books included, since the program started.

A server is the approved one only while its files stay the same (N.J.A.C. 13:69O-1.5(c), (d)). They
are read again when a table is opened, once a day and on request. With an approved list, which
`headsup manifest` prints and a laboratory signs, they must match it, too.
"""

import atexit
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG

from headsup.game.refusal import Code, Refused

_PROGRAM_FOLDER = Path(__file__).parents[2]
_UNREADABLE = ""  # differs from every digest


def program_files(folder: Path = _PROGRAM_FOLDER) -> dict[str, str]:
    """The SHA-256 of every file by name, without bytecode. A broken link gets an empty digest,
    which no list can approve."""
    return {
        name: _digest(path) if path.is_symlink() else sha256(path.read_bytes()).hexdigest()
        for name, path in _walk_files(folder)
    }


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


_MANIFEST_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)", re.ASCII)
_MAX_MANIFEST_BYTES = 1_000_000


def read_manifest(path: Path) -> dict[str, str]:
    """Digests by file name, from a list as `manifest_text` writes it."""
    try:
        if not S_ISREG(path.stat().st_mode):  # opening a pipe would block
            raise OSError("it is not a file")
        with path.open("rb") as file:
            text = file.read(_MAX_MANIFEST_BYTES).decode("utf-8", "replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=str(path), reason=reason) from None
    lines = [_MANIFEST_LINE.fullmatch(line) for line in text.splitlines()]
    digests = {line[2]: line[1] for line in lines if line is not None}
    if not digests or len(digests) != len(lines):
        raise Refused(Code.BAD_MANIFEST, where=str(path))
    return digests


class Program:
    """The files in a folder as they were when this was created, and the approved list, if any."""

    def __init__(
        self, folder: Path = _PROGRAM_FOLDER, approved: Mapping[str, str] | None = None
    ) -> None:
        self._folder, self._files = folder, program_files(folder)
        self.digest, self.count = digest_of(self._files), len(self._files)
        self.approved = approved

    def find_changed_files(self) -> tuple[str, ...]:
        """The files that were changed, added, removed or made unreadable since the start, and
        those that are not approved. Blocks: run in a thread."""
        current = {name: _digest(path) for name, path in _walk_files(self._folder)}
        changed = changed_files(current, self._files)
        if self.approved is not None:
            changed |= changed_files(current, self.approved)
        return tuple(sorted(changed))


@cache
def running_program() -> Program:
    """The program of this process. Call it at the start: the first call reads the files."""
    return Program()


# Bytecode. Python runs what it finds in `__pycache__` instead of the source, if only the time and
# size of the source match. So an approved program starts with a folder of its own for bytecode,
# which is empty: everything is compiled from the files that are checked.

_BYTECODE_FOLDER = "headsup-bytecode-{process}-"


def restart_without_bytecode() -> None:
    """Start this process again with an empty bytecode folder, unless it already has one.

    The folder is removed when the program ends. Child processes use it, too.
    """
    prefix = _BYTECODE_FOLDER.format(process=os.getpid())  # a restart keeps the process id
    folder = sys.pycache_prefix
    if folder is not None and Path(folder).name.startswith(prefix):
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return
    try:
        folder = tempfile.mkdtemp(prefix=prefix)
    except OSError as error:
        where, reason = tempfile.gettempdir(), error.strerror or str(error)
        raise Refused(Code.UNWRITABLE_FILE, where=where, reason=reason) from None
    os.environ["PYTHONPYCACHEPREFIX"] = folder  # for child processes; `python -I` ignores it
    option = f"pycache_prefix={folder}"
    os.execv(sys.executable, [sys.executable, "-X", option, *sys.orig_argv[1:]])
