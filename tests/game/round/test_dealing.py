"""R19–R24: which card of the deck goes where, as maps that people can read.

A map has one word per card from the top of the deck: s1 is seat 1, D the dealer, B the board, 6 an
All 6 card. Other cards stay in the deck: no document burns a card.
"""

import pytest

from headsup.game.round.commands import CloseBets, PlaceBets, WithdrawBets
from headsup.game.round.dealing import build_deck, deal_cards, deal_order
from headsup.game.round.events import CardsDealt
from headsup.game.round.state import Phase
from headsup.game.table.rounds import OpenRound
from headsup.game.values.cards import DECK, parse_cards
from tests.support.tables import BOOKS, Play, opened, opening, stakes, table_at
from tests.support.wire import for_rail

WORDS = {"D": "dealer", "B": "board", "6": "all_6"}

# The maps of each document for six seats, for two that wagered, and for one.
MAPS = {
    # New York (d)(1): one card to each player from the dealer's left, one to the dealer, again;
    # (e)(4), (6): the board comes off the top when it is needed.
    ("hand", "1 2 3 4 5 6"): "s1 s2 s3 s4 s5 s6 D  s1 s2 s3 s4 s5 s6 D  B B B B B",
    ("hand", "2 5"): "s2 s5 D  s2 s5 D  B B B B B",
    ("hand", "4"): "s4 D  s4 D  B B B B B",
    # New York (d)(2): five cards to the board, then stacks of two, the dealer's last.
    ("shoe", "1 2 3 4 5 6"): "B B B B B  s1 s1 s2 s2 s3 s3 s4 s4 s5 s5 s6 s6  D D",
    ("shoe", "2 5"): "B B B B B  s2 s2 s5 s5  D D",
    ("shoe", "4"): "B B B B B  s4 s4  D D",
    # Galaxy 4 and 6, WPT 3 and 5: each player's two cards, the dealer's, and the board face down.
    ("machine", "1 2 3 4 5 6"): "s1 s1 s2 s2 s3 s3 s4 s4 s5 s5 s6 s6  D D  B B B B B",
    ("machine", "2 5"): "s2 s2 s5 s5  D D  B B B B B",
    ("machine", "4"): "s4 s4  D D  B B B B B",
}
# Galaxy 3: where All 6 is on the layout, its four cards come before all others.
PACKET = "6 6 6 6  "
DEALINGS = ("hand", "shoe", "machine")


def read(words: str) -> tuple[str, ...]:
    return tuple(WORDS.get(word) or f"seat {word[1:]}" for word in words.split())


@pytest.mark.parametrize(("dealing", "seats"), MAPS)
def test_r19_the_map_without_all_6(dealing: str, seats: str) -> None:
    numbers = tuple(int(number) for number in seats.split())
    assert deal_order(dealing, numbers, False) == read(MAPS[dealing, seats])


@pytest.mark.parametrize(("dealing", "seats"), MAPS)
def test_r22_all_6_comes_first(dealing: str, seats: str) -> None:
    numbers = tuple(int(number) for number in seats.split())
    assert deal_order(dealing, numbers, True) == read(PACKET + MAPS[dealing, seats])


@pytest.mark.parametrize("dealing", DEALINGS)
def test_r19_seats_are_dealt_clockwise_whatever_the_order_of_bets(dealing: str) -> None:
    assert deal_order(dealing, (5, 2), False) == read(MAPS[dealing, "2 5"])


@pytest.mark.parametrize("dealing", DEALINGS)
def test_r23_six_seats_with_all_6_take_23_cards(dealing: str) -> None:
    assert len(deal_order(dealing, (1, 2, 3, 4, 5, 6), True)) == 23
    assert len(deal_order(dealing, (1, 2, 3, 4, 5, 6), False)) == 19


