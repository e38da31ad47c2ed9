"""Writes and reads snapshots of a floor, so that a start need not replay a long log.

Rules are stored as they were chosen and compiled again; a void is stored as its cause. The caller
of `read_floor` must compare the floor's digest with the one in the log at the snapshot's entry.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from headsup.game.bank.balances import Account, AccountKind, Balances, Entries, bucket_key
from headsup.game.bank.ledger import Ledger
from headsup.game.bank.meter import Meter
from headsup.game.record.codec.base import Codec, Expectation, TypeMismatch, quote_json
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.record.digest import write_balances
from headsup.game.rulebook.model import Cause, IrregularityRule
from headsup.game.rulebook.table_rules import RulesChoice, TableRules, rules_from_choice
from headsup.game.table.state import Floor, Table
from headsup.game.values.trie import Trie

_PLAIN = CodecRegistry()
_CHOICE, _METER = _PLAIN.codec_for(RulesChoice), _PLAIN.codec_for(Meter)


class BadFloorSnapshot(ValueError):
    """The text is not a floor snapshot."""


def write_floor(floor: Floor) -> str:
    """The floor as JSON for `read_floor`; all its tables must have been opened by `TableOpened`."""
    rules = {_name(rules): rules for table in floor.tables.values() for rules in _rules_of(table)}
    snapshot = {
        "ledger": write_balances(floor.ledger),
        "meters": {name: _METER.write(meter) for name, meter in floor.meters.items()},
        "rules": {name: _write_choice(used) for name, used in rules.items()},
        "tables": {id: _write_table(table) for id, table in floor.tables.items()},
    }
    return json.dumps(snapshot, separators=(",", ":"))


def read_floor(text: str) -> Floor:
    """The floor of a snapshot; raises `BadFloorSnapshot` if it is not one."""
    try:
        raw = json.loads(text)
        rules = {name: _read_rules(name, choice) for name, choice in raw["rules"].items()}
        return Floor(
            _read_ledger(raw["ledger"]),
            Trie({name: _METER.read(meter) for name, meter in raw["meters"].items()}),
            Trie({id: _read_table(table, rules) for id, table in raw["tables"].items()}),
        )
    except (TypeMismatch, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadFloorSnapshot(type(error).__name__) from error


# Rules.


def _rules_of(table: Table) -> Iterator[TableRules]:
    """The table's rules and the last round's, which differ if a "Bonus" cell has changed since."""
    yield table.rules
    if table.round is not None:
        yield table.round.rules


def _name(rules: TableRules) -> str:
    return f"{rules.fingerprint} {rules.id}"


def _write_choice(rules: TableRules) -> Any:
    if rules.choice is None:
        raise ValueError(f"the rules {rules.id} do not say how they were chosen")
    return _CHOICE.write(rules.choice)


_compile_choice = lru_cache(maxsize=256)(rules_from_choice)


def _read_rules(name: str, raw: Any) -> TableRules:
    rules = _compile_choice(_CHOICE.read(raw))
    if _name(rules) != name:
        raise BadFloorSnapshot(f"the choice stored as {name} leads to {_name(rules)}")
    return rules


# Tables.


@lru_cache(maxsize=256)  # a floor has many tables and few rules
def _table_codec(rules: TableRules, round_rules: TableRules | None) -> Codec:
    """The codec of a table with these rules, and these in its round."""
    by_name = {_name(used): used for used in (round_rules, rules) if used is not None}

    def read_void(raw: Any) -> IrregularityRule:
        if round_rules is None:
            raise TypeMismatch(Expectation.NOTHING, raw)
        return round_rules.book.irregularities[Cause(raw)]

    void_codec = _text_codec(IrregularityRule, lambda void: void.cause.value, read_void)
    rules_codec = _text_codec(TableRules, _name, by_name.__getitem__)
    return CodecRegistry({TableRules: rules_codec, IrregularityRule: void_codec}).codec_for(Table)


def _text_codec(kind: type[Any], write: Callable[[Any], str], read: Callable[[Any], Any]) -> Codec:
    return Codec(write, lambda value: quote_json(write(value)), read, _skip_check, (kind,), str)


def _skip_check(_: Any) -> None:
    """No check is needed: a floor's values have their types."""


def _write_table(table: Table) -> Any:
    return _table_codec(table.rules, table.round and table.round.rules).write(table)


def _read_table(raw: Any, rules: Mapping[str, TableRules]) -> Table:
    round_rules = None if raw["round"] is None else rules[raw["round"]["rules"]]
    table: Table = _table_codec(rules[raw["rules"]], round_rules).read(raw)
    return table


# Balances.


def _read_ledger(raw: Mapping[str, Any]) -> Ledger:
    buckets: dict[tuple[str, str], Entries] = {}
    for name, micros in raw.items():
        kind, _, owner = name.partition(" ")
        account = Account(AccountKind(kind), owner)
        if type(micros) is not int:
            raise TypeMismatch(Expectation.WHOLE, micros)
        buckets.setdefault(bucket_key(account), {})[account] = micros
    return Ledger(Balances().with_buckets(buckets))
