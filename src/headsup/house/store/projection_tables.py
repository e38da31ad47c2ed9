"""Writes the rows derived from decisions, in the same commit as the log's entries.

They answer questions without reading the log: where each round starts and ends, who played it for
how much, what a table took, and the significant events for a regulator. The log is the record;
rounds and takings can be derived from it again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Executable, insert
from sqlalchemy.dialects import postgresql, sqlite

from headsup.house.store.projection_rows import (
    Incident,
    Projection,
    RoundEnd,
    RoundStart,
    Slip,
    StoredAnswer,
    WalletMove,
)
from headsup.house.store.schema import (
    ANSWERS,
    HANDS,
    INCIDENTS,
    ROUNDS,
    ROUNDS_ENDED,
    SLIPS,
    TABLES,
    TAKINGS,
    WALLET_MOVES,
)


def write_projections(
    connection: Connection, projections: Iterable[tuple[str, Projection]]
) -> None:
    """Write projections, each with its log: a floor's, or the house's, whose name is empty."""
    names = ("tables", "answers", "begun", "ended", "hands", "moves", "incidents", "slips")
    rows: dict[str, list[dict[str, object]]] = {name: [] for name in names}
    takings: dict[tuple[object, ...], list[int]] = {}
    for floor, projection in projections:
        rows["answers"] += [answer_row(floor, answer) for answer in projection.answers]
        rows["tables"] += [{"id": name.table, "floor": floor} for name in projection.tables]
        rows["begun"] += [round_start_row(floor, start) for start in projection.round_starts]
        rows["ended"] += [round_end_row(floor, end) for end in projection.round_ends]
        rows["hands"] += [row for end in projection.round_ends for row in hand_rows(floor, end)]
        rows["moves"] += [move_row(floor, move) for move in projection.moves]
        rows["incidents"] += [incident_row(floor, incident) for incident in projection.incidents]
        rows["slips"] += [slip_row(floor, slip) for slip in projection.slips]
        for taking in projection.takings:
            key = floor, taking.table, taking.day, taking.what
            sums = takings.setdefault(key, [0] * len(FIGURES))
            for i, figure in enumerate(taking.figures):
                sums[i] += figure
    for name, table in (
        ("answers", ANSWERS),
        ("tables", TABLES),
        ("begun", ROUNDS),
        ("ended", ROUNDS_ENDED),
        ("hands", HANDS),
        ("moves", WALLET_MOVES),
        ("incidents", INCIDENTS),
        ("slips", SLIPS),
    ):
        if rows[name]:
            connection.execute(insert(table), rows[name])
    if takings:
        _add_takings(connection, [(*key, *figures) for key, figures in takings.items()])


def answer_row(log: str, answer: StoredAnswer) -> dict[str, object]:
    return {"floor": log, "command": answer.id, "index": answer.index}


def round_start_row(floor: str, start: RoundStart) -> dict[str, object]:
    return {
        "floor": floor,
        "table": start.table,
        "number": start.number,
        "index": start.index,
        "at": start.at,
    }


def round_end_row(floor: str, end: RoundEnd) -> dict[str, object]:
    return {
        "floor": floor,
        "table": end.table,
        "number": end.number,
        "index": end.index,
        "at": end.at,
        "void": end.void,
        "hands": len(end.hands),
        "staked": sum(hand.staked for hand in end.hands),
        "net": sum(hand.net for hand in end.hands),
        "award": sum(hand.award for hand in end.hands),
    }


def hand_rows(floor: str, end: RoundEnd) -> list[dict[str, object]]:
    return [
        {
            "floor": floor,
            "table": end.table,
            "number": end.number,
            "seat": hand.seat,
            "player": hand.player,
            "at": end.at,
            "staked": hand.staked,
            "net": hand.net,
            "award": hand.award,
            "category": hand.category,
            "result": hand.result.value,
        }
        for hand in end.hands
    ]


def move_row(floor: str, move: WalletMove) -> dict[str, object]:
    return {**asdict(move), "floor": floor}


def slip_row(floor: str, slip: Slip) -> dict[str, object]:
    return {**asdict(slip), "kind": slip.kind.value, "floor": floor}


def incident_row(log: str, incident: Incident) -> dict[str, object]:
    floor = log or incident.floor
    place = f"{incident.table} round {incident.round}" if incident.round else incident.table
    return {
        "at": incident.at,
        "kind": incident.kind.value,
        "who": incident.who,
        "place": place or floor,
        "what": incident.what,
        "log": log,
        "floor": floor,
        "table": incident.table,
        "round": incident.round,
        "index": incident.index,
        "part": incident.part,
    }


_KEYS = ("floor", "table", "day", "what")
FIGURES = ("count", "amount", "squares", "square_cents", "net", "award")


def _add_takings(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Add to the rows that exist, or insert new ones."""
    names = (*_KEYS, *FIGURES)
    upsert = _takings_upsert(_dialect(connection))
    connection.execute(upsert, [dict(zip(names, row, strict=True)) for row in rows])


@lru_cache
def _takings_upsert(dialect: Any) -> Executable:
    """Cached, because building it takes longer than writing many rows."""
    statement = dialect.insert(TAKINGS)
    sums = {name: TAKINGS.c[name] + statement.excluded[name] for name in FIGURES}
    upsert: Executable = statement.on_conflict_do_update(index_elements=list(_KEYS), set_=sums)
    return upsert


def _dialect(connection: Connection) -> Any:
    return postgresql if connection.dialect.name == "postgresql" else sqlite
