"""What a table knows of real chips on its felt: who plays with them without an account (R109)."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

# How a record names whoever has no account: by seat. No account and no member of staff may have
# such a name, so no log-in can act for that seat, look from it or find its hands again.
SEAT_NAME = re.compile(r"seat ([1-9]\d?)", re.ASCII)


class Felt(NamedTuple):
    guests: Mapping[int, str] = MappingProxyType({})  # seat → a label for people, maybe empty


BARE_FELT = Felt()


def seat_name(seat: int) -> str:
    return f"seat {seat}"


def is_guest_name(name: str) -> bool:
    return SEAT_NAME.fullmatch(name) is not None
