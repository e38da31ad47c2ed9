"""Compares every paytable of every rule book."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.par.par_sheet import SideSheet, side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.workers.executor import Progress
from headsup.game.refusal import RulesRefused
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager

MAIN = "main"


@dataclass(frozen=True, slots=True)
class PaytableFigures:
    """One paytable, or one pair of Odds and Bad Beat. No figures if the operator sets the pays."""

    book: str
    wager: str  # `main`, or a side wager
    paytable: str
    rules: TableRules | None
    house_edge: Fraction | None = None
    hit_frequency: Fraction | None = None  # main game: how often the player wins money
    variance: Fraction | None = None
    side: SideSheet | None = None
    solution: Solution | None = None


def compare_paytables(
    progress: Progress | None = None, meter_micros: int = 0
) -> list[PaytableFigures]:
    """The main game for each allowed pair of tables, then every table of each side wager."""
    books = [load_book(name) for name in SHIPPED_BOOKS]
    main_rows = [figures for book in books for figures in _list_main_tables(book)]
    rows = _solve_main_games(main_rows, progress)
    for wager in SIDE_WAGERS:
        rows += [
            side_figures(book, wager, id, meter_micros)
            for book in books
            for id in _list_table_ids(book, wager)
        ]
    return rows


def list_main_games() -> list[Payoffs]:
    """Every different main game that a document prints."""
    books = (load_book(name) for name in SHIPPED_BOOKS)
    rules = (figures.rules for book in books for figures in _list_main_tables(book))
    games = (compile_payoffs(each) for each in rules if each is not None)
    return [*{payoffs.key: payoffs for payoffs in games}.values()]


def _list_main_tables(book: RuleBook) -> Iterator[PaytableFigures]:
    """R37: only pairs that the document allows."""
    beats = [*book.tables_of("bad_beat")]
    if "bad_beat" in book.optional_tables:
        beats.insert(0, "none")
    for odds in book.tables_of("odds"):
        for beat in beats or ["none"]:
            yield from _list_pair(book, {"odds": odds, "bad_beat": beat})


def _list_pair(book: RuleBook, tables: dict[str, str]) -> Iterator[PaytableFigures]:
    name = " + ".join(tables.values()).removesuffix(" + none")
    try:
        rules = table_rules(book, tables)
    except RulesRefused as refused:
        codes = {mistake.code for mistake in refused.mistakes}
        if codes == {"bonus_unfilled"}:
            yield PaytableFigures(book.id, MAIN, name, None)
        return
    yield PaytableFigures(book.id, MAIN, name, rules)


def _solve_main_games(
    main_rows: Sequence[PaytableFigures], progress: Progress | None
) -> list[PaytableFigures]:
    """Solve each different game once: many documents print the same tables."""
    games: dict[str, Payoffs] = {}
    keys: list[str] = []
    for figures in main_rows:
        if figures.rules is None:
            keys.append("")
            continue
        payoffs = compile_payoffs(figures.rules)
        games.setdefault(payoffs.key, payoffs)
        keys.append(payoffs.key)
    solutions = dict(zip(games, solve_many(list(games.values()), progress), strict=True))
    return [
        _add_figures(figures, solutions[key]) if key else figures
        for figures, key in zip(main_rows, keys, strict=True)
    ]


def _add_figures(figures: PaytableFigures, solution: Solution) -> PaytableFigures:
    won = sum(row.deals for row in solution.results if row.net > 0)
    return PaytableFigures(
        book=figures.book,
        wager=figures.wager,
        paytable=figures.paytable,
        rules=figures.rules,
        house_edge=solution.house_edge,
        hit_frequency=Fraction(won, solution.deals),
        variance=solution.variance,
        solution=solution,
    )


def _list_table_ids(book: RuleBook, wager: Wager) -> list[str]:
    return [*book.tables_of(wager.value)] if wager in book.offers else []


def side_figures(book: RuleBook, wager: Wager, id: str, meter_micros: int) -> PaytableFigures:
    try:
        rules = table_rules(book, {wager.value: id})
    except RulesRefused:
        return PaytableFigures(book.id, wager.value, id, None)
    side = side_sheet(rules, wager, meter_micros)
    return PaytableFigures(
        book=book.id,
        wager=wager.value,
        paytable=id,
        rules=rules,
        house_edge=side.house_edge,
        hit_frequency=side.hit_frequency,
        variance=side.variance,
        side=side,
    )
