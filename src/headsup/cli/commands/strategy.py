"""`headsup strategy`: strategies people write, valued exactly; short ones found; cards to carry."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.cli.options.output_files import check_writable, print_file_names, write_files
from headsup.cli.options.rules_option import JsonOption, RulesOption, SetOption, read_rules
from headsup.cli.shell.help_text import PlainCommand, PlainGroup
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from headsup.analysis.strategies.evaluation import Evaluation
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.report.files.strategy_card import StreetCard

app = typer.Typer(
    cls=PlainGroup, no_args_is_help=True, help="Strategies people write, valued exactly."
)
MAX_DEPARTURES_SHOWN = 12  # departures on the screen

PageFile = Annotated[Path | None, typer.Option(metavar="FILE", help="The card as a page.")]
PaperFile = Annotated[Path | None, typer.Option(metavar="FILE", help="The card on paper.")]
TomlFile = Annotated[Path | None, typer.Option(metavar="FILE", help="The strategy, to be edited.")]


@app.command("list", cls=PlainCommand)
def list_strategies(as_json: JsonOption = False) -> None:
    """The strategies that come with the program."""
    from headsup.analysis.strategies.examples import shipped_names, shipped_text
    from headsup.analysis.strategies.written_strategy import parse_strategy

    found = {name: parse_strategy(shipped_text(name), name) for name in shipped_names()}
    if as_json:
        about = {name: {"name": one.name, "about": one.about} for name, one in found.items()}
        typer.echo(json.dumps(about))
        return
    for name, one in found.items():
        typer.echo(f"{name:12} {one.name}: {one.about}")


@app.command("evaluate", cls=PlainCommand)
def evaluate(
    file: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A file, or one of `list`.")],
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
    html: PageFile = None,
    pdf: PaperFile = None,
) -> None:
    """The exact house edge of a strategy, and what each departure from the best costs."""
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.strategies.evaluation import evaluate_strategy
    from headsup.cli.options.solutions import warn_first_run
    from headsup.cli.screens.progress import progress_bar
    from headsup.library.written import read_strategy

    check_writable([path for path in (html, pdf) if path is not None])
    chosen, written = read_rules(rules, sets), read_strategy(file)
    payoffs = compile_payoffs(chosen)
    warn_first_run()
    with progress_bar("Valuing every decision") as progress:
        found = evaluate_strategy(payoffs, written, file, progress)
    _answer(chosen, found, as_json, {"html": html, "pdf": pdf})


@app.command("simplify", cls=PlainCommand)
def simplify(
    lines: Annotated[
        int, typer.Option(metavar="N", help="Lines at most, the chart being one.")
    ] = 8,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
    html: PageFile = None,
    pdf: PaperFile = None,
    toml: TomlFile = None,
) -> None:
    """Find a good short strategy for these rules, and print it as a card."""
    from headsup.analysis.solver.chunks import KernelPool
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.strategies.evaluation import (
        KERNEL_CALLS,
        SolvedBaseline,
        evaluate_against,
    )
    from headsup.analysis.strategies.simplify import MAX_LINES, MIN_LINES, simplify
    from headsup.cli.options.solutions import warn_first_run
    from headsup.cli.screens.progress import progress_bar

    if not MIN_LINES <= lines <= MAX_LINES:
        raise Refused(
            Code.BAD_ARGUMENTS, "number", where="--lines", least=MIN_LINES, most=MAX_LINES
        )
    check_writable([path for path in (html, pdf, toml) if path is not None])
    chosen = read_rules(rules, sets)
    payoffs = compile_payoffs(chosen)
    warn_first_run()
    with (
        progress_bar("Looking for short strategies") as progress,
        KernelPool(KERNEL_CALLS, progress) as crew,
    ):
        solved = SolvedBaseline.of(payoffs, crew)
        found = evaluate_against(solved, simplify(solved, lines), "found", crew)
    _answer(chosen, found, as_json, {"html": html, "pdf": pdf, "toml": toml})


def _answer(
    rules: "TableRules", found: "Evaluation", as_json: bool, paths: dict[str, Path | None]
) -> None:
    written = {kind: path for kind, path in paths.items() if path is not None}
    write_files(_files(rules, found, written))
    if as_json:
        from headsup.report.json.strategy import evaluation_json

        typer.echo(json.dumps(evaluation_json(rules, found)))
    else:
        _print(rules, found, list(written.values()))


def _files(rules: "TableRules", found: "Evaluation", wanted: dict[str, Path]) -> dict[Path, bytes]:
    from headsup.report.files.strategy_card import card_page, card_pdf, card_toml

    contents: dict[Path, bytes] = {}
    about, cards = f"{rules.book.title}. {_about(found)}", _cards(found)
    if "html" in wanted:
        contents[wanted["html"]] = card_page(found.written, about, cards).encode()
    if "pdf" in wanted:
        contents[wanted["pdf"]] = card_pdf(found.written, about, cards)
    if "toml" in wanted:
        contents[wanted["toml"]] = card_toml(found.written).encode()
    return contents


def _cards(found: "Evaluation") -> "tuple[StreetCard, ...]":
    from headsup.report.files.strategy_card import street_cards

    streets = ("pocket", "flop", "river")
    multiples = found.solution.payoffs.multiples_by_street
    return street_cards(found.written, dict(zip(streets, multiples, strict=True)))


def _about(found: "Evaluation") -> str:
    from headsup.analysis.par.exact_numbers import percent

    return (
        f"House edge {percent(found.house_edge)}, which is {percent(found.cost)} more than "
        "best play gives away."
    )


# For people.


def _print(rules: "TableRules", found: "Evaluation", written: list[Path]) -> None:
    from rich.text import Text

    from headsup.cli.screens.style import console

    screen = console()
    screen.print(Text(found.written.name, style="bold"))
    screen.print(rules.book.title, style="dim")
    for card in _cards(found):
        screen.print(Text(f"\n{card.heading}", style="bold"))
        for line in _choices(card):
            screen.print(line)
    screen.print()
    screen.print(_facts(found))
    if found.departures:
        screen.print()
        screen.print(_departures(found))
    print_file_names(screen, written)


def _choices(card: "StreetCard") -> "Iterator[Table]":
    """A table for each line, so that none is filled up to the longest."""
    from rich.table import Table
    from rich.text import Text

    for what, lines in card.choices:
        for place, line in enumerate(lines):
            shown = Table.grid()
            shown.add_column(width=11, style="green")
            shown.add_column()
            shown.add_row(f"  {what if place == 0 else ''}", Text(line))
            yield shown


def _facts(found: "Evaluation") -> "Table":
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.par.exact_numbers import percent

    facts = Table.grid(padding=(0, 3))
    facts.add_column()
    facts.add_column(justify="right")
    facts.add_row("House edge, per Ante", Text(percent(found.house_edge), style="bold"))
    facts.add_row("Against best play", percent(found.best_edge))
    facts.add_row("Costs", percent(found.cost))
    for street, cost in found.streets.items():
        facts.add_row(f"  {street}", percent(cost))
    return facts


def _departures(found: "Evaluation") -> "Table":
    """The dearest."""
    from rich.table import Table

    from headsup.analysis.par.exact_numbers import percent

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("where", "with", "it would", "better"):
        table.add_column(heading)
    table.add_column("costs", justify="right", no_wrap=True)
    for one in found.departures[:MAX_DEPARTURES_SHOWN]:
        table.add_row(one.street, one.what, one.taken, one.better, percent(one.cost))
    return table
