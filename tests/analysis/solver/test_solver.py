"""The whole game against published figures, and small games against brute force."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.solution import Solution, pocket_class_name
from headsup.analysis.solver.solver import solve, solve_many
from tests.oracles import solver as oracle
from tests.support.analysis.games import HEADS_UP, PAIR, ULTIMATE, payoffs

PAIR_OF_JACKS = PAIR | 9 << 16
ANY_RAISE = replace(HEADS_UP, pocket=(1, 2, 3), flop=(1, 2), river=(1, 2), qualifier=PAIR_OF_JACKS)
WITH_TRIPS = replace(HEADS_UP, side={c: 12 if c >= 3 else -4 for c in range(10)})
FORFEITING = replace(WITH_TRIPS, forfeits=4)
NO_QUALIFIER = replace(HEADS_UP, qualifier=0)


def places(value: Fraction, digits: int) -> str:
    return f"{float(value):.{digits}f}"


# Published figures.


def test_house_edge_of_the_default_game(heads_up: Solution) -> None:
    assert heads_up.house_edge == Fraction(840_983_767, 35_658_730_800)
    assert places(heads_up.house_edge, 10) == "0.0235842316"
    assert places(1 - heads_up.house_edge, 4) == "0.9764"  # Playtech


def test_standard_deviation_of_the_default_game(heads_up: Solution) -> None:
    assert f"{heads_up.standard_deviation:.6f}" == "4.557824"


def test_416_of_1326_hands_raise_before_the_flop(heads_up: Solution) -> None:
    raising = [pocket for pocket in heads_up.pocket.values() if pocket.best]
    assert sum(pocket.hands for pocket in raising) == 416
    assert heads_up.frequencies["raise_pocket"] == Fraction(416, 1326)


def test_ultimate_texas_holdem_as_a_control(ultimate: Solution) -> None:
    assert places(100 * ultimate.house_edge, 3) == "2.185"  # Wizard of Odds
    assert places(100 * ultimate.element_of_risk, 3) == "0.526"
    assert f"{ultimate.standard_deviation:.2f}" == "4.94"


def test_four_times_always_beats_three_times(ultimate: Solution) -> None:
    assert {pocket.best for pocket in ultimate.pocket.values()} == {0, 4}


def showdowns(solution: Solution) -> Counter[tuple[int, int]]:
    """By category and result, over hole, board and dealer; the flop's ten orders count once."""
    counts: Counter[tuple[int, int]] = Counter()
    for result in solution.results:
        counts[result.category, result.result] += result.deals
    assert all(deals % 10 == 0 for deals in counts.values())
    return Counter({key: deals // 10 for key, deals in counts.items()})


def test_every_deal_is_counted(heads_up: Solution) -> None:
    assert heads_up.deals == 1326 * 19_600 * 1081 * 990
    assert sum(result.deals for result in heads_up.results) == heads_up.deals
    assert sum(showdowns(heads_up).values()) == 2_781_381_002_400


def test_wins_by_hand_match_published_counts(heads_up: Solution) -> None:
    """Wizard of Odds, Florida Trips."""
    counts = showdowns(heads_up)
    wins = {9: 85_615_200, 8: 734_237_144, 7: 4_240_864_800, 6: 62_810_500_464, 5: 71_523_195_288}
    assert {category: counts[category, 1] for category in wins} == wins


def test_losses_and_ties_by_hand_match_published_counts(heads_up: Solution) -> None:
    """Discount Gambling counts losers on either side: twice the player's."""
    counts = showdowns(heads_up)
    losses = {
        8: 10_300_592,
        7: 471_040_512,
        6: 8_435_225_376,
        5: 19_434_208_592,
        4: 18_271_076_976,
        3: 64_049_759_448,
    }
    assert {category: 2 * counts[category, -1] for category in losses} == losses
    assert sum(deals for (_, result), deals in counts.items() if result == 0) == 113_130_263_816


# Two ways to the same numbers.


def test_pocket_values_add_up_to_the_edge(solutions: list[Solution]) -> None:
    """Values summed while solving, against counts of the finished strategy."""
    for solution in solutions:
        best = [
            pocket.hands * max(pocket.check, *pocket.raises.values())
            for pocket in solution.pocket.values()
        ]
        assert -sum(best, Fraction()) / 1326 == solution.house_edge


def test_frequencies_add_up_to_all_deals(heads_up: Solution) -> None:
    assert sum(heads_up.frequencies.values()) == 1
    raised = heads_up.frequencies
    stake = 3 * raised["raise_pocket"] + 2 * raised["raise_flop"] + raised["raise_river"]
    assert heads_up.average_wager == 2 + stake
    assert heads_up.element_of_risk == heads_up.house_edge / heads_up.average_wager


@pytest.mark.slow
def test_games_solved_together_match_each_solved_alone() -> None:
    """Other pays can share river decisions; another fold, raise or qualifier cannot."""
    games = [
        HEADS_UP,
        NO_QUALIFIER,
        replace(HEADS_UP, odds={9: 400, 8: 200, 5: 4, 4: 2}, bad_beat={5: 2}),
        replace(HEADS_UP, bad_beat={4: -7, 5: -7, 6: -7}),
    ]
    together = solve_many([payoffs(game) for game in games])
    for game, solution in list(zip(games, together, strict=True))[2:]:
        alone = solve(payoffs(game))
        assert (solution.result_counts == alone.result_counts).all()
        assert solution.pocket_values == alone.pocket_values


def test_without_a_qualifier_every_dealer_qualifies(heads_up: Solution) -> None:
    solution = solve(payoffs(NO_QUALIFIER))
    assert all(result.dealer_qualifies for result in solution.results)
    assert showdowns(solution) == showdowns(heads_up)


def test_enormous_pays_stay_exact() -> None:
    """Counts are small, but the kernels' sums must not overflow 64 bits."""
    game = replace(HEADS_UP, unit=300, odds={9: 300 * 200_000, 4: 450}, bad_beat={8: 300 * 200_000})
    solution = solve(payoffs(game))
    best = [
        pocket.hands * max(pocket.check, *pocket.raises.values())
        for pocket in solution.pocket.values()
    ]
    assert -sum(best, Fraction()) / 1326 == solution.house_edge


# Small games by brute force.


def assert_same(game: oracle.Game, ranks: tuple[int, ...]) -> None:
    expected = oracle.solve(game, ranks)
    [solution] = solve_many([payoffs(game)], deck=Deck(ranks))
    assert solution.deals == expected.deals
    assert solution.house_edge == expected.edge
    joint: Counter[tuple[str, int, int, int, bool]] = Counter()
    for o in solution.results:
        joint[o.street, o.multiple, o.category, o.result, o.dealer_qualifies] += o.deals
    assert joint == expected.joint
    for hole, values in expected.pocket.items():
        pocket = solution.pocket[pocket_class_name(pocket_class(*hole))]
        assert {0: pocket.check, **pocket.raises} == values


@pytest.mark.parametrize("game", [ANY_RAISE, WITH_TRIPS, FORFEITING])
def test_a_deck_of_twelve_cards_matches_brute_force(game: oracle.Game) -> None:
    """Three ranks: pairs to quads."""
    assert_same(game, (3, 9, 12))


def test_a_side_wager_that_survives_folds_changes_only_the_value(heads_up: Solution) -> None:
    """Trips Plus only adds its own edge, but if a fold forfeits it, fewer hands fold."""
    stays, forfeits = solve_many([payoffs(WITH_TRIPS), payoffs(FORFEITING)])
    assert (stays.result_counts == heads_up.result_counts).all()
    assert stays.frequencies["fold"] > forfeits.frequencies["fold"]
    assert stays.house_edge < forfeits.house_edge


@pytest.mark.slow
def test_a_deck_of_sixteen_cards_matches_brute_force() -> None:
    for game in (ULTIMATE, ANY_RAISE):  # the oracle's boards are compared once for both
        assert_same(game, (0, 3, 9, 12))


@pytest.mark.slow
def test_a_deck_of_twenty_cards_with_straights_and_flushes_matches_brute_force() -> None:
    for game in (HEADS_UP, ANY_RAISE):
        assert_same(game, (0, 1, 2, 3, 12))


# Progress.


def test_progress_only_grows_and_ends_at_the_total() -> None:
    calls: list[tuple[int, int]] = []
    solve(payoffs(HEADS_UP), lambda done, total: calls.append((done, total)))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert len({total for _, total in calls}) == 1
    assert calls[-1][0] == calls[-1][1]


def test_the_progress_callback_can_stop_the_solve() -> None:
    class Stop(Exception):
        pass

    def stop(done: int, _: int) -> None:
        if done:
            raise Stop

    with pytest.raises(Stop):
        solve(payoffs(HEADS_UP), stop)
