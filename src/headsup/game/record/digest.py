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

from headsup.game.bank.balances import Account, Bucket, Partition
from headsup.game.bank.ledger import Ledger
from headsup.game.bank.meter import Meter
from headsup.game.record.chain import Json
from headsup.game.record.codec.base import Codec, quote_json, write_only_codec
from headsup.game.record.codec.cache import cached_codec
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.record.event_codec import CACHED_CODECS, SETTLEMENT_CODEC
from headsup.game.record.incremental_json import PartText, PartWriter
from headsup.game.round.decision import Decision
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.model import IrregularityRule
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.settlement import Deal, Settlement
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import Tabulator
from headsup.game.values.money import Micros

_NAMED: Mapping[Any, Codec] = {
    TableRules: write_only_codec((TableRules,), str, lambda rules: rules.fingerprint),
    IrregularityRule: write_only_codec((IrregularityRule,), str, lambda void: void.cause.value),
}

_CODECS = CodecRegistry(_NAMED)
_METER, _TABLE = _CODECS.of(Meter), _CODECS.of(Table)
_PARTS = PartWriter(
    (Table, Round, Seat, Deal, Meter, Tabulator),
    {
        **_NAMED,
        **CACHED_CODECS,
        Settlement: write_only_codec(
            (Settlement,), str, lambda made: sha256_hex(SETTLEMENT_CODEC.text(made))
        ),
        Decision: cached_codec(_CODECS.of(Decision), 64),
    },
)


def digest_contents(floor: Floor) -> dict[str, Json]:
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
    ledger = floor.ledger.balances.homes.hash(_hash_partitions).hex()
    meters = floor.meters.hash(_hash_parts).hex()
    tables = floor.tables.hash(_hash_parts).hex()
    return sha256_hex(f'{{"ledger":"{ledger}","meters":"{meters}","tables":"{tables}"}}')


def sha256_hex(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def _object(texts: list[str]) -> str:
    """An object by the texts of its entries, `"name":value`, in the order of these texts."""
    return "{" + ",".join(sorted(texts)) + "}"


def _hash_partitions(homes: Mapping[str, Partition], _: None) -> tuple[bytes, None]:
    texts = [home.text or _partition_text(name, home) for name, home in homes.items()]
    return sha256(_object(texts).encode("ascii")).digest(), None


def _partition_text(name: str, home: Partition) -> str:
    """`"name":"hash"`, as it stands in what is hashed next."""
    texts = [shelf.text or _bucket_text(place, shelf) for place, shelf in home.shelves.items()]
    home.text = f'{quote_json(name)}:"{sha256_hex(_object(texts))}"'
    return home.text


def _bucket_text(place: str, shelf: Bucket) -> str:
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
    shelf.text = f'{quote_json(place)}:"{sha256_hex(_object(texts))}"'
    return shelf.text


def _hash_parts(
    entries: Mapping[str, Table | Meter], before: Mapping[str, tuple[PartText, str]] | None
) -> tuple[bytes, dict[str, tuple[PartText, str]]]:
    known = before or {}
    found: dict[str, tuple[PartText, str]] = {}
    for name, part in entries.items():
        made = known.get(name)
        if made is None or made[0].part is not part:
            written = _PARTS.written(part, made[0] if made else None)
            made = written, f'{quote_json(name)}:"{sha256_hex(written.text)}"'
        found[name] = made
    texts = [text for _, text in found.values()]
    return sha256(_object(texts).encode("ascii")).digest(), found


def _account(account: Account) -> str:
    return f"{account.kind} {account.owner}"


@lru_cache(maxsize=65536)
def _quoted_account(account: Account) -> str:
    return quote_json(_account(account))
