"""Words a par sheet: facts, tables and notes, the same on screen, web page and paper."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from headsup.analysis.advice.lessons import Lessons
from headsup.analysis.exact_numbers import decimal_text, percent, root_text
from headsup.analysis.par.par_sheet import ParSheet, SideSheet
from headsup.analysis.par.table_par import meter_or_seed
from headsup.game.bank.meter import HOME_CONTRIBUTION_MICROS
from headsup.game.rulebook.model import Paytable, RuleBook
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MICROS_PER_DOLLAR
from headsup.report.words.hold import hold_section
from headsup.report.words.main_game import lessons_section, main_section
from headsup.report.words.numbers import (
    format_chance,
    format_dollars,
    format_fraction,
    format_one_in,
)
from headsup.report.words.printout import Facts, Grid, Printout, Section
from headsup.version import __version__

AS_IN_PLAY = " (not specified: as in headsup play)"


def par_printout(
    sheet: ParSheet, bets: Mapping[Wager, int], date: str = "", lessons: Lessons | None = None
) -> Printout:
    """`date` is the day on which the sheet is made."""
    rules = sheet.rules
    lesson_sections = () if lessons is None else (lessons_section(lessons),)
    sides = (_side(sheet, side) for side in sheet.sides)
    return Printout(
        title=rules.book.title,
        about=f"Par sheet of {rules.id}",
        sections=(main_section(sheet), *lesson_sections, *sides, hold_section(sheet, bets)),
        notes=tuple(_notes(rules)),
        identity=tuple(_identity(rules, date)),
    )


def _identity(rules: TableRules, date: str) -> Iterator[tuple[str, str]]:
    """What a reader needs to reproduce the sheet, or to tell it from another."""
    book = rules.book
    yield "Program", f"headsup {__version__}"
    if date:
        yield "Date", date
    since = f", in force from {book.effective_from}" if book.effective_from else ""
    yield "Rule book", f"{book.id}, version {book.version}{since}"
    yield "Document", f"{book.document}, cited as {book.cites}; SHA-256 {book.sha256}"
    yield "Fingerprint of these rules", rules.fingerprint
    for key, table in rules.paytables.items():
        yield f"{_table_label(book, key)}, paytable {table.id}", describe_pays(table)


def _table_label(book: RuleBook, key: str) -> str:
    return "Bad Beat" if key == "bad_beat" else book.label(Wager(key))


def describe_pays(table: Paytable) -> str:
    """Each hand's pay, with the basis and the clause."""
    rows = [row for row in table.rows if not table.is_unreachable(row.outcome) and row.pay.printed]
    pays = ", ".join(f"{row.label} {row.pay.short}" for row in rows)
    return f"{pays}; {table.basis.value} 1 ({table.clause})"


# Side wagers.


def _side(sheet: ParSheet, side: SideSheet) -> Section:
    rules = sheet.rules
    return Section(
        key=side.wager.value,
        title=rules.book.label(side.wager),
        about=f"Paytable {side.paytable}, pays {side.basis.value} 1 "
        f"({rules.paytables[side.wager.value].clause})",
        edge=percent(side.house_edge),
        facts=tuple(_side_facts(sheet, side)),
        grids=(_side_grid(side),),
        notes=tuple(_side_notes(rules, side)),
        exact=_side_exact(side),
    )


def _side_exact(side: SideSheet) -> Facts:
    figures = {
        "House edge": side.house_edge,
        "Return to player": 1 - side.house_edge,
        "Hit frequency": side.hit_frequency,
        "Variance": side.variance,
    }
    if side.pool is not None:
        figures["Return of the fixed pays"] = side.pool.fixed_return
        figures["Return for each dollar on the meter"] = side.pool.meter_coefficient
        if side.pool.break_even_meter is not None:
            figures["Breaks even at, in dollars"] = side.pool.break_even_meter
    return tuple((name, format_fraction(value)) for name, value in figures.items())


def _side_facts(sheet: ParSheet, side: SideSheet) -> Iterator[tuple[str, str]]:
    yield "House edge", percent(side.house_edge)
    yield "Return to player", percent(1 - side.house_edge)
    hits = side.hit_frequency
    yield "Hit frequency", f"{percent(hits)}, one in {format_one_in(hits)}"
    yield "Standard deviation", root_text(side.variance)
    if side.forfeit is not None:
        stake = decimal_text(side.forfeit.stake, 4).rstrip("0").rstrip(".")
        yield (
            f"At a stake of {stake} Ante: both wagers' edge, per Ante",
            percent(side.forfeit.combined_edge),
        )
        yield "Of which the main game", percent(side.forfeit.main_edge)
        yield "Fold frequency with both", percent(side.forfeit.fold_frequency)
    if side.pool is not None:
        yield from _pool_facts(sheet, side)


