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
    sections = [_section(MAIN, "Ante, Odds and Raise", "Odds + Bad Beat; best play", entries)]
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
    head = ["Rules", "Paytable", "House edge", "Hits", "Deviation"]
    if wager == Wager.PROGRESSIVE:
        head += ["Fixed return", "Breaks even at"]
    grid = Grid("By document", tuple(head), tuple(_row(entry, len(head)) for entry in chosen))
    return Section(wager, title, about, "", (), (grid,))


def _row(entry: Entry, width: int) -> tuple[str, ...]:
    paytable = entry.paytable.replace("HH/", "")
    if entry.house_edge is None or entry.hit_frequency is None or entry.variance is None:
        return (entry.book, paytable, OPERATORS, *[""] * (width - 3))
    row = [entry.book, paytable, percent(entry.house_edge), percent(entry.hit_frequency)]
    row.append(root(entry.variance, 4))
    pool = entry.side.pool if entry.side is not None else None
    if pool is not None:
        even = pool.break_even_meter
        row += [percent(pool.fixed_return), "never" if even is None else money(even)]
    return tuple(row)
