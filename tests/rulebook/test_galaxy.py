"""Galaxy Gaming's current rules of play, clause by clause: `g_11a` is step 11(a)."""

from itertools import product

import pytest

from headsup.game.round.decision import HAS_FOLDED, HasRaised
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import Basis
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import SeatPlay, sort_for_settlement
from headsup.game.values.cards import parse_cards
from tests.support.rounds import (
    LOSE,
    NOT_QUALIFIED,
    PROGRESSIVE,
    TIE,
    WIN,
    Cards,
    Dollars,
    Table,
    column,
    paid,
    pocket_hands,
    refused,
    refused_rules,
    seat,
    settled,
    settled_table,
)

BELOW_A_STRAIGHT = ("high_card", "one_pair", "two_pair", "three_of_a_kind")
STRAIGHT_OR_BETTER = {
    "royal_flush": 500,
    "straight_flush": 50,
    "four_of_a_kind": 10,
    "full_house": 3,
    "flush": 1.5,
    "straight": 1,
}
BAD_BEAT: dict[str, tuple[Dollars, ...]] = {
    "straight_flush": (500, 500, 500, 500),
    "four_of_a_kind": (50, 50, 50, 25),
    "full_house": (10, 10, 10, 6),
    "flush": (8, 6, 5, 5),
    "straight": (5, 5, 4, 4),
}
TRIPS_PLUS: dict[str, tuple[Dollars, ...]] = {
    "royal_flush": (100, 100, 100, 100),
    "straight_flush": (40, 40, 40, 40),
    "four_of_a_kind": (30, 30, 30, 30),
    "full_house": (9, 8, 8, 7),
    "flush": (7, 6, 7, 6),
    "straight": (4, 5, 4, 5),
    "three_of_a_kind": (3, 3, 3, 3),
    "two_pair": (-1, -1, -1, -1),
    "one_pair": (-1, -1, -1, -1),
    "high_card": (-1, -1, -1, -1),
}
POCKET_BONUS: dict[str, tuple[Dollars, ...]] = {
    "pair_of_aces": (30, 25, 30),
    "suited_ace_face": (20, 20, 20),
    "unsuited_ace_face": (10, 10, 10),
    "pair": (5, 5, 4),
}
ALL_6: dict[str, tuple[Dollars, ...]] = {
    "six_card_royal_diamonds": (1_000, 1_000, 1_000, 1_000, 200_000),
    "six_card_royal": (1_000, 1_000, 1_000, 1_000, 20_000),
    "five_card_royal": (1_000, 1_000, 1_000, 1_000, 1_000),
    "straight_flush": (200, 200, 200, 200, 200),
    "four_of_a_kind": (50, 50, 100, 100, 50),
    "full_house": (25, 25, 20, 20, 20),
    "flush": (20, 15, 15, 15, 15),
    "straight": (10, 10, 9, 10, 10),
    "three_of_a_kind": (5, 5, 8, 7, 5),
    "two_pair": (-1, -1, -1, -1, -1),
}
# Hole cards, then the packet of four.
ALL_6_HANDS = {
    "six_card_royal_diamonds": ("Ad Kd", "Qd Jd Td 9d"),
    "six_card_royal": ("9s Ts", "Js Qs Ks As"),
    "five_card_royal": ("Ad Kd", "Qd Jd Td 8d"),
    "straight_flush": ("8d 7d", "6d 5d 4d Kc"),
    "four_of_a_kind": ("8d 8c", "8h 8s 4d Kc"),
    "full_house": ("8d 8c", "8h 4s 4d Kc"),
    "flush": ("8d 2d", "Kd 5d Jd Kc"),
    "straight": ("8d 7c", "6h 5d 4d Kc"),
    "three_of_a_kind": ("8d 8c", "8h 5s 4d Kc"),
    "two_pair": ("8d 8c", "5h 5s 4d Kc"),
}
# What $1 wins with the meter at $100,000: 100%, 10% and 5% of it; 0 is "Loss".
PROGRESSIVE_PRIZES: dict[str, tuple[int, ...]] = {
    "flopped_royal_flush_in_spades": (100_000,) * 8,
    "flopped_royal_flush": (10_000, 1_000, 10_000, *(100_000,) * 5),
    "royal_flush": (10_000, 1_000, 10_000, 1_000, 3_000, 5_000, 100_000, 100_000),
    "community_royal_flush": (10_000, 1_000, 10_000, 1_000, 3_000, 3_000, 1_000, 1_000),
    "straight_flush": (200, 200, 500, 500, 250, 250, 250, 300),
    "four_of_a_kind": (50, 50, 100, 100, 100, 100, 75, 100),
    "full_house": (10, 10, 10, 10, 10, 10, 11, 10),
    "flush": (5, 5, 0, 0, 0, 0, 0, 0),
    "straight": (0,) * 8,
}
FLOPPED_STRAIGHT_FLUSH = Cards("6d 5d", "9d 8d 7d 5s 2c", "Ad Kd")


# Steps 1–4: wagers, limits, dealing.


@pytest.mark.clause("G 1")
def test_g_1_one_deck_so_no_card_twice() -> None:
    assert refused("galaxy", Cards("As Kh", "Kd 9c 7h 5s 2d", "As Qc")).code == "duplicate_card"


