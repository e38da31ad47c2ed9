"""Whether a database is the one that was anchored: of the same house, and going through every
anchor. Only the places that were anchored are looked up, so it costs little; an audit looks at all
that lies between them."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from sqlalchemy import Connection, select

from headsup.game.values.str_enum import Word
from headsup.house.integrity.anchors import OWN_CHAIN, Anchor
from headsup.house.store.database import Database
from headsup.house.store.house_chain import read_identity
from headsup.house.store.schema import ENTRIES, HOUSE_ENTRIES

_AT_ONCE = 500  # places in one query
_ALIKE = 1  # entries with which the logs of all houses begin alike


class Why(Word):
    """Why an anchor is not met."""

    OTHER_HOUSE = "other_house"  # it says, or shows, that it is of another
    PAST_END = "past_end"  # the log is shorter
    OTHERWISE = "otherwise"  # another entry stands there


@dataclass(frozen=True, slots=True)
class Unmet:
    anchor: Anchor
    why: Why


def unmet(database: Database, anchors: Iterable[Anchor]) -> list[Unmet]:
    """Those that this database does not go through. Whoever reads them from a file that others add
    to reads the file first: what is anchored is kept before."""
    given = dict.fromkeys(anchors)
    places: dict[str, set[int]] = {}
    for one in given:
        places.setdefault(one.floor, set()).add(one.head.count)
    with database.at_one_moment() as connection:
        identity = read_identity(connection)
        kept = {floor: _hashes(connection, floor, counts) for floor, counts in places.items()}
    found = [Unmet(one, why) for one in given if (why := _why(one, identity, kept))]
    return _of_older_files(given.keys(), found)


def _why(anchor: Anchor, identity: str, kept: Mapping[str, Mapping[int, str]]) -> Why | None:
    if anchor.house and anchor.house != identity:
        return Why.OTHER_HOUSE
    hash = kept[anchor.floor].get(anchor.head.count)
    if hash is None:
        return Why.PAST_END
    return None if hash == anchor.head.hash else Why.OTHERWISE


def _of_older_files(given: Set[Anchor], found: list[Unmet]) -> list[Unmet]:
    """Anchors that do not say whose they are show it: of the same house some would be met. What
    floors did may be alike in two houses, their own chains never are."""
    untold = {one for one in given if not one.house and one.head.count > _ALIKE}
    telling = {one for one in untold if one.floor == OWN_CHAIN} or untold
    missed = {one.anchor: one.why for one in found if one.anchor in telling}
    if len(missed) < len(telling) or Why.OTHERWISE not in missed.values():
        return found
    return [Unmet(one.anchor, Why.OTHER_HOUSE) if one.anchor in untold else one for one in found]


def _hashes(connection: Connection, floor: str, counts: Set[int]) -> dict[int, str]:
    """The hash with which the first so many entries of a log end, as far as there are so many."""
    entry = HOUSE_ENTRIES.c if floor == OWN_CHAIN else ENTRIES.c
    query = select(entry.index, entry.hash)
    if floor != OWN_CHAIN:
        query = query.where(ENTRIES.c.floor == floor)
    places, found = sorted(count - 1 for count in counts), dict[int, str]()
    for start in range(0, len(places), _AT_ONCE):
        some = query.where(entry.index.in_(places[start : start + _AT_ONCE]))
        found |= {index + 1: hash for index, hash in connection.execute(some)}
    return found


def firsts(anchors: Mapping[str, Iterable[Anchor]]) -> list[Anchor]:
    """Of each log the first that tells houses apart, and one of each house that is named."""
    found = []
    for some in anchors.values():
        told = [one for one in some if one.head.count > _ALIKE]
        found += [min(told, key=lambda one: one.head.count)] if told else []
        found += {one.house: one for one in some}.values()
    return found


def chain_name(floor: str) -> str:
    return f"floor {floor}" if floor != OWN_CHAIN else "the house's own chain"
