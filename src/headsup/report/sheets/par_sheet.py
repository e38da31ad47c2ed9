"""The par sheet: the main game, every side wager, and what the house holds."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.lessons import Lessons
from headsup.analysis.exact_numbers import decimal_text, exact_json, percent, square_root
from headsup.analysis.par.par_sheet import ParSheet, SideSheet
from headsup.analysis.par.table_par import meter_or_seed
from headsup.game.bank.meter import HOME_CONTRIBUTION_MICROS
from headsup.game.rulebook.model import Paytable, RuleBook
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import MICROS_PER_DOLLAR
from headsup.report.formats import (
    CHANCE,
    COUNT,
    NUMBER,
    ONE_IN,
    PAID_DOLLARS,
    ROOT,
    SHARE,
    Format,
    format_chance,
    format_dollars,
    format_one_in,
)
from headsup.report.plots.par_sheet import return_bars
from headsup.report.sheet import Chart, Column, Figure, Section, Sheet, Table
from headsup.report.sheets.hold import hold_section
from headsup.report.sheets.main_game import lessons_section, main_section, tables_section
from headsup.report.sheets.par_rows import par_rows, pay_text
from headsup.version import __version__

AS_IN_PLAY = " (not specified: as in headsup play)"
_HITS = SHARE._replace(text=lambda share: f"{percent(share)}, one in {format_one_in(share)}")
BREAK_EVEN = Format(
    format_dollars, lambda even: {**exact_json(even), "decimal": decimal_text(even, 2)}, True
)
_PER_DOLLAR = SHARE._replace(text=format_chance)


def par_report(
    sheet: ParSheet, bets: Mapping[Wager, int], date: str = "", lessons: Lessons | None = None
) -> Sheet:
    """`date` is the day on which the sheet is made."""
    rules, solution = sheet.rules, sheet.solution
    return Sheet(
        title=rules.book.title,
        about=f"Par sheet of {rules.id}",
        sections=(
            main_section(rules, solution),
            tables_section(rules, solution),
            *([] if lessons is None else [lessons_section(lessons, "main/lessons")]),
            *(side_section(sheet, side) for side in sheet.sides),
            hold_section(sheet, bets),
        ),
        notes=tuple(_notes(rules)),
        identity=_identity(rules, date),
        rows=lambda: par_rows(sheet),
    )


def _identity(rules: TableRules, date: str) -> Section:
    """What a reader needs to reproduce the sheet, or to tell it from another."""
    book, since = rules.book, rules.book.effective_from or None
    paytables = rules.paytables.items()
    return Section(
        "about",
        "",
        figures=(
            Figure("program", "Program", f"headsup {__version__}"),
            Figure("date", "Date", date or None, absent=""),
            Figure("rules/id", "Rule book", book.id),
            Figure("rules/version", "Version of the rule book", book.version),
            Figure("document/effective_from", "In force from", since, absent=""),
            Figure("document/number", "Document", book.document),
            Figure("document/title", "", book.title),
            Figure("", "Cited as", book.cites),
            Figure("document/sha256", "SHA-256 of the document", book.sha256),
            Figure("rules/fingerprint", "Fingerprint of these rules", rules.fingerprint),
            *(
                Figure(f"paytables/{key}", f"{_table_label(book, key)}, paytable {table.id}", table,
                    Format(describe_pays, _paytable_json))
                for key, table in paytables
            ),
        ),
    )  # fmt: skip


def _table_label(book: RuleBook, key: str) -> str:
    return "Bad Beat" if key == "bad_beat" else book.label(Wager(key))


def describe_pays(table: Paytable) -> str:
    """Each hand's pay, with the basis and the clause."""
    rows = [row for row in table.rows if not table.is_unreachable(row.outcome) and row.pay.printed]
    pays = ", ".join(f"{row.label} {row.pay.short}" for row in rows)
    return f"{pays}; {table.basis.value} 1 ({table.clause})"


def _paytable_json(table: Paytable) -> dict[str, Any]:
    return {
        "id": table.id,
        "basis": table.basis.value,
        "clause": table.clause,
        "pays": {row.outcome: pay_text(row.pay) for row in table.rows},
    }


# Side wagers.


def side_section(sheet: ParSheet, side: SideSheet) -> Section:
    rules, other = sheet.rules, sheet.other_basis
    label, clause = rules.book.label(side.wager), rules.paytables[side.wager.value].clause
    has_other = side.pool is not None and other is not None and other is not side
    return Section(
        key=side.wager.value,
        title=label,
        about=f"Paytable {side.paytable}, pays {side.basis.value} 1 ({clause})",
        figures=tuple(_side_figures(sheet, side)),
        tables=(_outcomes(side),),
        notes=tuple(_side_notes(rules, side)),
        charts=(Chart("bars", lambda: return_bars(side)),),
        data=lambda: (
            {"other_basis": side_section(sheet, other).json()}
            if has_other and other is not None
            else {}
        ),
    )


