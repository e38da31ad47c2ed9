"""Rounds that were played, found again and shown again (A22; R95).

A player recalls the last ten of their own, and nobody else's cards with them; staff find any round
by what is known of it. What is shown is made of the record, by the same views as at the time.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, select

from headsup.game.record.digest import digest
from headsup.game.record.journal import Journal
from headsup.game.record.replay import AppliedEvent, ViewerStep, replay_steps, settled_round_texts
from headsup.game.table.evolve import evolve
from headsup.game.table.sealing import PublishedShuffle
from headsup.game.values.money import Cents
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher
from headsup.house.fairness.published_rounds import find_published
from headsup.house.floor.log_reader import BrokenLog, LogStep, apply_entry
from headsup.house.floor.snapshots import load_latest_snapshot
from headsup.house.people.accounts import Person, Role
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import IncidentKind
from headsup.house.store.schema import HANDS, INCIDENTS, ROUNDS, ROUNDS_ENDED

MAX_OWN_ROUNDS = 10  # the last game and the nine before it (AGCO 13.1.1)
MAX_FOUND_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class RoundLocation:
    """Where a round is in the log: entries `first` to `last`; None while it is played."""

    floor: str
    table: str
    number: int
    first: int
    last: int | None
    opened_at: str
    closed_at: str | None


@dataclass(frozen=True, slots=True)
class HandRecord:
    floor: str
    table: str
    number: int
    seat: int
    player: str
    at: str
    staked: Cents
    net: Cents
    award: Cents
    category: str
    result: str


@dataclass(frozen=True, slots=True)
class CorrectionRecord:
    """What a hand was paid, or gave back, after its round (R95)."""

    amount: str  # in dollars, as it was noted
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round that is closed, as a whole."""

    floor: str
    table: str
    number: int
    at: str
    void: str
    hands: int
    staked: Cents
    net: Cents
    award: Cents


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """What is known of rounds that are looked for; what is left out matters not."""

    table: str | None = None
    number: int | None = None
    player: str | None = None
    since: str | None = None  # the times are of the end of a round
    before: str | None = None
    category: str | None = None  # of a hand in it
    result: str | None = None  # of a hand in it
    least: Cents | None = None  # that a hand won or lost
    jackpot: bool | None = None
    irregular: bool | None = None
    limit: int = MAX_FOUND_ROUNDS


# Finding.


def recent_hands(
    database: Database, player: str, table: str | None = None, seat: int | None = None
) -> list[HandRecord]:
    """The player's last ten, the newest first."""
    query = select(HANDS).where(HANDS.c.player == player)
    if table is not None:
        query = query.where(HANDS.c.table == table)
    if seat is not None:
        query = query.where(HANDS.c.seat == seat)
    newest = query.order_by(HANDS.c.at.desc(), HANDS.c.number.desc(), HANDS.c.seat)
    with database.reading() as connection:
        rows = connection.execute(newest.limit(MAX_OWN_ROUNDS)).all()
    return [HandRecord(**row._mapping) for row in rows]


def find_rounds(database: Database, sought: RoundQuery) -> list[RoundRecord]:
    """The newest first. Who looks for a hand goes by the hands' own indices: a player's few among
    millions of rounds are found at once."""
    hand, ended = HANDS.c, ROUNDS_ENDED.c
    of_hand = _hand_conditions(sought)
    at = hand.at if of_hand else ended.at
    names = ("void", "hands", "staked", "net", "award")
    columns = (ended.floor, ended.table, ended.number, at, *(ended[name] for name in names))
    query = select(*columns).where(*_round_conditions(sought, at), *of_hand)
    if of_hand:
        same = and_(
            hand.floor == ended.floor, hand.table == ended.table, hand.number == ended.number
        )
        query = query.join_from(HANDS, ROUNDS_ENDED, same).distinct()
    newest = query.order_by(at.desc(), ended.table, ended.number.desc())
    with database.reading() as connection:
        rows = connection.execute(newest.limit(min(sought.limit, MAX_FOUND_ROUNDS))).all()
    return [RoundRecord(**row._mapping) for row in rows]


def _round_conditions(sought: RoundQuery, at: ColumnElement[str]) -> list[ColumnElement[bool]]:
    ended = ROUNDS_ENDED.c
    found: list[ColumnElement[bool]] = []
    if sought.table is not None:
        found.append(ended.table == sought.table)
    if sought.number is not None:
        found.append(ended.number == sought.number)
    if sought.since is not None:
        found.append(at >= sought.since)
    if sought.before is not None:
        found.append(at < sought.before)
    if sought.jackpot is not None:
        found.append(ended.award > 0 if sought.jackpot else ended.award == 0)
    if sought.irregular is not None:
        found.append(_has_irregularity() if sought.irregular else ~_has_irregularity())
    return found


def _has_irregularity() -> ColumnElement[bool]:
    """Something was reported in the round, whatever came of it."""
    told, ended = INCIDENTS.c, ROUNDS_ENDED.c
    return exists().where(
        told.table == ended.table,
        told.round == ended.number,
        told.floor == ended.floor,
        told.kind == IncidentKind.OVERRIDE.value,
    )


