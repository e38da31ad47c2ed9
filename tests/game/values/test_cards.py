import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.values.cards import DECK, UnreadableCards, card_name, format_cards, parse_cards


def test_there_are_52_cards_of_13_ranks_and_4_suits() -> None:
    assert len({card_name(card) for card in DECK}) == 52
    assert {(card >> 2, card & 3) for card in DECK} == {
        (rank, suit) for rank in range(13) for suit in range(4)
    }


@given(st.lists(st.sampled_from(DECK), max_size=52))
def test_cards_survive_a_round_trip(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(" ".join(map(card_name, cards))) == tuple(cards)


def test_cards_sort_by_rank() -> None:
    assert sorted(parse_cards("Ac 2s 3c")) == [*parse_cards("2s 3c Ac")]


@pytest.mark.parametrize(
    "text", ["1s", "A", "AsK", "10", "0s", "A ♠", "ſs", "\u212as", "XxYy", "As;Kd", "11s"]
)
def test_a_text_that_is_not_a_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(UnreadableCards, match="is not a card"):
        parse_cards(text)


@pytest.mark.parametrize("text", ["AsTdQh", "as 10d qH", "A♠10♦Q♥", "A♤, T♢, Q♡", "A♠\ufe0f td QH"])
def test_cards_are_read_as_people_write_them(text: str) -> None:
    assert format_cards(parse_cards(text)) == "AsTdQh"
