"""The clauses of a hand-dealt game, at a table whose cards are turned over one place at a time."""

import pytest

from headsup.game.round.commands import (
    Check,
    CorrectCards,
    DealCards,
    DealFaceDown,
    Fold,
    Proceed,
    Raise,
    ReadCards,
    TurnOver,
)
from headsup.game.round.events import HandResolved, HandSettled
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.values.cards import DECK, parse_cards
from tests.support.tables import Play, irregularity_report, stakes
from tests.support.turned_over import real_table

BOARD, FLOP, TURN_AND_RIVER = "9h8h2h7c7d", "9h8h2h", "7c7d"


def turn(place: str, cards: str) -> TurnOver:
    return TurnOver(place, parse_cards(cards))


def dealt(book: str = "new-york", **sides: int) -> Play:
    play = real_table(book, (1, 2, 3))
    play.bets({seat: stakes(**sides) for seat in (1, 2, 3)})
    play.does(DealFaceDown())
    return play


def at_settlement(
    book: str = "new-york", dealer: str = "7s9d", fold: int = 3, **sides: int
) -> Play:
    """Seats 1 and 2 have raised, another has folded, and the dealer's cards are open."""
    play = dealt(book, **sides)
    play.decide_all()
    play.does(turn("board", FLOP))
    play.decide_all()
    play.does(turn("board", TURN_AND_RIVER))
    play.decide_all(fold=(fold,))
    play.does(turn("dealer", dealer))
    return play


@pytest.mark.clause(
    "NY (d)(1)(i)", "NY (d)(1)(i)(a)", "NY (d)(1)(i)(b)", "NY (d)(1)(i)(c)", "NY (d)(1)(i)(d)"
)
def test_ny_d1_one_card_at_a_time_twice_around_dealer_last() -> None:
    play = dealt()
    around = ("seat 1", "seat 2", "seat 3", "dealer")
    assert play.round.places[:8] == around + around
    assert play.round.deal.board == ()


@pytest.mark.clause("NY (e)(2) not exposed")
def test_ny_e2_nobody_knows_a_card_before_it_is_turned_over() -> None:
    play = dealt()
    assert all(play.round.cards_at(place) == () for place in set(play.round.places))
    assert play.refuses(DealCards(DECK)) == "bad_deck"
    assert play.refuses(turn("seat 1", "AsKs")) == "nothing_due"


@pytest.mark.clause("NY (e)(4) manual", "NY (e)(6) manual")
def test_ny_e4_e6_the_board_is_revealed_as_it_is_needed() -> None:
    play = dealt()
    assert play.refuses(turn("board", FLOP)) == "nothing_due", "before all have decided"
    play.decide_all()
    assert play.refuses(Proceed()) == "cards_due", "no flop without its cards"
    assert play.refuses(turn("board", "9h8h")) == "wrong_card_count"
    assert play.refuses(turn("dealer", "7s9d")) == "wrong_place"
    play.does(turn("board", FLOP))
    assert play.phase is Phase.FLOP
    play.decide_all()
    assert play.refuses(turn("board", "9h7d")) == "duplicate_card"
    play.does(turn("board", TURN_AND_RIVER))
    assert play.round.board_shown == 5


@pytest.mark.clause("NY (e)(7) pocket bonus")
def test_ny_e7_a_folded_hand_keeps_its_pocket_bonus() -> None:
    play = at_settlement(pocket_bonus=500)
    play.does(turn("seat 3", "AsKs"))
    assert play.lines(3)[Wager.POCKET_BONUS].net == 10_000
    assert play.lines(3)[Wager.ANTE].result is Result.LOSE


@pytest.mark.clause("NY (e)(8) order", "NY (e)(8) antes")
def test_ny_e8_below_a_pair_the_raisers_come_first() -> None:
    play = real_table("new-york", (1, 2, 3))
    play.bets({seat: stakes(pocket_bonus=500) for seat in (1, 2, 3)})
    play.does(DealFaceDown())
    play.decide_all()
    play.does(turn("board", "Kh8h2s"))
    play.decide_all()
    play.does(turn("board", "5c3d"))
    play.decide_all(fold=(3,))
    play.does(turn("dealer", "QsTd"))
    assert play.refuses(turn("seat 3", "7c6d")) == "wrong_place"
    play.does(turn("seat 2", "AcJd"))
    assert play.lines(2)[Wager.ANTE].result is Result.PUSH


