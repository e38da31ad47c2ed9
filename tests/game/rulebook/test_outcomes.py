"""The paytable rows that are easy to get wrong."""

from itertools import combinations

import pytest

from headsup.game.rulebook.outcomes import (
    NOTHING,
    all_6_outcome,
    both_hole_cards_outcome,
    pocket_outcome,
    progressive_outcome,
)
from headsup.game.values.cards import DECK, parse_cards
from headsup.game.values.hands import category_of, strength

ROYAL_ROWS = (
    "flopped_royal_flush_in_spades",
    "flopped_royal_flush",
    "royal_flush",
    "community_royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
)
GALAXY_9 = ("flopped_straight_flush", "royal_flush", "straight_flush", "four_of_a_kind")


def progressive(hole: str, board: str, rows: tuple[str, ...]) -> str:
    held, shared = parse_cards(hole), parse_cards(board)
    return progressive_outcome(held, shared, category_of(strength(held + shared)), rows)


def test_pocket_outcomes_of_all_1326_hands() -> None:
    """R59: 6 pairs of aces, 72 others; K, Q, J are faces, so 12 suited and 36 unsuited."""
    counts = dict.fromkeys(
        ("pair_of_aces", "pair", "suited_ace_face", "unsuited_ace_face", NOTHING), 0
    )
    for hole in combinations(DECK, 2):
        counts[pocket_outcome(hole)] += 1
        assert pocket_outcome(hole) == pocket_outcome(hole[::-1])
    assert counts == {
        "pair_of_aces": 6,
        "pair": 72,
        "suited_ace_face": 12,
        "unsuited_ace_face": 36,
        NOTHING: 1200,
    }


@pytest.mark.parametrize(
    ("hole", "board", "outcome"),
    [
        ("AsKs", "QsJsTs 2c3d", "flopped_royal_flush_in_spades"),
        ("TsJs", "AsKsQs 2c3d", "flopped_royal_flush_in_spades"),
        ("AhKh", "QhJhTh 2c3d", "flopped_royal_flush"),
        # One hole card, or a card on the turn or river: a royal flush, but not a flopped one.
        ("As2d", "KsQsJs Ts3d", "royal_flush"),
        ("AsKs", "QsJs2d Ts3d", "royal_flush"),
        ("AsKs", "QsJs2d 3dTs", "royal_flush"),
        # R66: a royal all on the board is the community's, also when the suit is held.
        ("9s8s", "AsKsQs JsTs", "community_royal_flush"),
        ("2c2d", "AsKsQs JsTs", "community_royal_flush"),
        ("9s8s", "QsJsTs 2c3d", "straight_flush"),
        ("2c2d", "2h2s3c 4d5h", "four_of_a_kind"),
    ],
)
def test_progressive_outcome(hole: str, board: str, outcome: str) -> None:
    assert progressive(hole, board, ROYAL_ROWS) == outcome


@pytest.mark.parametrize(
    ("hole", "board", "outcome"),
    [
        # R67–R68: Galaxy's table 9 knows one special case, the flopped straight flush.
        ("6h7h", "8h9hTh 2c3d", "flopped_straight_flush"),
        ("AsKs", "QsJsTs 2c3d", "flopped_straight_flush"),
        ("6h7h", "8h9h2c Th3d", "straight_flush"),
        ("AsKs", "QsJs2c Ts3d", "royal_flush"),
        ("2c2d", "AsKsQs JsTs", "royal_flush"),
        # The flop had made it; what the turn and river add does not take it away.
        ("8s9s", "TsJsQs KsAs", "flopped_straight_flush"),
    ],
)
def test_progressive_outcome_of_galaxy_9(hole: str, board: str, outcome: str) -> None:
    assert progressive(hole, board, GALAXY_9) == outcome


@pytest.mark.parametrize(
    ("hole", "packet", "outcome"),
    [
        ("9dTd", "JdQdKdAd", "six_card_royal_diamonds"),
        ("Ac9c", "JcTcQcKc", "six_card_royal"),
        # R62: six cards of a suit are a six-card royal only from nine to ace.
        ("8dTd", "JdQdKdAd", "five_card_royal"),
        ("9dTd", "JdQdKd8d", "straight_flush"),
        ("9dTd", "JdQdKdAc", "straight_flush"),
        ("9cTd", "JdQdKdAd", "five_card_royal"),
        ("9cTd", "JdQdKdAc", "straight"),
        ("Ad2d", "3d4d5dKd", "straight_flush"),
        ("2c2d", "2h3c3d3h", "full_house"),
        ("2c2d", "3c3d4c4d", "two_pair"),
    ],
)
def test_all_6_outcome(hole: str, packet: str, outcome: str) -> None:
    six = parse_cards(hole + packet)
    assert all_6_outcome(six[:2], six[2:]) == outcome
    assert all_6_outcome(six[4:], six[:4]) == outcome  # which cards are the player's is no matter


@pytest.mark.parametrize(
    ("hole", "board", "outcome"),
    [
        # R53: by New York's letter both hole cards play, so a hand on the board is not enough.
        ("2c3d", "KcKdKh9s8s", "three_of_a_kind"),
        ("2c3d", "KcKdKhKs8s", "three_of_a_kind"),
        ("2c9d", "AsKsQsJsTs", "high_card"),
        ("9s2c", "8s7s6s5sKd", "high_card"),
        ("9s8s", "7s6s5sKdKh", "straight_flush"),
        ("KcKd", "KhKs2c3d4h", "four_of_a_kind"),
    ],
)
def test_both_hole_cards_outcome(hole: str, board: str, outcome: str) -> None:
    assert both_hole_cards_outcome(parse_cards(hole), parse_cards(board)) == outcome
