"""Words the comparison of all paytables, one section for each wager."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from headsup.analysis.exact_numbers import percent, root_text
from headsup.analysis.par.comparison import MAIN, PaytableFigures
from headsup.game.rulebook.model import LOSS, OUTCOMES, Pay, PayKind, Paytable
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import MICROS_PER_DOLLAR
from headsup.report.words.numbers import format_dollars, key_to_words
from headsup.report.words.printout import Grid, Printout, Section
from headsup.version import __version__

OPERATORS_CHOICE = "operator's"
PLAYER_EDGE_MARK = "◂"  # marks edges that favour the player


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


def comparison_printout(
    all_figures: Sequence[PaytableFigures], meter_micros: int, date: str = ""
) -> Printout:
    meter = format_dollars(Fraction(meter_micros, MICROS_PER_DOLLAR))
    about = "Odds + Bad Beat, as given to --set odds= and --set bad_beat=; best play"
    sections = [_section(MAIN, "Ante, Odds and Raise", about, all_figures)]
    for wager in SIDE_WAGERS:
        about = f"With {meter} on the meter" if wager is Wager.PROGRESSIVE else ""
        title = key_to_words(wager.value).title()
        sections.append(_section(wager.value, title, about, all_figures))
    return Printout(
        title="Heads Up Hold'em: every paytable of every document",
        about="House edge, hit frequency and standard deviation, all exact",
        sections=tuple(sections),
        notes=(
            f"{OPERATORS_CHOICE}: the operator sets the pays.",
            f"{PLAYER_EDGE_MARK} favours the player: the house loses on every wager.",
            "layout: the pays printed on the document's own layout.",
        ),
        identity=(("Program", f"headsup {__version__}"), *((("Date", date),) if date else ())),
    )


def _section(wager: str, title: str, about: str, all_figures: Sequence[PaytableFigures]) -> Section:
    of_wager = [figures for figures in all_figures if figures.wager == wager]
    head = ["Paytable", "House edge", "Hits", "Deviation"]
    if wager == Wager.PROGRESSIVE:
        head += ["Fixed return", "Breaks even at"]
    rows = tuple(_row(figures, len(head)) for figures in of_wager)
    books = [figures.book for figures in of_wager]
    groups = tuple((book, books.index(book)) for book in dict.fromkeys(books))
    edges = Grid("By document", tuple(head), rows, groups=groups)
    pays = tuple(
        (figures.paytable, summarize_pays(figures) or OPERATORS_CHOICE) for figures in of_wager
    )
    title_of_pays = "Pays, from the best hand down"
    return Section(
        wager,
        title,
        about,
        "",
        (),
        (edges, Grid(title_of_pays, ("Paytable", "Pays"), pays, groups=groups)),
    )


def _row(figures: PaytableFigures, width: int) -> tuple[str, ...]:
    if figures.house_edge is None or figures.hit_frequency is None or figures.variance is None:
        return (figures.paytable, OPERATORS_CHOICE, *[""] * (width - 2))
    edge = percent(figures.house_edge)
    edge = f"{PLAYER_EDGE_MARK} {edge}" if figures.house_edge < 0 else edge
    row = [figures.paytable, edge, percent(figures.hit_frequency)]
    row.append(root_text(figures.variance, 4))
    pool = figures.side.pool if figures.side is not None else None
    if pool is not None:
        even = pool.break_even_meter
        row += [percent(pool.fixed_return), "never" if even is None else format_dollars(even)]
    return tuple(row)
