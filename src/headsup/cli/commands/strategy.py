"""`headsup strategy`: evaluates written strategies exactly, finds short ones, and prints cards."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from headsup.analysis.limits import MAX_STRATEGY_LINES, MIN_STRATEGY_LINES
from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.options.output_files import check_files, print_file_names, write_files
from headsup.cli.shell.command import Group, WholeNumber, option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from headsup.analysis.strategies.evaluation import Evaluation
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.report.files.strategy_card import StreetCard


@click.group(cls=Group, no_args_is_help=True)
def strategy() -> None:
    """Evaluate written strategies exactly, or find short ones."""


@strategy.command("list")
@json_option
def list_strategies(as_json: bool) -> None:
    """List the strategies that come with the program."""
    from headsup.analysis.strategies.examples import shipped_names, shipped_text
    from headsup.analysis.strategies.written_strategy import parse_strategy

    shipped = {name: parse_strategy(shipped_text(name), name) for name in shipped_names()}
    if as_json:
        about = {id: {"name": each.name, "about": each.about} for id, each in shipped.items()}
        print(json.dumps(about))
        return
    for id, each in shipped.items():
        print(f"{id:12} {each.name}: {each.about}")


@strategy.command("evaluate")
@click.argument("file", metavar="FILE|NAME", help="A file, or a name from `list`.")
@rules_option
@sets_option
@json_option
@option("--html", metavar="FILE", type=Path, help="Write the card as a page.")
@option("--pdf", metavar="FILE", type=Path, help="Write the card as a PDF.")
def evaluate(
    file: str,
    rules: str,
    sets: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    pdf: Path | None,
) -> None:
    """Compute a strategy's exact house edge, and what each departure from best play costs."""
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.strategies.evaluation import evaluate_strategy
    from headsup.cli.options.workbench import print_notices
    from headsup.cli.screens.progress import progress_bar
    from headsup.library.strategies import read_strategy

    wanted = check_files(html=html, pdf=pdf)
    chosen, written = read_rules(rules, sets), read_strategy(file)
    payoffs = compile_payoffs(chosen)
    print_notices()
    with progress_bar("Evaluating every decision") as progress:
        evaluation = evaluate_strategy(payoffs, written, file, progress)
    _answer(chosen, evaluation, as_json, wanted)


@strategy.command("simplify")
@option(
    "--lines",
    metavar="N",
    type=WholeNumber(MAX_STRATEGY_LINES, MIN_STRATEGY_LINES),
    default=8,
    help="Maximum number of lines; the chart is one.",
)
@option("--easy", is_flag=True, help="Only what a player can count at the table.")
@rules_option
@sets_option
@json_option
@option("--html", metavar="FILE", type=Path, help="Write the card as a page.")
@option("--pdf", metavar="FILE", type=Path, help="Write the card as a PDF.")
@option("--toml", metavar="FILE", type=Path, help="Write the strategy, for editing.")
def simplify(
    lines: int,
    easy: bool,
    rules: str,
    sets: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    pdf: Path | None,
    toml: Path | None,
) -> None:
    """Find a good short strategy for these rules, and print it as a card."""
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.analysis.strategies.evaluation import (
        KERNEL_CALLS,
        SolvedBaseline,
        evaluate_against,
    )
    from headsup.analysis.strategies.simplify import search_steps, simplify
    from headsup.analysis.workers.executor import KernelPool
    from headsup.cli.options.workbench import print_notices
    from headsup.cli.screens.progress import progress_bar

    wanted = check_files(html=html, pdf=pdf, toml=toml)
    chosen = read_rules(rules, sets)
    payoffs = compile_payoffs(chosen)
    print_notices()
    with (
        progress_bar("Looking for short strategies") as progress,
        KernelPool(KERNEL_CALLS + search_steps(lines), progress) as pool,
    ):
        baseline = SolvedBaseline.of(payoffs, pool)
        found = simplify(baseline, lines, pool, easy=easy)
        evaluation = evaluate_against(baseline, found, "found", pool)
    _answer(chosen, evaluation, as_json, wanted)


def _answer(
    rules: "TableRules", evaluation: "Evaluation", as_json: bool, wanted: dict[str, Path]
) -> None:
    write_files(_files(rules, evaluation, wanted))
    if as_json:
        from headsup.report.sheets.strategy import strategy_sheet

        print(json.dumps(strategy_sheet(rules, evaluation).json()))
    else:
        _print(rules, evaluation, list(wanted.values()))


def _files(
    rules: "TableRules", evaluation: "Evaluation", wanted: dict[str, Path]
) -> dict[Path, bytes]:
    from headsup.analysis.strategies.written_strategy import card_toml
    from headsup.report.files.strategy_card import card_page, card_pdf

    contents: dict[Path, bytes] = {}
    about, cards = f"{rules.book.title}. {_about(evaluation)}", _cards(evaluation)
    if "html" in wanted:
        contents[wanted["html"]] = card_page(evaluation.written, about, cards).encode()
    if "pdf" in wanted:
        contents[wanted["pdf"]] = card_pdf(evaluation.written, about, cards)
    if "toml" in wanted:
        contents[wanted["toml"]] = card_toml(evaluation.written).encode()
    return contents


def _cards(evaluation: "Evaluation") -> "tuple[StreetCard, ...]":
    from headsup.report.files.strategy_card import street_cards

    streets = ("pocket", "flop", "river")
    multiples = evaluation.solution.payoffs.multiples_by_street
    return street_cards(evaluation.written, dict(zip(streets, multiples, strict=True)))


def _about(evaluation: "Evaluation") -> str:
    from headsup.analysis.exact_numbers import percent

    return (
        f"House edge {percent(evaluation.house_edge)}, {percent(evaluation.cost)} more than with "
        "best play."
    )


# Printing.


def _print(rules: "TableRules", evaluation: "Evaluation", written: list[Path]) -> None:
    from rich.text import Text

    from headsup.cli.screens.sheet import print_section
    from headsup.cli.screens.style import console
    from headsup.report.sheets.strategy import strategy_sheet

    screen = console()
    screen.print(Text(evaluation.written.name, style="bold"))
    screen.print(rules.book.title, style="dim")
    for card in _cards(evaluation):
        screen.print(Text(f"\n{card.heading}", style="bold"))
        for line in _choices(card):
            screen.print(line)
    for section in strategy_sheet(rules, evaluation).sections:
        screen.print()
        print_section(screen, section)
    print_file_names(screen, written)


def _choices(card: "StreetCard") -> "Iterator[Table]":
    """A table for each line, so that none is padded to the longest."""
    from rich.table import Table
    from rich.text import Text

    for action, lines in card.choices:
        for index, line in enumerate(lines):
            table = Table.grid()
            table.add_column(width=11, style="green")
            table.add_column()
            table.add_row(f"  {action if index == 0 else ''}", Text(line))
            yield table