def _hand_conditions(sought: RoundQuery) -> list[ColumnElement[bool]]:
    hand = HANDS.c
    found: list[ColumnElement[bool]] = []
    if sought.player is not None:
        found.append(hand.player == sought.player)
    if sought.category is not None:
        found.append(hand.category == sought.category)
    if sought.result is not None:
        found.append(hand.result == sought.result)
    if sought.least is not None:
        found.append((hand.net >= sought.least) | (hand.net <= -sought.least))
    return found


def hands_of(database: Database, place: RoundLocation) -> list[HandRecord]:
    """By seat; nothing of a round that is not closed."""
    hand = HANDS.c
    query = select(HANDS).where(
        hand.floor == place.floor, hand.table == place.table, hand.number == place.number
    )
    with database.reading() as connection:
        rows = connection.execute(query.order_by(hand.seat)).all()
    return [HandRecord(**row._mapping) for row in rows]


def corrections_of(database: Database, hand: HandRecord) -> list[CorrectionRecord]:
    """The oldest first; of this player's hand alone."""
    told = INCIDENTS.c
    query = select(told.what, told.at).where(
        told.table == hand.table,
        told.round == hand.number,
        told.floor == hand.floor,
        told.kind == IncidentKind.ADJUSTMENT.value,
    )
    with database.reading() as connection:
        rows = connection.execute(query.order_by(told.number)).all()
    said = ((json.loads(row.what), row.at) for row in rows)
    return [
        CorrectionRecord(what["amount"], what["reason"], at)
        for what, at in said
        if (what.get("player"), what.get("seat")) == (hand.player, hand.seat)
    ]


def locate_round(database: Database, table: str, number: int) -> RoundLocation | None:
    begun, ended = ROUNDS.c, ROUNDS_ENDED.c
    same = and_(begun.floor == ended.floor, begun.table == ended.table)
    query = (
        select(
            begun.floor,
            begun.at,
            begun.index.label("first"),
            ended.index.label("last"),
            ended.at.label("closed_at"),
        )
        .outerjoin(ROUNDS_ENDED, and_(same, begun.number == ended.number))
        .where(begun.table == table, begun.number == number)
    )
    with database.reading() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return RoundLocation(row.floor, table, number, row.first, row.last, row.at, row.closed_at)


# Who may see what.


def may_recall(
    person: Person, viewer: Viewer, place: RoundLocation, hands: list[HandRecord]
) -> bool:
    """A player the rounds played, from the own seat; dealers as the console showed them; those who
    settle disputes from any seat, once the round is closed."""
    if person.role is Role.PLAYER:
        own = {hand.seat for hand in hands if hand.player == person.name}
        return isinstance(viewer, SeatViewer) and viewer.seat in own
    if isinstance(viewer, Watcher):
        return True
    return place.last is not None and person.role is not Role.DEALER


# Showing.


@dataclass(frozen=True, slots=True)
class RoundReplay:
    """A round step by step as one viewer saw it, and what shows its shuffle to be fair."""

    place: RoundLocation
    viewer: Viewer
    steps: tuple[ViewerStep, ...]
    published: PublishedShuffle | None


def replay_round(database: Database, place: RoundLocation, viewer: Viewer) -> RoundReplay:
    moments = round_moments(database, place)
    shown = tuple(replay_steps(moments, viewer, place.table, place.number))
    return RoundReplay(place, viewer, shown, _published_shuffle(database, place))


def _published_shuffle(database: Database, place: RoundLocation) -> PublishedShuffle | None:
    if place.last is None:
        return None
    return find_published(database, place.floor, place.table, place.number, place.last)


def round_notation(database: Database, place: RoundLocation) -> str | None:
    """The round in notation, all its cards named; None where nothing was settled."""
    moments = round_moments(database, place)
    first = next(moments, None)
    if first is None:
        return None
    choice = first.floor.tables[place.table].rules.choice
    named = {} if choice is None else {place.table: choice.rules}

    def all_of_them() -> Iterator[AppliedEvent]:
        yield first
        yield from (one for one in moments if one.table == place.table)

    found = next(settled_round_texts(all_of_them(), named), None)
    return None if found is None else found.text


def round_moments(database: Database, place: RoundLocation) -> Iterator[AppliedEvent]:
    """What happened on the floor from the opening of the round to its end."""
    journal = _journal_before(database, place)
    end = None if place.last is None else place.last + 1
    for hash, text in database.texts(place.floor, place.first, end):
        step = apply_entry(journal, hash, text)
        yield from _happenings(journal, step)
        journal = step.journal


def _happenings(journal: Journal, step: LogStep) -> Iterator[AppliedEvent]:
    floor = journal.floor
    for event in step.events:
        floor = evolve(floor, step.table, event)
        yield AppliedEvent(step.table, event, floor, step.at)


def _journal_before(database: Database, place: RoundLocation) -> Journal:
    """The floor as it was when the round opened: from the nearest snapshot before, entry by entry
    along the chain; where that leads must be what the log says."""
    journal = load_latest_snapshot(database, place.floor, place.first)
    text = ""
    for hash, text in database.texts(place.floor, journal.head.count, place.first):
        journal = apply_entry(journal, hash, text, checked=False).journal
    if journal.head.count != place.first:
        raise BrokenLog(f"the log of {place.floor} does not reach round {place.number}")
    if text and digest(journal.floor) != json.loads(text).get("state"):
        raise BrokenLog(f"entry {place.first - 1} leads to another state than was written")
    return journal
