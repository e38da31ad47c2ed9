"""Writes a floor as canonical JSON, reads it back, and computes its digest, the text's SHA-256.

A checkpoint in the log holds the digest, and a snapshot holds the text. So a snapshot is verified
by hashing it, and a start need not replay a long log.

Rules are stored as they were chosen and compiled again, a void as its cause. Accounts at zero are
left out.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

from headsup.game.bank.balances import Account, AccountKind, Balances
from headsup.game.bank.ledger import Ledger
from headsup.game.bank.meter import Meter
from headsup.game.record.chain import Json
from headsup.game.record.codec.base import (
    TRUSTED_SCALARS,
    Codec,
    TypeMismatch,
    cached_codec,
    quote_json,
)
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.round.state import Seat
from headsup.game.rulebook.model import Cause, IrregularityRule
from headsup.game.rulebook.table_rules import RulesChoice, TableRules, rules_from_choice
from headsup.game.settlement import Settlement
from headsup.game.table.state import Floor, Table


class BadFloorText(ValueError):
    """The text is not a floor's."""


def digest(floor: Floor) -> str:
    """The SHA-256 of the floor's text: equal digests mean equal states."""
    return text_digest(floor_text(floor))


def text_digest(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def floor_text(floor: Floor) -> str:
    """The floor as canonical JSON; all its tables must have been opened by `TableOpened`."""
    used = (rules for table in floor.tables.values() for rules in _rules_of(table))
    rules = {_name(each): _choice_text(each) for each in {id(each): each for each in used}.values()}
    accounts = {name: str(micros) for name, micros in write_balances(floor.ledger).items()}
    meters = {name: _METER.text(meter) for name, meter in floor.meters.items()}
    tables = {id: table_text(table) for id, table in floor.tables.items()}
    return (
        f'{{"ledger":{_object(accounts)},"meters":{_object(meters)},'
        f'"rules":{_object(rules)},"tables":{_object(tables)}}}'
    )


def table_text(table: Table) -> str:
    """The table as canonical JSON, its rules by name only."""
    return _TABLE.text(table)


def read_floor(text: str) -> Floor:
    """The floor of this text; raises `BadFloorText` for anything but a floor's text."""
    try:
        raw = json.loads(text)
        rules = {name: _read_rules(name, choice) for name, choice in raw["rules"].items()}
        return Floor(
            _read_ledger(raw["ledger"]),
            {name: _METER.read(meter) for name, meter in raw["meters"].items()},
            {id: _read_table(table, rules) for id, table in raw["tables"].items()},
        )
    except (TypeMismatch, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadFloorText(type(error).__name__) from error


def _object(texts: Mapping[str, str]) -> str:
    """The JSON object with these members, sorted by key."""
    return "{" + ",".join([f"{quote_json(name)}:{texts[name]}" for name in sorted(texts)]) + "}"


# Rules.

_CHOICE = CodecRegistry().codec_for(RulesChoice)


def _rules_of(table: Table) -> Iterator[TableRules]:
    """The table's rules and the last round's, which differ if a "Bonus" cell has changed since."""
    yield table.rules
    if table.round is not None:
        yield table.round.rules


def _name(rules: TableRules) -> str:
    return f"{rules.fingerprint} {rules.id}"


def _choice_text(rules: TableRules) -> str:
    if rules.choice is None:
        raise ValueError(f"the rules {rules.id} do not say how they were chosen")
    return _CHOICE.text(rules.choice)


_compile_choice = lru_cache(maxsize=256)(rules_from_choice)


def _read_rules(name: str, raw: Any) -> TableRules:
    rules = _compile_choice(_CHOICE.read(raw))
    if _name(rules) != name:
        raise BadFloorText(f"the choice stored as {name} leads to {_name(rules)}")
    return rules


# Tables and meters.


def _reference(kind: type[Any], name: Callable[[Any], str], read: Callable[[Any], Any]) -> Codec:
    """The codec of values that are written as their names."""
    return Codec(lambda value: quote_json(name(value)), read, (kind,), str)


def _table_codec(
    rules: Callable[[str], TableRules], void: Callable[[str], IrregularityRule]
) -> Codec:
    """The codec of tables; `rules` and `void` find what a name stands for.

    Seats and settlements are cached: most of them are the same at the next checkpoint.
    """
    references = {
        **TRUSTED_SCALARS,
        TableRules: _reference(TableRules, _name, rules),
        IrregularityRule: _reference(IrregularityRule, lambda void: void.cause.value, void),
    }
    codecs = CodecRegistry(references)
    cached = {kind: cached_codec(codecs.codec_for(kind), 4096) for kind in (Seat, Settlement)}
    return CodecRegistry({**references, **cached}).codec_for(Table)


def _cannot_read(name: str) -> Any:
    raise BadFloorText(f"{name} stands for nothing")


_METER = CodecRegistry().codec_for(Meter)
_TABLE = _table_codec(_cannot_read, _cannot_read)


@lru_cache(maxsize=256)  # a floor has many tables and few rules
def _table_reader(rules: TableRules, round_rules: TableRules | None) -> Codec:
    """The codec of a table with these rules, and these in its round."""
    by_name = {_name(used): used for used in (round_rules, rules) if used is not None}
    voids = {} if round_rules is None else round_rules.book.irregularities
    return _table_codec(by_name.__getitem__, lambda cause: voids[Cause(cause)])


def _read_table(raw: Any, rules: Mapping[str, TableRules]) -> Table:
    round_rules = None if raw["round"] is None else rules[raw["round"]["rules"]]
    table: Table = _table_reader(rules[raw["rules"]], round_rules).read(raw)
    return table


# Balances.


def write_balances(ledger: Ledger) -> dict[str, Json]:
    """Micro-dollars by account, `player T1/Ann`; accounts at zero are left out."""
    return {f"{account.kind} {account.owner}": micros for account, micros in ledger}


def _read_ledger(raw: Mapping[str, Any]) -> Ledger:
    entries = {}
    for name, micros in raw.items():
        kind, _, owner = name.partition(" ")
        if type(micros) is not int:
            raise BadFloorText(f"the balance of {name} is not a whole number")
        entries[Account(AccountKind(kind), owner)] = micros
    return Ledger(Balances.of(entries))
