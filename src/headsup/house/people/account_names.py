"""Under which names people have accounts: one that is read as nobody else in the record."""

from headsup.game.table.commands import SEAT_NAME
from headsup.house.people.path_names import is_path_part

MAX_NAME_CHARS = 40
# What the house signs with; a person of that name could be taken for it in the record.
_RESERVED_NAMES = frozenset({"dealer", "clock", "house"})


def is_valid_name(name: str) -> bool:
    if SEAT_NAME.fullmatch(name) or name.casefold() in _RESERVED_NAMES:
        return False
    if not 1 <= len(name) <= MAX_NAME_CHARS or not is_path_part(name):
        return False
    return name.isprintable() and name == name.strip()
