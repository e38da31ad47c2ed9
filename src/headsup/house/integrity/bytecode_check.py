"""What Python keeps of a program in `__pycache__` and runs instead of its files.

Kept code is taken for a file's own when the file's time and size are in its head, or, where it says
so, without any look at the file. So whether it is the file's own is seen by compiling the file.
"""

import marshal
import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from stat import S_ISREG
from types import CodeType

_HEAD = 16  # magic number, flags, and a time with a size or a hash
_HASHED, _CHECK_SOURCE = 0b01, 0b10  # the flags: by hash, and only while the file has that hash
_verified_pairs: set[tuple[bytes, bytes]] = (
    set()
)  # file and kept code that were compared and are the same


def find_foreign_bytecode(folder: Path, names: Iterable[str]) -> set[str]:
    """The kept code that this Python would run and that is not what its file says, by its name;
    what is no such code at all is among it. Blocks: for a thread."""
    foreign = set()
    for path in (folder / name for name in names if name.endswith(".py")):
        with suppress(NotImplementedError):  # this Python keeps none
            kept = Path(cache_from_source(path))
            if not _matches_source(path, kept):
                inside = kept.is_relative_to(folder)
                foreign.add(kept.relative_to(folder).as_posix() if inside else str(kept))
    return foreign


def _matches_source(path: Path, kept: Path) -> bool:
    try:
        if not S_ISREG(kept.stat().st_mode):
            return False
        code = kept.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return True  # there is none
    except OSError:
        return False
    try:
        return _is_same_code(path.read_bytes(), code, path.stat())
    except Exception:  # whatever marshal makes of bytes that are no code
        return False


def _is_same_code(source: bytes, code: bytes, now: os.stat_result) -> bool:
    head, flags = code[:_HEAD], int.from_bytes(code[4:8], "little")
    if len(head) < _HEAD or head[:4] != MAGIC_NUMBER or flags & ~(_HASHED | _CHECK_SOURCE):
        return False
    if _is_stale(head, flags, source, now):
        return True  # Python compiles the file
    pair = sha256(source).digest(), sha256(code).digest()
    if pair not in _verified_pairs:
        compiled = compile(source, "", "exec", dont_inherit=True)
        if not _is_equal_code(marshal.loads(code[_HEAD:]), compiled):
            return False
        _verified_pairs.add(pair)
    return True


def _is_stale(head: bytes, flags: int, source: bytes, now: os.stat_result) -> bool:
    if not flags & _HASHED:
        taken = (int(now.st_mtime), now.st_size)
        return head[8:] != b"".join((one & 0xFFFFFFFF).to_bytes(4, "little") for one in taken)
    return bool(flags & _CHECK_SOURCE) and head[8:] != source_hash(source)


def _is_equal_code(one: object, other: object) -> bool:
    """Also in what the comparison of code leaves out: where its errors are caught."""
    if not isinstance(one, CodeType) or not isinstance(other, CodeType):
        return not isinstance(one, CodeType) and not isinstance(other, CodeType)
    return (
        one == other
        and one.co_exceptiontable == other.co_exceptiontable
        and one.co_qualname == other.co_qualname
        and all(map(_is_equal_code, one.co_consts, other.co_consts))
    )