@pytest.mark.clause(
    "NY (e)(9) turned up",
    "NY (e)(9) collected",
    "NY (e)(10) turned up",
    "NY (e)(10) resolved",
    "NY (e)(10) collected",
)
def test_ny_e9_e10_each_hand_is_paid_before_the_next_is_turned_over() -> None:
    play = at_settlement(pocket_bonus=500)
    (_, settled) = play.does(turn("seat 3", "AsKs"))
    assert isinstance(settled, HandSettled)
    assert play.refuses(turn("seat 2", "JhTd")) == "wrong_place"
    before = play.chips(3)
    play.does(Proceed())
    assert play.chips(3) == before + 500 + 10_000
    play.does(turn("seat 2", "JhTd"), Proceed(), turn("seat 1", "Ah4h"), Proceed())
    assert play.round.resolved == (3, 2, 1)


@pytest.mark.clause("NY (e)(11)")
def test_ny_e11_the_hands_are_picked_up_in_the_order_in_which_they_were_paid() -> None:
    play = at_settlement(pocket_bonus=500)
    for place, cards in (("seat 3", "AsKs"), ("seat 2", "JhTd"), ("seat 1", "Ah4h")):
        play.does(turn(place, cards), Proceed())
    (closed,) = play.does(Proceed())
    assert closed.picked_up == ("seat 3", "seat 2", "seat 1", "dealer", "board")  # type: ignore[union-attr]


def test_a_hand_nobody_needs_is_never_known() -> None:
    """Folded, and nothing survives: settled and collected without turning it over."""
    play = dealt()
    play.decide_all()
    play.does(turn("board", FLOP))
    play.decide_all()
    play.does(turn("board", TURN_AND_RIVER))
    play.decide_all(fold=(1, 2, 3))
    events = play.does(turn("dealer", "7s9d"))
    assert sum(isinstance(event, HandResolved) for event in events) == 3
    assert play.phase is Phase.SETTLED
    assert play.round.cards_at("seat 1") == ()


@pytest.mark.clause("NY (j)(1)", "NY (j)(2)(i)")
def test_ny_j1_j2i_after_a_void_the_board_is_dealt_for_trips_plus() -> None:
    play = real_table("new-york", (1, 2))
    play.bets({1: stakes(trips_plus=500), 2: stakes()})
    play.does(DealFaceDown())
    play.does(irregularity_report("dealer_card_exposed"))
    assert play.refuses(turn("seat 1", "9c9s")) == "wrong_place", "the board first"
    play.does(turn("board", BOARD))
    assert play.round.resolved == (2,), "seat 2 has no Trips Plus: its stakes are back"
    play.does(turn("seat 1", "9c9s"))
    assert play.lines(1)[Wager.TRIPS_PLUS].result is Result.WIN
    assert play.lines(1)[Wager.ANTE].result is Result.VOID


@pytest.mark.clause("NY (j)(2)(ii)")
def test_ny_j2ii_a_card_face_up_in_the_deck_voids_after_the_hole_cards() -> None:
    play = real_table("new-york", (1,))
    play.bets({1: stakes(trips_plus=500)})
    play.does(DealFaceDown(), irregularity_report("card_found_face_up"))
    play.does(turn("board", BOARD), turn("seat 1", "9c9s"))
    assert play.lines(1)[Wager.TRIPS_PLUS].result is Result.WIN


@pytest.mark.clause("NY (j)(3) player")
def test_ny_j3_a_wrong_number_of_cards_is_found_when_the_hand_is_turned_over() -> None:
    play = at_settlement(pocket_bonus=500)
    play.does(irregularity_report("player_card_count", 3))
    assert play.round.resolved == (3,), "void, and everything back"
    assert {line.result for line in play.lines(3).values()} == {Result.VOID}


@pytest.mark.clause("NY (j)(3) dealer")
def test_ny_j3_the_dealers_count_can_be_found_until_a_hand_is_paid() -> None:
    play = at_settlement(pocket_bonus=500)
    play.does(turn("seat 3", "AsKs"))
    play.does(irregularity_report("dealer_card_count"))
    assert play.phase is Phase.SETTLED
    late = at_settlement(pocket_bonus=500)
    late.does(turn("seat 3", "AsKs"), Proceed())
    assert late.refuses(irregularity_report("dealer_card_count")) == "wrong_phase"


def test_r105_a_paid_hand_stands_when_a_foul_deck_is_found() -> None:
    play = at_settlement(pocket_bonus=500)
    play.does(turn("seat 3", "AsKs"), Proceed())
    paid = play.lines(3)
    play.does(irregularity_report("foul_deck"))
    assert play.lines(3) == paid
    assert {line.result for line in play.lines(2).values()} == {Result.VOID}
    assert play.phase is Phase.SETTLED


@pytest.mark.clause("G 4 board as needed", "G 6 hand", "GW 3 board as needed")
@pytest.mark.parametrize("book", ["galaxy", "galaxy-wpt"])
def test_g4_g6_g8_wpt3_wpt5_wpt7_hand_dealt_board_cards_come_as_needed(book: str) -> None:
    play = dealt(book)
    play.decide_all()
    play.does(turn("board", FLOP))
    assert play.round.board_shown == 3
    assert len(play.round.deal.board) == 3, "turn and river are not known"


