"""`--rules` and `--set`, the same on every command."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.game.rulebook.table_rules import TableRules

RulesOption = Annotated[
    str, typer.Option("--rules", metavar="ID|FILE", help="A rule book, or your own .toml file.")
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A paytable or option, e.g. trips_plus=3, limits.ante.max=500. Repeatable.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")]


def parse_sets(sets: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """`--set` pairs as (paytables, options); dots make nested keys."""
    from headsup.game.rulebook.model import PAYTABLE_KEYS

    paytables: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for text in sets:
        key, equals, value = text.partition("=")
        key, value = key.strip(), value.strip()
        if not equals or not key or not value:
            raise Refused(Code.BAD_SET, text=text[:60])
        if key in PAYTABLE_KEYS:
            _put(paytables, key, value, text)
            continue
        *path, last = key.split(".")
        if len(path) > 3:
            raise Refused(Code.BAD_SET, "nested", text=text[:60])
        at = options
        for name in path:
            at = at.setdefault(name, {})
            if not isinstance(at, dict):
                raise Refused(Code.BAD_SET, "set_already", text=text[:60], name=name[:40])
        _put(at, last, value, text)
    return paytables, options


def _put(into: dict[str, Any], key: str, value: str, text: str) -> None:
    if key in into:
        raise Refused(Code.BAD_SET, "twice", text=text[:60], name=key[:40])
    into[key] = value


def read_rules(name: str, sets: list[str]) -> "TableRules":
    from headsup.game.rulebook.table_rules import table_rules

    paytables, options = parse_sets(sets)
    return table_rules(name, paytables, options)
