"""Every paytable of every document, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.par.par_sheet import SideSheet, side_sheet
from headsup.analysis.solver.chunks import Progress
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve_many
from headsup.game.refusal import RulesRefused
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager

MAIN = "main"


@dataclass(frozen=True, slots=True)
class PaytableFigures:
    """One paytable, or one pair of Odds and Bad Beat; no figures where it is the operator's."""

    book: str
    wager: str  # `main`, or a side wager
    paytable: str
    rules: TableRules | None
    house_edge: Fraction | None = None
    hit_frequency: Fraction | None = None  # of the main game: how often the player wins
    variance: Fraction | None = None
    side: SideSheet | None = None
    solution: Solution | None = None


def compare_paytables(
    progress: Progress | None = None, meter_micros: int = 0
) -> list[PaytableFigures]:
    """The main game for each legal pair of tables, then every table of each side wager."""
    books = [load_book(name) for name in SHIPPED_BOOKS]
    mains = [figures for book in books for figures in _mains(book)]
    every = _solve_main_games(mains, progress)
    for wager in SIDE_WAGERS:
        every += [
            side_figures(book, wager, id, meter_micros)
            for book in books
            for id in _ids(book, wager)
        ]
    return every


def _mains(book: RuleBook) -> Iterator[PaytableFigures]:
    """R37: only pairs that the document allows together."""
    beats = [*book.tables_of("bad_beat")]
    if "bad_beat" in book.optional_tables:
        beats.insert(0, "none")
    for odds in book.tables_of("odds"):
        for beat in beats or ["none"]:
            yield from _choice(book, {"odds": odds, "bad_beat": beat})


def _choice(book: RuleBook, tables: dict[str, str]) -> Iterator[PaytableFigures]:
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
    mains: Sequence[PaytableFigures], progress: Progress | None
) -> list[PaytableFigures]:
    """Documents often print the same tables: each different game is solved once."""
    games: dict[str, Payoffs] = {}
    keys: list[str] = []
    for figures in mains:
        if figures.rules is None:
            keys.append("")
            continue
        payoffs = compile_payoffs(figures.rules)
        games.setdefault(payoffs.key, payoffs)
        keys.append(payoffs.key)
    solutions = dict(zip(games, solve_many(list(games.values()), progress), strict=True))
    return [
        _figures(figures, solutions[key]) if key else figures
        for figures, key in zip(mains, keys, strict=True)
    ]


def _figures(figures: PaytableFigures, solution: Solution) -> PaytableFigures:
    won = sum(one.deals for one in solution.results if one.net > 0)
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


def _ids(book: RuleBook, wager: Wager) -> list[str]:
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