@pytest.mark.clause("G 2 mandatory", "G 2 equal")
def test_g_2_ante_and_odds_are_mandatory_and_equal() -> None:
    assert refused("galaxy", ante=10, odds=5).code == "ante_not_equal_odds"
    assert "G 2" in refused("galaxy", ante=10, odds=5).message
    assert refused("galaxy", ante=None, odds=10).code == "missing_wager"


@pytest.mark.clause("G 2 mandatory")
def test_g_2_an_optional_wager_needs_ante_and_odds() -> None:
    """R8."""
    assert refused("galaxy", ante=None, trips_plus=5).code == "missing_wager"


@pytest.mark.clause("G 2 limits")
@pytest.mark.parametrize(
    ("ante", "code"), [("4.99", "below_minimum"), (101, "above_maximum"), (12, "off_step")]
)
def test_g_2_within_posted_table_limits(ante: object, code: str) -> None:
    limits = {"limits": {"ante": {"min": 5, "max": 100, "step": 5}}}
    assert refused("galaxy", ante=ante, options=limits).code == code
    assert settled("galaxy", WIN["one_pair"], ante=100, options=limits).main == (100, 0, 100)


def test_r5_side_wagers_have_limits_of_their_own() -> None:
    limits = {"limits": {"trips_plus": {"max": 25}, "all_6": {"max": 5}}}
    assert refused("galaxy", trips_plus=26, options=limits).code == "above_maximum"
    assert refused("galaxy", all_6=6, packet="2c3c4c6c", options=limits).code == "above_maximum"


def test_r6_limits_bind_the_ante_but_not_the_raise() -> None:
    limits = {"limits": {"ante": {"max": 100}}}
    three_times = settled("galaxy", WIN["one_pair"], ("pocket", 3), ante=100, options=limits)
    assert three_times.nets["raise"] == 300


def test_r6_a_single_wager_maximum_binds_the_largest_raise_too() -> None:
    single = {"single_wager_max": "300.00"}
    assert refused("galaxy", ante="100.01", options=single).code == "above_maximum"
    assert settled("galaxy", WIN["one_pair"], ("pocket", 3), ante=100, options=single).main == (
        100,
        0,
        300,
    )


@pytest.mark.clause("G 3 packet")
def test_g_3_an_all_6_wager_needs_the_four_cards() -> None:
    assert refused("galaxy", all_6=5).code == "missing_all_6"
    assert refused("galaxy", all_6=5, packet="2c3c4c").code == "wrong_card_count"


@pytest.mark.clause("G 3 packet")
def test_g_3_the_all_6_cards_come_from_the_same_deck() -> None:
    """R22."""
    assert refused("galaxy", packet="Kd 3c 4c 6c").code == "duplicate_card"


@pytest.mark.clause("G 4 board at once", "G 4 board as needed")
def test_g_4_board_at_once_or_as_needed_by_hand_or_machine() -> None:
    options = load_book("galaxy").options
    assert options["board"].clause == options["dealing"].clause == "G 4"
    for dealing, board in product(("hand", "shoe"), ("as_needed", "at_once")):
        rules = table_rules("galaxy", options={"dealing": dealing, "board": board})
        assert (rules.dealing, rules.board) == (dealing, board)


@pytest.mark.clause("G 4 information")
def test_g_4_players_do_not_exchange_information() -> None:
    assert load_book("galaxy").clauses["information"] == "G 4"
    assert refused_rules("galaxy", options={"face_up": True}).code == "option_not_open"


def test_r14_six_seats() -> None:
    with_seat_7 = [seat(7, "As Kh")]
    with pytest.raises(ValueError, match="seat 7: seats are numbered 1 to 6"):
        settled_table("galaxy", with_seat_7, board="Kd 9c 7h 5s 2d", dealer="9h Qc")


# Steps 5–9: the decisions.


@pytest.mark.clause("G 5 raise")
def test_g_5_three_times_the_ante_before_the_flop() -> None:
    assert table_rules("galaxy").raises[Street.POCKET] == (3,)
    assert settled("galaxy", WIN["one_pair"], ("pocket", 3)).main == (10, 0, 30)


@pytest.mark.clause("G 5 raise")
@pytest.mark.parametrize("multiple", [0, 1, 2, 4])
def test_g_5_no_other_raise_before_the_flop(multiple: int) -> None:
    refusal = refused("galaxy", raise_=("pocket", multiple))
    assert refusal.code == "raise_not_allowed"
    assert "G 5" in refusal.message


@pytest.mark.clause("G 5 option")
@pytest.mark.parametrize("multiple", [1, 2, 3])
def test_g_5_casinos_may_allow_one_or_two_times(multiple: int) -> None:
    options = {"pocket_raises": [1, 2, 3]}
    won = settled("galaxy", WIN["one_pair"], ("pocket", multiple), options=options)
    assert won.main == (10, 0, 10 * multiple)


@pytest.mark.clause("G 5 option")
@pytest.mark.parametrize("raises", [[4], [1], [1, 2], [3, 4]])
def test_g_5_leaves_no_other_pocket_raises_open(raises: list[int]) -> None:
    assert refused_rules("galaxy", options={"pocket_raises": raises}).code == "option_not_open"


