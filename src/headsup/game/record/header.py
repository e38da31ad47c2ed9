"""The first entry of a log: in which format it is written, and by which version of the program.

Format 1 had no header and one event to an entry. What a program cannot read it refuses with the
version that wrote it, instead of calling an honest log broken.
"""

from typing import Any

from headsup.game.record.chain import Head, Link, make_link
from headsup.game.refusal import Code, Refused
from headsup.version import __version__

LOG_FORMAT = 2
_FIRST_KEYS = frozenset({"at", "table", "by", "event", "state"})
_FIRST_VERSION = "0.1.0"


def make_header() -> Link:
    """The link every log begins with."""
    return make_link(Head(), {"format": LOG_FORMAT, "program": __version__})


def is_header(entry: Any) -> bool:
    """Whether an entry is a header of this format; another format is refused."""
    if not isinstance(entry, dict):
        return False
    if entry.keys() == _FIRST_KEYS:
        raise Refused(Code.OTHER_FORMAT, found=1, program=_FIRST_VERSION, read=LOG_FORMAT)
    found, program = entry.get("format"), entry.get("program")
    if type(found) is not int or not isinstance(program, str):
        return False
    if found != LOG_FORMAT:
        raise Refused(Code.OTHER_FORMAT, found=found, program=program[:40], read=LOG_FORMAT)
    return entry.keys() == {"format", "program"}
