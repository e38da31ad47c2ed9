"""`headsup rules`: lists the rule books, or shows one in full."""

import json

import click

from headsup.cli.options.common import json_option, read_rules, sets_option
from headsup.cli.shell.command import Group
from headsup.game.rulebook.wagers import Street


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
@json_option
def rules(context: click.Context, as_json: bool) -> None:
    """List the rule books, or show one."""
    if context.invoked_subcommand is not None:
        return
    from headsup.game.rulebook.loader import SHIPPED_BOOKS
    from headsup.game.rulebook.table_rules import table_rules

    books = [table_rules(name) for name in SHIPPED_BOOKS]
    if as_json:
        from headsup.game.rulebook.json_export import summarize_rules

        print(json.dumps({"rules": [summarize_rules(book) for book in books]}))
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
    for chosen in books:
        book = chosen.book
        table.add_row(
            Text(book.id, style="bold"),
            *("/".join(map(str, chosen.raises[street])) + "×" for street in Street),
            key_to_words(chosen.qualifier),
            ", ".join(book.label(wager) for wager in book.offers),
        )
    console().print(table)
    console().print("headsup rules show ID prints one in full, with every paytable.", style="dim")


@rules.command("show")
@click.argument("name", metavar="ID|FILE", help="A rule book or a .toml file.")
@sets_option
@json_option
def show_book(name: str, sets: tuple[str, ...], as_json: bool) -> None:
    """Show one rule book: raises, qualifier, options, every paytable."""
    chosen = read_rules(name, sets)
    if as_json:
        from headsup.game.rulebook.json_export import export_rules

        print(json.dumps(export_rules(chosen)))
    else:
        from headsup.cli.screens.rule_book import print_rule_book

        print_rule_book(chosen)
