"""Rounds counted together with All 6's packet and the hand of both hole cards."""

import zlib
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from headsup.analysis.cache import ONE_DECK, cache_folder, results_hash, write_sealed
from headsup.analysis.counts.side_cases import all_6_outcomes
from headsup.analysis.counts.six_cards import all_6_by_class
from headsup.analysis.joint.combined_bets import CombinedBets, PlayedBets, combine_bets
from headsup.analysis.joint.joint import round_distribution
from headsup.analysis.joint.one_deck import (
    ExtraAxes,
    find_one_deck_counts,
    first_of_group,
    load_or_count,
    pack_counts,
    shipped_name,
    unpack_counts,
)
from headsup.analysis.joint.staked_table import PACKETS_PER_DEAL
from headsup.analysis.kernels.all6.board_layout import lay_out, layout_scratch
from headsup.analysis.kernels.all6.packets import (
    count_packets_by_ranks,
    packet_scratch,
    packet_tables,
)
from headsup.analysis.kernels.all6.rounds import PACKET_KINDS, gather_packets, sum_packets
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.evaluator import strength_tables
from headsup.analysis.kernels.simulate.tables import ALL_6, EVERYTHING, MAIN
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.simulation.dealing import SimulationRun, TableSetup
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.deck import FLOPS_PER_BOARD
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.outcomes import all_6_outcome
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import parse_cards
from headsup.game.values.hands import strength
from tests.support.analysis.benches import cache_only

PACKETS, HANDS = (
    ExtraAxes(packets=True, both_hole_cards=False),
    ExtraAxes(packets=False, both_hole_cards=True),
)
BETS = {
    Wager.ANTE: 1000,
    Wager.TRIPS_PLUS: 500,
    Wager.POCKET_BONUS: 500,
    Wager.ALL_6: 500,
    Wager.PROGRESSIVE: 100,
}
METER = 25_000 * 10**6


@pytest.fixture(scope="module")
def solved() -> Strategy:
    return Workbench().strategy(compile_payoffs(table_rules("galaxy")))


@pytest.fixture(scope="module")
def together(solved: Strategy) -> CombinedBets:
    played = PlayedBets(table_rules("galaxy"), solved, BETS, METER)
    return combine_bets(played, cache_only(cache_folder()).one_deck_counts(solved, PACKETS))


def covariances(together: CombinedBets) -> dict[frozenset[Wager], float]:
    return {frozenset({p.first, p.second}): float(p.covariance) for p in together.pairs}


def test_the_shipped_counts_add_up(solved: Strategy) -> None:
    """Summed over packets they are the rounds counted before; summed over rounds, the packets."""
    counts = cache_only(cache_folder()).one_deck_counts(solved, PACKETS)
    rounds = Workbench().round_counts(solved)
    grouped = np.zeros_like(rounds)
    np.add.at(grouped, first_of_group(), rounds)
    assert (counts.sum(axis=(5, 6)) == PACKETS_PER_DEAL * grouped).all()
    by_outcome: Counter[str] = Counter()
    for outcome, deals in zip(all_6_outcomes(), counts.sum(axis=(0, 1, 2, 3, 4, 5)), strict=True):
        by_outcome[outcome] += int(deals)
    by_class: Counter[str] = Counter()
    for outcomes in all_6_by_class():
        by_class.update(outcomes)
    deals_per_packet = FLOPS_PER_BOARD * 1_370_754 * 820  # boards and dealer's hands of 46 cards
    assert by_outcome == {outcome: deals_per_packet * ways for outcome, ways in by_class.items()}


def test_all_6_is_not_treated_as_independent(together: CombinedBets) -> None:
    """Cards in the packet are missing on the board: the better the one, the less the other pays."""
    assert together.exact
    values = covariances(together)
    others = (Wager.ANTE, Wager.TRIPS_PLUS, Wager.PROGRESSIVE)
    assert all(-0.1 < values[frozenset({Wager.ALL_6, other})] < 0 for other in others)
    assert values[frozenset({Wager.ALL_6, Wager.POCKET_BONUS})] > 0.5
    assert values[frozenset({Wager.ALL_6, Wager.ANTE})] == pytest.approx(-0.0340842643)


