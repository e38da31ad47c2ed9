"""The main game's sections: Ante, Odds and Raise, how rounds end, and rules to play by."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.lessons import KindOfHand, Lessons
from headsup.analysis.exact_numbers import decimal_text, exact_json, square_root
from headsup.analysis.par.main_rows import endings, odds_rows, return_table, wager_edges
from headsup.analysis.solver.solution import Pocket, RoundResult, Solution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.values.hands import Category
from headsup.report.formats import (
    CHANCE,
    COUNT,
    NUMBER,
    ONE_IN,
    ROOT,
    SHARE,
    SIGNED,
    Format,
    format_plain,
    format_signed,
    key_to_words,
)
from headsup.report.plots.par_sheet import pocket_chart, result_bars
from headsup.report.sheet import Chart, Column, Figure, Section, Sheet, Table

GLOSSARY = (
    "33+ is a pair of threes or better, K4s+ a king with a four or better of the same suit, K7o+ "
    "of another suit, A2+ of either. Hidden: made with a card of your own. Dealer outs: unseen "
    "cards that, each with the board alone, would beat your hand."
)
POCKET_CAPTION = "Raise green hands, check orange ones. Suited hands are above the diagonal."
_RESULTS = ("lose", "push", "win")
_FREQUENCY = Format(decimal_text, decimal_text)
_NET = Format(format_plain, str)
_ROUGHLY = SHARE._replace(text=lambda share: f"{decimal_text(100 * share, 2)}%")


def rules_json(rules: TableRules) -> dict[str, Any]:
    return {
        "rules": rules.id,
        "paytables": {key: table.id for key, table in rules.paytables.items()},
        "raises": {street.value: list(multiples) for street, multiples in rules.raises.items()},
        "qualifier": rules.qualifier,
        "fingerprint": rules.fingerprint,
    }


def solve_sheet(rules: TableRules, solution: Solution, lessons: Lessons | None = None) -> Sheet:
    """The main game alone. `lessons` are rules for flop and river; with `--no-cache` none."""
    tables = ", ".join(
        f"{key_to_words(key)} {rules.paytables[key].id}"
        for key in ("odds", "bad_beat")
        if key in rules.paytables
    )
    sections = [main_section(rules, solution, "")]
    if lessons is not None:
        sections.append(lessons_section(lessons, "lessons"))
    about = f"{tables}; dealer qualifies: {key_to_words(rules.qualifier)}"
    return Sheet(rules.book.title, about, tuple(sections))


def main_section(rules: TableRules, solution: Solution, key: str = "main") -> Section:
    book, risk = rules.book, solution.element_of_risk
    player_edge = "These rules favour the player: with best play the house loses on every Ante."
    frequencies = solution.frequencies.items()
    return Section(
        key,
        title=", ".join(book.label(wager) for wager in (Wager.ANTE, Wager.ODDS))
        + f" and {book.label(Wager.RAISE)}",
        about=f"Best play; {_raises(rules)}; {_qualifier(rules)}",
        figures=(
            Figure("house_edge", "House edge", solution.house_edge, SHARE, "per Ante"),
            Figure("favours_player", "", solution.house_edge < 0),
            Figure("element_of_risk", "Element of risk", risk, SHARE, "per unit wagered"),
            Figure("average_wager", "Average wager", solution.average_wager, NUMBER, "in Antes"),
            Figure(
                "standard_deviation",
                *("Standard deviation", square_root(solution.variance), ROOT, "in Antes"),
            ),
            Figure("variance", "Variance", solution.variance, NUMBER),
            *(
                Figure(f"exact_frequencies/{name}", key_to_words(name).capitalize(), share, SHARE)
                for name, share in frequencies
            ),
            *(Figure(f"frequencies/{name}", "", share, _FREQUENCY) for name, share in frequencies),
        ),
        tables=(_endings(rules, solution),),
        notes=(player_edge,) if solution.house_edge < 0 else (),
        charts=(Chart("pocket", lambda: pocket_chart(solution), POCKET_CAPTION),),
        pocket=solution,
        data=lambda: {
            **rules_json(rules),
            "pocket": {name: _pocket_json(pocket) for name, pocket in solution.pocket.items()},
            "outcomes": [_outcome_json(rules, result) for result in solution.results],
            "deals": solution.deals,
        },
    )


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


def _pocket_json(pocket: Pocket) -> dict[str, Any]:
    multiple = max(pocket.raises, key=lambda multiple: pocket.raises[multiple])
    return {
        "raise": decimal_text(pocket.raises[multiple]),
        "multiple": multiple,
        "check": decimal_text(pocket.check),
        "best": "raise" if pocket.best else "check",
        "exact_check": exact_json(pocket.check),
        "raises": {str(times): exact_json(value) for times, value in pocket.raises.items()},
    }


def _outcome_json(rules: TableRules, result: RoundResult) -> dict[str, Any]:
    return {
        "street": result.street,
        "multiple": result.multiple,
        "category": Category(result.category).key,
        "result": _RESULTS[result.result + 1],
        "dealer_qualifies": result.dealer_qualifies if rules.qualifier_strength else None,
        "deals": result.deals,
        "net": str(result.net),
    }


def _endings(rules: TableRules, solution: Solution) -> Table:
    *rows, every = endings(solution, rules.book.label(Wager.RAISE))
    columns = (
        Column("", "Decision", lambda row: row.way),
        Column("", "Frequency", lambda row: row.probability, CHANCE),
        Column("", "Wins", lambda row: row.results[0], CHANCE),
        Column("", "Ties", lambda row: row.results[1], CHANCE),
        Column("", "Loses", lambda row: row.results[2], CHANCE),
        Column("", "Result", lambda row: format_signed(row.net)),
    )
    total = {column.label: column.get(every) for column in columns}
    return Table("", "How a round ends (result in Antes)", columns, rows, total=total)


def tables_section(rules: TableRules, solution: Solution) -> Section:
    """The edge of each wager, and every result of a round and of the Odds."""
    return Section(
        "tables",
        title="What a round returns",
        figures=(
            Figure(
                "return_to_player",
                "Return to player",
                1 - solution.element_of_risk,
                SHARE,
                "of all wagered",
            ),
        ),
        tables=(_edges(rules, solution), _returns(solution), _odds(rules, solution)),
        charts=(Chart("main", lambda: result_bars(solution)),),
    )


def _edges(rules: TableRules, solution: Solution) -> Table:
    """The edge of each of the three wagers, per Ante, as their stakes differ."""
    whole, average = solution.house_edge, solution.average_wager
    staked = {Wager.ANTE: Fraction(1), Wager.ODDS: Fraction(1), Wager.RAISE: average - 2}
    return Table(
        "edge_by_wager",
        "Where the edge comes from",
        (
            Column("", "Wager", lambda row: rules.book.label(row[0])),
            Column("", "Staked, in Antes", lambda row: staked[row[0]], NUMBER),
            Column("edge", "Edge, per Ante", lambda row: row[1], SHARE),
            Column("", "Of its stake", lambda row: row[1] / staked[row[0]], SHARE),
        ),
        list(wager_edges(rules, solution).items()),
        row_name=lambda row: row[0].value,
        total={
            "Wager": "Total",
            "Staked, in Antes": average,
            "Edge, per Ante": whole,
            "Of its stake": whole / average,
        },
    )


def _returns(solution: Solution) -> Table:
    """The return table of the main game: net × deals × probability × contribution."""
    rows = return_table(solution)
    return Table(
        "returns",
        "Every result of a round, in Antes",
        (
            Column("net", "Net", lambda row: row.net, _NET),
            Column("deals", "Deals", lambda row: row.deals, COUNT),
            Column("probability", "Probability", lambda row: row.probability, CHANCE),
            Column("contribution", "Contribution", lambda row: row.contribution, SIGNED),
        ),
        rows,
        total={"Net": "All", **_sums(rows)},
    )


def _odds(rules: TableRules, solution: Solution) -> Table:
    rows = odds_rows(rules, solution)
    return Table(
        "odds",
        f"How the {rules.book.label(Wager.ODDS)} ends",
        (
            Column("label", "Hand", lambda row: row.label),
            Column("pays", "Pays", lambda row: row.pays),
            Column("deals", "Deals", lambda row: row.deals, COUNT),
            Column("probability", "Probability", lambda row: row.probability, CHANCE),
            Column("", "One in", lambda row: row.probability, ONE_IN),
            Column("contribution", "Contribution", lambda row: row.contribution, SIGNED),
        ),
        rows,
        total={"Hand": "All", **_sums(rows)},
    )


def _sums(rows: Any) -> dict[str, Any]:
    return {
        "Deals": sum(row.deals for row in rows),
        "Probability": sum((row.probability for row in rows), Fraction()),
        "Contribution": sum((row.contribution for row in rows), Fraction()),
    }


def lessons_section(lessons: Lessons, key: str) -> Section:
    card = lessons.card
    return Section(
        key,
        title="Rules to play by",
        about="Best play by kind of hand, and a card short enough to learn",
        figures=tuple(_card_figures(lessons)),
        tables=(
            _kinds("flop", "Best play on the flop, after checking", lessons.flop),
            _kinds("river", "Best play on the river, without flushes", lessons.river),
        ),
        notes=(
            *(f"{street.capitalize()}: {words}" for street, words in card.words.items()),
            GLOSSARY,
            "In the tables below, a hand counts as the first kind that fits it.",
        ),
        data=lambda: {"short_card": {"strategy": card.strategy, **card.words}},
    )


def _card_figures(lessons: Lessons) -> Iterator[Figure]:
    card, place, shown = lessons.card, "short_card", SHARE._replace(is_exact=False)
    yield Figure(f"{place}/cost", "The short strategy costs", card.cost, SHARE, "per Ante")
    for street, cost in card.streets.items():
        label = f"Of which on the {street}" if cost else ""  # before the flop it is the whole chart
        yield Figure(f"{place}/streets/{street}", label, cost, shown)
    yield Figure(f"{place}/house_edge", "House edge when playing by it", card.house_edge, shown)


def _kinds(key: str, title: str, kinds: tuple[KindOfHand, ...]) -> Table:
    columns = (
        Column("hand", "", lambda kind: kind.name),
        Column("", "Kind of hand", lambda kind: kind.name.capitalize()),
        Column("frequency", "How often", lambda kind: kind.frequency, _ROUGHLY),
        Column("raises", "Raises", lambda kind: kind.raised, _ROUGHLY),
    )
    return Table(key, title, columns, kinds)
