"""A designed paytable as a rule book of one's own, in TOML that `--rules` reads."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from headsup.analysis.design.rows import design_keys, printed_pay
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.game.refusal import RulesRefused
from headsup.game.rulebook.model import Pay, PayKind, Paytable
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS
from headsup.game.values.safe_parse import parse_toml

DESIGNED_TABLE_ID = "Designed"  # the id of the new table
_TOP_LEVEL_OPTIONS = (
    "limits",
    "bonus",
)  # options of a table that have a place of their own in a book


class BookMismatch(RuntimeError):
    """The book that was written does not say what was designed: a bug, never a refusal."""


def write_design_book(
    rules: TableRules,
    what: str,
    paytables: Mapping[str, Any],
    options: Mapping[str, Any],
    about: str,
) -> str:
    """The text of a book in which these rules hold; `paytables` and `options` as they were said.

    It keeps to its document where that is open, and is a study where it is not.
    """
    raw = _base(rules)
    raw["title"] = _designed_title(raw.get("title", rules.book.title), what)
    raw["paytables"] = {**raw.get("paytables", {}), **paytables}
    for name in _TOP_LEVEL_OPTIONS:
        if name in options:
            raw[name] = _merge(raw.get(name, {}), options[name])
    others = {key: value for key, value in options.items() if key not in _TOP_LEVEL_OPTIONS}
    raw["options"] = {**raw.get("options", {}), **others}
    blocks = [block for block in raw.get("paytable", []) if not _is_replaced(block, what)]
    for key in design_keys(what):
        if key in rules.paytables:
            raw["paytables"][key] = DESIGNED_TABLE_ID
            blocks.append(_block(rules.paytables[key]))
    raw["paytable"] = blocks
    for kind in (raw.get("kind", "house"), "study"):
        text = f"# {about}\n{toml_text({**raw, 'kind': kind})}"
        try:
            return _confirm(text, rules, what)
        except RulesRefused:
            if kind == "study":
                raise
    raise BookMismatch(what)


def _base(rules: TableRules) -> dict[str, Any]:
    book = rules.book
    if book.shipped:
        return {"extends": book.id, "title": book.title}
    return dict(parse_toml(Path(book.file).read_text(encoding="utf-8-sig")))


def _designed_title(title: str, what: str) -> str:
    """A book with pays of its own does not bear the official title alone."""
    addition = f", {' and '.join(design_keys(what)).replace('_', ' ')} designed"
    return title if title.endswith(addition) else title + addition


def _merge(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(one)
    for key, value in other.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merge(merged[key], value) if both else value
    return merged


def _is_replaced(block: Mapping[str, Any], what: str) -> bool:
    return block.get("key") in design_keys(what) and block.get("ids") == [DESIGNED_TABLE_ID]


def _block(table: Paytable) -> dict[str, Any]:
    return {
        "key": table.key,
        "custom": True,
        "clause": "headsup design",
        "basis": table.basis.value,
        "ids": [DESIGNED_TABLE_ID],
        "rows": [[row.outcome.value, row.label, _pay_text(row.pay)] for row in table.rows],
    }


def _pay_text(pay: Pay) -> str:
    """In one spelling, whatever the document and a new pay are printed as."""
    return printed_pay(pay.amount) if pay.kind is PayKind.PAYS else pay.printed


def _confirm(text: str, rules: TableRules, what: str) -> str:
    """Read again, the book must come to the very same figures."""
    read = table_rules(text)
    if what in SIDE_WAGERS:
        wager = next(wager for wager in SIDE_WAGERS if wager == what)
        same = side_sheet(read, wager).house_edge == side_sheet(rules, wager).house_edge
    else:
        same = compile_payoffs(read).key == compile_payoffs(rules).key
    if not same:
        raise BookMismatch(what)
    return text


# TOML, as much of it as a rule book needs.


def toml_text(raw: Mapping[str, Any]) -> str:
    """Values first, then tables, then lists of tables."""
    plain = {key: value for key, value in raw.items() if not _is_table(value)}
    lines = [f"{_name(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in raw.items():
        if isinstance(value, Mapping) and value:
            lines += ["", f"[{_name(key)}]"]
            lines += [f"{_name(inner)} = {_value(one)}" for inner, one in value.items()]
    for key, value in raw.items():
        if _is_table(value) and not isinstance(value, Mapping):
            for block in value:
                lines += ["", f"[[{_name(key)}]]"]
                lines += [f"{_name(inner)} = {_value(one)}" for inner, one in block.items()]
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    return isinstance(value, Mapping) or bool(
        listed and value and all(isinstance(one, Mapping) for one in value)
    )


def _name(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").isalnum() else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # JSON's escapes are TOML's too


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | Decimal() | float():
            return str(value)
        case Mapping():
            inner = ", ".join(f"{_name(key)} = {_value(one)}" for key, one in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple() if value and all(isinstance(one, list | tuple) for one in value):
            return "[\n" + "".join(f"  {_value(one)},\n" for one in value) + "]"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            return _text(str(value))
