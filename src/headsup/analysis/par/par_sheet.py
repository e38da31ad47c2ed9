"""The par sheet of a table: exact figures for the main game and every side wager.

Each side wager is computed for one player alone at the table, per unit staked. A Progressive's
return grows with the meter M: return = fixed return + coefficient × M. It breaks even where that
is 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import assert_never

from headsup.analysis.counts.side_wagers import outcome_counts
from headsup.analysis.exact_numbers import percent
from headsup.analysis.joint.combined_bets import CombinedBets
from headsup.analysis.solver.solution import Solution
from headsup.game.rulebook.model import LOSS, OUTCOMES, Basis, Pay, PayKind, Paytable
from headsup.game.rulebook.outcomes import NOTHING
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.hands import Category
from headsup.game.values.money import MICROS_PER_DOLLAR

FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """One row of a paytable, or all hands it does not list. `net` is per unit staked."""

    outcome: str
    label: str
    pay: Pay
    ways: int
    probability: Fraction
    net: Fraction

    @property
    def hits(self) -> bool:
        return self.pay.kind in (PayKind.PAYS, PayKind.POOL) and self.pay.amount > 0

    @property
    def returned(self) -> Fraction:
        """What this row adds to the return per unit staked, including the stake itself."""
        return self.probability * (self.net + 1)


@dataclass(frozen=True, slots=True)
class PoolReturn:
    """How a Progressive's return depends on its meter, in dollars."""

    meter: Fraction
    fixed_return: Fraction  # per dollar staked, without the pool
    meter_coefficient: Fraction  # extra return per dollar on the meter
    break_even_meter: Fraction | None  # None if no row pays a share


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Figures where a fold forfeits Trips Plus (R54, read strictly) and both are played as one."""

    stake: Fraction  # Trips Plus per Ante
    main_edge: Fraction  # of the main game alone, per Ante, when played for both
    combined_edge: Fraction  # of both, per Ante
    fold_frequency: Fraction
    average_wager: Fraction  # Ante, Odds and Raise, in Antes


@dataclass(frozen=True, slots=True, repr=False)
class SideSheet:
    """The figures of one side wager."""

    wager: Wager
    paytable: str
    basis: Basis
    ways: int
    outcomes: tuple[SideOutcome, ...]
    pool: PoolReturn | None = None
    forfeited: bool = False  # a fold loses this wager
    forfeit: Forfeit | None = None  # if it was solved together with the main game

    def __repr__(self) -> str:
        edge, hits = percent(self.house_edge), percent(self.hit_frequency)
        return f"<{self.wager} paytable {self.paytable}: house edge {edge}, hits {hits}>"

    @property
    def as_if_never_folded(self) -> bool:
        """Whether folds lose this wager but these figures ignore that.

        The true house edge is then this or higher, as a fold loses the whole stake.
        """
        return self.forfeited and self.forfeit is None

    @property
    def house_edge(self) -> Fraction:
        return -sum((row.probability * row.net for row in self.outcomes), Fraction())

    @property
    def hit_frequency(self) -> Fraction:
        return sum((row.probability for row in self.outcomes if row.hits), Fraction())

    @property
    def variance(self) -> Fraction:
        square = sum((row.probability * row.net**2 for row in self.outcomes), Fraction())
        return square - self.house_edge**2


@dataclass(frozen=True, slots=True)
class Hold:
    """What the house expects to win on one wager per round, in cents."""

    wager: Wager
    stake: int
    wagered: Fraction  # on average; for the Ante with Odds and Raise
    win: Fraction
    is_lower_bound: bool = False  # a lower bound: what folds forfeit is not included


@dataclass(frozen=True, slots=True)
class ParSheet:
    """The figures of all wagers of a table."""

    rules: TableRules
    solution: Solution
    sides: tuple[SideSheet, ...]
    other_basis: SideSheet | None = None  # R15: the Progressive on the other basis the book allows
    combined: CombinedBets | None = None  # all bets of a round as one; None if unknown

    def side(self, wager: Wager) -> SideSheet:
        return next(sheet for sheet in self.sides if sheet.wager is wager)

    def holds(self, bets: Mapping[Wager, int]) -> tuple[Hold, ...]:
        """The house's expected win per round at these stakes, in cents.

        If one of them is a lower bound, so is the sum, however the player plays: best play gives
        the lowest win on the main game, and folds only add to the win on the side wager.
        """
        ante = bets.get(Wager.ANTE, 0)
        placed = [sheet for sheet in self.sides if sheet.wager in bets]
        edge, wagered = self.solution.house_edge, self.solution.average_wager
        for sheet in placed:
            if sheet.forfeit is not None:
                edge, wagered = sheet.forfeit.main_edge, sheet.forfeit.average_wager
        main = Hold(Wager.ANTE, ante, wagered * ante, edge * ante)
        return main, *(
            Hold(
                sheet.wager,
                bets[sheet.wager],
                Fraction(bets[sheet.wager]),
                sheet.house_edge * bets[sheet.wager],
                sheet.as_if_never_folded,
            )
            for sheet in placed
        )


def par_sheet(
    rules: TableRules,
    solution: Solution,
    meter_micros: int | None = None,
    trips_plus_solution: tuple[Fraction, Solution] | None = None,
) -> ParSheet:
    """The figures of all wagers on offer, with the Progressive's meter at `meter_micros`.

    The meter defaults to its seed. `trips_plus_solution` is for rules where a fold forfeits Trips
    Plus: the Trips Plus stake per Ante, and the solution of both wagers together.
    """
    meter = rules.meter_seed if meter_micros is None else meter_micros
    sides = tuple(side_sheet(rules, wager, meter) for wager in SIDE_WAGERS if rules.offers(wager))
    if trips_plus_solution is not None:
        sides = tuple(
            _with_forfeit(sheet, *trips_plus_solution) if sheet.wager is Wager.TRIPS_PLUS else sheet
            for sheet in sides
        )
    return ParSheet(rules, solution, sides, _other_basis(rules, meter))


def side_sheet(rules: TableRules, wager: Wager, meter_micros: int | Fraction = 0) -> SideSheet:
    """The figures of one side wager, as if no hand were ever folded."""
    return _build_side_sheet(rules, wager, rules.paytables[wager.value], meter_micros)


def _build_side_sheet(
    rules: TableRules, wager: Wager, table: Paytable, meter_micros: int | Fraction
) -> SideSheet:
    counts = outcome_counts(wager, table.pays, rules.both_hole_cards)
    ways = sum(counts.values())
    stake = Fraction(rules.progressive_stake, 100)
    meter = Fraction(meter_micros) / MICROS_PER_DOLLAR
    labels = {row.outcome: row.label for row in table.rows}
    rows = []
    for outcome in (*OUTCOMES[wager.value], NOTHING):
        if outcome not in counts:
            continue
        pay, count = table.pays.get(outcome, LOSS), counts[outcome]
        net = _net(pay, table.basis, meter / stake)
        label = labels.get(outcome, "Any other hand")
        rows.append(SideOutcome(outcome, label, pay, count, Fraction(count, ways), net))
    pool = _pool_return(rows, stake, meter) if _is_pool_wager(wager) else None
    forfeited = not rules.after_fold[wager]
    return SideSheet(wager, table.id, table.basis, ways, tuple(rows), pool, forfeited)


def _net(pay: Pay, basis: Basis, meter: Fraction) -> Fraction:
    """The net result per unit staked. `meter` is in units of the stake."""
    included_stake = 1 if basis is Basis.FOR else 0
    match pay.kind:
        case PayKind.PAYS:
            return pay.amount - included_stake
        case PayKind.POOL:
            return pay.amount * meter - included_stake
        case PayKind.PUSH:
            return Fraction(0)
        case PayKind.LOSS:
            return Fraction(-1)
        case PayKind.BONUS:
            raise ValueError("fill in the Bonus cells before computing a par sheet")
        case _:
            assert_never(pay.kind)


def _is_pool_wager(wager: Wager) -> bool:
    match wager:
        case Wager.PROGRESSIVE:
            return True
        case Wager.TRIPS_PLUS | Wager.POCKET_BONUS | Wager.ALL_6:
            return False
        case Wager.ANTE | Wager.ODDS | Wager.RAISE:
            raise ValueError(f"{wager} is not a side wager")
        case _:
            assert_never(wager)


def _pool_return(rows: list[SideOutcome], stake: Fraction, meter: Fraction) -> PoolReturn:
    shares = [row for row in rows if row.pay.kind is PayKind.POOL]
    coefficient = sum((row.probability * row.pay.amount for row in shares), Fraction()) / stake
    fixed = sum((row.returned for row in rows), Fraction()) - coefficient * meter
    even = (1 - fixed) / coefficient if coefficient else None
    return PoolReturn(meter, fixed, coefficient, even)


def _other_basis(rules: TableRules, meter_micros: int) -> SideSheet | None:
    option = rules.book.options.get("progressive_basis")
    if option is None or not rules.offers(Wager.PROGRESSIVE):
        return None
    table = rules.paytables[Wager.PROGRESSIVE.value]
    other = Basis.TO if table.basis is Basis.FOR else Basis.FOR
    if not option.allows(other.value):
        return None
    return _build_side_sheet(rules, Wager.PROGRESSIVE, replace(table, basis=other), meter_micros)


def _with_forfeit(sheet: SideSheet, stake: Fraction, solution: Solution) -> SideSheet:
    """Trips Plus over whole rounds, where folding loses its stake."""
    ways_by_outcome: dict[str, int] = {}
    folded = 0
    listed = {row.outcome for row in sheet.outcomes}
    for result in solution.results:
        key = Category(result.category).key
        key = key if key in listed else NOTHING
        if result.multiple:
            ways_by_outcome[key] = ways_by_outcome.get(key, 0) + result.deals
        else:
            folded += result.deals
    deals = solution.deals
    rows = [
        replace(
            row,
            ways=ways_by_outcome.get(row.outcome, 0),
            probability=Fraction(ways_by_outcome.get(row.outcome, 0), deals),
        )
        for row in sheet.outcomes
    ]
    fold = Fraction(folded, deals)
    rows.append(SideOutcome(FOLDED, "Folded, and so forfeited", LOSS, folded, fold, Fraction(-1)))
    with_folds = replace(sheet, ways=deals, outcomes=tuple(rows))
    combined = solution.house_edge
    main = combined - stake * with_folds.house_edge
    return replace(with_folds, forfeit=Forfeit(stake, main, combined, fold, solution.average_wager))
