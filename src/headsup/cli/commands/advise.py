"""`headsup advise`: the exact value of each option in one decision, and the best one explained."""

import json
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.shell.command import Command, option
from headsup.game.values.cards import Cards
from headsup.game.values.draws import draws
from headsup.library.cards import read_decision_cards

if TYPE_CHECKING:
    from headsup.analysis.advice.advice import Advice
    from headsup.game.rulebook.table_rules import TableRules


@click.command(cls=Command)
@option("--hole", metavar="CARDS", required=True, help="Your two cards: AsKd.")
@option("--board", metavar="CARDS", default="", help="The flop or all five cards, if dealt.")
@option("--seen", metavar="CARDS", default="", help="Other cards you have seen.")
@rules_option
@sets_option
@json_option
def advise(
    hole: str,
    board: str,
    seen: str,
    rules: str,
    sets: tuple[str, ...],
    as_json: bool,
) -> None:
    """Advise on one decision: the exact value of each option, in Antes."""
    from headsup.report.advice import advice_json

    cards = read_decision_cards(hole, board, seen)
    chosen = read_rules(rules, sets)
    advice = compute_advice(chosen, *cards)
    if as_json:
        from headsup.cli.screens.style import raise_word

        print(json.dumps(advice_json(advice, raise_word(chosen), draws(*cards[:2]))))
    else:
        _print(chosen, advice, *cards)


def compute_advice(rules: "TableRules", hole: Cards, board: Cards, seen: Cards) -> "Advice":
    """The values of every option: before the flop from the solved strategy, else computed."""
    from headsup.analysis.solver.compile import compile_payoffs
    from headsup.cli.options.workbench import open_workbench

    return open_workbench().advice(compile_payoffs(rules), hole, board, seen)


# Printing.


def _print(rules: "TableRules", advice: "Advice", hole: Cards, board: Cards, seen: Cards) -> None:
    from headsup.cli.screens.style import cards_text, console, raise_word
    from headsup.report.advice import explain

    screen = console()
    line = cards_text(hole)
    if board:
        line.append("  on  ")
        line.append_text(cards_text(board))
    if seen:
        line.append("  seen  ")
        line.append_text(cards_text(seen))
    screen.print(line)
    word = raise_word(rules)
    screen.print(values_table(advice, word))
    screen.print(explain(advice, word, draws(hole, board)))
    about = f"{advice.street}, {rules.book.id}; exact values of the whole round, in Antes"
    screen.print(about, style="dim")


def values_table(advice: "Advice", raise_word: str = "raise") -> Any:
    """Every option with its value and its cost against the best, which is marked."""
    from rich.table import Table

    from headsup.analysis.exact_numbers import decimal_text
    from headsup.report.advice import action_name

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("option")
    table.add_column("value", justify="right")
    table.add_column("costs", justify="right")
    best = advice.best
    for value in sorted(advice.values, key=lambda value: value.ev, reverse=True):
        is_best = value == best
        style = "bold green" if is_best else ""
        cost = "" if is_best else decimal_text(best.ev - value.ev, 4)
        name = action_name(value, raise_word)
        table.add_row("▶" if is_best else "", name, f"{float(value.ev):+.4f}", cost, style=style)
    return table
