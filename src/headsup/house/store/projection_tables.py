"""What is written beside the log, in the same commit, so that it is found again without reading
all of it: where each round begins and ends, who played it for how much, what a table took, and
what a regulator asks to be shown. The log alone is the record; rounds and takings follow from it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Executable, insert
from sqlalchemy.dialects import postgresql, sqlite

from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum
from headsup.house.store.house_chain import insert_linked
from headsup.house.store.schema import (
    HANDS,
    INCIDENTS,
    PAST_BLOCKS,
    ROUNDS,
    ROUNDS_ENDED,
    TAKINGS,
)


@dataclass(frozen=True, slots=True)
class RoundStart:
    """Entry `index` of the log opens this round."""

    table: str
    number: int
    index: int
    at: str


@dataclass(frozen=True, slots=True)
class HandResult:
    """One seat's round: what its wagers were and changed in the player's money."""

    seat: int
    player: str
    staked: Cents
    net: Cents
    award: Cents  # of the net, what a progressive pool paid
    category: str  # of the hand, by its key; empty where it never came to all its cards
    result: str  # of the Ante; `fold` or `void`


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """Entry `index` of the log closes this round; `void` is the cause where all of it was."""

    table: str
    number: int
    index: int
    at: str
    void: str
    hands: tuple[HandResult, ...]


MIN_HASH_HEIGHT = 6  # hashes of 64 rounds and more are kept, of fewer they are made again


@dataclass(frozen=True, slots=True)
class HistoryHash:
    """The hash of 2 ** `height` rounds of a table's past, of which `number` is the last."""

    table: str
    height: int
    place: int
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class Taking:
    """What a table took on one day under one heading: a wager, or buy-ins and the like."""

    table: str
    day: str
    what: str
    count: int
    amount: int  # cents; of `contribution` micro-dollars
    squares: int = 0  # of the stakes, in square dollars, for how far luck can go
    net: Cents = 0  # what it changed in the players' money
    award: Cents = 0

    @property
    def figures(self) -> tuple[int, ...]:
        """What is added up, in the order of `FIGURES`."""
        return self.count, self.amount, self.squares, self.net, self.award


class IncidentKind(TextEnum):
    """Significant events: what must be found again with who, when, where and what (GLI-19)."""

    FAILED_LOG_IN = "failed_log_in"
    PROGRAM_ERROR = "program_error"
    AUTHENTICATION_MISMATCH = "authentication_mismatch"  # program or rule books not as they were
    UNAVAILABLE = "unavailable"
    LARGE_WIN = "large_win"
    LARGE_WAGER = "large_wager"
    OVERRIDE = "override"
    DATA_CHANGED = "data_changed"  # by other means than this program
    CONFIGURATION = "configuration"
    TIME_CHANGED = "time_changed"
    GAME_PARAMETERS = "game_parameters"
    JACKPOT = "jackpot"
    ADJUSTMENT = "adjustment"
    PERSONAL_DATA = "personal_data"
    DEACTIVATION = "deactivation"
    LARGE_TRANSACTION = "large_transaction"
    NEGATIVE_BALANCE = "negative_balance"
    DATA_LOSS = "data_loss"


@dataclass(frozen=True, slots=True)
class Incident:
    """`what` is JSON. A table, a round and an entry of the log only where it has them."""

    kind: IncidentKind
    at: str
    who: str
    what: str
    table: str = ""
    round: int = 0
    index: int = 0


@dataclass(frozen=True, slots=True)
class Projection:
    """Of one decision, or of what is no decision of a floor."""

    begun: tuple[RoundStart, ...] = ()
    ended: tuple[RoundEnd, ...] = ()
    takings: tuple[Taking, ...] = ()
    incidents: tuple[Incident, ...] = ()
    blocks: tuple[HistoryHash, ...] = ()


