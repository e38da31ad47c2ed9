"""`headsup rules`: lists the rule books, or shows one in full."""

import json
from typing import Annotated

import typer

from headsup.cli.options.common import JsonOption, SetOption, read_rules
from headsup.cli.shell.typer_adapter import PlainCommand, PlainGroup
from headsup.game.rulebook.wagers import Street

app = typer.Typer(
    cls=PlainGroup, help="List the rule books, or show one.", invoke_without_command=True
)


@app.callback()
def list_books(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the rule books."""
    if context.invoked_subcommand is not None:
        return
    from headsup.game.rulebook.loader import SHIPPED_BOOKS
    from headsup.game.rulebook.table_rules import table_rules

    books = [table_rules(name) for name in SHIPPED_BOOKS]
    if as_json:
        from headsup.game.rulebook.json_export import summarize_rules

        typer.echo(json.dumps({"rules": [summarize_rules(rules) for rules in books]}))
        return
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screens.style import console, key_to_words

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
            key_to_words(rules.qualifier),
            ", ".join(book.label(wager) for wager in book.offers),
        )
    console().print(table)
    console().print("headsup rules show ID prints one in full, with every paytable.", style="dim")


@app.command("show", cls=PlainCommand)
def show_book(
    name: Annotated[str, typer.Argument(metavar="ID|FILE", help="A rule book or a .toml file.")],
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
) -> None:
    """Show one rule book: raises, qualifier, options, every paytable."""
    rules = read_rules(name, sets)
    if as_json:
        from headsup.game.rulebook.json_export import export_rules

        typer.echo(json.dumps(export_rules(rules)))
    else:
        from headsup.cli.screens.rule_book import print_rule_book

        print_rule_book(rules)