@pytest.mark.clause("G 7 raise")
def test_g_7_two_times_the_ante_on_the_flop_and_nothing_else() -> None:
    """R28: the casino's option in step 5 is for the pocket cards only."""
    assert settled("galaxy", WIN["one_pair"], ("flop", 2)).main == (10, 0, 20)
    for multiple in (1, 3):
        assert refused("galaxy", raise_=("flop", multiple)).code == "raise_not_allowed"
    assert refused_rules("galaxy", options={"flop_raises": [1, 2]}).code == "option_not_open"


@pytest.mark.clause("G 9 must")
def test_g_9_raise_of_the_ante_on_the_river() -> None:
    assert settled("galaxy", WIN["one_pair"], ("river", 1)).main == (10, 0, 10)
    assert refused("galaxy", raise_=("river", 2)).code == "raise_not_allowed"
    assert refused_rules("galaxy", options={"river_raises": [1, 2]}).code == "option_not_open"


@pytest.mark.clause("G 9 fold")
def test_g_9_fold_forfeits_ante_and_odds() -> None:
    folded = settled("galaxy", WIN["straight"], None)
    assert folded.nets == {"ante": -10, "odds": -10}
    assert set(folded.clauses.values()) == {"G 9"}


@pytest.mark.clause("G 9 must")
def test_g_9_every_hand_ends_in_a_raise_or_a_fold() -> None:
    folder = seat(1, "As Kh", None)
    del folder["fold"]
    with pytest.raises(ValueError, match="neither a raise nor a fold"):
        settled_table("galaxy", [folder], board="Kd 9c 7h 5s 2d", dealer="9h Qc")


@pytest.mark.clause("G 10 player's hand", "G 10 dealer's hand")
def test_g_10_any_combination_so_the_board_may_play() -> None:
    """R48."""
    assert settled("galaxy", TIE["straight"]).outcomes["odds"] == "tie"


# Step 11: the comparison.


@pytest.mark.clause("G 11(a) not qualified")
def test_g_11a_dealer_without_a_pair_pushes_the_ante() -> None:
    won = settled("galaxy", NOT_QUALIFIED["player wins"])
    assert won.main == (0, 0, 10)
    assert won.results["ante"] == "push"
    assert won.clauses["ante"] == "G 11(a)"


@pytest.mark.clause("G 11(a) other wagers")
def test_g_11a_all_other_wagers_remain_in_action() -> None:
    won = settled("galaxy", NOT_QUALIFIED["player wins with a straight"], trips_plus=5)
    assert won.main == (0, 10, 10)
    assert won.nets["trips_plus"] == 20


@pytest.mark.clause("G 11(a) not qualified", "G 11(a) other wagers")
def test_r36_not_qualifying_prevails_over_11c_when_the_dealer_beats_the_player() -> None:
    lost = settled("galaxy", NOT_QUALIFIED["player loses"])
    assert lost.main == (0, -10, -10)
    assert lost.clauses["ante"] == "G 11(a)"


@pytest.mark.clause("G 11(a) not qualified")
def test_g_11a_copies_without_a_pair_push_everything() -> None:
    assert settled("galaxy", NOT_QUALIFIED["copy"]).main == (0, 0, 0)


@pytest.mark.clause("G 11(a) not qualified")
def test_g_11a_a_pair_on_the_board_qualifies() -> None:
    board_pair = Cards("As Kh", "9d 9c 7h 5s 2d", "Qc Jh")
    assert settled("galaxy", board_pair).main == (10, 0, 10)


@pytest.mark.clause("G 11(b)")
@pytest.mark.parametrize("hand", [hand for hand in WIN if hand != "high_card"])
def test_g_11b_ante_paid_even_money_when_the_dealer_qualifies_and_loses(hand: str) -> None:
    won = settled("galaxy", WIN[hand])
    assert won.nets["ante"] == 10
    assert won.clauses["ante"] == "G 11(b)"


@pytest.mark.clause("G 11(c)")
@pytest.mark.parametrize("hand", LOSE)
def test_g_11c_ante_loses_to_the_dealers_better_hand(hand: str) -> None:
    lost = settled("galaxy", LOSE[hand])
    assert lost.nets["ante"] == -10
    assert lost.clauses["ante"] == "G 11(c)"


@pytest.mark.clause("G 11(d)")
@pytest.mark.parametrize("hand", TIE)
def test_g_11d_copies_push_the_ante(hand: str) -> None:
    tied = settled("galaxy", TIE[hand])
    assert tied.results["ante"] == "push"
    assert tied.clauses["ante"] == "G 11(d)"


@pytest.mark.clause("G 11(e) raise", "G 11(e) odds", "G 11(e) PT1")
@pytest.mark.parametrize(("hand", "pays"), STRAIGHT_OR_BETTER.items())
def test_g_11e_winning_straight_or_better_pays_odds_by_the_table(hand: str, pays: float) -> None:
    won = settled("galaxy", WIN[hand], ("pocket", 3))
    assert won.main == (10, 10 * pays, 30)
    assert won.clauses["odds"] == "G 11(e)"


