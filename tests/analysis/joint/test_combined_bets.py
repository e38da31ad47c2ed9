"""All bets of a round as one: exact where the joint counts are, and never rounded to chips."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from headsup.analysis.cache import ROUNDS
from headsup.analysis.counts.hand_counts import hand_counts
from headsup.analysis.joint.combined_bets import (
    CombinedBets,
    PlayedBets,
    combine_bets,
)
from headsup.analysis.par.par_sheet import ParSheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import pocket_class_size
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.solver.strategy import SECTION_SHAPES, Strategy
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.outcomes import Outcome, pocket_outcome
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import paid_line
from headsup.report.sheets.par_sheet import par_report
from tests.support.analysis.benches import cache_only

ANTE, TRIPS, POCKET = Wager.ANTE, Wager.TRIPS_PLUS, Wager.POCKET_BONUS
EVERY = {ANTE: 1000, TRIPS: 500, POCKET: 500, Wager.ALL_6: 500, Wager.PROGRESSIVE: 100}
METER = 25_000 * 10**6
NEW_YORK_STRICT = {"trips_plus_after_fold": "forfeits"}


class Play(Workbench):
    """Has solved Galaxy's game, and New York's with and without a Trips Plus of half the Ante.

    All 6 is dealt from another deck, so that nothing is counted for minutes.
    """

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(find_folder=lambda: folder)
        strict = table_rules("new-york", options=NEW_YORK_STRICT)
        games = [
            compile_payoffs(table_rules("galaxy")),
            compile_payoffs(strict),
            compile_payoffs(strict, Fraction(1, 2)),
        ]
        self._solved = {
            solution.payoffs.key: Strategy.of(solution) for solution in solve_many(games)
        }
        self.count = cache(super().round_counts)

    def strategy(self, payoffs: Payoffs) -> Strategy:
        return self._solved[payoffs.key]

    def combined_bets(self, played: PlayedBets) -> CombinedBets:
        return combine_bets(played, self.count(played.strategy))


@pytest.fixture(scope="module", name="play")
def best_play() -> Play:
    return Play()


def of(sheet: ParSheet) -> CombinedBets:
    assert sheet.combined is not None
    return sheet.combined


def test_bets_on_the_same_cards_vary_more_than_independent_ones(play: Play) -> None:
    bets = {ANTE: 1000, TRIPS: 500, POCKET: 500}
    sheet = play.par_sheet(table_rules("galaxy"), bets, METER)
    joint = of(sheet)
    assert joint.exact
    assert joint.variance > joint.independent_variance
    assert joint.mean == sum(hold.win for hold in sheet.holds(bets))
    shares = 2 * sum(pair.covariance * bets[pair.first] * bets[pair.second] for pair in joint.pairs)
    assert len(joint.pairs) == 3
    assert joint.variance - joint.independent_variance == shares
    low, high = joint.band(10_000, Fraction(1))
    assert low < float(joint.mean) * 10_000 < high


def test_each_wager_alone_has_the_variance_of_its_own_sheet(play: Play) -> None:
    sheet = play.par_sheet(table_rules("galaxy"), EVERY, METER)
    variances = {ANTE: sheet.solution.variance} | {s.wager: s.variance for s in sheet.sides}
    alone = sum((EVERY[wager] ** 2 * variances[wager] for wager in EVERY), Fraction())
    assert of(sheet).independent_variance == alone
    main = play.par_sheet(table_rules("galaxy"), {ANTE: 100}, METER)
    assert (of(main).variance, of(main).pairs) == (100**2 * sheet.solution.variance, ())


def test_covariances_per_unit_are_the_same_at_any_stakes(play: Play) -> None:
    """A pay of 3 to 2 is never rounded, whatever the chips and stakes."""
    rules = table_rules("galaxy")
    odd = {ANTE: 1337, TRIPS: 1, POCKET: 33, Wager.ALL_6: 7, Wager.PROGRESSIVE: 100}
    coarse = replace(rules, chip_unit=2500)
    pairs = of(play.par_sheet(rules, EVERY, METER)).pairs
    assert of(play.par_sheet(rules, odd, METER)).pairs == pairs
    assert of(play.par_sheet(coarse, EVERY, METER)).pairs == pairs


def test_approximate_covariances_are_marked(play: Play) -> None:
    sheet = play.par_sheet(table_rules("galaxy"), EVERY, METER)
    exact = [{pair.first, pair.second} for pair in of(sheet).pairs if pair.exact]
    assert exact == [
        *({ANTE, TRIPS}, {ANTE, POCKET}, {ANTE, Wager.PROGRESSIVE}),
        *({TRIPS, POCKET}, {TRIPS, Wager.PROGRESSIVE}),
        *({POCKET, Wager.ALL_6}, {POCKET, Wager.PROGRESSIVE}),
    ]
    grid = par_report(sheet, EVERY).sections[-1].grids[-1]
    assert [row[1].startswith("≈ ") for row in grid.rows] == [
        not pair.exact for pair in of(sheet).pairs
    ]


def test_pocket_bonus_and_all_6_covary_through_their_common_hole(play: Play) -> None:
    """Computed independently: both nets by pocket class."""
    rules = table_rules("galaxy")
    means, product = [Fraction(0), Fraction(0)], Fraction(0)
    for number in range(169):
        row, column = divmod(number, 13)
        hole = 4 * row, 4 * column + (0 if row > column else 1)
        share = Fraction(pocket_class_size(number), 1326)
        packets = hand_counts().all_6[number]
        pocket = Fraction(paid_line(rules, Wager.POCKET_BONUS, 100, pocket_outcome(hole)).net, 100)
        six = sum(
            (times * Fraction(paid_line(rules, Wager.ALL_6, 100, Outcome(key)).net, 100)
             for key, times in packets.items()),
            Fraction(),
        ) / sum(packets.values())  # fmt: skip
        means = [means[0] + share * pocket, means[1] + share * six]
        product += share * pocket * six
    pairs = of(play.par_sheet(rules, EVERY, METER)).pairs
    (covariance,) = (pair for pair in pairs if {pair.first, pair.second} == {POCKET, Wager.ALL_6})
    assert covariance.covariance == product - means[0] * means[1]


# Forfeited by a fold.


def strict(play: Play, bets: dict[Wager, int]) -> ParSheet:
    return play.par_sheet(table_rules("new-york", options=NEW_YORK_STRICT), bets, METER)


@pytest.mark.slow
def test_a_forfeited_trips_plus_covaries_with_its_own_game(play: Play) -> None:
    bets = {ANTE: 1000, TRIPS: 500}
    sheet = strict(play, bets)
    joint, solution = (
        of(sheet),
        play.strategy(compile_payoffs(sheet.rules, Fraction(1, 2))).solution,
    )
    assert joint.exact
    assert joint.mean == 1000 * solution.house_edge == sum(h.win for h in sheet.holds(bets))
    assert joint.variance == 1000**2 * solution.variance


def test_no_deviation_is_given_if_folds_are_ignored(play: Play) -> None:
    rules: TableRules = table_rules("galaxy")
    forfeiting = replace(rules, after_fold={**rules.after_fold, POCKET: False})
    bets = {ANTE: 1000, POCKET: 500}
    sheet = play.par_sheet(forfeiting, bets, METER)
    assert sheet.combined is None
    assert (
        "The standard deviation of these bets together is not known"
        in par_report(sheet, bets).sections[-1].notes[-1]
    )
    assert of(play.par_sheet(forfeiting, {ANTE: 1000}, METER)).exact


@pytest.mark.slow
def test_combined_bets_are_cached_without_loss(play: Play, tmp_path: Path) -> None:
    rules = table_rules("galaxy")
    bets = {ANTE: 1000, TRIPS: 500, POCKET: 500, Wager.PROGRESSIVE: 100}
    played = PlayedBets(rules, play.strategy(compile_payoffs(rules)), bets, METER)
    bench = Workbench(find_folder=lambda: tmp_path, use_shipped=False)
    first = bench.combined_bets(played)
    (counts,) = tmp_path.glob(ROUNDS.pattern)
    other = replace(played, meter=METER + 1)
    assert bench.combined_bets(other) == play.combined_bets(other) != first
    counts.unlink()
    assert first == play.combined_bets(played) == cache_only(tmp_path).combined_bets(played)


def test_everything_that_combined_bets_depend_on_is_in_their_key(play: Play) -> None:
    rules = table_rules("galaxy")
    best = play.strategy(compile_payoffs(rules))
    strict = compile_payoffs(table_rules("new-york", options=NEW_YORK_STRICT))
    played = PlayedBets(rules, best, EVERY, METER)
    actions = best.solution.pocket_values.actions
    flipped = replace(best.solution.pocket_values, actions=[1 - min(actions[0], 1), *actions[1:]])
    others = [
        replace(played, meter=METER + 1),
        replace(played, bets={**EVERY, ANTE: 1001}),
        replace(played, bets={ANTE: 1000, TRIPS: 500}),
        replace(played, rules=replace(rules, chip_unit=2500)),
        replace(played, rules=table_rules("galaxy", {"trips_plus": "2"})),
        replace(played, strategy=play.strategy(strict)),
        replace(
            played,
            strategy=Strategy(
                replace(best.solution, pocket_values=flipped),
                dict(zip(SECTION_SHAPES, best.packed, strict=True)),
            ),
        ),
    ]
    assert len({played.key, *(other.key for other in others)}) == len(others) + 1
