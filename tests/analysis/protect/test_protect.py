"""Exposed cards and dealer errors: published figures, and small decks checked deal by deal."""

from dataclasses import replace
from fractions import Fraction

import pytest

from headsup.analysis.protect.dealer_errors import dealer_errors
from headsup.analysis.protect.exposure import ExposureResult, SharedView, exposure_edges
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.river_seen import river_exposure_edges
from headsup.analysis.protect.seen_cards import Exposure, evaluate_exposure, evaluate_exposures
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve
from headsup.analysis.workers.executor import KernelPool
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import parse_cards
from tests.oracles.canonical import canonical
from tests.oracles.exposed import exposed_edge
from tests.oracles.solver import Game
from tests.support.analysis.games import HEADS_UP, PAIR, ULTIMATE, payoffs

# Twelve cards that make pairs, straights, flushes in one suit and straight flushes.
LEFT = tuple(parse_cards("5s 6s 7s 8s 9s Ts 8d 9d 9h Ac Ad 2c"))
# As different by suit as possible.
UNLIKE = tuple(parse_cards("As Ks Qs Js 9s 2s 3h 3d 4h 5h 6h Kc"))
ANY_RAISE = replace(HEADS_UP, pocket=(1, 4), flop=(1, 2), river=(1, 2), qualifier=PAIR | 9 << 16)


def solve_exposures(
    game: Game, left: tuple[int, ...], dealer: int, seen: list[int]
) -> list[ExposureResult]:
    """Solve with the first cards of `left` held by the dealer and all cards not in `left` dead."""
    out = tuple(card for card in range(52) if card not in left)
    with KernelPool(1) as pool:
        return exposure_edges(payoffs(game), KnownCards(left[:dealer], out), pool, seen)


@pytest.mark.parametrize(
    ("game", "left", "dealer", "seen"),
    [
        pytest.param(HEADS_UP, LEFT, 0, [0, 1, 3], marks=pytest.mark.slow),
        (HEADS_UP, LEFT, 1, [0, 2]),
        pytest.param(ANY_RAISE, UNLIKE, 0, [2], marks=pytest.mark.slow),
        pytest.param(ANY_RAISE, UNLIKE, 1, [1, 3], marks=pytest.mark.slow),
        (ANY_RAISE, UNLIKE, 2, [0, 1]),
    ],
)
def test_exposures_match_every_deal_of_a_small_deck(
    game: Game, left: tuple[int, ...], dealer: int, seen: list[int]
) -> None:
    left = left[: 10 + dealer]
    for cards, result in zip(seen, solve_exposures(game, left, dealer, seen), strict=True):
        edge, raised = exposed_edge(game, left[dealer:], left[:dealer], cards)
        assert result.player_edge == edge
        assert result.raise_pocket == raised


@pytest.mark.parametrize(
    ("game", "left", "dealer", "seen"),
    [
        pytest.param(HEADS_UP, LEFT, 0, 1, marks=pytest.mark.slow),
        (HEADS_UP, LEFT, 1, 0),
        pytest.param(ANY_RAISE, UNLIKE, 0, 3, marks=pytest.mark.slow),
        pytest.param(ANY_RAISE, UNLIKE, 1, 1, marks=pytest.mark.slow),
        pytest.param(ANY_RAISE, UNLIKE, 2, 2, marks=pytest.mark.slow),
    ],
)
def test_a_late_exposure_matches_every_deal_of_a_small_deck(
    game: Game, left: tuple[int, ...], dealer: int, seen: int
) -> None:
    out = tuple(card for card in range(52) if card not in left[: 10 + dealer])
    with KernelPool(1) as pool:
        (result,) = river_exposure_edges(
            payoffs(game), KnownCards(left[:dealer], out), pool, [seen]
        )
    edge, raised = exposed_edge(game, left[dealer : 10 + dealer], left[:dealer], seen, 1)
    assert result.player_edge == edge
    assert result.raise_pocket == raised