@pytest.mark.clause("G 11(f) raise", "G 11(f) odds")
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_g_11f_winning_three_of_a_kind_or_less_pays_raise_and_pushes_odds(hand: str) -> None:
    won = settled("galaxy", WIN[hand], ("flop", 2))
    assert (won.nets["odds"], won.nets["raise"]) == (0, 20)
    assert won.results["odds"] == "push"
    assert won.clauses["odds"] == "G 11(f)"


@pytest.mark.clause("G 11(g) raise", "G 11(g) odds")
@pytest.mark.parametrize("hand", TIE)
def test_g_11g_copies_push_raise_and_odds_even_with_a_straight_or_better(hand: str) -> None:
    """R42; a royal flush on the board is the only one that does not win (R39)."""
    tied = settled("galaxy", TIE[hand], ("pocket", 3))
    assert tied.main == (0, 0, 0)
    assert tied.clauses["odds"] == tied.clauses["raise"] == "G 11(g)"


@pytest.mark.clause("G 11(h) raise", "G 11(h) odds")
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_g_11h_losing_three_of_a_kind_or_worse_loses_raise_and_odds(hand: str) -> None:
    lost = settled("galaxy", LOSE[hand], ("flop", 2))
    assert lost.main == (-10, -10, -20)
    assert lost.clauses["odds"] == "G 11(h)"


@pytest.mark.clause("G 11(i) raise", "G 11(i) odds")
@pytest.mark.parametrize("hand", BAD_BEAT)
def test_g_11i_losing_straight_or_better_is_paid_as_a_bad_beat(hand: str) -> None:
    """R44: Ante (11(c)) and Raise are lost; the Odds stake comes back with the bonus."""
    lost = settled("galaxy", LOSE[hand], ("pocket", 3))
    assert lost.main == (-10, 10 * BAD_BEAT[hand][0], -30)
    assert lost.results["odds"] == "win"
    assert lost.clauses["odds"] == "G 11(i)"


@pytest.mark.clause("G 11(i) PT1", "G 11(i) PT2", "G 11(i) PT3", "G 11(i) PT4")
@pytest.mark.parametrize("paytable", ["1", "2", "3", "4"])
def test_g_11i_bad_beat_paytables(paytable: str) -> None:
    hands = {hand: LOSE[hand] for hand in BAD_BEAT}
    assert paid("galaxy", "bad_beat", paytable, hands) == column(BAD_BEAT, int(paytable) - 1)


@pytest.mark.clause("G 11(i) odds", "G Introduction Bad Beat")
def test_g_11i_the_bad_beat_is_part_of_the_game() -> None:
    assert refused_rules("galaxy", {"bad_beat": "none"}).code == "unknown_paytable"


def test_r39_no_bad_beat_row_for_a_royal_flush() -> None:
    for table in load_book("galaxy").paytables["bad_beat"].values():
        assert "royal_flush" not in table.pays


@pytest.mark.clause("G 11(i) example")
def test_g_11_lists_of_paytables_are_not_closed() -> None:
    """R2: "an example of" a table; a custom one may be added if it is labelled so."""
    assert not any(load_book("galaxy").closed.values())


# R18: the flush at 1.5.


@pytest.mark.clause("G 11(e) odds")
def test_r18_flush_pays_one_and_a_half_to_the_cent() -> None:
    assert settled("galaxy", WIN["flush"], ante=5).nets["odds"] == 7.5


@pytest.mark.parametrize(
    ("ante", "rounding", "pays", "breakage"),
    [
        ("3.50", "down", 5, 0.25),
        ("3.50", "up", 6, -0.75),
        ("3.50", "nearest", 5, 0.25),
        ("2.50", "nearest", 4, -0.25),
    ],
)
def test_r18_a_chip_table_rounds_to_its_chip_and_books_the_breakage(
    ante: str, rounding: str, pays: float, breakage: float
) -> None:
    chips = {"chip_unit": "1.00", "rounding": rounding}
    won = settled("galaxy", WIN["flush"], ante=ante, options=chips)
    assert won.nets["odds"] == pays
    assert won.breakages["odds"] == breakage


def test_r18_rounding_leaves_whole_chips_alone() -> None:
    chips = {"chip_unit": "1.00", "rounding": "down"}
    won = settled("galaxy", WIN["flush"], ante=4, options=chips)
    assert won.nets["odds"] == 6
    assert not won.breakages


# Trips Plus.


@pytest.mark.clause(
    "G Trips Plus hand",
    "G Trips Plus PT1",
    "G Trips Plus PT2",
    "G Trips Plus PT3",
    "G Trips Plus PT4",
)
@pytest.mark.parametrize("paytable", ["1", "2", "3", "4"])
def test_g_trips_plus_paytables(paytable: str) -> None:
    assert paid("galaxy", "trips_plus", paytable, WIN) == column(TRIPS_PLUS, int(paytable) - 1)


@pytest.mark.clause("G Trips Plus regardless")
@pytest.mark.parametrize("cards", [LOSE["straight"], TIE["straight"]])
def test_g_trips_plus_regardless_of_the_primary_game(cards: Cards) -> None:
    assert settled("galaxy", cards, trips_plus=5).nets["trips_plus"] == 20