@pytest.mark.clause("G 3 packet")
def test_g3_the_packet_is_turned_once_before_the_first_hand() -> None:
    play = at_settlement("galaxy", all_6=500)
    assert play.round.places[:4] == ("all_6",) * 4
    assert play.refuses(turn("seat 3", "AsKs")) == "wrong_place"
    play.does(turn("all_6", "3c3s4h6s"), turn("seat 3", "AsKs"), Proceed())
    play.does(turn("seat 2", "JhTd"))


@pytest.mark.clause("G 3 packet")
def test_g3_a_packet_nobody_bet_on_is_collected_unseen() -> None:
    play = at_settlement("galaxy", pocket_bonus=500)
    play.does(turn("seat 3", "AsKs"))
    assert play.round.deal.all_6 == ()


@pytest.mark.clause("G 11(i) odds")
@pytest.mark.parametrize(("book", "clause"), [("galaxy", "G 11(i)"), ("galaxy-wpt", "GW 10(i)")])
def test_g10_g11_wpt8_hands_are_compared_one_by_one(book: str, clause: str) -> None:
    play = at_settlement(book, pocket_bonus=500)
    play.does(turn("seat 3", "AsKs"), Proceed(), turn("seat 2", "JhTd"))
    assert play.lines(2)[Wager.ODDS].clause == clause, "the straight loses: a Bad Beat"


def test_r104_only_the_whole_pool_waits_for_a_hand_that_may_share_it() -> None:
    """Galaxy 9: a flopped straight flush takes 100 %, and another may hold one too."""
    paytables = {"progressive": "9"}
    play = real_table("galaxy", (2, 5), paytables=paytables, meter_seed="50000.37")
    play.bets({2: stakes(progressive=100), 5: stakes(progressive=100)})
    play.does(DealFaceDown())
    pool = play.meter.pool
    play.does(Raise(2, 3), Raise(5, 3))
    play.does(turn("board", "7h8h9h"), turn("board", "2c3d"), turn("dealer", "KsKd"))
    play.does(turn("seat 5", "ThJh"))
    assert play.round.felt is not None
    assert play.round.felt.waits == {5: (Wager.PROGRESSIVE,)}
    assert Wager.PROGRESSIVE not in play.lines(5)
    play.does(turn("seat 2", "5h6h"))
    each = pool // 2 // 10_000
    assert [play.lines(seat)[Wager.PROGRESSIVE].award for seat in (2, 5)] == [each, each]
    assert play.meter.pool == pool - 2 * each * 10_000 + play.meter.rules.meter_seed


def test_r107_cards_read_wrongly_are_corrected_until_they_are_paid() -> None:
    play = at_settlement(pocket_bonus=500)
    play.does(turn("seat 3", "AsKd"))
    assert play.lines(3)[Wager.POCKET_BONUS].net == 5_000
    corrected, settled = play.does(CorrectCards("seat 3", parse_cards("AsKs"), "misread"))
    assert (corrected.was, corrected.now) == (parse_cards("AsKd"), parse_cards("AsKs"))  # type: ignore[union-attr]
    assert isinstance(settled, HandSettled)
    assert play.lines(3)[Wager.POCKET_BONUS].net == 10_000
    play.does(Proceed())
    paid = CorrectCards("seat 3", parse_cards("AsKd"), "misread")
    assert play.refuses(paid) == "cards_paid"
    assert play.refuses(CorrectCards("board", parse_cards("9h8h2h7c7s"), "misread")) == "cards_paid"


def test_r107_a_board_card_read_wrongly_settles_again_what_is_not_paid() -> None:
    play = at_settlement(pocket_bonus=500)
    play.does(turn("seat 3", "AsKs"))
    play.does(CorrectCards("dealer", parse_cards("7s9s"), "misread"))
    assert play.round.settlement is not None
    assert play.refuses(CorrectCards("board", parse_cards("9h8h2hAs7d"), "misread")) == (
        "duplicate_card"
    )


def test_a_reader_is_believed_only_about_cards_that_lie_there() -> None:
    play = dealt()
    assert play.refuses(ReadCards("seat 5", parse_cards("AsKs"))) == "bad_place"
    play.does(ReadCards("seat 1", parse_cards("AsKs")))
    assert play.refuses(ReadCards("seat 2", parse_cards("AsQs"))) == "duplicate_card"
    assert play.refuses(ReadCards("seat 1", parse_cards("AsKs"))) == "cards_known"
    play.does(*(Check(seat) for seat in (1, 2, 3)))
    play.does(ReadCards("board", parse_cards(FLOP)), Proceed())
    assert play.phase is Phase.FLOP
    assert play.refuses(Fold(1)) == "no_early_fold"
