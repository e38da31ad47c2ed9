"""Dealing and showing cards by the documents, at a table and in its views."""

from typing import Any

import pytest

from headsup.game.round.commands import CloseBets, DealCards, PlaceBets, Proceed, Raise
from headsup.game.round.events import (
    BetsPlaced,
    CardsDealt,
    DealerRevealed,
    FlopRevealed,
    Folded,
    Raised,
    TurnAndRiverRevealed,
)
from headsup.game.round.state import Phase
from headsup.game.table.rounds import OpenRound
from headsup.game.values.cards import DECK, format_cards
from tests.support.tables import HOLES, Play, opened, stakes, table_at
from tests.support.wire import for_rail, for_seat

BOARD = "Kd9c7h5s2d"
SEATS = (2, 4, 5)
BY_HAND = ("galaxy", "galaxy-wpt", "new-york", "washington")
BY_MACHINE = ("galaxy", "galaxy-wpt", "new-york")
EVERY_BOOK = (*BY_HAND, "sugarhouse")


def deal_cards(book: str, **choices: Any) -> Play:
    """Seats 2, 4 and 5 have wagered, and the cards are dealt."""
    play = opened(book, seats=SEATS, **choices)
    play.bets({seat: stakes() for seat in SEATS})
    play.deals()
    return play


def open_board(play: Play) -> tuple[str, int]:
    """The public board: its open cards, and how many are face down."""
    round = for_rail(play.floor, "T1")["round"]
    return round["board"], round["board_down"]


def deal_order_of(play: Play) -> list[str]:
    """The place of each card of the deck, in order."""
    event = next(event for _, event in reversed(play.log) if isinstance(event, CardsDealt))
    return list(event.places)


# Hole cards.


@pytest.mark.clause(
    "G 4 order",
    "G 4 hole cards",
    "G 4 dealer",
    "GW 3 order",
    "GW 3 hole cards",
    "GW 3 dealer",
    "SH How to play hole cards",
    "WA 1 pocket cards",
    "G Introduction deal",
    "GW Introduction deal",
)
@pytest.mark.parametrize("book", EVERY_BOOK)
def test_two_cards_face_down_to_each_player_from_the_dealers_left_and_to_the_dealer(
    book: str,
) -> None:
    play = deal_cards(book)
    hands = [
        place for place in deal_order_of(play) if place.startswith("seat") or place == "dealer"
    ]
    assert hands == ["seat 2", "seat 4", "seat 5", "dealer"] * 2
    for viewer in SEATS:
        view = for_seat(play.floor, "T1", viewer)["round"]
        holes = {seat: view["seats"][str(seat)]["hole"] for seat in SEATS}
        assert holes == {seat: HOLES[seat] if seat == viewer else "" for seat in SEATS}
        assert view["dealer"] == ""


@pytest.mark.clause(
    "NY (d)(1)(i)",
    "NY (d)(1)(i)(a)",
    "NY (d)(1)(i)(b)",
    "NY (d)(1)(i)(c)",
    "NY (d)(1)(i)(d)",
)
def test_ny_d1_one_card_at_a_time_clockwise_dealer_last_twice_around() -> None:
    play = deal_cards("new-york", dealing="hand")
    around = ["seat 2", "seat 4", "seat 5", "dealer"]
    assert deal_order_of(play)[:8] == around + around
    for viewer in (1, 3, 6):
        view = for_seat(play.floor, "T1", viewer)["round"]
        assert {seat["hole"] for seat in view["seats"].values()} == {""}
        assert view["dealer"] == ""


@pytest.mark.clause("NY (d)(2) board", "NY (d)(2) players", "NY (d)(2) dealer")
def test_ny_d2_five_to_the_board_then_stacks_of_two_dealer_last() -> None:
    play = deal_cards("new-york", dealing="shoe")
    assert deal_order_of(play) == [
        *["board"] * 5,
        *["seat 2"] * 2,
        *["seat 4"] * 2,
        *["seat 5"] * 2,
        *["dealer"] * 2,
    ]
    assert open_board(play) == ("", 5)


@pytest.mark.clause("G 3 packet", "G All 6 Bonus before", "G All 6 Bonus only")
def test_g_3_the_first_four_cards_are_all_6s_and_serve_nothing_else() -> None:
    play = deal_cards("galaxy")
    assert deal_order_of(play)[:4] == ["all_6"] * 4
    assert deal_order_of(play).count("all_6") == 4
    packet = play.round.deck[:4]
    assert play.round.deal.all_6 == packet
    in_play = {*play.round.deal.board, *play.round.deal.dealer}
    in_play |= {card for seat in play.round.seats.values() for card in seat.hole}
    assert in_play.isdisjoint(packet)