@pytest.mark.clause("G Trips Plus hand")
def test_g_trips_plus_three_of_a_kind_on_the_board_counts() -> None:
    """R53: the seven cards contain it, whatever the hole cards."""
    board_trips = Cards("Ah 3c", "9c 9d 9h 5s 2d", "Kc Qc")
    assert settled("galaxy", board_trips, trips_plus=5).nets["trips_plus"] == 15
    literal = {"trips_plus_hand": "both_hole_cards"}
    assert refused_rules("galaxy", options=literal).code == "option_not_open"


@pytest.mark.clause("G Trips Plus regardless")
def test_r54_trips_plus_stays_after_a_fold() -> None:
    board_trips = Cards("4h 3c", "9c 9d 9h 5s 2d", "Kc Qc")
    folded = settled("galaxy", board_trips, None, trips_plus=5)
    assert folded.nets == {"ante": -10, "odds": -10, "trips_plus": 15}
    forfeits = {"trips_plus_after_fold": "forfeits"}
    assert refused_rules("galaxy", options=forfeits).code == "option_not_open"


@pytest.mark.clause("G Trips Plus before or after")
@pytest.mark.parametrize("when", ["before", "after"])
def test_g_trips_plus_before_or_after_the_main_bets_is_the_same_money(when: str) -> None:
    """R55."""
    options = {"trips_plus_settled": when}
    won = settled("galaxy", WIN["straight"], trips_plus=5, options=options)
    assert won.main == (10, 10, 10)
    assert won.nets["trips_plus"] == 20
    rules = table_rules("galaxy", options=options)
    assert rules.trips_plus_before_main == (when == "before")


# Pocket Bonus.


@pytest.mark.clause(
    "G Pocket Bonus pair",
    "G Pocket Bonus ace with a face",
    "G Pocket Bonus PT1",
    "G Pocket Bonus PT2",
    "G Pocket Bonus PT3",
)
@pytest.mark.parametrize("paytable", ["1", "2", "3"])
def test_g_pocket_bonus_paytables(paytable: str) -> None:
    expected = column(POCKET_BONUS, int(paytable) - 1)
    assert paid("galaxy", "pocket_bonus", paytable, pocket_hands()) == expected


@pytest.mark.clause("G Pocket Bonus loses")
@pytest.mark.parametrize("hole", ["Ac Tc", "Kc Qc", "Ah 9h", "7c 2d"])
def test_g_pocket_bonus_otherwise_loses(hole: str) -> None:
    """R59: a ten is not a face card, and a face card counts only with an ace."""
    cards = Cards(hole, "Qs 9c 7h 5s 3d", "8h 8d")
    assert settled("galaxy", cards, pocket_bonus=5).nets["pocket_bonus"] == -5


@pytest.mark.clause("G Pocket Bonus ace with a face")
@pytest.mark.parametrize("face", "KQJ")
def test_g_pocket_bonus_face_is_king_queen_or_jack(face: str) -> None:
    suited = Cards(f"Ac {face}c", "Ts 9c 7h 5s 3d", "8h 8d")
    unsuited = Cards(f"Ac {face}d", "Ts 9c 7h 5s 3d", "8h 8d")
    assert settled("galaxy", suited, pocket_bonus=5).nets["pocket_bonus"] == 100
    assert settled("galaxy", unsuited, pocket_bonus=5).nets["pocket_bonus"] == 50


@pytest.mark.clause("G Pocket Bonus hole cards")
def test_g_pocket_bonus_pays_on_the_two_hole_cards_only() -> None:
    pair_with_the_board = Cards("7c 2d", "7s 9c Jh 5s 3d", "8h 8d")
    assert settled("galaxy", pair_with_the_board, pocket_bonus=5).nets["pocket_bonus"] == -5


def test_r58_pocket_bonus_stays_after_a_fold() -> None:
    folded = settled("galaxy", pocket_hands()["pair"], None, pocket_bonus=5)
    assert folded.nets["pocket_bonus"] == 25


# All 6.


@pytest.mark.clause(
    "G All 6 Bonus hand",
    "G All 6 Bonus PT1",
    "G All 6 Bonus PT2",
    "G All 6 Bonus PT3",
    "G All 6 Bonus PT4",
    "G All 6 Bonus PT5",
)
@pytest.mark.parametrize("paytable", ["1", "2", "3", "4", "5"])
def test_g_all_6_paytables(paytable: str) -> None:
    """R16: the pays are to 1, so $1 on a straight at 10 wins 10 and comes back."""
    nets = {}
    for outcome, (hole, packet) in ALL_6_HANDS.items():
        cards = Cards(hole, "3c 3h 6c 9c 2h", "Th Jh")
        lines = settled("galaxy", cards, all_6=1, packet=packet, paytables={"all_6": paytable})
        nets[outcome] = lines.nets["all_6"]
    assert nets == column(ALL_6, int(paytable) - 1)


def test_r16_all_6_pays_to_one() -> None:
    assert {t.basis for t in load_book("galaxy").paytables["all_6"].values()} == {Basis.TO}


@pytest.mark.clause("G All 6 Bonus hand")
def test_g_all_6_uses_hole_cards_and_the_four_never_the_board() -> None:
    board_quads = Cards("8d 2c", "8c 8h 8s Kd Kc", "Th Jh")
    lines = settled("galaxy", board_quads, all_6=5, packet="3c 5h 9d Jc")
    assert lines.outcomes["all_6"] == "high_card"
    assert lines.nets["all_6"] == -5