def write_projections(connection: Connection, noted: Iterable[tuple[str, Projection]]) -> None:
    """Each with the floor it is of; an incident may be of none."""
    names = ("begun", "ended", "hands", "told", "unbound")
    rows: dict[str, list[dict[str, object]]] = {name: [] for name in names}
    blocks: list[tuple[str, HistoryHash]] = []
    takings: dict[tuple[object, ...], list[int]] = {}
    for floor, notes in noted:
        rows["begun"] += [round_start_row(floor, one) for one in notes.begun]
        rows["ended"] += [round_end_row(floor, one) for one in notes.ended]
        rows["hands"] += [hand for one in notes.ended for hand in hand_rows(floor, one)]
        blocks += [(floor, one) for one in notes.blocks]
        for one in notes.incidents:
            rows["told" if one.index else "unbound"].append(incident_row(floor, one))
        for taking in notes.takings:
            place = floor, taking.table, taking.day, taking.what
            held = takings.setdefault(place, [0, 0, 0, 0, 0])
            for number, more in enumerate(taking.figures):
                held[number] += more
    for name, table in (
        ("begun", ROUNDS),
        ("ended", ROUNDS_ENDED),
        ("hands", HANDS),
        ("told", INCIDENTS),
    ):
        if rows[name]:
            connection.execute(insert(table), rows[name])
    write_history_hashes(connection, blocks)
    insert_linked(connection, INCIDENTS, rows["unbound"])
    if takings:
        _add(connection, [(*place, *figures) for place, figures in takings.items()])


def write_history_hashes(connection: Connection, blocks: Iterable[tuple[str, HistoryHash]]) -> None:
    """Each with the floor it is of. One that stands there is left: who shows a round may have made
    it out of the record before, and no decision is to fail for that."""
    rows = [{"floor": floor, **asdict(one)} for floor, one in blocks]
    if rows:
        connection.execute(_dialect(connection).insert(PAST_BLOCKS).on_conflict_do_nothing(), rows)


def round_start_row(floor: str, begun: RoundStart) -> dict[str, object]:
    return {
        "floor": floor,
        "table": begun.table,
        "number": begun.number,
        "index": begun.index,
        "at": begun.at,
    }


def round_end_row(floor: str, ended: RoundEnd) -> dict[str, object]:
    return {
        "floor": floor,
        "table": ended.table,
        "number": ended.number,
        "index": ended.index,
        "at": ended.at,
        "void": ended.void,
        "hands": len(ended.hands),
        "staked": sum(hand.staked for hand in ended.hands),
        "net": sum(hand.net for hand in ended.hands),
        "award": sum(hand.award for hand in ended.hands),
    }


def hand_rows(floor: str, ended: RoundEnd) -> list[dict[str, object]]:
    return [
        {
            "floor": floor,
            "table": ended.table,
            "number": ended.number,
            "seat": hand.seat,
            "player": hand.player,
            "at": ended.at,
            "staked": hand.staked,
            "net": hand.net,
            "award": hand.award,
            "category": hand.category,
            "result": hand.result,
        }
        for hand in ended.hands
    ]


def incident_row(floor: str, incident: Incident) -> dict[str, object]:
    place = f"{incident.table} round {incident.round}" if incident.round else incident.table
    return {
        "at": incident.at,
        "kind": incident.kind.value,
        "who": incident.who,
        "place": place or floor,
        "what": incident.what,
        "floor": floor,
        "table": incident.table,
        "round": incident.round,
        "index": incident.index,
    }


_KEYS = ("floor", "table", "day", "what")
FIGURES = ("count", "amount", "squares", "net", "award")


def _add(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Onto what stands there."""
    names = (*_KEYS, *FIGURES)
    upsert = _takings_upsert(_dialect(connection))
    connection.execute(upsert, [dict(zip(names, row, strict=True)) for row in rows])


@lru_cache
def _takings_upsert(dialect: Any) -> Executable:
    """Made once: making it takes longer than many rows."""
    adding = dialect.insert(TAKINGS)
    more = {name: TAKINGS.c[name] + adding.excluded[name] for name in FIGURES}
    made: Executable = adding.on_conflict_do_update(index_elements=list(_KEYS), set_=more)
    return made


def _dialect(connection: Connection) -> Any:
    return postgresql if connection.dialect.name == "postgresql" else sqlite