@pytest.mark.slow
@pytest.mark.parametrize(("face_up", "seen"), [("Ts Jd", 1), ("Qs Qh", 0)])
def test_a_dealer_card_with_a_hand_face_up_matches_every_deal_of_a_small_deck(
    face_up: str, seen: int
) -> None:
    """Ten cards are left: each of them may be the dealer's, and its suit may matter."""
    out, deck = tuple(parse_cards(face_up)), Deck(ranks=(8, 9, 10))
    report = evaluate_exposure(payoffs(ANY_RAISE), Exposure(1, seen), deck=deck, face_up=out)
    left = [card for card in range(32, 44) if card not in out]
    every = {
        dealer: exposed_edge(ANY_RAISE, [card for card in left if card != dealer], (dealer,), seen)
        for dealer in left
    }
    assert report.total.player_edge == sum(edge for edge, _ in every.values()) / len(left)
    assert report.total.raise_pocket == sum(raised for _, raised in every.values()) / len(left)
    assert [cards[0] >> 2 for cards, _ in report.cases] == [8, 9, 10]
    for (dealer, *_), result in report.cases:
        same = [edge for card, (edge, _) in every.items() if card >> 2 == dealer >> 2]
        assert result.player_edge == sum(same) / len(same)


def test_hands_of_the_same_ranks_share_a_view_without_a_difference() -> None:
    """Suited, then with two suits; then other ranks, a pair, and the first hand again."""
    shared, deck = SharedView(), Deck(ranks=(8, 9, 10))
    with KernelPool(1) as pool:
        for text in ("Ts Js", "Ts Jd", "Ts Qs", "Js Qd", "Ts Td", "Ts Js"):
            known = KnownCards(tuple(parse_cards(text)), deck=deck)
            alone, after_others = (
                exposure_edges(payoffs(HEADS_UP), known, pool, [0, 1], view)
                for view in (None, shared)
            )
            assert alone == after_others


def test_seeing_nothing_gives_the_edge_of_the_game(heads_up: Solution) -> None:
    total = evaluate_exposure(payoffs(HEADS_UP), Exposure()).total
    assert total.player_edge == -heads_up.house_edge
    assert total.raise_pocket == Fraction(416, 1326)
    assert total.classes == canonical(2)


def test_one_flop_card_seen_is_worth_more_than_the_house_edge() -> None:
    total = evaluate_exposure(payoffs(HEADS_UP), Exposure(flop=1)).total
    assert f"{100 * float(total.player_edge):.4f}" == "1.3811"
    assert total.classes == canonical(2, 1)


def test_a_whole_flop_seen_distinguishes_all_situations() -> None:
    total = evaluate_exposure(payoffs(HEADS_UP), Exposure(flop=3)).total
    assert total.classes == canonical(2, 3)


@pytest.mark.slow(seconds=15)
def test_one_dealer_card_seen_matches_published_figures() -> None:
    """E. Jacobson: +12.6014 %, the 3× made in 22.3891 %, 5,083 classes; +17.1761 %, 31.1847 %."""
    dealer, flop = (
        report.total
        for report in evaluate_exposures(payoffs(HEADS_UP), [Exposure(1), Exposure(1, 1)])
    )
    assert f"{100 * float(dealer.player_edge):.4f}" == "12.6014"
    assert f"{100 * float(dealer.raise_pocket):.4f}" == "22.3891"
    assert dealer.classes == 5_083
    assert f"{100 * float(flop.player_edge):.4f}" == "17.1761"
    assert f"{100 * float(flop.raise_pocket):.4f}" == "31.1847"


@pytest.mark.slow(seconds=60)
def test_ultimate_texas_holdem_as_a_control() -> None:
    """E. Jacobson: one of the dealer's cards; with it one of the flop; or with it turn or river."""
    seen = [Exposure(1), Exposure(1, 1), Exposure(1, river=1)]
    edges = [report.total.player_edge for report in evaluate_exposures(payoffs(ULTIMATE), seen)]
    assert [f"{100 * float(edge):.4f}" for edge in edges] == ["13.5922", "22.3286", "26.1867"]


def test_dealer_errors_are_bounded_by_other_rules() -> None:
    """Two errors against rules with no qualifier and with no Bad Beat.

    The player plays for the correct rules, so best play under the other rules gains at least as
    much.
    """
    rules = table_rules("galaxy")
    solution = solve(compile_payoffs(rules))
    errors = {error.key: error for error in dealer_errors(rules, solution)}
    assert errors["missed_qualifier"].probability == sum(
        Fraction(result.deals, solution.deals)
        for result in solution.results
        if result.multiple and not result.dealer_qualifies and result.result
    )
    without = replace(HEADS_UP, qualifier=0)
    best = -solve(payoffs(without)).house_edge
    played = -solution.house_edge + errors["missed_qualifier"].per_round
    assert Fraction() < best - played < Fraction(1, 1000)
    missed = errors["missed_bad_beat"]
    best = -solve(payoffs(replace(HEADS_UP, bad_beat={}))).house_edge
    assert Fraction() <= best - (-solution.house_edge + missed.per_round) < Fraction(1, 1000)
