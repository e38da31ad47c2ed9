"""Flush and straight draws of a hand on the flop."""

from itertools import combinations

import pytest

from headsup.game.values.cards import DECK, parse_cards
from headsup.game.values.draws import describe_draws, draws
from headsup.game.values.hands import Category, category_of, strength


@pytest.mark.parametrize(
    ("hole", "board", "named"),
    [
        ("QhJh", "Th9c2d", ("open-ended straight draw",)),
        ("Kh4h", "Th9h2d", ("flush draw, four to the king",)),
        ("QhJh", "Th9h2d", ("flush draw, four to the queen", "open-ended straight draw")),
        ("QhJc", "Th8c2d", ("inside straight draw",)),
        ("Jc7d", "9h8s5c", ("double inside straight draw",)),
        ("AcKd", "QhJs2c", ("one-ended straight draw",)),
        ("Ac2d", "3h4s9c", ("one-ended straight draw",)),
        ("Ac3d", "4h5s9c", ("inside straight draw",)),
        ("5c6c", "7d8hAs", ("open-ended straight draw",)),
        ("KhKd", "Th9h2h", ("flush draw, four to the king",)),  # beside a pair
        ("QhJh", "Th9c8d", ()),  # a straight already
        ("QhJc", "Th9h8h", ("flush draw, four to the queen",)),  # which a flush would beat
        ("AhKh", "9h7h2h", ()),
        ("KcQd", "9h7s2h", ()),
        ("QhJh", "", ()),
        ("QhJh", "Th9c2d3s4c", ()),  # nothing comes any more
    ],
)
def test_draws_are_named_on_the_flop(hole: str, board: str, named: tuple[str, ...]) -> None:
    assert draws(parse_cards(hole), parse_cards(board)) == named


def test_a_straight_draw_is_named_exactly_if_a_card_makes_a_straight() -> None:
    """Compared with the evaluator, for every set of five ranks in two alternating suits."""
    for ranks in combinations(range(13), 5):
        five = [rank * 4 + place % 2 for place, rank in enumerate(ranks)]
        if category_of(strength(five)) >= Category.STRAIGHT:
            continue
        helps = {
            card >> 2
            for card in DECK
            if card not in five and category_of(strength((*five, card))) == Category.STRAIGHT
        }
        sentence = " ".join(draws(five[:2], five[2:]))
        twice = "open-ended" in sentence or "double inside" in sentence
        assert len(helps) == (2 if twice else 1 if "straight draw" in sentence else 0), (
            ranks,
            sentence,
        )


def test_draws_make_a_sentence() -> None:
    assert (
        describe_draws(("flush draw, four to the king", "open-ended straight draw"))
        == "a flush draw, four to the king, and an open-ended straight draw"
    )
