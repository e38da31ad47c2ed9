"""Finds rounds and hands in the tables that are written beside the logs."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, func, select, tuple_

from headsup.game.values.money import Cents
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.schema import HANDS, INCIDENTS, ROUNDS, ROUNDS_ENDED

MAX_OWN_ROUNDS = 10  # the last game and the nine before it (AGCO 13.1.1)
MAX_FOUND_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class RoundLocation:
    """A round's place in the log: entries `first` to `last`, None while it is being played."""

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
    """An amount paid to a hand, or taken back, after its round (R95)."""

    amount: str  # dollars, as the significant event has it
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A closed round with its totals."""

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
    """Criteria for a search; None matches every round."""

    table: str | None = None
    number: int | None = None
    player: str | None = None
    since: str | None = None  # both times are compared with the end of the round
    before: str | None = None
    category: str | None = None  # of a hand in the round
    result: str | None = None  # of a hand in the round
    min_amount: Cents | None = None  # some hand won or lost at least this much
    jackpot: bool | None = None
    irregular: bool | None = None
    limit: int = MAX_FOUND_ROUNDS


def recent_hands(
    database: Database, player: str, table: str | None = None, seat: int | None = None
) -> list[HandRecord]:
    """The player's last ten hands, newest first."""
    query = select(HANDS).where(HANDS.c.player == player)
    if table is not None:
        query = query.where(HANDS.c.table == table)
    if seat is not None:
        query = query.where(HANDS.c.seat == seat)
    newest = query.order_by(HANDS.c.at.desc(), HANDS.c.number.desc(), HANDS.c.seat)
    with database.read_connection() as connection:
        rows = connection.execute(newest.limit(MAX_OWN_ROUNDS)).all()
    return [HandRecord(**row._mapping) for row in rows]


def find_rounds(database: Database, criteria: RoundQuery) -> list[RoundRecord]:
    """Matching rounds, newest first.

    A search for hands uses the hands' indices, which finds one player's rounds among millions.
    """
    hand, round = HANDS.c, ROUNDS_ENDED.c
    hand_conditions = _hand_conditions(criteria)
    at = hand.at if hand_conditions else round.at
    names = ("void", "hands", "staked", "net", "award")
    columns = (round.floor, round.table, round.number, at, *(round[name] for name in names))
    query = select(*columns).where(*_round_conditions(criteria, at), *hand_conditions)
    if hand_conditions:
        same_round = and_(
            hand.floor == round.floor, hand.table == round.table, hand.number == round.number
        )
        query = query.join_from(HANDS, ROUNDS_ENDED, same_round).distinct()
    newest = query.order_by(at.desc(), round.table, round.number.desc())
    with database.read_connection() as connection:
        rows = connection.execute(newest.limit(min(criteria.limit, MAX_FOUND_ROUNDS))).all()
    return [RoundRecord(**row._mapping) for row in rows]


def _round_conditions(criteria: RoundQuery, at: ColumnElement[str]) -> list[ColumnElement[bool]]:
    round = ROUNDS_ENDED.c
    conditions: list[ColumnElement[bool]] = []
    if criteria.table is not None:
        conditions.append(round.table == criteria.table)
    if criteria.number is not None:
        conditions.append(round.number == criteria.number)
    if criteria.since is not None:
        conditions.append(at >= criteria.since)
    if criteria.before is not None:
        conditions.append(at < criteria.before)
    if criteria.jackpot is not None:
        conditions.append(round.award > 0 if criteria.jackpot else round.award == 0)
    if criteria.irregular is not None:
        conditions.append(_has_irregularity() if criteria.irregular else ~_has_irregularity())
    return conditions


def _has_irregularity() -> ColumnElement[bool]:
    """Whether an irregularity was reported in the round, however it was resolved."""
    incident, round = INCIDENTS.c, ROUNDS_ENDED.c
    return exists().where(
        incident.table == round.table,
        incident.round == round.number,
        incident.floor == round.floor,
        incident.kind == IncidentKind.OVERRIDE.value,
    )


def _hand_conditions(criteria: RoundQuery) -> list[ColumnElement[bool]]:
    hand = HANDS.c
    conditions: list[ColumnElement[bool]] = []
    if criteria.player is not None:
        conditions.append(hand.player == criteria.player)
    if criteria.category is not None:
        conditions.append(hand.category == criteria.category)
    if criteria.result is not None:
        conditions.append(hand.result == criteria.result)
    if criteria.min_amount is not None:
        conditions.append((hand.net >= criteria.min_amount) | (hand.net <= -criteria.min_amount))
    return conditions


