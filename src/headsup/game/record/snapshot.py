"""The whole floor at one moment as one canonical text, and its digest.

Every field of every value is in it by name, so nothing that is added to a state can be left out.
Rules stand as their fingerprint: they are chosen once, when the table opens.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import sha256
from json import JSONEncoder
from typing import Any

from headsup.game.cards import format_cards
from headsup.game.ledger import Ledger
from headsup.game.meter import Meter
from headsup.game.record.chain import Json
from headsup.game.rulebook.model import Irregularity
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.table.state import Floor, Table

_CARDS = frozenset({"deck", "dealer", "board", "all_6", "hole"})
_SCALARS = frozenset({str, int, bool, type(None)})
# The spelling of `chain.canonical`; what is encoded here holds no float to look for.
_ENCODER = JSONEncoder(sort_keys=True, separators=(",", ":"))


def digest(floor: Floor) -> str:
    """SHA-256 of the floor's canonical JSON: equal digests, equal states."""
    parts = {
        "ledger": _text(floor.ledger),
        "meters": _object({name: _text(meter) for name, meter in floor.meters.items()}),
        "tables": _object({id: _text(table) for id, table in floor.tables.items()}),
    }
    return sha256(_object(parts).encode("ascii")).hexdigest()


def snapshot(floor: Floor) -> dict[str, Json]:
    """What `digest` is of, for people to compare."""
    return {
        "ledger": write_balances(floor.ledger),
        "meters": {name: _plain(meter) for name, meter in floor.meters.items()},
        "tables": {id: _plain(table) for id, table in floor.tables.items()},
    }


def _object(texts: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{_ENCODER.encode(key)}:{texts[key]}" for key in sorted(texts)) + "}"


# An event changes one table and a few accounts: the texts of the others are remembered, with the
# value itself, which keeps its identity from being given to another.
_MOST_REMEMBERED = 512
_remembered: dict[int, tuple[object, str]] = {}


def _text(value: Ledger | Meter | Table) -> str:
    held = _remembered.get(id(value))
    if held is not None and held[0] is value:
        return held[1]
    plain = write_balances(value) if isinstance(value, Ledger) else _plain(value)
    text = _ENCODER.encode(plain)
    if len(_remembered) >= _MOST_REMEMBERED:
        _remembered.clear()
    _remembered[id(value)] = value, text
    return text


def write_balances(ledger: Ledger) -> dict[str, Json]:
    """Micro-dollars by account, `player T1/Ann`; accounts at zero are left out."""
    return {f"{account.kind} {account.owner}": micros for account, micros in ledger}


def _plain(value: Any) -> Json:
    kind: Any = type(value)
    return value if kind in _SCALARS else _writer(kind)(value)


Writer = Callable[[Any], Json]


@cache
def _writer(kind: type[Any]) -> Writer:
    """How values of one class are written; asked thousands of times a second, found out once."""
    if issubclass(kind, Enum):
        return lambda value: value.value
    if kind is TableRules:
        return _fingerprint
    if kind is Irregularity:
        return lambda value: value.cause
    if kind is Fraction:
        return str
    if issubclass(kind, Mapping):
        return lambda value: {str(_plain(key)): _plain(item) for key, item in value.items()}
    if is_dataclass(kind):
        return _by_name(kind, [field.name for field in fields(kind)])
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _by_name(kind, kind._fields)
    if issubclass(kind, tuple):
        return lambda value: [_plain(item) for item in value]
    raise TypeError(f"{kind.__name__} has no canonical text")


def _by_name(kind: type[Any], names: Any) -> Writer:
    if not names:  # a value without fields says all it has to say by its name
        return lambda _: kind.__name__
    cards = tuple(name for name in names if name in _CARDS)
    others = tuple(name for name in names if name not in _CARDS)

    def write(value: Any) -> Json:
        written = {name: _plain(getattr(value, name)) for name in others}
        for name in cards:
            written[name] = format_cards(getattr(value, name))
        return written

    return write


@lru_cache(maxsize=256)
def _fingerprint(rules: TableRules) -> str:
    return rules.fingerprint