def _pool_facts(sheet: ParSheet, side: SideSheet) -> Iterator[tuple[str, str]]:
    rules, pool = sheet.rules, side.pool
    if pool is None:
        return
    yield "Posted prize" if rules.bonus_jackpot else "Meter", format_dollars(pool.meter)
    yield "Return of the fixed pays", percent(pool.fixed_return)
    yield "Each $10,000 on the meter adds", percent(10_000 * pool.meter_coefficient)
    even = pool.break_even_meter
    yield "Breaks even at a meter of", "never: no share" if even is None else format_dollars(even)
    if not rules.bonus_jackpot:
        yield from _seed_facts(sheet, side)
    if sheet.other_basis is not None:
        other = sheet.other_basis
        yield f"House edge if it paid {other.basis.value} 1", percent(other.house_edge)


def _seed_facts(sheet: ParSheet, side: SideSheet) -> Iterator[tuple[str, str]]:
    """The meter's seed and contribution: from the rules, else as in `headsup play` (R77)."""
    rules, pool = sheet.rules, side.pool
    if pool is None:
        return
    seed = Fraction(meter_or_seed(rules, None), MICROS_PER_DOLLAR)
    yield "Meter seed", format_dollars(seed) + ("" if rules.meter_seed else AS_IN_PLAY)
    contribution = Fraction(rules.meter_contribution or HOME_CONTRIBUTION_MICROS, MICROS_PER_DOLLAR)
    remark = "" if rules.meter_contribution else AS_IN_PLAY
    stake = format_dollars(Fraction(rules.progressive_stake, 100))
    yield "Each wager adds to the meter", f"{format_dollars(contribution)} of {stake}{remark}"
    at_seed = 1 - pool.fixed_return - pool.meter_coefficient * seed
    if seed != pool.meter:
        yield "House edge at the seed", percent(at_seed)


def _side_grid(side: SideSheet) -> Grid:
    rows = [
        (
            row.label,
            row.pay.short,
            f"{row.ways:,}",
            format_chance(row.probability),
            format_one_in(row.probability),
            percent(row.returned),
        )
        for row in side.outcomes
    ]
    returned = sum((row.returned for row in side.outcomes), Fraction())
    total = sum((row.probability for row in side.outcomes), Fraction())
    rows.append(("All", "", f"{side.ways:,}", percent(total), "", percent(returned)))
    longest = max((row.returned for row in side.outcomes), default=Fraction(0)) or Fraction(1)
    bars = (*(float(row.returned / longest) for row in side.outcomes), 0.0)
    head = ("Outcome", "Pays", "Ways", "Probability", "One in", "Returns")
    return Grid(f"Of {side.ways:,} deals", head, tuple(rows), bars, has_total_row=True)


def _side_notes(rules: TableRules, side: SideSheet) -> Iterator[str]:
    label = rules.book.label(side.wager)
    if side.house_edge < 0:
        when = " at this meter" if side.pool is not None and side.pool.meter else ""
        yield f"{label} favours the player{when}: the house loses on every wager."
    if side.forfeit is not None:
        yield (
            f"A fold forfeits {label} (R54), so the best decisions, and these figures, depend on "
            "the ratio of its stake to the Ante. The main game above is for a player without "
            "this wager."
        )
    elif side.as_if_never_folded:
        yield (
            f"A fold forfeits {label}, but these figures are counted as if no hand were ever "
            "folded. The true house edge is this or higher."
        )
    if side.wager is Wager.TRIPS_PLUS and rules.both_hole_cards:
        yield "Both hole cards and exactly three of the board make the hand (R53)."
    if side.pool is not None and rules.bonus_jackpot:
        yield from (notice.text for notice in rules.book.notices if notice.when == "bonus_jackpot")
    elif side.pool is not None:
        if side.pool.meter_coefficient:
            meter = format_dollars(side.pool.meter)
            yield f"With {meter} on the meter; the return grows with it."
        yield "For a single winner: several winners in one round share the pool."


def _notes(rules: TableRules) -> Iterator[str]:
    yield (
        "All figures are exact, counted over all deals, unless marked ≈; only their decimals are "
        "rounded."
    )
    if rules.chip_unit > 1 or rules.cap is not None:
        yield "Rounding to chips and payout caps depend on the stakes and are not included."
    if rules.offers(Wager.ALL_6):
        yield "The four All 6 cards are dead and unseen, so the main game is the same (R22)."
