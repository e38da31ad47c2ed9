"""The comparison of all paytables put into words, one section for each wager."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from headsup.analysis.par.comparison import MAIN, PaytableFigures
from headsup.analysis.par.exact_numbers import percent, root_text
from headsup.analysis.par.par_sheet import MICROS_PER_DOLLAR
from headsup.game.rulebook.model import LOSS, OUTCOMES, Pay, PayKind, Paytable
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.report.words.numbers import format_dollars, key_to_words
from headsup.report.words.printout import Grid, Printout, Section
from headsup.version import __version__

OPERATORS_CHOICE = "operator's"
PLAYER_EDGE_MARK = "◂"  # beside an edge that is the player's


def summarize_pays(figures: PaytableFigures) -> str:
    """What its tables pay, from the best hand down: `500-50-10-3-1.5-1`, Odds then Bad Beat."""
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
        if pay.kind in (PayKind.PAYS, PayKind.POOL) and not table.unreachable(outcome):
            yield pay


def comparison_printout(
    every: Sequence[PaytableFigures], meter_micros: int, date: str = ""
) -> Printout:
    meter = format_dollars(Fraction(meter_micros, MICROS_PER_DOLLAR))
    about = "Odds + Bad Beat, as --set odds= and --set bad_beat= take them; best play"
    sections = [_section(MAIN, "Ante, Odds and Raise", about, every)]
    for wager in SIDE_WAGERS:
        about = f"With {meter} on the meter" if wager is Wager.PROGRESSIVE else ""
        sections.append(_section(wager.value, key_to_words(wager.value).title(), about, every))
    return Printout(
        title="Heads Up Hold'em: every paytable of every document",
        about="House edge, how often it wins, and how far results scatter, all exact",
        sections=tuple(sections),
        notes=(
            f"{OPERATORS_CHOICE}: its cells are left to the operator, who fills them.",
            f"{PLAYER_EDGE_MARK} favours the player: the house loses on every wager.",
            "layout: what the document's own layout prints.",
        ),
        identity=(("Program", f"headsup {__version__}"), *((("Date", date),) if date else ())),
    )


def _section(wager: str, title: str, about: str, every: Sequence[PaytableFigures]) -> Section:
    chosen = [figures for figures in every if figures.wager == wager]
    head = ["Paytable", "House edge", "Hits", "Deviation"]
    if wager == Wager.PROGRESSIVE:
        head += ["Fixed return", "Breaks even at"]
    rows = tuple(_row(figures, len(head)) for figures in chosen)
    books = [figures.book for figures in chosen]
    groups = tuple((book, books.index(book)) for book in dict.fromkeys(books))
    grid = Grid("By document", tuple(head), rows, groups=groups)
    pays = tuple(
        (figures.paytable, summarize_pays(figures) or OPERATORS_CHOICE) for figures in chosen
    )
    paid = Grid("What they pay, from the best hand down", ("Paytable", "Pays"), pays, groups=groups)
    return Section(wager, title, about, "", (), (grid, paid))


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