@pytest.mark.clause("G 3 otherwise")
def test_g_3_without_all_6_the_deal_begins_with_the_hole_cards() -> None:
    assert deal_order_of(deal_cards("galaxy", paytables={"all_6": "none"}))[0] == "seat 2"


# The board.


@pytest.mark.clause(
    "G 6 hand",
    "G 8 hand",
    "GW 5 hand",
    "GW 7 hand",
    "NY (e)(4) manual",
    "NY (e)(6) manual",
    "G 4 board as needed",
    "GW 3 board as needed",
    "WA 3 flop",
    "WA 4 turn and river",
)
@pytest.mark.parametrize("book", BY_HAND)
def test_by_hand_the_next_three_cards_are_the_flop_and_the_next_two_turn_and_river(
    book: str,
) -> None:
    play = deal_cards(book, dealing="hand")
    assert deal_order_of(play)[-5:] == ["board"] * 5, "nothing lies between the hands and the board"
    assert open_board(play) == ("", 0)
    play.reaches(Phase.FLOP_DUE)
    assert play.does(Proceed()) == (FlopRevealed(play.round.deal.board[:3]),)
    assert open_board(play) == (BOARD[:6], 0)
    play.reaches(Phase.RIVER_DUE)
    assert play.does(Proceed()) == (TurnAndRiverRevealed(play.round.deal.board[3:]),)
    assert open_board(play) == (BOARD, 0)


@pytest.mark.clause(
    "G 6 machine",
    "G 8 machine",
    "GW 5 machine",
    "GW 7 machine",
    "NY (e)(4) automated",
    "NY (e)(6) automated",
    "G 4 board at once",
    "GW 3 board at once",
)
@pytest.mark.parametrize("book", BY_MACHINE)
def test_machine_dealt_the_first_three_face_down_cards_are_turned_over_then_the_last_two(
    book: str,
) -> None:
    play = deal_cards(book, dealing="shoe" if book == "new-york" else "machine")
    seen = [open_board(play)]
    for phase in (Phase.FLOP, Phase.RIVER):
        play.reaches(phase)
        seen.append(open_board(play))
    assert seen == [("", 5), (BOARD[:6], 2), (BOARD, 0)]


# Where each card of a whole deck goes, counted from its top, for seats 2 and 5.
DEALT: dict[str, dict[str, tuple[int, ...]]] = {
    "hand": {
        "seat 2": (0, 3),
        "seat 5": (1, 4),
        "dealer": (2, 5),
        "flop": (6, 7, 8),
        "turn and river": (9, 10),
    },
    "shoe": {
        "flop": (0, 1, 2),
        "turn and river": (3, 4),
        "seat 2": (5, 6),
        "seat 5": (7, 8),
        "dealer": (9, 10),
    },
}


@pytest.mark.clause(
    "NY (d)(1)(i)",
    "NY (d)(1)(i)(a)",
    "NY (d)(1)(i)(b)",
    "NY (d)(1)(i)(c)",
    "NY (d)(1)(i)(d)",
    "NY (d)(2) board",
    "NY (d)(2) players",
    "NY (d)(2) dealer",
    "NY (e)(4) manual",
    "NY (e)(4) automated",
    "NY (e)(6) manual",
    "NY (e)(6) automated",
)
@pytest.mark.parametrize("dealing", DEALT)
def test_ny_d_and_e_every_card_of_a_known_deck_goes_where_the_document_says(dealing: str) -> None:
    """The deck is given, not built for its deal, and what is shown is compared card by card."""
    play = opened("new-york", seats=(2, 5), dealing=dealing)
    play.bets({2: stakes(), 5: stakes()})
    deck = tuple(reversed(DECK))
    play.does(DealCards(deck))

    def cards(place: str) -> str:
        return format_cards(tuple(deck[i] for i in DEALT[dealing][place]))

    for number in (2, 5):
        own = for_seat(play.floor, "T1", number)["round"]["seats"][str(number)]
        assert own["hole"] == cards(f"seat {number}")
    for phase, event, shown in (
        (Phase.FLOP_DUE, FlopRevealed, cards("flop")),
        (Phase.RIVER_DUE, TurnAndRiverRevealed, cards("turn and river")),
        (Phase.REVEAL_DUE, DealerRevealed, cards("dealer")),
    ):
        play.reaches(phase)
        (revealed,) = play.does(Proceed())
        assert isinstance(revealed, event)
        assert format_cards(revealed.cards) == shown
    view = for_rail(play.floor, "T1")["round"]
    assert view["board"] == cards("flop") + cards("turn and river")
    assert view["dealer"] == cards("dealer")