@pytest.mark.parametrize(
    ("six", "outcome"),
    [
        (("Ad 9d", "Kd Qd Jd Td"), "six_card_royal_diamonds"),
        (("Ah 9h", "Kh Qh Jh Th"), "six_card_royal"),
        (("Ad 9h", "Kd Qd Jd Td"), "five_card_royal"),  # the nine is of another suit
        (("Ad 2d", "Kd Qd Jd Td"), "five_card_royal"),
        (("8d 9d", "Kd Qd Jd Td"), "straight_flush"),  # 8 to king: no royal
    ],
)
def test_r62_a_six_card_royal_is_nine_to_ace_of_one_suit(
    six: tuple[str, str], outcome: str
) -> None:
    cards = Cards(six[0], "3c 3h 6c 9c 2h", "4h 5h")
    lines = settled("galaxy", cards, all_6=1, packet=six[1], paytables={"all_6": "5"})
    assert lines.outcomes["all_6"] == outcome


def test_r64_all_6_stays_after_a_fold() -> None:
    cards = Cards("8d 8c", "3c 3h 6c 9c 2h", "Th Jh")
    folded = settled("galaxy", cards, None, all_6=5, packet="8h 5s 4d Kc")
    assert folded.nets == {"ante": -10, "odds": -10, "all_6": 25}


def test_r63_paytable_5_needs_a_maximum_or_a_cap() -> None:
    assert ("all_6", "5") in load_book("galaxy").needs_limit


def test_r63_a_cap_can_cover_all_6() -> None:
    hole, packet = ALL_6_HANDS["six_card_royal_diamonds"]
    cap = {"cap": {"amount": "50000.00", "wagers": ["all_6"]}}
    lines = settled(
        "galaxy",
        Cards(hole, "3c 3h 6c 9c 2h", "Th Jh"),
        all_6=1,
        packet=packet,
        paytables={"all_6": "5"},
        options=cap,
    )
    assert lines.nets["all_6"] == 50_000
    assert lines.shortfalls["all_6"] == 150_000


# Progressive.


@pytest.mark.clause(
    "G Progressive hand",
    "G Progressive for 1",
    "G Progressive PT1",
    "G Progressive PT2",
    "G Progressive PT3",
    "G Progressive PT4",
    "G Progressive PT5",
    "G Progressive PT6",
    "G Progressive PT7",
    "G Progressive PT8",
)
@pytest.mark.parametrize("paytable", range(1, 9))
def test_g_progressive_paytables_1_to_8_are_for_1(paytable: int) -> None:
    """The original wager is not returned: each prize is less the $1."""
    nets = paid("galaxy", "progressive", str(paytable), PROGRESSIVE, meter=100_000)
    prizes = {outcome: row[paytable - 1] for outcome, row in PROGRESSIVE_PRIZES.items()}
    assert nets == {outcome: prize - 1 for outcome, prize in prizes.items()}


@pytest.mark.clause("G Progressive PT9")
def test_g_progressive_paytable_9() -> None:
    hands = {**PROGRESSIVE, "flopped_straight_flush": FLOPPED_STRAIGHT_FLUSH}
    assert paid("galaxy", "progressive", "9", hands, meter=100_000) == {
        "flopped_straight_flush": 99_999,
        "flopped_royal_flush_in_spades": 99_999,  # R68: a flopped royal is one too
        "flopped_royal_flush": 99_999,
        "royal_flush": 1_999,
        "community_royal_flush": 1_999,  # R68: there is no row for it
        "straight_flush": 249,
        "four_of_a_kind": 49,
        "full_house": 6,
        "flush": 4,
        "straight": -1,
    }


@pytest.mark.clause("G Progressive for 1")
def test_g_progressive_basis_is_fixed() -> None:
    """R15."""
    assert {t.basis for t in load_book("galaxy").paytables["progressive"].values()} == {Basis.FOR}
    assert refused_rules("galaxy", options={"progressive_basis": "to"}).code == "option_not_open"


@pytest.mark.clause("G Progressive flopped")
def test_g_progressive_flopped_means_both_hole_cards_and_the_first_three() -> None:
    """R67: the turn and the river do not matter, even when they pair the hole cards."""
    flopped = Cards("As Ks", "Qs Js Ts Ad Kd", "9h 9c")
    on_the_turn = Cards("As Ks", "Qs Js Ad Ts Kd", "9h 9c")
    one_hole_card = Cards("As Kd", "Qs Js Ts Ks 2d", "9h 9c")
    for cards, outcome in (
        (flopped, "flopped_royal_flush_in_spades"),
        (on_the_turn, "royal_flush"),
        (one_hole_card, "royal_flush"),
    ):
        lines = settled("galaxy", cards, progressive=1, meter=1_000)
        assert lines.outcomes["progressive"] == outcome


def test_r66_a_royal_on_the_board_is_paid_as_community_not_as_royal() -> None:
    """Under paytable 7 a royal flush takes the pool; one on the board takes 1,000."""
    lines = settled(
        "galaxy", TIE["royal_flush"], progressive=1, paytables={"progressive": "7"}, meter=100_000
    )
    assert lines.nets["progressive"] == 999


