"""One floor at one moment as JSON, and its digest: a hash of its parts' hashes.

A part (a table, its round, a seat, a settlement, a meter) is hashed by the canonical JSON of all
its fields by name, with each part inside it by its own hash; so nothing that is added to a state
can be left out, and what an event did not change is not hashed again. Balances, meters and tables
are hashed node by node of the tries that hold them.

Rules stand as their fingerprint and a void as its cause: both are chosen when a table opens.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from headsup.game.ledger import Account, Ledger
from headsup.game.meter import Meter
from headsup.game.record.chain import Json
from headsup.game.record.codec import Codecs
from headsup.game.record.events import LINE
from headsup.game.record.forms import Form, quoted, write_only
from headsup.game.record.memory import Memory
from headsup.game.record.shapes import record
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.model import Irregularity
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.settlement import Deal, Line, Settlement
from headsup.game.table.state import Floor, Table

_NAMED: Mapping[Any, Form] = {
    TableRules: write_only((TableRules,), str, lambda rules: rules.fingerprint),
    Irregularity: write_only((Irregularity,), str, lambda void: void.cause.value),
}

Part = Table | Round | Seat | Deal | Settlement | Meter


def snapshot(floor: Floor) -> dict[str, Json]:
    """What `digest` is of, for people to compare."""
    return {
        "ledger": write_balances(floor.ledger),
        "meters": {name: _METER.write(meter) for name, meter in floor.meters.items()},
        "tables": {id: _TABLE.write(table) for id, table in floor.tables.items()},
    }


def write_balances(ledger: Ledger) -> dict[str, Json]:
    """Micro-dollars by account, `player T1/Ann`; accounts at zero are left out."""
    return {_account(account): micros for account, micros in ledger}


def digest(floor: Floor) -> str:
    """SHA-256 over the whole floor: equal digests, equal states."""
    ledger = floor.ledger.balances.hash(_hash_balances, _hash_children)
    meters = floor.meters.hash(_hash_parts, _hash_children)
    tables = floor.tables.hash(_hash_parts, _hash_children)
    return _hash(f'{{"ledger":"{ledger}","meters":"{meters}","tables":"{tables}"}}')


def _hash(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def _hash_children(hashes: list[str]) -> str:
    return _hash('["' + '","'.join(hashes) + '"]')


def _hash_balances(entries: Mapping[Account, int]) -> str:
    return _hash_object({_account(account): str(held) for account, held in entries.items()})


def _hash_parts(entries: Mapping[str, Part]) -> str:
    return _hash_object({name: f'"{_HASHES.of(part)}"' for name, part in entries.items()})


def _hash_object(texts: Mapping[str, str]) -> str:
    return _hash("{" + ",".join([f"{quoted(key)}:{texts[key]}" for key in sorted(texts)]) + "}")


def _account(account: Account) -> str:
    return f"{account.kind} {account.owner}"


# Some ten parts of each of two hundred tables.
_MOST = 2048
_WHOLE = Codecs(_NAMED)
_METER, _TABLE = _WHOLE.of(Meter), _WHOLE.of(Table)


def _hash_part(part: Part) -> str:
    return _hash(_TEXTS[type(part)](part))


_HASHES = Memory(_hash_part, _MOST)
_PARTS = (Table, Round, Seat, Deal, Settlement, Meter)
_BY_HASH = {kind: write_only((kind,), str, _HASHES.of) for kind in _PARTS}


def _text_of(kind: type[Any]) -> Callable[[Any], str]:
    """The canonical text of a part, with the parts inside it by their hashes."""
    inside = {other: form for other, form in _BY_HASH.items() if other is not kind}
    forms = Codecs({**_NAMED, **inside, Line: LINE}, remember=_MOST)
    return record(kind, forms.fields_of(kind)).text


_TEXTS = {kind: _text_of(kind) for kind in _PARTS}
