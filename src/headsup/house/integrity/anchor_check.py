"""Whether a database is the one that was anchored: of the same house, and going through every
anchor. Only the places that were anchored are looked up, so it costs little; an audit looks at all
that lies between them."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from sqlalchemy import Connection, select

from headsup.game.values.str_enum import TextEnum
from headsup.house.integrity.anchors import HOUSE_CHAIN, Anchor
from headsup.house.store.database import Database
from headsup.house.store.house_chain import read_identity
from headsup.house.store.schema import ENTRIES, HOUSE_ENTRIES

_QUERY_BATCH = 500  # places in one query
_COMMON_ENTRIES = 1  # entries with which the logs of all houses begin alike


class MismatchReason(TextEnum):
    """Why an anchor is not met."""

    OTHER_HOUSE = "other_house"  # it says, or shows, that it is of another
    PAST_END = "past_end"  # the log is shorter
    OTHERWISE = "otherwise"  # another entry stands there


@dataclass(frozen=True, slots=True)
class AnchorMismatch:
    anchor: Anchor
    why: MismatchReason


def find_mismatches(database: Database, anchors: Iterable[Anchor]) -> list[AnchorMismatch]:
    """Those that this database does not go through. Whoever reads them from a file that others add
    to reads the file first: what is anchored is kept before."""
    given = dict.fromkeys(anchors)
    places: dict[str, set[int]] = {}
    for one in given:
        places.setdefault(one.floor, set()).add(one.head.count)
    with database.at_one_moment() as connection:
        identity = read_identity(connection)
        kept = {floor: _hashes(connection, floor, counts) for floor, counts in places.items()}
    found = [
        AnchorMismatch(one, why) for one in given if (why := _mismatch_reason(one, identity, kept))
    ]
    return _reclassify_unnamed(given.keys(), found)


def _mismatch_reason(
    anchor: Anchor, identity: str, kept: Mapping[str, Mapping[int, str]]
) -> MismatchReason | None:
    if anchor.house and anchor.house != identity:
        return MismatchReason.OTHER_HOUSE
    hash = kept[anchor.floor].get(anchor.head.count)
    if hash is None:
        return MismatchReason.PAST_END
    return None if hash == anchor.head.hash else MismatchReason.OTHERWISE


def _reclassify_unnamed(given: Set[Anchor], found: list[AnchorMismatch]) -> list[AnchorMismatch]:
    """Anchors that do not say whose they are show it: of the same house some would be met. What
    floors did may be alike in two houses, their own chains never are."""
    untold = {one for one in given if not one.house and one.head.count > _COMMON_ENTRIES}
    telling = {one for one in untold if one.floor == HOUSE_CHAIN} or untold
    missed = {one.anchor: one.why for one in found if one.anchor in telling}
    if len(missed) < len(telling) or MismatchReason.OTHERWISE not in missed.values():
        return found
    return [
        AnchorMismatch(one.anchor, MismatchReason.OTHER_HOUSE) if one.anchor in untold else one
        for one in found
    ]


def _hashes(connection: Connection, floor: str, counts: Set[int]) -> dict[int, str]:
    """The hash with which the first so many entries of a log end, as far as there are so many."""
    entry = HOUSE_ENTRIES.c if floor == HOUSE_CHAIN else ENTRIES.c
    query = select(entry.index, entry.hash)
    if floor != HOUSE_CHAIN:
        query = query.where(ENTRIES.c.floor == floor)
    places, found = sorted(count - 1 for count in counts), dict[int, str]()
    for start in range(0, len(places), _QUERY_BATCH):
        some = query.where(entry.index.in_(places[start : start + _QUERY_BATCH]))
        found |= {index + 1: hash for index, hash in connection.execute(some)}
    return found


def sample_anchors(anchors: Mapping[str, Iterable[Anchor]]) -> list[Anchor]:
    """Of each log the first that tells houses apart, and one of each house that is named."""
    found = []
    for some in anchors.values():
        told = [one for one in some if one.head.count > _COMMON_ENTRIES]
        found += [min(told, key=lambda one: one.head.count)] if told else []
        found += {one.house: one for one in some}.values()
    return found


def chain_name(floor: str) -> str:
    return f"floor {floor}" if floor != HOUSE_CHAIN else "the house's own chain"
