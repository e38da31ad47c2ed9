"""The par sheet of a whole table: the main game and every side wager, exactly.

Each side wager is one player's, alone at the table, on its own stake. A progressive's return
grows with the meter M: return = fixed return + coefficient × M, so it breaks even where that is 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import assert_never

from headsup.analysis.counts.side_wagers import outcome_counts
from headsup.analysis.joint.combined_bets import CombinedBets
from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.solver.solution import Solution
from headsup.game.rulebook.model import LOSS, OUTCOMES, Basis, Pay, PayKind, Paytable
from headsup.game.rulebook.outcomes import NOTHING
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.hands import Category
from headsup.game.values.money import MICROS_PER_CENT

FOLDED = "folded"
MICROS_PER_DOLLAR = 100 * MICROS_PER_CENT


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """One row of a paytable, or what it does not list; `net` is per unit staked."""

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
        """What this row gives back of each unit staked, the stake included."""
        return self.probability * (self.net + 1)


@dataclass(frozen=True, slots=True)
class PoolReturn:
    """How a progressive depends on its meter, in dollars."""

    meter: Fraction
    fixed_return: Fraction  # of each dollar staked, without the pool
    meter_coefficient: Fraction  # further return for each dollar on the meter
    break_even_meter: Fraction | None  # None where no row pays a share


@dataclass(frozen=True, slots=True)
class Forfeit:
    """R54, strictly read: a fold gives Trips Plus away, so the two wagers are played as one."""

    stake: Fraction  # Trips Plus per Ante
    main_edge: Fraction  # the main game's, per Ante, when played for both
    combined_edge: Fraction  # of both, per Ante
    fold_frequency: Fraction
    average_wager: Fraction  # Ante, Odds and Raise, in Antes


@dataclass(frozen=True, slots=True, repr=False)
class SideSheet:
    wager: Wager
    paytable: str
    basis: Basis
    ways: int
    outcomes: tuple[SideOutcome, ...]
    pool: PoolReturn | None = None
    forfeited: bool = False  # a fold gives this wager away
    forfeit: Forfeit | None = None  # how, where it was solved together with the main game

    def __repr__(self) -> str:
        edge, hits = percent(self.house_edge), percent(self.hit_frequency)
        return f"<{self.wager} paytable {self.paytable}: house edge {edge}, hits {hits}>"

    @property
    def as_if_never_folded(self) -> bool:
        """Whether folds cost this wager, but are left out of these figures.

        A fold loses the stake, and no hand can lose more: the true edge is this or higher.
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
    """What one wager brings the house each round, in cents."""

    wager: Wager
    stake: int
    wagered: Fraction  # on average: an Ante brings Odds and often a Raise
    win: Fraction
    at_least: bool = False  # what folds forfeit comes on top