def test_r66_the_row_is_chosen_by_the_hand_not_by_the_prize() -> None:
    """Paytable 6: 5% of a small pool is below the 3,000 of a community royal."""
    lines = settled(
        "galaxy",
        PROGRESSIVE["royal_flush"],
        progressive=1,
        paytables={"progressive": "6"},
        meter=10_000,
    )
    assert lines.nets["progressive"] == 499


@pytest.mark.clause("G Progressive highest")
def test_g_progressive_only_the_highest_hand_is_paid() -> None:
    """R56: quads with a full house in the seven cards are paid once, as quads."""
    quads_and_more = Cards("Kh Ks", "Kd Kc 7h 7s 2d", "7c 9s")
    lines = settled("galaxy", quads_and_more, progressive=1)
    assert lines.nets["progressive"] == 49


@pytest.mark.clause("G Progressive reset")
def test_g_progressive_100_percent_resets_the_meter_to_its_seed() -> None:
    """R73."""
    flopped = PROGRESSIVE["flopped_royal_flush_in_spades"]
    table = settled_table(
        "galaxy",
        [seat(1, flopped.hole, progressive=1)],
        board=flopped.board,
        dealer=flopped.dealer,
        options={"meter_seed": "5000.00"},
        meter="100000.00",
    )
    assert table.seats[1].nets["progressive"] == 99_999
    assert table.meter == 5_000


def test_r69_two_winners_of_the_whole_pool_split_it_equally() -> None:
    """Possible under paytable 9 only; R79: the odd cent carries over the reset."""
    table = settled_table(
        "galaxy",
        [seat(1, "5d 6d", progressive=1), seat(4, "Td Jd", progressive=1)],
        board="7d 8d 9d 2c 3h",
        dealer="Ac Kc",
        paytables={"progressive": "9"},
        options={"meter_seed": "1000.00"},
        meter="80000.01",
    )
    assert table.seats[1].nets["progressive"] == 39_999
    assert table.seats[4].nets["progressive"] == 39_999
    assert table.meter is not None
    assert f"{table.meter:.2f}" == "1000.01"


def test_r69_to_r71_one_deal_makes_one_royal_flush_or_one_for_all() -> None:
    """Every way to place the five royal cards of a suit among flop, turn and river, two hands.

    So paytables 1–8 never have two winners of 100%, nor of 100% and a smaller share together;
    only a royal flush on the board pays several seats.
    """
    capacities = {"flop": 3, "late": 2, "first": 2, "second": 2}
    seen = set()
    for suit, spots in product("sh", product([*capacities, "elsewhere"], repeat=5)):
        if any(spots.count(place) > most for place, most in capacities.items()):
            continue
        blanks = iter(["2c", "3d", "4c", "5d", "7c", "8d", "2d", "3c", "4d"])
        dealt = {}
        for place, most in capacities.items():
            royals = [
                rank + suit for rank, spot in zip("AKQJT", spots, strict=True) if spot == place
            ]
            dealt[place] = " ".join([*royals, *(next(blanks) for _ in range(most - len(royals)))])
        table = settled_table(
            "galaxy",
            [seat(1, dealt["first"], progressive=1), seat(2, dealt["second"], progressive=1)],
            board=f"{dealt['flop']} {dealt['late']}",
            dealer="9c 9d",
            meter=100_000,
        )
        outcomes = [one.outcomes["progressive"] for one in table.seats.values()]
        seen.add(tuple(outcome for outcome in outcomes if "royal" in outcome))
    assert seen == {
        (),
        ("royal_flush",),
        ("flopped_royal_flush",),
        ("flopped_royal_flush_in_spades",),
        ("community_royal_flush", "community_royal_flush"),
    }


def test_r70_several_10_percent_winners_share_one_snapshot() -> None:
    table = _six_community_royals({})
    assert {seat.nets["progressive"] for seat in table.seats.values()} == {9_999}
    assert table.meter == 40_000


def test_r70_sequential_awards_are_taken_one_after_another() -> None:
    """Settled from the dealer's right (R97), so the highest seat is paid first."""
    table = _six_community_royals({"percentage_awards": "sequential"})
    nets = {number: str(seat.nets["progressive"]) for number, seat in table.seats.items()}
    assert nets == {
        6: "9999.00",
        5: "8999.00",
        4: "8099.00",
        3: "7289.00",
        2: "6560.00",
        1: "5903.90",
    }
    assert str(table.meter) == "53144.10"


def _six_community_royals(options: dict[str, object]) -> Table:
    holes = ["2c 2d", "3c 3d", "4c 4d", "5c 5d", "6c 6d", "7c 7d"]
    return settled_table(
        "galaxy",
        [seat(number, hole, progressive=1) for number, hole in enumerate(holes, 1)],
        board="Ah Kh Qh Jh Th",
        dealer="8c 8d",
        options=options,
        meter=100_000,
    )


