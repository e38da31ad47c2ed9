"""One floor at one moment as JSON, and its digest: a hash of its parts' hashes.

Balances, meters and tables are hashed node by node of the maps that hold them, so that what a
decision did not touch is not hashed again; a table or a meter by the canonical JSON of all its
fields, so that nothing which is added to a state can be left out (`incremental_json`).

Rules stand as their fingerprint and a void as its cause: both are chosen when a table opens.
"""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import compress, count
from operator import is_not
from typing import Any

from headsup.game.bank.balances import Account, Home, Shelf
from headsup.game.bank.ledger import Ledger
from headsup.game.bank.meter import Meter
from headsup.game.record.chain import Json
from headsup.game.record.codec.base import Form, quoted, write_only
from headsup.game.record.codec.cache import remembered
from headsup.game.record.codec.registry import Codecs
from headsup.game.record.event_codec import REMEMBERED, SETTLEMENT
from headsup.game.record.incremental_json import Parts, Written
from headsup.game.round.decision import Decision
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.model import Irregularity
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.settlement import Deal, Settlement
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import Tabulator
from headsup.game.values.money import Micros

_NAMED: Mapping[Any, Form] = {
    TableRules: write_only((TableRules,), str, lambda rules: rules.fingerprint),
    Irregularity: write_only((Irregularity,), str, lambda void: void.cause.value),
}

_WHOLE = Codecs(_NAMED)
_METER, _TABLE = _WHOLE.of(Meter), _WHOLE.of(Table)
_PARTS = Parts(
    (Table, Round, Seat, Deal, Meter, Tabulator),
    {
        **_NAMED,
        **REMEMBERED,
        Settlement: write_only((Settlement,), str, lambda made: sha(SETTLEMENT.text(made))),
        Decision: remembered(_WHOLE.of(Decision), 64),
    },
)


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
    ledger = floor.ledger.balances.homes.hash(_hash_homes).hex()
    meters = floor.meters.hash(_hash_parts).hex()
    tables = floor.tables.hash(_hash_parts).hex()
    return sha(f'{{"ledger":"{ledger}","meters":"{meters}","tables":"{tables}"}}')


def sha(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def _object(texts: list[str]) -> str:
    """An object by the texts of its entries, `"name":value`, in the order of these texts."""
    return "{" + ",".join(sorted(texts)) + "}"


def _hash_homes(homes: Mapping[str, Home], _: None) -> tuple[bytes, None]:
    texts = [home.text or _home_text(name, home) for name, home in homes.items()]
    return sha256(_object(texts).encode("ascii")).digest(), None


def _home_text(name: str, home: Home) -> str:
    """`"name":"hash"`, as it stands in what is hashed next."""
    texts = [shelf.text or _shelf_text(place, shelf) for place, shelf in home.shelves.items()]
    home.text = f'{quoted(name)}:"{sha(_object(texts))}"'
    return home.text


def _shelf_text(place: str, shelf: Shelf) -> str:
    """Of the accounts on it, those are written again that hold another number than before."""
    accounts, held = [*shelf.entries], [*shelf.entries.values()]
    known: tuple[list[Account], list[Micros], list[str]] | None = shelf.memo
    if known is None or known[0] != accounts:
        texts = [
            f"{_quoted_account(account)}:{micros}" for account, micros in shelf.entries.items()
        ]
    else:
        texts = known[2].copy()
        for i in compress(count(), map(is_not, held, known[1])):
            texts[i] = f"{_quoted_account(accounts[i])}:{held[i]}"
    shelf.memo = accounts, held, texts
    shelf.text = f'{quoted(place)}:"{sha(_object(texts))}"'
    return shelf.text


def _hash_parts(
    entries: Mapping[str, Table | Meter], before: Mapping[str, tuple[Written, str]] | None
) -> tuple[bytes, dict[str, tuple[Written, str]]]:
    known = before or {}
    found: dict[str, tuple[Written, str]] = {}
    for name, part in entries.items():
        made = known.get(name)
        if made is None or made[0].part is not part:
            written = _PARTS.written(part, made[0] if made else None)
            made = written, f'{quoted(name)}:"{sha(written.text)}"'
        found[name] = made
    texts = [text for _, text in found.values()]
    return sha256(_object(texts).encode("ascii")).digest(), found


def _account(account: Account) -> str:
    return f"{account.kind} {account.owner}"


@lru_cache(maxsize=65536)
def _quoted_account(account: Account) -> str:
    return quoted(_account(account))
