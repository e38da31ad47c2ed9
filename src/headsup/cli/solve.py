"""`headsup solve`: the whole game solved exactly for any rules."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.choice import JsonOption, RulesOption, SetOption, chosen_rules

if TYPE_CHECKING:
    from headsup.analysis.solution import Pocket, Solution
    from headsup.game.rulebook.tablerules import TableRules


def solve(
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    as_json: JsonOption = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Solve afresh, and keep nothing.")
    ] = False,
) -> None:
    """Solve the game exactly: house edge, risk, frequencies and the pocket chart."""
    from headsup.analysis.compile import compile_payoffs
    from headsup.cli.solutions import solution_of

    chosen = chosen_rules(rules, sets)
    solution = solution_of(compile_payoffs(chosen), use_cache=not no_cache)
    if as_json:
        say_favour(solution)
        typer.echo(json.dumps(main_json(chosen, solution)))
    else:
        _print(chosen, solution)


# For programs.


def main_json(rules: "TableRules", solution: "Solution") -> dict[str, Any]:
    from headsup.analysis.numbers import decimal, exact, root

    return {
        **rules_json(rules),
        "house_edge": exact(solution.house_edge),
        "favours_player": solution.house_edge < 0,
        "element_of_risk": exact(solution.element_of_risk),
        "average_wager": exact(solution.average_wager),
        "standard_deviation": root(solution.variance),
        "frequencies": {key: decimal(value) for key, value in solution.frequencies.items()},
        "pocket": {name: _pocket_json(pocket) for name, pocket in solution.pocket.items()},
        "outcomes": [
            {
                "street": one.street,
                "multiple": one.multiple,
                "category": _category(one.category),
                "result": ("lose", "push", "win")[one.result + 1],
                "dealer_qualifies": one.dealer_qualifies,
                "deals": one.deals,
                "net": str(one.net),
            }
            for one in solution.results
        ],
        "deals": solution.deals,
    }


def say_favour(solution: "Solution") -> None:
    """On standard error: what a person sees on the screen, a program's log should hold too."""
    from headsup.cli.solutions import tell

    if solution.house_edge < 0:
        tell("these rules favour the player: with best play the house loses on every Ante")


def rules_json(rules: "TableRules") -> dict[str, Any]:
    return {
        "rules": rules.id,
        "paytables": {key: table.id for key, table in rules.paytables.items()},
        "raises": {street.value: list(multiples) for street, multiples in rules.raises.items()},
        "qualifier": rules.qualifier,
        "fingerprint": rules.fingerprint,
    }


def _category(number: int) -> str:
    from headsup.game.hands import Category

    return Category(number).key


def _pocket_json(pocket: "Pocket") -> dict[str, Any]:
    from headsup.analysis.numbers import decimal

    multiple = max(pocket.raises, key=lambda multiple: pocket.raises[multiple])
    return {
        "raise": decimal(pocket.raises[multiple]),
        "multiple": multiple,
        "check": decimal(pocket.check),
        "best": "raise" if pocket.best else "check",
    }


# For people.


def _print(rules: "TableRules", solution: "Solution") -> None:
    from rich.table import Table
    from rich.text import Text

    from headsup.analysis.numbers import decimal, percent, root
    from headsup.cli.parsheet import print_pocket_chart
    from headsup.cli.screen import console, words

    screen = console()
    screen.print(rules.book.title, style="bold")
    tables = ", ".join(f"{words(key)} {table.id}" for key, table in _main_tables(rules))
    screen.print(f"{tables}; dealer qualifies: {words(rules.qualifier)}\n", style="dim")
    facts = Table.grid(padding=(0, 3))
    facts.add_column()
    facts.add_column(justify="right")
    facts.add_row("House edge, per Ante", Text(percent(solution.house_edge), style="bold"))
    facts.add_row("Element of risk", percent(solution.element_of_risk))
    facts.add_row("Average wager, in Antes", decimal(solution.average_wager, 4))
    facts.add_row("Standard deviation", root(solution.variance))
    for key, value in solution.frequencies.items():
        facts.add_row(words(key).capitalize(), percent(value))
    screen.print(facts)
    if solution.house_edge < 0:
        warning = Text("\nWarning: these rules favour the player.", style="bold yellow")
        screen.print(
            Text.assemble(warning, " With best play the house loses on every Ante."),
        )
    screen.print()
    print_pocket_chart(screen, solution)


def _main_tables(rules: "TableRules") -> list[tuple[str, Any]]:
    return [(key, rules.paytables[key]) for key in ("odds", "bad_beat") if key in rules.paytables]