def test_each_wager_alone_keeps_its_distribution(solved: Strategy) -> None:
    rules, payoffs = table_rules("galaxy"), solved.solution.payoffs
    joint = round_distribution(
        rules, payoffs, cache_only(cache_folder()).one_deck_counts(solved, PACKETS), BETS, METER
    )
    apart = round_distribution(rules, payoffs, Workbench().round_counts(solved), BETS, METER)
    assert joint.exact
    assert not apart.exact
    assert joint.mean_stake == apart.mean_stake
    for wager in joint.wagers:
        assert joint.mean(wager) == apart.mean(wager)
        assert joint.covariance(wager, wager) == apart.covariance(wager, wager)


def test_totals_from_one_deck_have_the_variance_of_the_parts(solved: Strategy) -> None:
    counts = cache_only(cache_folder()).one_deck_counts(solved, PACKETS)
    joint = round_distribution(table_rules("galaxy"), solved.solution.payoffs, counts, BETS, METER)
    totals = joint.net_weights()
    weight = sum(totals.values())
    mean = sum(net * times for net, times in totals.items()) / weight
    square = sum(net * net * times for net, times in totals.items()) / weight
    assert square - mean**2 == pytest.approx(float(joint.variance), rel=1e-9)


def test_trips_plus_with_both_hole_cards_has_its_own_edge() -> None:
    rules = table_rules("new-york", {}, {"trips_plus_hand": "both_hole_cards"})
    solved = Workbench().strategy(compile_payoffs(rules))
    counts = cache_only(cache_folder()).one_deck_counts(solved, HANDS)
    bets = {Wager.ANTE: 1000, Wager.TRIPS_PLUS: 500}
    joint = round_distribution(rules, solved.solution.payoffs, counts, bets, 0)
    side = side_sheet(rules, Wager.TRIPS_PLUS)
    assert joint.exact
    assert joint.mean(Wager.TRIPS_PLUS) == -500 * side.house_edge
    assert joint.covariance(Wager.TRIPS_PLUS, Wager.TRIPS_PLUS) == 500**2 * side.variance
    assert joint.mean(Wager.ANTE) == -1000 * solved.solution.house_edge
    assert joint.covariance(Wager.ANTE, Wager.TRIPS_PLUS) > 0


def test_counts_are_cached_by_decisions(solved: Strategy, tmp_path: Path) -> None:
    both = ExtraAxes(packets=True, both_hole_cards=True)
    counts = np.zeros(both.shape, np.int64)
    counts[3, 2, 1, 0, 1, 5, 7], counts[168, 6, 17, 2, 1, 9, 13] = both.deals - 5, 5
    assert (unpack_counts(pack_counts(counts), both) == counts).all()
    first = load_or_count(solved, both, lambda: counts, tmp_path)
    assert (cache_only(tmp_path).one_deck_counts(solved, both) == first).all()
    assert (first == counts).all()
    other = Workbench().strategy(compile_payoffs(table_rules("washington-no-qualifier")))
    assert shipped_name(other, PACKETS) != shipped_name(solved, PACKETS)


def test_counts_neither_shipped_nor_cached_are_missing(solved: Strategy, tmp_path: Path) -> None:
    assert find_one_deck_counts(solved, HANDS, tmp_path) is None
    counts = np.zeros(HANDS.shape, np.int64)
    counts[7, 1, 2, 0, 1, 3] = HANDS.deals
    load_or_count(solved, HANDS, lambda: counts, tmp_path)
    stored = find_one_deck_counts(solved, HANDS, tmp_path)
    assert stored is not None
    assert (stored == counts).all()
    assert find_one_deck_counts(solved, PACKETS, tmp_path) is not None


def test_the_cache_key_covers_all_sources_that_affect_the_counts(
    solved: Strategy, tmp_path: Path
) -> None:
    load_or_count(solved, HANDS, every_deal_alike, tmp_path)
    (file,) = tmp_path.glob(ONE_DECK.pattern)
    assert results_hash() in file.name


def every_deal_alike() -> Int64s:
    counts = np.zeros(HANDS.shape, np.int64)
    counts[7, 1, 2, 0, 1, 3] = HANDS.deals
    return counts


def one_deal_missing() -> bytes:
    counts = every_deal_alike()
    counts[counts > 0] -= 1
    return pack_counts(counts)


def packed_places(*steps: int) -> bytes:
    deals = [0] * (len(steps) - 1) + [HANDS.deals]
    return zlib.compress(np.array(steps, "<i4").tobytes() + np.array(deals, "<i8").tobytes())