def test_r72_the_meter_given_already_holds_this_rounds_contributions() -> None:
    flopped = PROGRESSIVE["flopped_royal_flush_in_spades"]
    table = settled_table(
        "galaxy",
        [seat(1, flopped.hole, progressive=1)],
        board=flopped.board,
        dealer=flopped.dealer,
        options={"meter_contribution": "0.50"},
        meter="1000.50",
    )
    assert str(table.seats[1].nets["progressive"]) == "999.50"
    assert table.meter == 0


def test_r74_a_percentage_award_may_leave_the_meter_below_its_seed() -> None:
    royal = PROGRESSIVE["royal_flush"]
    table = settled_table(
        "galaxy",
        [seat(1, royal.hole, progressive=1)],
        board=royal.board,
        dealer=royal.dealer,
        options={"meter_seed": "1000.00"},
        meter="1000.00",
    )
    assert table.meter == 900


@pytest.mark.parametrize("hand", ["straight_flush", "four_of_a_kind", "full_house", "flush"])
def test_r75_fixed_prizes_leave_the_meter_alone(hand: str) -> None:
    cards = PROGRESSIVE[hand]
    table = settled_table(
        "galaxy",
        [seat(1, cards.hole, progressive=1)],
        board=cards.board,
        dealer=cards.dealer,
        meter="1234.56",
    )
    assert str(table.meter) == "1234.56"


def test_r79_an_award_is_floored_to_the_cent_and_the_rest_stays_on_the_meter() -> None:
    royal = PROGRESSIVE["royal_flush"]
    table = settled_table(
        "galaxy",
        [seat(1, royal.hole, progressive=1)],
        board=royal.board,
        dealer=royal.dealer,
        meter="12345.678901",
    )
    assert str(table.seats[1].nets["progressive"]) == "1233.56"
    assert str(table.meter) == "11111.118901"


def test_r76_one_stake_is_accepted_and_fixed_pays_scale_with_it() -> None:
    five = {"progressive_stake": "5.00"}
    quads = settled("galaxy", WIN["four_of_a_kind"], progressive=5, options=five)
    assert quads.nets["progressive"] == 245
    royal = settled(
        "galaxy", PROGRESSIVE["royal_flush"], progressive=5, options=five, meter=100_000
    )
    assert royal.nets["progressive"] == 9_995
    assert refused("galaxy", progressive=1, options=five).code == "progressive_stake"
    assert refused("galaxy", progressive="0.99").code == "progressive_stake"


def test_r80_progressive_stays_after_a_fold() -> None:
    folded = settled("galaxy", WIN["flush"], None, progressive=1)
    assert folded.nets["progressive"] == 4


@pytest.mark.clause("G Progressive PT1")
def test_g_progressive_a_share_of_the_pool_needs_the_meter() -> None:
    royal = refused("galaxy", PROGRESSIVE["royal_flush"], progressive=1)
    assert royal.code == "missing_meter"


def test_r103_shares_of_the_pool_are_never_capped_but_fixed_jackpots_may_be() -> None:
    cap = {"cap": {"amount": "100.00", "wagers": ["progressive"]}}
    share = settled("galaxy", PROGRESSIVE["royal_flush"], progressive=1, options=cap, meter=50_000)
    assert share.nets["progressive"] == 4_999
    fixed = settled("galaxy", PROGRESSIVE["straight_flush"], progressive=1, options=cap)
    assert fixed.nets["progressive"] == 100
    assert fixed.shortfalls["progressive"] == 99


# The book as a whole.


@pytest.mark.clause("G Introduction side bets")
def test_r7_galaxy_offers_four_optional_wagers() -> None:
    assert set(load_book("galaxy").offers) == {
        Wager.TRIPS_PLUS,
        Wager.POCKET_BONUS,
        Wager.ALL_6,
        Wager.PROGRESSIVE,
    }


@pytest.mark.clause("G Layout")
def test_g_default_paytables_are_the_first_of_each() -> None:
    """Its layout is a picture, so no table is singled out."""
    tables = table_rules("galaxy").paytables
    assert {table.id for table in tables.values()} == {"1"}
    assert len(tables) == 6


def test_r11_one_position_per_player_unless_the_house_says_more() -> None:
    option = load_book("galaxy").options["positions_per_player"]
    assert option.value == 1
    assert option.allows(2)


def test_r97_folders_then_raisers_from_the_dealers_right() -> None:
    cards = parse_cards("As Kh")
    plays = [
        SeatPlay(number, cards, {}, HasRaised(Street.RIVER, 1) if raised else HAS_FOLDED)
        for number, raised in ((1, True), (2, False), (3, True), (5, False), (6, True))
    ]
    rules = table_rules("galaxy")
    for qualifies in (True, False):
        order = [play.seat for play in sort_for_settlement(rules, plays, qualifies)]
        assert order == [5, 2, 6, 3, 1]


def test_r96_irregularities_follow_new_york_as_house_rules() -> None:
    own, new_york = load_book("galaxy").irregularities, load_book("new-york").irregularities
    assert own.keys() == new_york.keys()
    assert all(rule.house_rule for rule in own.values())
    assert {c: (r.voids, r.settles) for c, r in own.items()} == {
        c: (r.voids, r.settles) for c, r in new_york.items()
    }


def test_r78_galaxy_meters_may_be_linked() -> None:
    assert load_book("galaxy").linkable_meter
