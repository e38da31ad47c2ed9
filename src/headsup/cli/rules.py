"""`headsup rules`: the rule books, listed or shown whole."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.choice import JsonOption, SetOption, chosen_rules
from headsup.game.money import dollars, format_cents
from headsup.game.wagers import Street, Wager

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from headsup.game.rulebook.model import Limit, Paytable, TableOption
    from headsup.game.rulebook.tablerules import TableRules

app = typer.Typer(help="The rule books: list them, or show one.", invoke_without_command=True)


@app.callback()
def list_books(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the rule books."""
    if context.invoked_subcommand is not None:
        return
    from headsup.game.rulebook.load import SHIPPED
    from headsup.game.rulebook.tablerules import table_rules

    books = [table_rules(name) for name in SHIPPED]
    if as_json:
        typer.echo(json.dumps({"rules": [_summary(rules) for rules in books]}))
        return
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screen import console, words

    table = Table(title="Rule books", title_justify="left", header_style="bold", expand=False)
    table.add_column("id", no_wrap=True)
    for street in Street:
        table.add_column(street.value, justify="right", no_wrap=True)
    table.add_column("qualifier", no_wrap=True)
    table.add_column("optional wagers")
    for rules in books:
        book = rules.book
        table.add_row(
            Text(book.id, style="bold"),
            *("/".join(map(str, rules.raises[street])) + "×" for street in Street),
            words(rules.qualifier),
            ", ".join(book.label(wager) for wager in book.offers),
        )
    console().print(table)
    console().print("headsup rules show ID prints one whole, with every paytable.", style="dim")


@app.command("show")
def show_book(
    name: Annotated[str, typer.Argument(metavar="ID|FILE", help="A rule book or a .toml file.")],
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
) -> None:
    """Show one rule book: raises, qualifier, options, every paytable."""
    rules = chosen_rules(name, sets)
    if as_json:
        typer.echo(json.dumps(_whole(rules)))
    else:
        _print_whole(rules)


# For programs.


def _summary(rules: "TableRules") -> dict[str, Any]:
    book = rules.book
    return {
        "id": book.id,
        "title": book.title,
        "document": book.document,
        "raises": {street.value: list(rules.raises[street]) for street in Street},
        "qualifier": rules.qualifier,
        "offers": [wager.value for wager in book.offers if rules.offers(wager)],
        "paytables": {key: list(tables) for key, tables in book.paytables.items()},
    }


def _whole(rules: "TableRules") -> dict[str, Any]:
    book = rules.book
    return {
        **_summary(rules),
        "kind": book.kind,
        "version": book.version,
        "effective_from": book.effective_from,
        "source_sha256": book.sha256,
        "fingerprint": rules.fingerprint,
        "labels": {wager.value: book.label(wager) for wager in Wager},
        "seats": book.seats,
        "in_use": {key: table.id for key, table in rules.paytables.items()},
        "limits": {
            wager.value: {
                name: format_cents(cents)
                for name, cents in (("min", limit.min), ("max", limit.max), ("step", limit.step))
                if cents
            }
            for wager, limit in rules.limits.items()
        },
        "options": {key: _option(key, option, rules) for key, option in book.options.items()},
        "paytables": {
            key: [_paytable(rules.paytables.get(key), table) for table in tables.values()]
            for key, tables in book.paytables.items()
        },
        "layout_paytables": [_paytable(None, table) for table in book.layout_tables],
        "clauses": dict(book.clauses),
        "notices": [
            {"text": notice.text, "when": notice.when, "clause": notice.clause}
            for notice in book.notices
        ],
        "layout": [{"text": item.text, "clause": item.clause} for item in book.layout],
        "irregularities": {
            cause: {
                "voids": rule.voids,
                "settles": list(rule.settles),
                "correctable": rule.correctable,
                "house_rule": rule.house_rule,
                "clause": rule.clause,
            }
            for cause, rule in book.irregularities.items()
        },
        "settlement_order": book.settlement_order,
    }


def _option(key: str, option: "TableOption", rules: "TableRules") -> dict[str, Any]:
    """Values as they may be given back in `options`; a cap as it works out at this table."""
    from headsup.game.rulebook.options import write_option

    value = rules.cap if key == "cap" else rules.options[key]
    return {
        "value": write_option(key, value),
        "clause": option.clause,
        "open": option.open or bool(option.may_be),
        "may_be": [write_option(key, item) for item in option.may_be],
    }


def _paytable(chosen: "Paytable | None", table: "Paytable") -> dict[str, Any]:
    shown = chosen if chosen is not None and chosen.id == table.id else table
    return {
        "id": shown.id,
        "basis": shown.basis.value,
        "clause": shown.clause,
        "in_use": shown is chosen,
        "custom": shown.custom,
        "rows": [
            {
                "outcome": row.outcome,
                "label": row.label,
                "kind": row.pay.kind.value,
                "pay": str(row.pay.amount),
                "printed": row.pay.printed,
            }
            for row in shown.rows
        ],
    }


# For people.

