"""Words the main game: Ante, Odds and Raise."""

from collections.abc import Iterator
from fractions import Fraction

from headsup.analysis.advice.lessons import KindOfHand, Lessons
from headsup.analysis.exact_numbers import decimal_text, percent, root_text
from headsup.analysis.par.main_rows import endings, odds_rows, return_table, wager_edges
from headsup.analysis.par.par_sheet import ParSheet
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.report.words.numbers import (
    format_chance,
    format_fraction,
    format_one_in,
    format_plain,
    format_signed,
    key_to_words,
)
from headsup.report.words.printout import Facts, Grid, Section

GLOSSARY = (
    "33+ is a pair of threes or better, K4s+ a king with a four or better of the same suit, K7o+ "
    "of another suit, A2+ of either. Hidden: made with a card of your own. Dealer outs: unseen "
    "cards that, each with the board alone, would beat your hand."
)


def main_section(sheet: ParSheet) -> Section:
    rules, solution = sheet.rules, sheet.solution
    notes = []
    if solution.house_edge < 0:
        notes.append("These rules favour the player: with best play the house loses on every Ante.")
    return Section(
        key="main",
        title=f"{rules.book.label(Wager.ANTE)}, {rules.book.label(Wager.ODDS)} and "
        f"{rules.book.label(Wager.RAISE)}",
        about=f"Best play; {_raises(rules)}; {_qualifier(rules)}",
        edge=percent(solution.house_edge),
        facts=tuple(_facts(sheet)),
        grids=(_edge_grid(sheet), _endings(sheet), _returns(sheet), _odds(sheet)),
        notes=tuple(notes),
        exact=_exact(sheet),
    )


def _facts(sheet: ParSheet) -> Iterator[tuple[str, str]]:
    solution = sheet.solution
    yield "House edge, per Ante", percent(solution.house_edge)
    yield "Element of risk, per unit wagered", percent(solution.element_of_risk)
    yield "Return to player, of all wagered", percent(1 - solution.element_of_risk)
    yield "Average wager, in Antes", decimal_text(solution.average_wager, 4)
    yield "Standard deviation, in Antes", root_text(solution.variance)


def _exact(sheet: ParSheet) -> Facts:
    solution = sheet.solution
    figures = {
        "House edge": solution.house_edge,
        "Element of risk": solution.element_of_risk,
        "Return to player": 1 - solution.element_of_risk,
        "Average wager": solution.average_wager,
        "Variance": solution.variance,
        **{key_to_words(key).capitalize(): value for key, value in solution.frequencies.items()},
    }
    return tuple((name, format_fraction(value)) for name, value in figures.items())


def _raises(rules: TableRules) -> str:
    parts = []
    for street in Street:
        times = " or ".join(f"{multiple}×" for multiple in rules.raises[street])
        clause = rules.book.options[f"{street.value}_raises"].clause
        parts.append(f"{times} on the {street.value} ({clause})")
    return f"{rules.book.label(Wager.RAISE)} " + ", ".join(parts)


def _qualifier(rules: TableRules) -> str:
    option = rules.book.options.get("qualifier")
    clause = f" ({option.clause})" if option is not None else ""
    if rules.qualifier == "none":
        return f"the dealer always qualifies{clause}"
    return f"the dealer qualifies with {key_to_words(rules.qualifier)} or better{clause}"


def _edge_grid(sheet: ParSheet) -> Grid:
    """The edge of each of the three wagers, per Ante, as their stakes differ."""
    solution, book = sheet.solution, sheet.rules.book
    staked = {Wager.ANTE: Fraction(1), Wager.ODDS: Fraction(1)}
    staked[Wager.RAISE] = solution.average_wager - 2
    edges = wager_edges(sheet.rules, solution)
    rows = [
        (
            book.label(wager),
            decimal_text(staked[wager], 4),
            percent(edge),
            percent(edge / staked[wager]),
        )
        for wager, edge in edges.items()
    ]
    whole, average = solution.house_edge, solution.average_wager
    rows.append(("Total", decimal_text(average, 4), percent(whole), percent(whole / average)))
    head = ("Wager", "Staked, in Antes", "Edge, per Ante", "Of its stake")
    return Grid("Where the edge comes from", head, tuple(rows), has_total_row=True)


def _endings(sheet: ParSheet) -> Grid:
    rows = [
        (
            ending.way,
            format_chance(ending.probability),
            *(format_chance(share) for share in ending.results),
            format_signed(ending.net),
        )
        for ending in endings(sheet.solution, sheet.rules.book.label(Wager.RAISE))
    ]
    head = ("Decision", "Frequency", "Wins", "Ties", "Loses", "Result")
    return Grid("How a round ends (result in Antes)", head, tuple(rows), has_total_row=True)


def _returns(sheet: ParSheet) -> Grid:
    """The return table of the main game: net × deals × probability × contribution."""
    table = return_table(sheet.solution)
    rows = [
        (
            format_plain(row.net),
            f"{row.deals:,}",
            format_chance(row.probability),
            format_signed(row.contribution, 6),
        )
        for row in table
    ]
    deals = sum(row.deals for row in table)
    probability = sum((row.probability for row in table), Fraction())
    mean = sum((row.contribution for row in table), Fraction())
    rows.append(("All", f"{deals:,}", percent(probability), format_signed(mean, 6)))
    head = ("Net", "Deals", "Probability", "Contribution")
    return Grid("Every result of a round, in Antes", head, tuple(rows), has_total_row=True)


def _odds(sheet: ParSheet) -> Grid:
    table = odds_rows(sheet.rules, sheet.solution)
    rows = [
        (
            row.label,
            row.pays,
            f"{row.deals:,}",
            format_chance(row.probability),
            format_one_in(row.probability),
            format_signed(row.contribution, 6),
        )
        for row in table
    ]
    deals = sum(row.deals for row in table)
    probability = sum((row.probability for row in table), Fraction())
    mean = sum((row.contribution for row in table), Fraction())
    rows.append(("All", "", f"{deals:,}", percent(probability), "", format_signed(mean, 6)))
    return Grid(
        f"How the {sheet.rules.book.label(Wager.ODDS)} ends",
        ("Hand", "Pays", "Deals", "Probability", "One in", "Contribution"),
        tuple(rows),
        has_total_row=True,
    )


def lessons_section(lessons: Lessons) -> Section:
    card = lessons.card
    return Section(
        key="lessons",
        title="Rules to play by",
        about="Best play by kind of hand, and a card short enough to learn",
        edge="",
        facts=(
            ("The short card costs, per Ante", percent(card.cost)),
            *(
                (f"Of which on the {street}", percent(cost))
                for street, cost in card.streets.items()
                if cost  # none before the flop, where the card is the whole chart
            ),
            ("House edge when playing by it", percent(card.house_edge)),
        ),
        grids=(
            _grid("Best play on the flop, after checking", lessons.flop),
            _grid("Best play on the river, without flushes", lessons.river),
        ),
        notes=(
            *(f"{street.capitalize()}: {words}" for street, words in card.words.items()),
            GLOSSARY,
            "In the tables below, a hand counts as the first kind that fits it.",
        ),
        exact=(("The short card costs", format_fraction(card.cost)),),
    )


def _grid(title: str, kinds: tuple[KindOfHand, ...]) -> Grid:
    rows = tuple(
        (kind.name.capitalize(), percent(kind.frequency, 2), percent(kind.raised, 2))
        for kind in kinds
    )
    return Grid(title, ("Kind of hand", "How often", "Raises"), rows)
