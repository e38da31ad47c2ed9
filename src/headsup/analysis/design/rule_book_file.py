"""Writes a designed paytable as a rule book, in TOML that `--rules` can read."""

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
from headsup.game.values.safe_parse import parse_toml, quote_toml

DESIGNED_TABLE_ID = "Designed"  # the id of the new table
_TOP_LEVEL_OPTIONS = ("limits", "bonus")  # written as tables of their own, not under [options]


class BookMismatch(RuntimeError):
    """The written book gives other figures than the design. Always a bug."""


def write_design_book(
    rules: TableRules,
    table_name: str,
    paytables: Mapping[str, Any],
    options: Mapping[str, Any],
    about: str,
) -> str:
    """The text of a rule book with these rules. `paytables` and `options` are the user's choices.

    The book keeps its kind where its document allows other pays; otherwise it becomes a study book,
    which may hold any pays.
    """
    raw = _base(rules)
    raw["title"] = _designed_title(raw.get("title", rules.book.title), table_name)
    raw["paytables"] = {**raw.get("paytables", {}), **paytables}
    for name in _TOP_LEVEL_OPTIONS:
        if name in options:
            raw[name] = _merge(raw.get(name, {}), options[name])
    others = {key: value for key, value in options.items() if key not in _TOP_LEVEL_OPTIONS}
    raw["options"] = {**raw.get("options", {}), **others}
    blocks = [block for block in raw.get("paytable", []) if not _is_replaced(block, table_name)]
    for key in design_keys(table_name):
        if key in rules.paytables:
            raw["paytables"][key] = DESIGNED_TABLE_ID
            blocks.append(_block(rules.paytables[key]))
    raw["paytable"] = blocks
    for kind in (raw.get("kind", "house"), "study"):
        text = f"# {about}\n{toml_text({**raw, 'kind': kind})}"
        try:
            return _confirm(text, rules, table_name)
        except RulesRefused:
            if kind == "study":
                raise
    raise BookMismatch(table_name)


def _base(rules: TableRules) -> dict[str, Any]:
    book = rules.book
    if book.is_shipped:
        return {"extends": book.id, "title": book.title}
    return dict(parse_toml(Path(book.file).read_text(encoding="utf-8-sig")))


def _designed_title(title: str, table_name: str) -> str:
    """The title says that the pays are not the official ones."""
    addition = f", {' and '.join(design_keys(table_name)).replace('_', ' ')} designed"
    return title if title.endswith(addition) else title + addition


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merge(merged[key], value) if both else value
    return merged


def _is_replaced(block: Mapping[str, Any], table_name: str) -> bool:
    return block.get("key") in design_keys(table_name) and block.get("ids") == [DESIGNED_TABLE_ID]


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
    """One spelling for old and new pays, however the document prints them."""
    return printed_pay(pay.amount) if pay.kind is PayKind.PAYS else pay.printed


def _confirm(text: str, rules: TableRules, table_name: str) -> str:
    """Read the book back and check that it gives the same figures."""
    reread = table_rules(text)
    if table_name in SIDE_WAGERS:
        wager = next(wager for wager in SIDE_WAGERS if wager == table_name)
        same = side_sheet(reread, wager).house_edge == side_sheet(rules, wager).house_edge
    else:
        same = compile_payoffs(reread).key == compile_payoffs(rules).key
    if not same:
        raise BookMismatch(table_name)
    return text


# The part of TOML that a rule book needs.


def toml_text(raw: Mapping[str, Any]) -> str:
    """Plain values, then tables, then lists of tables."""
    plain = {key: value for key, value in raw.items() if not _is_table(value)}
    lines = [f"{_name(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in raw.items():
        if isinstance(value, Mapping) and value:
            lines += ["", f"[{_name(key)}]"]
            lines += [f"{_name(inner)} = {_value(item)}" for inner, item in value.items()]
    for key, value in raw.items():
        if _is_table(value) and not isinstance(value, Mapping):
            for block in value:
                lines += ["", f"[[{_name(key)}]]"]
                lines += [f"{_name(inner)} = {_value(item)}" for inner, item in block.items()]
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return isinstance(value, Mapping) or bool(
        is_list and value and all(isinstance(item, Mapping) for item in value)
    )


def _name(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").isalnum() else quote_toml(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | Decimal() | float():
            return str(value)
        case Mapping():
            inner = ", ".join(f"{_name(key)} = {_value(item)}" for key, item in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple() if value and all(isinstance(item, list | tuple) for item in value):
            return "[\n" + "".join(f"  {_value(item)},\n" for item in value) + "]"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            return quote_toml(str(value))