_TITLES = {
    "odds": "Odds, when the player wins",
    "bad_beat": "Odds, Bad Beat",
    "trips_plus": "Trips Plus",
    "pocket_bonus": "Pocket Bonus",
    "all_6": "All 6 Bonus",
    "progressive": "Progressive",
}


def _print_whole(rules: "TableRules") -> None:
    from rich.text import Text

    from headsup.cli.screen import console

    book, screen = rules.book, console()
    screen.print(book.title, style="bold")
    screen.print(f"{book.id}, document {book.document}\n", style="dim")
    screen.print(_facts(rules))
    for key in book.paytables:
        screen.print()
        _print_paytables(rules, key, screen)
    for notice in book.notices:
        words = (f"\n{notice.text}", "italic"), f" ({notice.clause})"
        screen.print(Text.assemble(*words, style="dim"))
    open_options = ", ".join(
        f"{key} ({_told(key, rules)})"
        for key, option in book.options.items()
        if option.open or option.may_be
    )
    screen.print(Text(f"\nOpen to choice with --set: {open_options}", style="dim"))


def _told(key: str, rules: "TableRules") -> str:
    """The value in force, as a person reads it."""
    from headsup.game.rulebook.options import OPTIONS

    return OPTIONS[key].words(rules.cap if key == "cap" else rules.options[key])


def _limit_words(limit: "Limit") -> str:
    words = [f"from {dollars(limit.min)}"] if limit.min else []
    words += [f"up to {dollars(limit.max)}"] if limit.max else []
    words += [f"in steps of {dollars(limit.step)}"] if limit.step else []
    return " ".join(words)


def _facts(rules: "TableRules") -> "Table":
    """Raises, qualifier and optional wagers, each beside its clause."""
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screen import words

    book = rules.book
    facts = Table.grid(padding=(0, 2))

    def add(name: str, fact: str, clause: str) -> None:
        facts.add_row(Text(name), Text(fact), Text(clause, style="dim"))

    for street in Street:
        times = " or ".join(f"{multiple}×" for multiple in rules.raises[street])
        clause = book.options[f"{street.value}_raises"].clause
        add(f"{book.label(Wager.RAISE)} on the {street.value}", times, clause)
    needed = "none needed" if rules.qualifier == "none" else f"{words(rules.qualifier)} or better"
    add("Dealer qualifies with", needed, book.options["qualifier"].clause)
    for wager, clause in book.offers.items():
        if not rules.offers(wager):
            continue
        stays = "stays after a fold" if rules.after_fold[wager] else "is forfeited by a fold"
        add(book.label(wager), stays, clause)
    for wager, limit in rules.limits.items():
        add(f"Limits of the {book.label(wager)}", _limit_words(limit), book.clauses["limits"])
    if rules.cap is not None:
        add("Most paid in a round", dollars(rules.cap.amount), book.options["cap"].clause)
    if book.max_options:
        add("Wagering options at once", str(book.max_options), book.max_options_clause)
    return facts


def _print_paytables(rules: "TableRules", key: str, screen: "Console") -> None:
    """All paytables of one wager side by side, in as many blocks as the screen needs."""
    from rich.text import Text

    chosen = rules.paytables.get(key)
    tables = [
        chosen if chosen is not None and chosen.id == table.id else table
        for table in rules.book.paytables[key].values()
    ]
    basis = (chosen or tables[0]).basis
    head = Text(f"{_TITLES[key]}  ", style="bold")
    head.append(f"pays {basis} 1 · {tables[0].clause}", style="not bold dim")
    if chosen is not None:
        head.append(f" · ● is in use: {chosen.id}", style="not bold dim")
    screen.print(head)
    for block in _blocks(tables, chosen, screen.width):
        screen.print(_block(block, chosen))


def _blocks(
    tables: "list[Paytable]", chosen: "Paytable | None", room: int
) -> "list[list[Paytable]]":
    """Paytables that list the same outcomes stand together, as far as there is room."""
    blocks: list[list[Paytable]] = []
    for table in tables:
        last = blocks[-1] if blocks else None
        if last and list(last[0].pays) == list(table.pays):
            rows = [[row.label for row in table.rows]]
            rows += [[_head(one, chosen), *_pays(one)] for one in (*last, table)]
            if sum(max(map(len, column)) + 3 for column in rows) + 1 <= room:
                last.append(table)
                continue
        blocks.append([table])
    return blocks


def _block(tables: "list[Paytable]", chosen: "Paytable | None") -> "Table":
    from rich.table import Table
    from rich.text import Text

    shown = Table(header_style="bold")
    shown.add_column("outcome")
    for table in tables:
        shown.add_column(Text(_head(table, chosen)), justify="right")
    labels = [row.label for row in tables[0].rows if not tables[0].unreachable(row.outcome)]
    for label, *pays in zip(labels, *map(_pays, tables), strict=True):
        shown.add_row(Text(label), *pays)
    return shown


def _head(table: "Paytable", chosen: "Paytable | None") -> str:
    return table.id.removeprefix("HH/") + (" ●" if table is chosen else "")


def _pays(table: "Paytable") -> list[str]:
    return [row.pay.short for row in table.rows if not table.unreachable(row.outcome)]