def hands_of(database: Database, location: RoundLocation) -> list[HandRecord]:
    """The hands of a closed round, by seat; empty while it is open."""
    hand = HANDS.c
    query = select(HANDS).where(
        hand.floor == location.floor,
        hand.table == location.table,
        hand.number == location.number,
    )
    with database.read_connection() as connection:
        rows = connection.execute(query.order_by(hand.seat)).all()
    return [HandRecord(**row._mapping) for row in rows]


def corrections_of(database: Database, hand: HandRecord) -> list[CorrectionRecord]:
    """Corrections of this hand's payout, oldest first."""
    incident = INCIDENTS.c
    query = select(incident.what, incident.at).where(
        incident.table == hand.table,
        incident.round == hand.number,
        incident.floor == hand.floor,
        incident.kind == IncidentKind.ADJUSTMENT.value,
    )
    with database.read_connection() as connection:
        rows = connection.execute(query.order_by(incident.number)).all()
    parsed = ((json.loads(row.what), row.at) for row in rows)
    return [
        CorrectionRecord(details["amount"], details["reason"], at)
        for details, at in parsed
        if (details.get("player"), details.get("seat")) == (hand.player, hand.seat)
    ]


def locate_round(database: Database, table: str, number: int) -> RoundLocation | None:
    start, end = ROUNDS.c, ROUNDS_ENDED.c
    same_table = and_(start.floor == end.floor, start.table == end.table)
    query = (
        select(
            start.floor,
            start.at,
            start.index.label("first"),
            end.index.label("last"),
            end.at.label("closed_at"),
        )
        .outerjoin(ROUNDS_ENDED, and_(same_table, start.number == end.number))
        .where(start.table == table, start.number == number)
    )
    with database.read_connection() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return RoundLocation(row.floor, table, number, row.first, row.last, row.at, row.closed_at)


def latest_round_starts(database: Database, table: str, count: int) -> list[tuple[str, int]]:
    """The floor and first entry of the table's last rounds, newest first."""
    start = ROUNDS.c
    query = select(start.floor, start.index).where(start.table == table)
    with database.read_connection() as connection:
        rows = connection.execute(query.order_by(start.number.desc()).limit(count)).all()
    return [(floor, first) for floor, first in rows]


def oldest_open_entry(database: Database, floor: str) -> int | None:
    """The first entry of the floor's oldest open round; None if no round is open."""
    start, end = ROUNDS.c, ROUNDS_ENDED.c
    same_round = and_(
        start.floor == end.floor, start.table == end.table, start.number == end.number
    )
    query = (
        select(func.min(start.index))
        .outerjoin(ROUNDS_ENDED, same_round)
        .where(start.floor == floor, end.floor.is_(None))
    )
    with database.read_connection() as connection:
        first: int | None = connection.execute(query).scalar_one_or_none()
    return first


def next_round_entry(database: Database, floor: str, table: str, number: int) -> int | None:
    """The entry that opens the table's next round; None if there is none yet."""
    start = ROUNDS.c
    later = (start.floor == floor, start.table == table, start.number > number)
    query = select(start.index).where(*later).order_by(start.number).limit(1)
    with database.read_connection() as connection:
        entry: int | None = connection.execute(query).scalar_one_or_none()
    return entry


def rounds_of_player(
    database: Database, player: str, tables: Collection[tuple[str, str]], count: int
) -> list[tuple[str, str, int, int]]:
    """The player's closed rounds at these tables, newest first: floor, table, number, last
    entry."""
    hand, ended = HANDS.c, ROUNDS_ENDED.c
    same_round = and_(
        hand.floor == ended.floor, hand.table == ended.table, hand.number == ended.number
    )
    query = (
        select(ended.floor, ended.table, ended.number, ended.index, hand.at)
        .join_from(HANDS, ROUNDS_ENDED, same_round)
        .where(hand.player == player, tuple_(hand.floor, hand.table).in_(tables))
        .distinct()
        .order_by(hand.at.desc(), ended.table, ended.number.desc())
        .limit(count)
    )
    with database.read_connection() as connection:
        rows = connection.execute(query).all()
    return [(floor, table, number, last) for floor, table, number, last, _ in rows]
