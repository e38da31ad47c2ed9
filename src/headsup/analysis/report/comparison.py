"""The comparison of all paytables put into words, one section for each wager."""

from collections.abc import Sequence
from fractions import Fraction

from headsup.analysis.compare import MAIN, Entry
from headsup.analysis.numbers import percent, root
from headsup.analysis.par import MICROS_PER_DOLLAR
from headsup.analysis.report.words import Grid, Report, Section, money, words
from headsup.game.wagers import SIDE_WAGERS, Wager

OPERATORS = "operator's"


def comparison_report(entries: Sequence[Entry], meter_micros: int) -> Report:
    meter = money(Fraction(meter_micros, MICROS_PER_DOLLAR))
    about = "Odds + Bad Beat, as --set odds= and --set bad_beat= take them; best play"
    sections = [_section(MAIN, "Ante, Odds and Raise", about, entries)]
    for wager in SIDE_WAGERS:
        about = f"With {meter} on the meter" if wager is Wager.PROGRESSIVE else ""
        sections.append(_section(wager.value, words(wager.value).title(), about, entries))
    return Report(
        title="Heads Up Hold'em: every paytable of every document",
        about="House edge, how often it wins, and how far results scatter, all exact",
        sections=tuple(sections),
        notes=(f"{OPERATORS}: its cells are left to the operator, who fills them.",),
        fingerprint="",
    )


def _section(wager: str, title: str, about: str, entries: Sequence[Entry]) -> Section:
    chosen = [entry for entry in entries if entry.wager == wager]
    head = ["Paytable", "House edge", "Hits", "Deviation"]
    if wager == Wager.PROGRESSIVE:
        head += ["Fixed return", "Breaks even at"]
    rows = tuple(_row(entry, len(head)) for entry in chosen)
    books = [entry.book for entry in chosen]
    groups = tuple((book, books.index(book)) for book in dict.fromkeys(books))
    grid = Grid("By document", tuple(head), rows, groups=groups)
    return Section(wager, title, about, "", (), (grid,))


def _row(entry: Entry, width: int) -> tuple[str, ...]:
    if entry.house_edge is None or entry.hit_frequency is None or entry.variance is None:
        return (entry.paytable, OPERATORS, *[""] * (width - 2))
    row = [entry.paytable, percent(entry.house_edge), percent(entry.hit_frequency)]
    row.append(root(entry.variance, 4))
    pool = entry.side.pool if entry.side is not None else None
    if pool is not None:
        even = pool.break_even_meter
        row += [percent(pool.fixed_return), "never" if even is None else money(even)]
    return tuple(row)
