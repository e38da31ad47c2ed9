"""The program as it was when it started: every file it is made of, the rule books among them.

A server is what was approved only as long as they stay the same (N.J.A.C. 13:69O-1.5(c), (d)): they
are read again when a table is to be opened, once a day, and whenever somebody asks.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

_HERE = Path(__file__).parents[1]
_UNREADABLE = ""  # no digest: differs from whatever was read


def program_files(folder: Path = _HERE) -> dict[str, str]:
    """The SHA-256 of each by its name; what Python makes of them is none of them."""
    return {name: sha256(path.read_bytes()).hexdigest() for name, path in _found(folder)}


def _found(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each with its name. A folder that cannot be looked into has none: those it had are gone."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for path in (Path(place, name) for name in sorted(names)):
            if os.path.isfile(path) and path.suffix != ".pyc":
                yield path.relative_to(folder).as_posix(), path


def _digest(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return _UNREADABLE


def digest_of(files: Mapping[str, str]) -> str:
    lines = (f"{name}\0{digest}\n" for name, digest in sorted(files.items()))
    return sha256("".join(lines).encode()).hexdigest()


class Program:
    """Found in a folder; what is in memory is what stood there then."""

    def __init__(self, folder: Path = _HERE) -> None:
        self._folder, self._files = folder, program_files(folder)
        self.digest, self.count = digest_of(self._files), len(self._files)

    def changed(self) -> tuple[str, ...]:
        """The files that are not as they were, came, went or cannot be read any more. Blocks: for a
        thread."""
        now = {name: _digest(path) for name, path in _found(self._folder)}
        names = sorted(now.keys() | self._files.keys())
        return tuple(name for name in names if now.get(name) != self._files.get(name))


@cache
def running_program() -> Program:
    """The one that this process runs, as it was when it was first asked for: at its start."""
    return Program()
