"""`headsup rules`: the rule books, listed or shown whole."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.choice import JsonOption, SetOption, chosen_rules
from headsup.game.rulebook.load import SHIPPED, load
from headsup.game.rulebook.model import Cap, Option, Paytable, RuleBook
from headsup.game.rulebook.tablerules import TableRules, table_rules
from headsup.game.wagers import Street, Wager

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(help="The rule books: list them, or show one.", invoke_without_command=True)


@app.callback()
def list_books(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the rule books."""
    if context.invoked_subcommand is not None:
        return
    books = [load(name) for name in SHIPPED]
    if as_json:
        typer.echo(json.dumps({"rules": [_summary(book) for book in books]}))
        return
    from rich.table import Table

    from headsup.cli.screen import console, words

    table = Table(title="Rule books", title_justify="left", header_style="bold", expand=False)
    table.add_column("id", no_wrap=True)
    for street in Street:
        table.add_column(street.value, justify="right", no_wrap=True)
    table.add_column("qualifier", no_wrap=True)
    table.add_column("optional wagers")
    for book in books:
        rules = table_rules(book)
        table.add_row(
            f"[bold]{book.id}[/]",
            *("/".join(map(str, rules.raises[street])) + "×" for street in Street),
            words(rules.qualifier),
            ", ".join(book.label(wager) for wager in book.offers),
        )
    console().print(table)
    console().print("[dim]headsup rules show ID prints one whole, with every paytable.[/]")


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


def _summary(book: RuleBook) -> dict[str, Any]:
    rules = table_rules(book)
    return {
        "id": book.id,
        "title": book.title,
        "document": book.document,
        "raises": {street.value: list(rules.raises[street]) for street in Street},
        "qualifier": rules.qualifier,
        "offers": [wager.value for wager in book.offers],
        "paytables": {key: list(tables) for key, tables in book.paytables.items()},
    }


def _whole(rules: TableRules) -> dict[str, Any]:
    book = rules.book
    return {
        **_summary(book),
        "raises": {street.value: list(rules.raises[street]) for street in Street},
        "qualifier": rules.qualifier,
        "kind": book.kind,
        "version": book.version,
        "effective_from": book.effective_from,
        "source_sha256": book.sha256,
        "fingerprint": rules.fingerprint,
        "labels": {wager.value: book.label(wager) for wager in Wager},
        "seats": book.seats,
        "in_use": {key: table.id for key, table in rules.paytables.items()},
        "options": {
            key: _option(option, rules.options[key]) for key, option in book.options.items()
        },
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


def _option(option: Option, value: object) -> dict[str, Any]:
    return {
        "value": _plain(value),
        "clause": option.clause,
        "open": option.open,
        "may_be": [_plain(item) for item in option.may_be],
    }


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Cap):
        return {
            "amount_cents": value.amount,
            "scope": value.scope,
            "wagers": list(value.wagers),
            "spares_below": value.spares_below,
        }
    return value


def _paytable(chosen: Paytable | None, table: Paytable) -> dict[str, Any]:
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


def _print_whole(rules: TableRules) -> None:
    from rich.table import Table

    from headsup.cli.screen import console, words

    book, screen = rules.book, console()
    screen.print(f"[bold]{book.title}[/]  [dim]({book.id}, document {book.document})[/]\n")
    facts = Table.grid(padding=(0, 2))
    for street in Street:
        times = " or ".join(f"{multiple}×" for multiple in rules.raises[street])
        clause = book.options[f"{street.value}_raises"].clause
        facts.add_row(
            f"{book.label(Wager.RAISE)} on the {street.value}", times, f"[dim]{clause}[/]"
        )
    qualifier = (
        "none needed" if rules.qualifier == "none" else f"{words(rules.qualifier)} or better"
    )
    facts.add_row("Dealer qualifies with", qualifier, f"[dim]{book.options['qualifier'].clause}[/]")
    for wager, clause in book.offers.items():
        stays = "stays after a fold" if rules.after_fold[wager] else "is forfeited by a fold"
        facts.add_row(book.label(wager), stays, f"[dim]{clause}[/]")
    if rules.cap is not None:
        facts.add_row(
            "Most paid in a round",
            f"${rules.cap.amount / 100:,.2f}",
            f"[dim]{book.options['cap'].clause}[/]",
        )
    if book.max_options:
        facts.add_row(
            "Wagering options at once", str(book.max_options), f"[dim]{book.max_options_clause}[/]"
        )
    screen.print(facts)
    for key in book.paytables:
        screen.print()
        screen.print(_columns(rules, key))
    for notice in book.notices:
        screen.print(f"\n[italic]{notice.text}[/] [dim]({notice.clause})[/]")
    open_options = ", ".join(
        key for key, option in book.options.items() if option.open or option.may_be
    )
    screen.print(f"\n[dim]Open to choice with --set: {open_options}[/]")


def _columns(rules: TableRules, key: str) -> "Table":
    """All paytables of one wager side by side; the one in use marked."""
    from rich.table import Table

    book = rules.book
    chosen = rules.paytables.get(key)
    tables = [
        chosen if chosen is not None and chosen.id == table.id else table
        for table in book.paytables[key].values()
    ]
    basis = chosen.basis if chosen is not None else tables[0].basis
    title = f"{_TITLES[key]}  [dim]pays {basis} 1 · {tables[0].clause}[/]"
    shown = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    shown.add_column("outcome")
    for table in tables:
        mark = " ●" if table is chosen else ""
        shown.add_column(table.id.removeprefix("HH/") + mark, justify="right")
    labels: dict[str, str] = {}
    for table in tables:
        for row in table.rows:
            if not table.unreachable(row.outcome):
                labels.setdefault(row.outcome, row.label)
    for outcome, label in labels.items():
        pays = [table.pays.get(outcome) for table in tables]
        shown.add_row(label, *(pay.short if pay else "" for pay in pays))
    return shown