def _side_figures(sheet: ParSheet, side: SideSheet) -> Iterator[Figure]:
    yield Figure("paytable", "", side.paytable)
    yield Figure("basis", "", side.basis.value)
    yield Figure("house_edge", "House edge", side.house_edge, SHARE)
    yield Figure("favours_player", "", side.house_edge < 0)
    yield Figure("return_to_player", "Return to player", 1 - side.house_edge, SHARE)
    yield Figure("hit_frequency", "Hit frequency", side.hit_frequency, _HITS)
    yield Figure("standard_deviation", "Standard deviation", square_root(side.variance), ROOT)
    yield Figure("variance", "Variance", side.variance, NUMBER)
    yield Figure("ways", "", side.ways)
    yield from _forfeit_figures(side)
    if side.pool is not None:
        yield from _pool_figures(sheet, side)


def _forfeit_figures(side: SideSheet) -> Iterator[Figure]:
    yield Figure("after_fold/rule", "", "forfeits" if side.forfeited else "stays")
    if side.forfeited:  # otherwise counted as if no hand were ever folded
        yield Figure("after_fold/solved_together", "", side.forfeit is not None)
    forfeit = side.forfeit
    if forfeit is None:
        return
    stake = decimal_text(forfeit.stake, 4).rstrip("0").rstrip(".")
    both = f"At a stake of {stake} Ante: both wagers' edge"
    yield Figure("after_fold/stake_per_ante", "", forfeit.stake, NUMBER)
    yield Figure("after_fold/combined_house_edge", both, forfeit.combined_edge, SHARE, "per Ante")
    yield Figure("after_fold/main_house_edge", "Of which the main game", forfeit.main_edge, SHARE)
    yield Figure(
        "after_fold/fold_frequency", "Fold frequency with both", forfeit.fold_frequency, SHARE
    )
    yield Figure("after_fold/average_wager", "", forfeit.average_wager, NUMBER)


def _pool_figures(sheet: ParSheet, side: SideSheet) -> Iterator[Figure]:
    rules, pool, other = sheet.rules, side.pool, sheet.other_basis
    if pool is None:
        return
    coefficient = pool.meter_coefficient
    label = "Posted prize" if rules.bonus_jackpot else "Meter"
    yield Figure("meter", label, pool.meter, PAID_DOLLARS)
    yield Figure("fixed_return", "Return of the fixed pays", pool.fixed_return, SHARE)
    yield Figure("", "Each $10,000 on the meter adds", percent(10_000 * coefficient))
    yield Figure("meter_coefficient", "Each dollar on the meter adds", coefficient, _PER_DOLLAR)
    yield Figure(
        "break_even_meter",
        *("Breaks even at a meter of", pool.break_even_meter, BREAK_EVEN),
        absent="never: no share",
    )
    if not rules.bonus_jackpot:
        yield from _seed_figures(sheet, side)
    if other is not None and other is not side:
        yield Figure("", f"House edge if it paid {other.basis.value} 1", percent(other.house_edge))


def _seed_figures(sheet: ParSheet, side: SideSheet) -> Iterator[Figure]:
    """The meter's seed and contribution: from the rules, else as in `headsup play` (R77)."""
    rules, pool = sheet.rules, side.pool
    if pool is None:
        return
    seed = Fraction(meter_or_seed(rules, None), MICROS_PER_DOLLAR)
    yield Figure("", "Meter seed", format_dollars(seed) + ("" if rules.meter_seed else AS_IN_PLAY))
    contribution = Fraction(rules.meter_contribution or HOME_CONTRIBUTION_MICROS, MICROS_PER_DOLLAR)
    remark = "" if rules.meter_contribution else AS_IN_PLAY
    stake = format_dollars(Fraction(rules.progressive_stake, 100))
    added = f"{format_dollars(contribution)} of {stake}{remark}"
    yield Figure("", "Each wager adds to the meter", added)
    if seed != pool.meter:
        at_seed = 1 - pool.fixed_return - pool.meter_coefficient * seed
        yield Figure("", "House edge at the seed", percent(at_seed))


def _outcomes(side: SideSheet) -> Table:
    returned = sum((row.returned for row in side.outcomes), Fraction())
    total = sum((row.probability for row in side.outcomes), Fraction())
    return Table(
        "outcomes",
        f"Of {side.ways:,} deals",
        (
            Column("label", "Outcome", lambda row: row.label),
            Column("", "Pays", lambda row: row.pay.short),
            Column("pays", "", lambda row: pay_text(row.pay)),
            Column("ways", "Ways", lambda row: row.ways, COUNT),
            Column("probability", "Probability", lambda row: row.probability, CHANCE),
            Column("", "One in", lambda row: row.probability, ONE_IN),
            Column("net", "", lambda row: row.net, NUMBER),
            Column("", "Returns", lambda row: row.returned, SHARE),
        ),
        side.outcomes,
        row_name=lambda row: row.outcome,
        total={"Outcome": "All", "Ways": side.ways, "Probability": total, "Returns": returned},
        bar=lambda row: row.returned,
    )


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