@dataclass(frozen=True, slots=True)
class ParSheet:
    rules: TableRules
    solution: Solution
    sides: tuple[SideSheet, ...]
    other_basis: SideSheet | None = None  # R15: the progressive on the basis the book leaves open
    together: CombinedBets | None = None  # the bets it was made for, as one; None where unknown

    def side(self, wager: Wager) -> SideSheet:
        return next(sheet for sheet in self.sides if sheet.wager is wager)

    def holds(self, bets: Mapping[Wager, int]) -> tuple[Hold, ...]:
        """The house's expected win per round at these stakes, in cents.

        Where one of them is `at_least`, so is the sum, whatever the player decides: the main game
        is at its least, and a fold can only lose more of that wager.
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


def is_trips_plus_forfeited(rules: TableRules) -> bool:
    """Whether Trips Plus and the main game are solved together (R54).

    Only where the hand of seven cards decides it: the solver keeps no other.
    """
    forfeited = rules.offers(Wager.TRIPS_PLUS) and not rules.after_fold[Wager.TRIPS_PLUS]
    return forfeited and not rules.both_hole_cards


def par_sheet(
    rules: TableRules,
    solution: Solution,
    meter_micros: int | None = None,
    together: tuple[Fraction, Solution] | None = None,
) -> ParSheet:
    """All offered wagers; a progressive stands at `meter_micros`, by default at its seed.

    `combined_bets` is a Trips Plus stake per Ante and the main game solved with it, for rules that
    forfeit it on a fold.
    """
    meter = rules.meter_seed if meter_micros is None else meter_micros
    sides = tuple(side_sheet(rules, wager, meter) for wager in SIDE_WAGERS if rules.offers(wager))
    if together is not None:
        sides = tuple(
            _with_forfeit(sheet, *together) if sheet.wager is Wager.TRIPS_PLUS else sheet
            for sheet in sides
        )
    return ParSheet(rules, solution, sides, _other_basis(rules, meter))


def side_sheet(rules: TableRules, wager: Wager, meter_micros: int = 0) -> SideSheet:
    """One side wager, counted as if no hand were ever folded."""
    return _sheet(rules, wager, rules.paytables[wager.value], meter_micros)


def _sheet(rules: TableRules, wager: Wager, table: Paytable, meter_micros: int) -> SideSheet:
    counts = outcome_counts(wager, table.pays, rules.both_hole_cards)
    ways = sum(counts.values())
    stake = Fraction(rules.progressive_stake, 100)
    meter = Fraction(meter_micros, MICROS_PER_DOLLAR)
    labels = {row.outcome: row.label for row in table.rows}
    rows = []
    for outcome in (*OUTCOMES[wager.value], NOTHING):
        if outcome not in counts:
            continue
        pay, count = table.pays.get(outcome, LOSS), counts[outcome]
        net = _net(pay, table.basis, meter / stake)
        label = labels.get(outcome, "Any other hand")
        rows.append(SideOutcome(outcome, label, pay, count, Fraction(count, ways), net))
    pool = _pool(rows, stake, meter) if _is_pool_wager(wager) else None
    forfeited = not rules.after_fold[wager]
    return SideSheet(wager, table.id, table.basis, ways, tuple(rows), pool, forfeited)


def _net(pay: Pay, basis: Basis, meter: Fraction) -> Fraction:
    """What one unit staked wins or loses; the meter is in stakes."""
    kept = 1 if basis is Basis.FOR else 0
    match pay.kind:
        case PayKind.PAYS:
            return pay.amount - kept
        case PayKind.POOL:
            return pay.amount * meter - kept
        case PayKind.PUSH:
            return Fraction(0)
        case PayKind.LOSS:
            return Fraction(-1)
        case PayKind.BONUS:
            raise ValueError("a table opens only when its Bonus cells are filled")
        case _:
            assert_never(pay.kind)


def _is_pool_wager(wager: Wager) -> bool:
    match wager:
        case Wager.PROGRESSIVE:
            return True
        case Wager.TRIPS_PLUS | Wager.POCKET_BONUS | Wager.ALL_6:
            return False
        case Wager.ANTE | Wager.ODDS | Wager.RAISE:
            raise ValueError(f"{wager} is no side wager")
        case _:
            assert_never(wager)


def _pool(rows: list[SideOutcome], stake: Fraction, meter: Fraction) -> PoolReturn:
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
    return _sheet(rules, Wager.PROGRESSIVE, replace(table, basis=other), meter_micros)


def _with_forfeit(sheet: SideSheet, stake: Fraction, solution: Solution) -> SideSheet:
    """Trips Plus counted over whole rounds, where a folded hand's stake is lost."""
    kept: dict[str, int] = {}
    folded = 0
    listed = {row.outcome for row in sheet.outcomes}
    for one in solution.results:
        key = Category(one.category).key
        key = key if key in listed else NOTHING
        if one.multiple:
            kept[key] = kept.get(key, 0) + one.deals
        else:
            folded += one.deals
    deals = solution.deals
    rows = [
        replace(
            row,
            ways=kept.get(row.outcome, 0),
            probability=Fraction(kept.get(row.outcome, 0), deals),
        )
        for row in sheet.outcomes
    ]
    fold = Fraction(folded, deals)
    rows.append(SideOutcome(FOLDED, "Folded, and so forfeited", LOSS, folded, fold, Fraction(-1)))
    joined = replace(sheet, ways=deals, outcomes=tuple(rows))
    combined = solution.house_edge
    main = combined - stake * joined.house_edge
    return replace(joined, forfeit=Forfeit(stake, main, combined, fold, solution.average_wager))
