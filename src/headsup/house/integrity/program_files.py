"""The program as it was when it started: every file it is made of, the rule books among them.

A server is what was approved only as long as they stay the same (N.J.A.C. 13:69O-1.5(c), (d)): they
are read again when a table is to be opened, once a day, and whenever somebody asks. Where a list of
them was signed (`manifest.py`) they must be those, from the start on.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from headsup.game.refusal import Refused
from headsup.house.integrity.bytecode_check import find_foreign_bytecode

_HERE = Path(__file__).parents[2]
_UNREADABLE = ""  # no digest: differs from whatever was read
MANIFEST_LABEL = "the signed list of files"


def program_files(folder: Path = _HERE) -> dict[str, str]:
    """The SHA-256 of each by its name; what Python makes of them is none of them. A link that
    leads to no file has none, so that no list can approve it."""
    return {
        name: _digest(path) if path.is_symlink() else sha256(path.read_bytes()).hexdigest()
        for name, path in _walk_files(folder)
    }


def unapproved_files(
    files: Mapping[str, str], approved: Mapping[str, str], folder: Path = _HERE
) -> set[str]:
    """The files that are not those of the list, and what Python keeps of them and would run though
    it is not what they say. Blocks."""
    return changed_files(files, approved) | find_foreign_bytecode(folder, files)


def _walk_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each with its name. A folder that cannot be looked into has none: those it had are gone. A
    link is one wherever it leads: Python follows it to a folder, which is not walked here."""
    for place, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(Path(place, name))]
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for path in (Path(place, name) for name in sorted([*names, *links])):
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
    """The list of a program's files as `sha256sum` writes one: anybody can check it without us."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))


def changed_files(one: Mapping[str, str], other: Mapping[str, str]) -> set[str]:
    """The files that are in one of them alone, or are not the same in both."""
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


class Program:
    """Found in a folder; what is in memory is what stood there then. `approved` reads the list of
    files that was signed, and refuses one that was not."""

    def __init__(
        self, folder: Path = _HERE, approved: Callable[[], Mapping[str, str]] | None = None
    ) -> None:
        self._folder, self._files = folder, program_files(folder)
        self.digest, self.count = digest_of(self._files), len(self._files)
        self.approved = approved

    def changed(self) -> tuple[str, ...]:
        """The files that are not as they were, came, went or cannot be read any more, and those
        that nobody has approved. Blocks: for a thread."""
        now = {name: _digest(path) for name, path in _walk_files(self._folder)}
        return tuple(sorted(changed_files(now, self._files) | self._not_approved(now)))

    def _not_approved(self, now: Mapping[str, str]) -> set[str]:
        if self.approved is None:
            return set()
        try:
            return unapproved_files(now, self.approved(), self._folder)
        except Refused:  # it was good at the start
            return {MANIFEST_LABEL}


@cache
def running_program() -> Program:
    """The one that this process runs, as it was when it was first asked for: at its start."""
    return Program()