# The same as positions in the deck, counted from 0, for seats 2 and 5.
POSITIONS = {
    ("hand", False): {"seat 2": (0, 3), "seat 5": (1, 4), "dealer": (2, 5), "board": range(6, 11)},
    ("shoe", False): {"board": range(5), "seat 2": (5, 6), "seat 5": (7, 8), "dealer": (9, 10)},
    ("machine", False): {
        "seat 2": (0, 1),
        "seat 5": (2, 3),
        "dealer": (4, 5),
        "board": range(6, 11),
    },
    ("machine", True): {
        "all_6": range(4),
        "seat 2": (4, 5),
        "seat 5": (6, 7),
        "dealer": (8, 9),
        "board": range(10, 15),
    },
    ("hand", True): {
        "all_6": range(4),
        "seat 2": (4, 7),
        "seat 5": (5, 8),
        "dealer": (6, 9),
        "board": range(10, 15),
    },
    ("shoe", True): {
        "all_6": range(4),
        "board": range(4, 9),
        "seat 2": (9, 10),
        "seat 5": (11, 12),
        "dealer": (13, 14),
    },
}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("dealing", DEALINGS)
def test_a_round_deals_the_cards_at_those_positions_and_records_the_map(
    book: str, dealing: str
) -> None:
    """R99: deck order and deal map are in the record; only Galaxy has All 6 (R7)."""
    if book == "new-york" and dealing == "machine":
        assert Play().refuses(opening(book, dealing=dealing)) == "option_not_open"
        return
    play = table_at(Phase.NO_MORE_BETS, book, seats=(5, 2), dealing=dealing)
    play.deals()
    where = POSITIONS[dealing, book == "galaxy"]
    event = play.log[-1][1]
    assert isinstance(event, CardsDealt)
    assert sorted(event.deck) == list(DECK)
    for place, positions in where.items():
        assert [event.places[i] for i in positions] == [place] * len(positions)
    assert len(event.places) == sum(len(positions) for positions in where.values())

    def cards(place: str) -> tuple[int, ...]:
        return tuple(event.deck[i] for i in where.get(place, ()))

    assert play.round.deal.board == cards("board")
    assert play.round.deal.dealer == cards("dealer")
    assert play.round.deal.all_6 == cards("all_6")
    assert {number: seat.hole for number, seat in play.round.seats.items()} == {
        2: cards("seat 2"),
        5: cards("seat 5"),
    }


@pytest.mark.clause("G 3 packet", "G 3 otherwise", "G All 6 Bonus before")
@pytest.mark.parametrize("offered", [True, False])
def test_r22_all_6_is_dealt_wherever_it_is_offered_even_without_a_bet(offered: bool) -> None:
    play = opened("galaxy", seats=(1,), paytables={} if offered else {"all_6": "none"})
    play.bets({1: stakes()})
    play.deals()
    assert len(play.round.deal.all_6) == (4 if offered else 0)
    assert play.round.places == read((PACKET if offered else "") + "s1 D  s1 D  B B B B B")


@pytest.mark.clause("NY (d)(1)(i)")
def test_r21_a_seated_player_without_a_wager_gets_no_cards() -> None:
    play = opened("new-york", seats=(1, 2, 3, 4))
    play.does(OpenRound(), *(PlaceBets(seat, stakes()) for seat in (1, 2, 3)), WithdrawBets(2))
    play.does(CloseBets())
    play.deals()
    assert play.round.places == read("s1 s3 D  s1 s3 D  B B B B B")
    assert set(play.round.seats) == {1, 3}


def test_the_flop_is_in_deck_order() -> None:
    deck = (*parse_cards("2c3c 4c5c 6c7c8c9cTc"), *DECK)
    deal, holes = deal_cards(deck, read("s1 D  s1 D  B B B B B"))
    assert holes == {1: parse_cards("2c4c")}
    assert deal.dealer == parse_cards("3c5c")
    assert deal.board == parse_cards("6c7c8c9cTc")


def test_build_deck_deals_the_named_cards_to_their_places() -> None:
    where = deal_order("hand", (1,), False)
    cards = {"seat 1": "AsAh", "dealer": "KdKc", "board": "2c3d4h5s7c"}
    deck = build_deck(where, {place: parse_cards(text) for place, text in cards.items()})
    assert sorted(deck) == list(DECK)
    deal, holes = deal_cards(deck, where)
    assert (holes[1], deal.dealer) == (parse_cards("AsAh"), parse_cards("KdKc"))
    assert deal.board == parse_cards("2c3d4h5s7c")


@pytest.mark.clause("G 4 board at once", "G 6 machine", "G 8 machine")
@pytest.mark.clause("GW 3 board at once", "GW 5 machine", "GW 7 machine")
@pytest.mark.parametrize("book", ["galaxy", "galaxy-wpt"])
def test_a_machine_dealt_board_lies_face_down_until_it_is_turned_over(book: str) -> None:
    play = table_at(Phase.POCKET, book, seats=(1,), dealing="machine")
    down = []
    for phase in (Phase.POCKET, Phase.FLOP, Phase.RIVER):
        play.reaches(phase)
        view = for_rail(play.floor, "T1")["round"]
        down.append((view["board"], view["board_down"]))
    assert down == [("", 5), ("Kd9c7h", 2), ("Kd9c7h5s2d", 0)]