@pytest.mark.clause(
    "SH How to play board", "SH How to play flop cards", "SH How to play turn and river"
)
def test_sh_how_to_play_the_board_lies_face_down_and_is_turned_up_when_all_have_decided() -> None:
    play = deal_cards("sugarhouse")
    assert open_board(play) == ("", 5)
    for phase, due, cards in (
        (Phase.POCKET, Phase.FLOP_DUE, (BOARD[:6], 2)),
        (Phase.FLOP, Phase.RIVER_DUE, (BOARD, 0)),
    ):
        assert play.phase is phase
        assert play.refuses(Proceed()) == "nothing_due", "not before every player has decided"
        play.decide_all()
        assert play.phase is due
        play.does(Proceed())
        assert open_board(play) == cards


@pytest.mark.clause(
    "G 10 reveal", "GW 9 reveal", "NY (e)(8) reveal", "SH How to play dealer", "WA 5 reveal"
)
@pytest.mark.parametrize("book", EVERY_BOOK)
def test_the_dealers_cards_are_turned_up_when_all_have_raised_or_folded(book: str) -> None:
    play = deal_cards(book)
    play.reaches(Phase.RIVER)
    assert play.refuses(Proceed()) == "nothing_due"
    play.decide_all(fold=(4,))
    assert for_rail(play.floor, "T1")["round"]["dealer"] == ""
    events = [type(event) for _, event in play.log]
    assert events[-3:] == [Raised, Folded, Raised]
    assert play.does(Proceed()) == (DealerRevealed(play.round.deal.dealer),)
    assert for_rail(play.floor, "T1")["round"]["dealer"] == format_cards(play.round.deal.dealer)


# Wagers.


@pytest.mark.clause(
    "NY (c)(2) before",
    "SH How to play closing",
    "WA App. E button",
    "NY (c)(2) not made",
)
@pytest.mark.parametrize("book", ["new-york", "sugarhouse", "washington"])
def test_wagers_are_placed_before_any_card_is_dealt(book: str) -> None:
    play = opened(book, seats=(1, 2))
    play.does(OpenRound())
    assert play.does(PlaceBets(1, stakes())) == (BetsPlaced(1, stakes()),)
    deck = tuple(range(52))
    assert play.refuses(DealCards(deck)) == "wrong_phase", "no card while bets are open"
    play.does(CloseBets())
    assert play.refuses(PlaceBets(2, stakes())) == "wrong_phase", "no bet after they are closed"
    play.deals()
    assert play.refuses(PlaceBets(2, stakes())) == "wrong_phase"
    assert set(play.round.seats) == {1}


@pytest.mark.clause("NY (c)(1) chips")
def test_ny_c1_wagers_are_chips_laid_on_the_areas_of_the_layout() -> None:
    play = opened("new-york", seats=(1,), chips=5_000)
    play.does(OpenRound())
    placed = stakes(1_000, trips_plus=500, pocket_bonus=500, progressive=100)
    play.does(PlaceBets(1, placed))
    assert play.chips(1) == 5_000 - 3_100
    view = for_rail(play.floor, "T1")["round"]["seats"]["1"]["stakes"]
    assert view == {
        "ante": "10.00",
        "odds": "10.00",
        "trips_plus": "5.00",
        "pocket_bonus": "5.00",
        "progressive": "1.00",
    }
    play.does(CloseBets())
    play.deals()
    assert play.refuses(Raise(1, 2)) == "not_enough_chips", "no wager without the chips"


@pytest.mark.clause("WA App. E identical rules")
def test_wa_app_e_the_rules_do_not_depend_on_equipment() -> None:
    rounds = []
    for choices in ({"dealing": "hand"}, {"dealing": "machine"}, {"meter_contribution": "0.10"}):
        play = table_at(Phase.NO_MORE_BETS, "washington", seats=(1, 2), **choices)
        play.deals({1: "KsKh", 2: "8c4s"}, board=BOARD, dealer="AcQd")
        play.reaches(Phase.SETTLED, fold=(2,))
        rounds.append([play.lines(seat) for seat in (1, 2)])
    assert rounds[0] == rounds[1] == rounds[2]
