"""The comparison of all paytables, with one section for each wager."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import percent, square_root
from headsup.analysis.par.comparison import MAIN, PaytableFigures
from headsup.analysis.par.par_sheet import PoolReturn
from headsup.game.rulebook.model import LOSS, OUTCOMES, Pay, PayKind, Paytable
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import MICROS_PER_DOLLAR
from headsup.report.formats import (
    NUMBER,
    PAID_DOLLARS,
    ROOT,
    SHARE,
    WORDS,
    format_dollars,
    key_to_words,
)
from headsup.report.sheet import Column, Figure, Section, Sheet, Table, row_json
from headsup.report.sheets.par_sheet import BREAK_EVEN
from headsup.version import __version__

OPERATORS_CHOICE = "operator's"
PLAYER_EDGE_MARK = "◂"  # marks edges that favour the player
CSV_COLUMNS = (
    "rules", "wager", "paytable", "house_edge", "hit_frequency", "standard_deviation",
    "fixed_return", "meter_coefficient", "break_even_meter", "pays", "favours_player",
)  # fmt: skip


def _marked_edge(edge: Fraction) -> str:
    return f"{PLAYER_EDGE_MARK} {percent(edge)}" if edge < 0 else percent(edge)


def _deviation(figures: PaytableFigures) -> Any:
    return None if figures.variance is None else square_root(figures.variance)


_NAMES = (
    Column("rules", "", lambda figures: figures.book),
    Column("wager", "", lambda figures: figures.wager),
    Column("paytable", "Paytable", lambda figures: figures.paytable),
    Column("operators", "", lambda figures: figures.variance is None),
)
_FIGURES = (
    Column(
        "house_edge",
        "House edge",
        lambda figures: figures.house_edge,
        SHARE._replace(text=_marked_edge),
    ),
    Column("hit_frequency", "Hits", lambda figures: figures.hit_frequency, SHARE),
    Column(
        "standard_deviation",
        "Deviation",
        _deviation,
        ROOT._replace(text=lambda deviation: f"{deviation:.4f}"),
    ),
    Column("variance", "", lambda figures: figures.variance, NUMBER),
    Column("favours_player", "", lambda figures: figures.house_edge < 0),
)


def _of_pool(name: str) -> Any:
    """Take a figure from the paytable's pool."""
    return lambda figures: getattr(_pool(figures), name, None)


def _pool(figures: PaytableFigures) -> PoolReturn | None:
    return None if figures.side is None else figures.side.pool


def _break_even(figures: PaytableFigures) -> str | None:
    pool = _pool(figures)
    even = None if pool is None else pool.break_even_meter
    if pool is None:
        return None
    return "never" if even is None else format_dollars(even)


_POOL = (
    Column("meter", "", _of_pool("meter"), PAID_DOLLARS),
    Column("fixed_return", "Fixed return", _of_pool("fixed_return"), SHARE),
    Column("meter_coefficient", "", _of_pool("meter_coefficient"), SHARE),
    Column("break_even_meter", "", _of_pool("break_even_meter"), BREAK_EVEN),
    Column("", "Breaks even at", _break_even),
)


def summarize_pays(figures: PaytableFigures) -> str:
    """The pays from the best hand down: `500-50-10-3-1.5-1`, Odds before Bad Beat."""
    if figures.rules is None:
        return ""
    keys = ("odds", "bad_beat") if figures.wager == MAIN else (figures.wager,)
    tables = (figures.rules.paytables.get(key) for key in keys)
    return " + ".join(
        "-".join(pay.short for pay in _paying_rows(table)) for table in tables if table is not None
    )


def _paying_rows(table: Paytable) -> Iterator[Pay]:
    for outcome in OUTCOMES[table.key]:
        pay = table.pays.get(outcome, LOSS)
        if pay.kind in (PayKind.PAYS, PayKind.POOL) and not table.is_unreachable(outcome):
            yield pay


def comparison_sheet(
    all_figures: Sequence[PaytableFigures], meter_micros: int, date: str = ""
) -> Sheet:
    meter = format_dollars(Fraction(meter_micros, MICROS_PER_DOLLAR))
    about = "Odds + Bad Beat, as given to --set odds= and --set bad_beat=; best play"
    programs = Section(
        "", "", data=lambda: {"paytables": [_figures_json(figures) for figures in all_figures]}
    )
    sections = [programs, _section(MAIN, "Ante, Odds and Raise", about, all_figures)]
    for wager in SIDE_WAGERS:
        about = f"With {meter} on the meter" if wager is Wager.PROGRESSIVE else ""
        title = key_to_words(wager.value).title()
        sections.append(_section(wager.value, title, about, all_figures))
    return Sheet(
        title="Heads Up Hold'em: every paytable of every document",
        about="House edge, hit frequency and standard deviation, all exact",
        sections=tuple(sections),
        notes=(
            f"{OPERATORS_CHOICE}: the operator sets the pays.",
            f"{PLAYER_EDGE_MARK} favours the player: the house loses on every wager.",
            "layout: the pays printed on the document's own layout.",
        ),
        identity=Section(
            "about",
            "",
            figures=(
                Figure("", "Program", f"headsup {__version__}"),
                Figure("", "Date", date or None, absent=""),
            ),
        ),
        rows=lambda: [CSV_COLUMNS, *map(_csv_row, all_figures)],
    )


def _section(wager: str, title: str, about: str, all_figures: Sequence[PaytableFigures]) -> Section:
    rows = [figures for figures in all_figures if figures.wager == wager]
    books = [figures.book for figures in rows]
    groups = tuple((book, books.index(book)) for book in dict.fromkeys(books))
    edges = [*_NAMES, *_FIGURES, *(_POOL if wager == Wager.PROGRESSIVE else ())]
    edges = [_or_operators(column) if column.key == "house_edge" else column for column in edges]
    pays = (
        Column("", "Paytable", lambda figures: figures.paytable),
        Column("", "Pays", lambda figures: summarize_pays(figures) or OPERATORS_CHOICE, WORDS),
    )
    return Section(
        wager,
        title,
        about,
        tables=(
            Table("", "By document", edges, rows, groups=groups),
            Table("", "Pays, from the best hand down", pays, rows, groups=groups),
        ),
    )


def _or_operators(column: Column) -> Column:
    def text(figures: PaytableFigures) -> str:
        return OPERATORS_CHOICE if figures.variance is None else column.text(figures)

    return Column("", column.label, text)


def _figures_json(figures: PaytableFigures) -> dict[str, Any]:
    answer = row_json(_NAMES, figures)
    if figures.variance is None:
        return answer
    answer |= row_json(_FIGURES, figures) | {"pays": summarize_pays(figures)}
    return answer if _pool(figures) is None else answer | row_json(_POOL, figures)


def _csv_row(figures: PaytableFigures) -> list[str]:
    answer = _figures_json(figures)
    if answer["operators"]:
        return [*(answer[key] for key in CSV_COLUMNS[:3]), OPERATORS_CHOICE]
    row = []
    for key in CSV_COLUMNS:
        value = answer.get(key, "")
        value = value["decimal"] if isinstance(value, dict) else value
        row.append(str(value).lower() if isinstance(value, bool) else value or "")
    return row
