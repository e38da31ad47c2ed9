"""A floor as it can be read back, so that a long log need not be folded from its first entry.

Rules stand as they were chosen and are compiled again; a void stands as its cause and is what the
rules say of it. What is read is the floor that was written only if its digest is the one that the
log has at that place: whoever reads asks for that.
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
from headsup.game.rulebook.irregularity import Cause
from headsup.game.rulebook.model import IrregularityRule
from headsup.game.rulebook.table_rules import RulesChoice, TableRules, rules_from_choice
from headsup.game.table.state import Floor, Table
from headsup.game.values.trie import Trie

_PLAIN = CodecRegistry()
_CHOICE, _METER = _PLAIN.of(RulesChoice), _PLAIN.of(Meter)


class BadFloorSnapshot(ValueError):
    """The text is no floor that was kept."""


def write_floor(floor: Floor) -> str:
    """The floor as JSON, for `read_floor`; of tables that were opened by a record."""
    rules = {_name(rules): rules for table in floor.tables.values() for rules in _rules_of(table)}
    written = {
        "ledger": write_balances(floor.ledger),
        "meters": {name: _METER.write(meter) for name, meter in floor.meters.items()},
        "rules": {name: _write_choice(held) for name, held in rules.items()},
        "tables": {id: _write_table(table) for id, table in floor.tables.items()},
    }
    return json.dumps(written, separators=(",", ":"))


def read_floor(text: str) -> Floor:
    """The floor of such a text, or `BadFloorSnapshot`."""
    try:
        raw = json.loads(text)
        rules = {name: _read_rules(name, said) for name, said in raw["rules"].items()}
        return Floor(
            _read_ledger(raw["ledger"]),
            Trie({name: _METER.read(meter) for name, meter in raw["meters"].items()}),
            Trie({id: _read_table(table, rules) for id, table in raw["tables"].items()}),
        )
    except (TypeMismatch, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadFloorSnapshot(type(error).__name__) from error


# Rules.


def _rules_of(table: Table) -> Iterator[TableRules]:
    """The table's and those of the last round, which may be from before a cell was changed."""
    yield table.rules
    if table.round is not None:
        yield table.round.rules


def _name(rules: TableRules) -> str:
    return f"{rules.fingerprint} {rules.id}"


def _write_choice(rules: TableRules) -> Any:
    if rules.choice is None:
        raise ValueError(f"the rules of {rules.id} were not chosen by a record")
    return _CHOICE.write(rules.choice)


_compile_choice = lru_cache(maxsize=256)(rules_from_choice)


def _read_rules(name: str, said: Any) -> TableRules:
    rules = _compile_choice(_CHOICE.read(said))
    if _name(rules) != name:
        raise BadFloorSnapshot("other rules are chosen so")
    return rules


# Tables.


@lru_cache(maxsize=256)  # a floor has many tables and few rules
def _table_codec(rules: TableRules, of_round: TableRules | None) -> Codec:
    """How a table is written and read that has these rules, and these in its round."""
    by_name = {_name(held): held for held in (of_round, rules) if held is not None}

    def read_void(raw: Any) -> IrregularityRule:
        if of_round is None:
            raise TypeMismatch(Expectation.NOTHING, raw)
        return of_round.book.irregularities[Cause(raw)]

    voids = _text_codec(IrregularityRule, lambda void: void.cause.value, read_void)
    named = _text_codec(TableRules, _name, by_name.__getitem__)
    return CodecRegistry({TableRules: named, IrregularityRule: voids}).of(Table)


def _text_codec(kind: type[Any], write: Callable[[Any], str], read: Callable[[Any], Any]) -> Codec:
    return Codec(write, lambda value: quote_json(write(value)), read, _skip_check, (kind,), str)


def _skip_check(_: Any) -> None:
    """What is written here stands in a floor, and is of its type."""


def _write_table(table: Table) -> Any:
    return _table_codec(table.rules, table.round and table.round.rules).write(table)


def _read_table(raw: Any, rules: Mapping[str, TableRules]) -> Table:
    of_round = None if raw["round"] is None else rules[raw["round"]["rules"]]
    table: Table = _table_codec(rules[raw["rules"]], of_round).read(raw)
    return table


# Balances.


def _read_ledger(raw: Mapping[str, Any]) -> Ledger:
    shelves: dict[tuple[str, str], Entries] = {}
    for name, micros in raw.items():
        kind, _, owner = name.partition(" ")
        account = Account(AccountKind(kind), owner)
        if type(micros) is not int:
            raise TypeMismatch(Expectation.WHOLE, micros)
        shelves.setdefault(bucket_key(account), {})[account] = micros
    return Ledger(Balances().with_shelves(shelves))
