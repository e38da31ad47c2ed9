"""Computes the digest of a floor's state, a hash of its parts' hashes, and its JSON.

Balances, meters and tables are in tries whose nodes remember their hashes, so what a decision did
not touch is not hashed again. Tables and meters are hashed as the canonical JSON of all their
fields, so that no new field can be forgotten (`incremental_json`).

Rules are written as their fingerprint and a void as its cause.
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
from headsup.game.record.codec.base import Codec, cached_codec, quote_json, write_only_codec
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.record.incremental_json import PartText, PartWriter
from headsup.game.record.message_codec import CACHED_CODECS, SETTLEMENT_CODEC
from headsup.game.round.decision import Decision
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.model import IrregularityRule
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.settlement import Deal, Settlement
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import Tabulator
from headsup.game.values.money import Micros

_REFERENCES: Mapping[Any, Codec] = {
    TableRules: write_only_codec((TableRules,), str, lambda rules: rules.fingerprint),
    IrregularityRule: write_only_codec((IrregularityRule,), str, lambda void: void.cause.value),
}

_CODECS = CodecRegistry(_REFERENCES)
_METER, _TABLE = _CODECS.codec_for(Meter), _CODECS.codec_for(Table)
_PARTS = PartWriter(
    (Table, Round, Seat, Deal, Meter, Tabulator),
    {
        **_REFERENCES,
        **CACHED_CODECS,
        Settlement: write_only_codec(
            (Settlement,), str, lambda value: sha256_hex(SETTLEMENT_CODEC.text(value))
        ),
        Decision: cached_codec(_CODECS.codec_for(Decision), 64),
    },
)


def digest_contents(floor: Floor) -> dict[str, Json]:
    """The state that `digest` hashes, as JSON for people to compare."""
    return {
        "ledger": write_balances(floor.ledger),
        "meters": {name: _METER.write(meter) for name, meter in floor.meters.items()},
        "tables": {id: _TABLE.write(table) for id, table in floor.tables.items()},
    }


def write_balances(ledger: Ledger) -> dict[str, Json]:
    """Micro-dollars by account, `player T1/Ann`; accounts at zero are left out."""
    return {_account_name(account): micros for account, micros in ledger}


def digest(floor: Floor) -> str:
    """The SHA-256 digest of the whole floor: equal digests mean equal states."""
    ledger = floor.ledger.balances.partitions.hash(_hash_partitions).hex()
    meters = floor.meters.hash(_hash_parts).hex()
    tables = floor.tables.hash(_hash_parts).hex()
    return sha256_hex(f'{{"ledger":"{ledger}","meters":"{meters}","tables":"{tables}"}}')


def sha256_hex(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def _object(texts: list[str]) -> str:
    """The JSON object with these entries, `"name":value`, sorted by their texts."""
    return "{" + ",".join(sorted(texts)) + "}"


def _hash_partitions(partitions: Mapping[str, Partition], _: None) -> tuple[bytes, None]:
    texts = [
        partition.text or _partition_text(name, partition) for name, partition in partitions.items()
    ]
    return sha256(_object(texts).encode("ascii")).digest(), None


def _partition_text(name: str, partition: Partition) -> str:
    """`"name":"hash"`, as it enters the next hash."""
    texts = [bucket.text or _bucket_text(key, bucket) for key, bucket in partition.buckets.items()]
    partition.text = f'{quote_json(name)}:"{sha256_hex(_object(texts))}"'
    return partition.text


def _bucket_text(key: str, bucket: Bucket) -> str:
    """Like `_partition_text`; only accounts with a new balance are written again."""
    accounts, balances = [*bucket.entries], [*bucket.entries.values()]
    memo: tuple[list[Account], list[Micros], list[str]] | None = bucket.memo
    if memo is None or memo[0] != accounts:
        texts = [
            f"{_quoted_account(account)}:{micros}" for account, micros in bucket.entries.items()
        ]
    else:
        texts = memo[2].copy()
        for i in compress(count(), map(is_not, balances, memo[1])):
            texts[i] = f"{_quoted_account(accounts[i])}:{balances[i]}"
    bucket.memo = accounts, balances, texts
    bucket.text = f'{quote_json(key)}:"{sha256_hex(_object(texts))}"'
    return bucket.text


def _hash_parts(
    entries: Mapping[str, Table | Meter], before: Mapping[str, tuple[PartText, str]] | None
) -> tuple[bytes, dict[str, tuple[PartText, str]]]:
    memo = before or {}
    result: dict[str, tuple[PartText, str]] = {}
    for name, part in entries.items():
        entry = memo.get(name)
        if entry is None or entry[0].part is not part:
            part_text = _PARTS.write(part, entry[0] if entry else None)
            entry = part_text, f'{quote_json(name)}:"{sha256_hex(part_text.text)}"'
        result[name] = entry
    texts = [text for _, text in result.values()]
    return sha256(_object(texts).encode("ascii")).digest(), result


def _account_name(account: Account) -> str:
    return f"{account.kind} {account.owner}"


@lru_cache(maxsize=65536)
def _quoted_account(account: Account) -> str:
    return quote_json(_account_name(account))
