"""What `headsup doctor` looks at. Each check says what it found and, if it is wrong, the remedy.

No check changes anything, and none reads further than it must.
"""

import ctypes
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from headsup.game.values.str_enum import TextEnum
from headsup.version import __version__

MIN_FREE_BYTES = 500 * 2**20  # solved games and a night's log take less
MIN_PYTHON = (3, 11)
EXTRAS = {
    "server": "tables in the browser, and the database of a house",
    "reports": "PDF files",
    "cluster": "several processes or computers",
    "gym": "a Gymnasium environment",
}


class State(TextEnum):
    """What a check found."""

    GOOD = "good"
    NOTE = "note"  # worth knowing, and nothing is wrong
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    state: State
    text: str
    remedy: str = ""  # one line, for what is not good


def check_python() -> Iterator[Finding]:
    words = f"{platform.python_version()}, {sys.prefix}"
    if sys.version_info < MIN_PYTHON:
        yield Finding("Python", State.WRONG, words, "install Python 3.11 or newer")
    else:
        yield Finding("Python", State.GOOD, words)


def check_packages() -> Iterator[Finding]:
    """The program's own dependencies, and those of each extra."""
    missing = _missing_packages()
    base = missing.pop("")
    if base is None:
        text = "not installed as a package, so its dependencies are not known"
        yield Finding("headsup", State.NOTE, text, "pip install headsup")
        return
    if base:
        text = f"{__version__}, without {', '.join(base)}"
        yield Finding("headsup", State.WRONG, text, f"pip install {' '.join(base)}")
    else:
        yield Finding("headsup", State.GOOD, __version__)
    for extra, purpose in EXTRAS.items():
        names, what = missing[extra] or [], f"extra {extra}"
        if names:
            remedy = f"for {purpose}: pip install 'headsup[{extra}]'"
            yield Finding(what, State.NOTE, f"not installed: {', '.join(names)}", remedy)
        else:
            yield Finding(what, State.GOOD, purpose)


def _missing_packages() -> dict[str, list[str] | None]:
    """Packages that are not installed, by extra; "" has the program's own."""
    try:
        lines = metadata.requires("headsup") or []
    except metadata.PackageNotFoundError:
        return {"": None}
    missing: dict[str, list[str] | None] = {"": [], **{extra: [] for extra in EXTRAS}}
    for line in lines:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"](\w+)", line)
        names = missing.get(extra[1] if extra else "")
        if name is not None and names is not None and not _is_installed(name[0]):
            names.append(name[0])
    return missing


def _is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def check_code() -> Iterator[Finding]:
    """Machine code for this processor, and a hand evaluated with it."""
    from headsup.analysis.kernels.base import shipped_code

    what, path = "compiled code", shipped_code.shipped_file()
    if path is None:
        text = f"none is shipped for {platform.system()} on {platform.machine()}"
        remedy = "nothing to do: the first answer compiles it, which takes up to a minute, once"
        yield Finding(what, State.NOTE, text, remedy)
        return
    try:
        shipped = shipped_code.read_shipped_code(path)
    except (OSError, ValueError) as error:
        text, remedy = f"{path}: {error}", "pip install --force-reinstall --no-deps headsup"
        yield Finding(what, State.WRONG, text, remedy)
        return
    changed = shipped.changed_modules(shipped.sources)
    if changed:
        text = f"edited since it was compiled: {', '.join(changed)}"
        yield Finding(what, State.NOTE, text, "make code")
    elif not _evaluates_a_royal_flush():
        remedy = "pip install --force-reinstall headsup numba llvmlite"
        yield Finding(what, State.WRONG, f"{path.stem} gives a wrong answer", remedy)
    else:
        yield Finding(what, State.GOOD, f"{path.stem}, {len(shipped.entries)} kernels")


def _evaluates_a_royal_flush() -> bool:
    import numpy as np

    from headsup.analysis.kernels.base.evaluator import ROYAL_FLUSH, evaluate, strength_tables

    hands, strengths = np.array([[51, 47, 43, 39, 35, 0, 1]]), np.zeros(1, np.int64)
    evaluate(hands, strength_tables(), strengths)
    return int(strengths[0]) >> 20 == ROYAL_FLUSH


def check_cache() -> Iterator[Finding]:
    from headsup.analysis.cache import DamagedFile, cache_folder, cached_files, unseal

    folder = cache_folder()
    if folder is None:
        remedy = "set HEADSUP_CACHE_DIR to a folder that only you can write"
        yield Finding("cache", State.WRONG, "no private folder can be written", remedy)
        return
    files = [file for each in cached_files(folder).values() for file in each if file.is_file()]
    damaged = []
    for file in files:
        try:
            unseal(file, file.read_bytes())
        except (DamagedFile, OSError):
            damaged.append(file.name)
    size = sum(file.stat().st_size for file in files if file.exists())
    text = f"{folder}, {len(files)} {'file' if len(files) == 1 else 'files'}, {size / 1e6:.1f} MB"
    if damaged:
        names = f"{', '.join(damaged[:3])}{' …' if len(damaged) > 3 else ''}"
        yield Finding("cache", State.WRONG, f"{text}; damaged: {names}", "headsup cache --clear")
    else:
        yield Finding("cache", State.GOOD, text)


def check_disk() -> Iterator[Finding]:
    import platformdirs

    from headsup.analysis.cache import cache_folder

    data = platformdirs.user_data_path("headsup", appauthor=False)
    folders = {"data folder": data, "cache folder": cache_folder()}
    for name, folder in folders.items():
        if folder is None:
            continue
        existing = next(each for each in (folder, *folder.parents) if each.exists())
        free = shutil.disk_usage(existing).free
        text = f"{free / 2**30:.1f} GiB free at {folder}"
        if free < MIN_FREE_BYTES:
            remedy = "make room, or move it to another disk with XDG_DATA_HOME or HEADSUP_CACHE_DIR"
            yield Finding(name, State.WRONG, text, remedy)
        elif not os.access(existing, os.W_OK):
            yield Finding(name, State.WRONG, f"{existing} cannot be written", "change its owner")
        else:
            yield Finding(name, State.GOOD, text)


TIME_ERROR = 5  # what adjtimex(2) returns while no time service keeps the clock right
TIMEX_BYTES = 512  # more than `struct timex` has; all zeros only ask


def check_clock() -> Iterator[Finding]:
    """Records carry the time, so a house's clock must be right."""
    newest = max(path.stat().st_mtime for path in Path(__file__).parents[2].rglob("*.py"))
    now = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    remedy = "turn on time synchronisation, such as: timedatectl set-ntp true"
    if time.time() < newest - 24 * 3600:
        yield Finding("clock", State.WRONG, f"{now} is before this program was made", remedy)
        return
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    except (AttributeError, OSError, TypeError):
        state = -1
    if state == TIME_ERROR:
        text = f"{now}, not synchronised; a house records the time of everything"
        yield Finding("clock", State.NOTE, text, remedy)
    elif state < 0:
        yield Finding("clock", State.GOOD, now)
    else:
        yield Finding("clock", State.GOOD, f"{now}, synchronised")