@pytest.mark.parametrize(
    "content",
    [
        one_deal_missing(),
        b"not packed at all",
        zlib.compress(b""),
        packed_places(2_000_000_000),
        packed_places(-1),
        packed_places(5, 0),
        pack_counts(every_deal_alike())[:-3],
    ],
    ids=["one deal missing", "not packed", "empty", "beyond", "before", "twice", "cut off"],
)
def test_inconsistent_sealed_counts_are_counted_again(
    content: bytes, solved: Strategy, tmp_path: Path
) -> None:
    load_or_count(solved, HANDS, every_deal_alike, tmp_path)
    (file,) = tmp_path.glob(ONE_DECK.pattern)
    write_sealed(file, content)
    assert find_one_deck_counts(solved, HANDS, tmp_path) is None
    assert not file.exists()
    write_sealed(file, content)
    again = load_or_count(solved, HANDS, every_deal_alike, tmp_path)
    assert (again == every_deal_alike()).all()
    assert (cache_only(tmp_path).one_deck_counts(solved, HANDS) == again).all()


# Against slow twins.


def try_every_packet(hole: tuple[int, ...], board: tuple[int, ...], qualifier: int) -> Int64s:
    """[set, kind]: every packet, each left out where the dealer has one of its cards."""
    kinds = {outcome: min(case, PACKET_KINDS - 1) for case, outcome in enumerate(all_6_outcomes())}
    rest = [card for card in range(52) if card not in hole + board]
    every, one = np.zeros(PACKET_KINDS, np.int64), np.zeros((52, PACKET_KINDS), np.int64)
    two = np.zeros((52, 52, PACKET_KINDS), np.int64)
    for packet in combinations(rest, 4):
        kind = kinds[all_6_outcome(hole, packet)]
        every[kind] += 1
        for x in packet:
            one[x, kind] += 1
        for x, y in combinations(packet, 2):
            two[x, y, kind] += 1
    sets, player = np.zeros((4, PACKET_KINDS), np.int64), strength(hole + board)
    for x, y in combinations(rest, 2):
        left, other = every - one[x] - one[y] + two[x, y], strength((x, y, *board))
        for index, within in enumerate((other < player, other <= player, other < qualifier, True)):
            sets[index] += within * left
    return sets


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "hole"),
    [
        ("2c7d9hJsAc", "KsQs"),  # no flush on the board
        ("2c7d9hJsAc", "KsQd"),
        ("2c7c9cJsAd", "KcQc"),  # the hole in the board's suit, in another, in both
        ("2c7c9cJsAd", "KsQs"),
        ("2c7c9cJsAd", "KcQh"),
        ("2c7c9cQcQd", "Tc9s"),  # four of a suit
        ("3d4d5d6dKd", "AdKh"),  # all five
        ("2c2d2h2sAc", "AsAd"),
    ],
)
def test_packets_with_one_hole_on_one_board_match_all_tried(
    board: str, hole: str, solved: Strategy
) -> None:
    cards, held = tuple(sorted(parse_cards(board))), tuple(sorted(parse_cards(hole))[::-1])
    qualifier, dealt = solved.solution.payoffs.qualifier, np.array(cards, np.int64)
    suits = np.bincount(dealt & 3, minlength=4)
    suit = int(suits.argmax()) if suits.max() > 2 else -1
    six, used, ends = packet_scratch(), layout_scratch(), np.zeros((4, PACKET_KINDS), np.int64)
    count_packets_by_ranks(dealt >> 2, packet_tables().by_ranks, six)
    lay_out(dealt, suit, qualifier, strength_tables(), used)
    sum_packets(dealt, packet_tables(), six.by_dealer_pair, used)
    own = int(used.levels[used.kind[held[0]], used.kind[held[1]]])
    gather_packets(*held, own, used, ends)
    assert (ends == try_every_packet(held, cards, qualifier)).all()


@pytest.mark.slow
def test_ten_million_rounds_have_this_covariance(together: CombinedBets) -> None:
    bets, rounds = {Wager.ANTE: 100, Wager.ALL_6: 100}, 10_000_000
    style = Workbench().seats(table_rules("galaxy"), bets, [("best", None)])
    run = SimulationRun(TableSetup(style), 11)
    run.deal(rounds)
    (totals,), (squares,) = run.totals, run.squares
    product = (squares[EVERYTHING] - squares[MAIN] - squares[ALL_6]) / 2 / rounds
    covariance = (product - totals[MAIN] * totals[ALL_6] / rounds**2) / 100**2
    spread = (squares[MAIN] * squares[ALL_6]) ** 0.5 / rounds / 100**2 / rounds**0.5
    expected = covariances(together)[frozenset({Wager.ANTE, Wager.ALL_6})]
    assert abs(covariance - expected) < 4 * spread < 0.05
