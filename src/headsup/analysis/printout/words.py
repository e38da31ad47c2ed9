"""A par sheet put into words: facts, tables and notes, the same on screen, page and paper."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.numbers import decimal, percent, root
from headsup.analysis.par import MICROS_PER_DOLLAR, ParSheet, SideSheet
from headsup.analysis.rounds import endings, odds_rows
from headsup.game.money import dollars
from headsup.game.rulebook.tablerules import TableRules
from headsup.game.wagers import Street, Wager

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text; the first column is read as names. `bars` are shares from 0 to 1.

    `groups` are headings in it, each with the number of the first row below it.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()
    total: bool = False  # the last row sums up
    groups: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    key: str  # `main`, a side wager, or `hold`
    title: str
    about: str
    edge: str  # the figure that stands for the section, if it has one
    facts: Facts
    grids: tuple[Grid, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Printout:
    title: str
    about: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    fingerprint: str


def par_printout(sheet: ParSheet, bets: Mapping[Wager, int]) -> Printout:
    rules = sheet.rules
    sections = [_main(sheet), *(_side(sheet, side) for side in sheet.sides), _hold(sheet, bets)]
    return Printout(
        title=rules.book.title,
        about=f"Par sheet of {rules.id}: {_tables(rules)}",
        sections=tuple(sections),
        notes=tuple(_notes(rules)),
        fingerprint=rules.fingerprint,
    )


def _tables(rules: TableRules) -> str:
    return ", ".join(f"{words(key)} {table.id}" for key, table in rules.paytables.items())


def words(key: str) -> str:
    return key.replace("_", " ")


# Numbers as people read them.


def chance(value: Fraction) -> str:
    """A probability as a percentage: four decimals, more for what is rarer."""
    places = 4
    while value and value * 10**places < 10 and places < 12:
        places += 1
    return percent(value, places)


def one_in(value: Fraction) -> str:
    if not value:
        return "never"
    times = 1 / value
    places = 2 if times < 100 else 1 if times < 1000 else 0
    return f"{round(times):,}" if not places else decimal(times, places)


def money(value: Fraction, places: int = 2) -> str:
    """Dollars, from an exact amount of them."""
    text = decimal(abs(value), places)
    whole, _, cents = text.partition(".")
    return f"{'-' if value < 0 else ''}${int(whole):,}.{cents}"


def signed(value: Fraction, places: int = 4) -> str:
    return ("+" if value > 0 else "") + decimal(value, places)


# The main game.


def _main(sheet: ParSheet) -> Section:
    rules, solution = sheet.rules, sheet.solution
    notes = []
    if solution.house_edge < 0:
        notes.append("These rules favour the player: with best play the house loses on every Ante.")
    return Section(
        key="main",
        title=f"{rules.book.label(Wager.ANTE)}, {rules.book.label(Wager.ODDS)} and "
        f"{rules.book.label(Wager.RAISE)}",
        about=f"Best play; {_raises(rules)}; {_qualifier(rules)}",
        edge=percent(solution.house_edge),
        facts=(
            ("House edge, per Ante", percent(solution.house_edge)),
            ("Element of risk, per unit wagered", percent(solution.element_of_risk)),
            ("Average wager, in Antes", decimal(solution.average_wager, 4)),
            ("Standard deviation, in Antes", root(solution.variance)),
        ),
        grids=(_endings(sheet), _odds(sheet)),
        notes=tuple(notes),
    )


def _raises(rules: TableRules) -> str:
    parts = []
    for street in Street:
        times = " or ".join(f"{multiple}×" for multiple in rules.raises[street])
        parts.append(f"{times} on the {street.value}")
    return f"{rules.book.label(Wager.RAISE)} " + ", ".join(parts)


def _qualifier(rules: TableRules) -> str:
    if rules.qualifier == "none":
        return "the dealer always qualifies"
    return f"the dealer qualifies with {words(rules.qualifier)} or better"


def _endings(sheet: ParSheet) -> Grid:
    rows = [
        (
            ending.way,
            chance(ending.probability),
            *(chance(share) for share in ending.results),
            signed(ending.net),
        )
        for ending in endings(sheet.solution, sheet.rules.book.label(Wager.RAISE))
    ]
    head = ("Decision", "Frequency", "Wins", "Ties", "Loses", "Result")
    return Grid("How a round ends (result in Antes)", head, tuple(rows), total=True)


def _odds(sheet: ParSheet) -> Grid:
    rows = [
        (row.label, row.pays, f"{row.deals:,}", chance(row.probability), one_in(row.probability))
        for row in odds_rows(sheet.rules, sheet.solution)
    ]
    return Grid(
        f"What the {sheet.rules.book.label(Wager.ODDS)} pays",
        ("Hand", "Pays", "Deals", "Probability", "One in"),
        tuple(rows),
    )


# Side wagers.


def _side(sheet: ParSheet, side: SideSheet) -> Section:
    rules = sheet.rules
    return Section(
        key=side.wager.value,
        title=rules.book.label(side.wager),
        about=f"Paytable {side.paytable}, pays {side.basis.value} 1",
        edge=percent(side.house_edge),
        facts=tuple(_side_facts(sheet, side)),
        grids=(_side_grid(side),),
        notes=tuple(_side_notes(rules, side)),
    )


def _side_facts(sheet: ParSheet, side: SideSheet) -> Iterator[tuple[str, str]]:
    yield "House edge", percent(side.house_edge)
    hits = side.hit_frequency
    yield "Hit frequency", f"{percent(hits)}, one in {one_in(hits)}"
    yield "Standard deviation", root(side.variance)
    if side.forfeit is not None:
        stake = decimal(side.forfeit.stake, 4).rstrip("0").rstrip(".")
        yield (
            f"At a stake of {stake} Ante: both wagers' edge, per Ante",
            percent(side.forfeit.combined_edge),
        )
        yield "Of which the main game's", percent(side.forfeit.main_edge)
        yield "Folds then", percent(side.forfeit.fold_frequency)
    if side.pool is not None:
        yield from _pool_facts(sheet, side)


def _pool_facts(sheet: ParSheet, side: SideSheet) -> Iterator[tuple[str, str]]:
    rules, pool = sheet.rules, side.pool
    if pool is None:
        return
    yield "Prize posted" if rules.bonus_jackpot else "Meter", money(pool.meter)
    yield "Return of the fixed pays", percent(pool.fixed_return)
    yield "Each $10,000 on the meter adds", percent(10_000 * pool.meter_coefficient)
    even = pool.break_even_meter
    yield "Breaks even at a meter of", "never: no share" if even is None else money(even)
    if not rules.bonus_jackpot:
        yield "Meter's seed", money(Fraction(rules.meter_seed, MICROS_PER_DOLLAR))
        stake = Fraction(rules.progressive_stake, 100)
        added = Fraction(rules.meter_contribution, MICROS_PER_DOLLAR)
        yield "Each wager adds to the meter", f"{money(added, 4)} of {money(stake)}"
    if sheet.other_basis is not None:
        other = sheet.other_basis
        yield f"House edge if it paid {other.basis.value} 1", percent(other.house_edge)


def _side_grid(side: SideSheet) -> Grid:
    rows = [
        (
            row.label,
            row.pay.short,
            f"{row.ways:,}",
            chance(row.probability),
            one_in(row.probability),
            percent(row.returned),
        )
        for row in side.outcomes
    ]
    most = max((row.returned for row in side.outcomes), default=Fraction(0)) or Fraction(1)
    bars = tuple(float(row.returned / most) for row in side.outcomes)
    head = ("Outcome", "Pays", "Ways", "Probability", "One in", "Returns")
    return Grid(f"Of {side.ways:,} deals", head, tuple(rows), bars)


def _side_notes(rules: TableRules, side: SideSheet) -> Iterator[str]:
    label = rules.book.label(side.wager)
    if side.house_edge < 0:
        when = " at this meter" if side.pool is not None and side.pool.meter else ""
        yield f"{label} favours the player{when}: the house loses on every wager."
    if side.forfeit is not None:
        yield (
            f"A fold forfeits {label} (R54), so it and the main game are played as one: the best "
            "decisions depend on the ratio of the two stakes, and so do these figures. The main "
            "game above is for a player without it."
        )
    elif side.as_if_never_folded:
        yield (
            f"A fold forfeits {label}, which these figures leave out: all deals are counted as if "
            "no hand were ever folded. The true house edge is this or higher."
        )
    if side.wager is Wager.TRIPS_PLUS and rules.both_hole_cards:
        yield "Both hole cards and exactly three of the board make the hand (R53)."
    if side.pool is not None and rules.bonus_jackpot:
        yield from (notice.text for notice in rules.book.notices if notice.when == "bonus_jackpot")
    elif side.pool is not None:
        if not side.pool.meter and side.pool.meter_coefficient:
            yield "With nothing on the meter: the return grows as the meter does."
        yield "For a single winner: others who win in the same round share the pool."


# What the house holds.


def _hold(sheet: ParSheet, bets: Mapping[Wager, int]) -> Section:
    holds = sheet.holds(bets)
    win, wagered = sum(hold.win for hold in holds), sum(hold.wagered for hold in holds)
    rows = [
        (
            sheet.rules.book.label(hold.wager),
            dollars(hold.stake),
            money(Fraction(hold.wagered, 100)),
            *_won(hold.win, hold.at_least),
        )
        for hold in holds
    ]
    unsolved = [sheet.rules.book.label(hold.wager) for hold in holds if hold.at_least]
    staked = dollars(sum(hold.stake for hold in holds))
    together = _won(Fraction(win), bool(unsolved))
    rows.append(("Together", staked, money(Fraction(wagered, 100)), *together))
    head = ("Wager", "Stake", "Wagered", "House wins", "In 100 rounds")
    return Section(
        key="hold",
        title="What the house holds",
        about="One player's bets, best play. The Ante brings an equal Odds and, often, a Raise.",
        edge="",
        facts=() if unsolved else (("Of all that is wagered", percent(Fraction(win) / wagered)),),
        grids=(Grid("Per round, on average", head, tuple(rows), total=True),),
        notes=tuple(
            f"{label}, marked ≥, is counted as if no hand were ever folded: the house wins at "
            "least this much, together too, however the player decides."
            for label in unsolved
        ),
    )


def _won(cents: Fraction, at_least: bool) -> tuple[str, str]:
    """In one round, and in a hundred."""
    mark = "≥ " if at_least else ""
    return f"{mark}{money(cents / 100, 4)}", f"{mark}{money(cents)}"


def _notes(rules: TableRules) -> Iterator[str]:
    yield "Every figure is exact, counted over all deals; only its decimals are rounded."
    if rules.chip_unit > 1 or rules.cap is not None:
        yield "Rounding to chips and payout caps depend on the stakes, and are left out."
    if rules.offers(Wager.ALL_6):
        yield "The four All 6 cards are dead and unseen, so the main game is the same (R22)."
