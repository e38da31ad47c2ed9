"""Under which names people have accounts: one that is read as nobody else in the record."""

from headsup.game.table.commands import SEAT_NAME
from headsup.house.people.path_names import is_path_part

LONGEST_NAME = 40
# What the house signs with; a person of that name could be taken for it in the record.
_THE_HOUSE = frozenset({"dealer", "clock", "house"})


def fit_name(name: str) -> bool:
    if SEAT_NAME.fullmatch(name) or name.casefold() in _THE_HOUSE:
        return False
    if not 1 <= len(name) <= LONGEST_NAME or not is_path_part(name):
        return False
    return name.isprintable() and name == name.strip()
