"""New York's temporary game rules, clause by clause: `ny_f7` is subdivision (f), paragraph (7)."""

import pytest

from headsup.game.round.decision import HAS_FOLDED, HasRaised
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import Basis, Cause, PayKind
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import SeatPlay, sort_for_settlement
from headsup.game.values.cards import parse_cards
from headsup.game.values.hands import category_of, strength
from tests.support.rounds import (
    LOSE,
    NOT_QUALIFIED,
    PROGRESSIVE,
    TIE,
    WIN,
    Cards,
    Dollars,
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
TRIPS_PLUS: dict[str, tuple[Dollars, ...]] = {
    "three_of_a_kind": (3, 3, 3, 3),
    "straight": (4, 5, 4, 5),
    "flush": (7, 6, 7, 6),
    "full_house": (9, 8, 8, 7),
    "four_of_a_kind": (30, 30, 30, 30),
    "straight_flush": (40, 40, 40, 40),
    "royal_flush": (100, 100, 100, 100),
    "two_pair": (-1, -1, -1, -1),
    "one_pair": (-1, -1, -1, -1),
    "high_card": (-1, -1, -1, -1),
}
POCKET_BONUS: dict[str, tuple[Dollars, ...]] = {
    "pair": (5, 5, 4),
    "unsuited_ace_face": (10, 10, 10),
    "suited_ace_face": (20, 20, 20),
    "pair_of_aces": (30, 25, 30),
}
# What $1 wins with the pool at $100,000; -1 where the player loses the wager.
PROGRESSIVE_PRIZES: dict[str, tuple[int, ...]] = {
    "flopped_royal_flush_in_spades": (100_000,) * 8,
    "flopped_royal_flush": (10_000, 1_000, 10_000, *(100_000,) * 5),
    "royal_flush": (10_000, 1_000, 10_000, 1_000, 3_000, 5_000, 100_000, 100_000),
    "community_royal_flush": (10_000, 1_000, 10_000, 1_000, 3_000, 3_000, 1_000, 1_000),
    "straight_flush": (200, 200, 500, 500, 250, 250, 250, 300),
    "four_of_a_kind": (50, 50, 100, 100, 100, 100, 75, 100),
    "full_house": (10, 10, 10, 10, 10, 10, 11, 10),
    "flush": (5, 5, -1, -1, -1, -1, -1, -1),
    "straight": (-1,) * 8,
}
BOARD_TRIPS = Cards("4h 3c", "9c 9d 9h 5s 2d", "Kc Qc")


# (a) Equipment and layout.


@pytest.mark.clause("NY (a)(1) positions")
def test_ny_a1_six_positions() -> None:
    assert load_book("new-york").seats == 6
    with pytest.raises(ValueError, match="seats are numbered 1 to 6"):
        settled_table("new-york", [seat(7, "As Kh")], board="Kd 9c 7h 5s 2d", dealer="9h Qc")


@pytest.mark.clause(
    "NY (a)(2)(i)",
    "NY (a)(2)(ii)",
    "NY (a)(2)(iii)",
    "NY (a)(2)(iv)",
    "NY (a)(2)(v)",
    "NY (a)(2)(vi)",
    "NY (a)(2)(vii)",
)
def test_ny_a2_layout_shows_betting_areas_pays_and_raises() -> None:
    inscriptions = {
        inscription.clause: inscription.text for inscription in load_book("new-york").layout
    }
    assert list(inscriptions) == ["NY (a)(2)(i)–(v)", "NY (a)(2)(vi)", "NY (a)(2)(vii)"]
    for wager in ("Odds", "Bad Beat", "Trips Plus", "Pocket Bonus"):
        assert wager in inscriptions["NY (a)(2)(vi)"]
    assert "Raise" in inscriptions["NY (a)(2)(vii)"]


# (b) Hand rankings.


def _strength(five: str) -> int:
    return strength(parse_cards(five))


@pytest.mark.clause("NY (b)(1) low ace", "NY (b)(1) no other sequence")
def test_ny_b1_the_ace_is_low_in_a_wheel_and_wraps_nowhere_else() -> None:
    assert category_of(_strength("Ac 2d 3h 4s 5c")).key == "straight"
    assert category_of(_strength("Ac 2c 3c 4c 5c")).key == "straight_flush"
    assert category_of(_strength("Qc Kd Ah 2s 3c")).key == "high_card"


@pytest.mark.clause(
    "NY (b)(2)",
    "NY (b)(2)(i)",
    "NY (b)(2)(ii)",
    "NY (b)(2)(iii)",
    "NY (b)(2)(iv)",
    "NY (b)(2)(v)",
    "NY (b)(2)(vi)",
    "NY (b)(2)(vii)",
    "NY (b)(2)(viii)",
    "NY (b)(2)(ix)",
)
def test_ny_b2_hands_in_order_each_from_its_highest_to_its_lowest() -> None:
    descending = [
        "Ad Kd Qd Jd Td",  # (i)
        "Kd Qd Jd Td 9d",  # (ii)
        "Ad 2d 3d 4d 5d",
        "Ac Ad Ah As 2c",  # (iii)
        "2c 2d 2h 2s 3c",
        "Ac Ad Ah Kc Kd",  # (iv)
        "2c 2d 2h 3c 3d",
        "Ac Kc Qc Jc 9c",  # (v)
        "2c 3c 4c 5c 7c",
        "Ac Kd Qh Js Tc",  # (vi)
        "Ac 2d 3h 4s 5c",
        "Ac Ad Ah Kc Qc",  # (vii)
        "2c 2d 2h 3c 4c",
        "Ac Ad Kc Kd Qc",  # (viii)
        "3c 3d 2c 2d 4c",
        "Ac Ad Kc Qd Jc",  # (ix)
        "2c 2d 3c 4d 5c",
        "Ac Kd Qc Jd 9c",
    ]
    strengths = [_strength(five) for five in descending]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(strengths)


@pytest.mark.clause("NY (b)(3) next card")
def test_ny_b3_the_next_card_decides_between_hands_of_one_rank() -> None:
    assert _strength("9c 9d Kh 7s 2c") > _strength("9h 9s Qh Js Tc")


@pytest.mark.clause("NY (b)(3) none of the hands")
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ac Kd 9h 7s 3c", "Kc Qd Jh 9s 8c"),
        ("Ac Kd 4h 3s 2c", "Ah Qd Jh 9s 8c"),
        ("Ac Kd 8h 3s 2c", "Ah Kh 7d 6s 5c"),
        ("Ac Kd 8h 6s 2c", "Ah Kh 8d 5s 4c"),
        ("Ac Kd 8h 6s 3c", "Ah Kh 8d 6d 2c"),
    ],
)
def test_ny_b3_the_next_card_decides_between_hands_that_are_none_of_those_listed(
    higher: str, lower: str
) -> None:
    assert _strength(higher) > _strength(lower)


@pytest.mark.clause("NY (b)(3) push")
def test_ny_b3_identical_ranks_push_whatever_the_suits() -> None:
    assert _strength("9c 9d Kh 7s 2c") == _strength("9h 9s Kc 7d 2d")


@pytest.mark.clause("NY (b)(3) next card")
def test_r46_standard_order_where_b3_read_literally_would_upset_it() -> None:
    """An ace not in the other hand neither lifts the wheel nor outranks a pair."""
    assert _strength("2c 3d 4h 5s 6c") > _strength("Ac 2d 3h 4s 5c")
    assert _strength("3c 3d Kh 7s 2c") > _strength("2h 2s Ah Ks Qc")


# (c) Wagers.


@pytest.mark.clause("NY (c)(2) before")
def test_ny_c2_wagers_close_at_no_more_bets() -> None:
    assert load_book("new-york").clauses["closing_of_bets"] == "NY (c)(2)"


@pytest.mark.clause("NY (c)(3) optional", "NY (e)(1) both", "NY (k)(1) in addition")
@pytest.mark.parametrize("wager", ["trips_plus", "pocket_bonus", "progressive"])
def test_ny_c3_optional_wagers_need_ante_and_odds(wager: str) -> None:
    with pytest.raises(ValueError, match="Ante is missing"):
        settled_table(
            "new-york",
            [{"seat": 1, "hole": "As Kh", wager: 1, "fold": True}],
            board="Kd 9c 7h 5s 2d",
            dealer="9h Qc",
        )


@pytest.mark.clause("NY (c)(3) no bearing")
def test_ny_c3_optional_wagers_have_no_bearing_on_the_others() -> None:
    alone = settled("new-york", WIN["straight"])
    together = settled("new-york", WIN["straight"], trips_plus=5, pocket_bonus=5, progressive=1)
    assert together.main == alone.main


@pytest.mark.clause("NY (c)(6)")
def test_ny_c6_no_more_than_one_position() -> None:
    assert load_book("new-york").options["positions_per_player"].clause == "NY (c)(6)"
    assert refused_rules("new-york", options={"positions_per_player": 2}).code == "option_not_open"


# (d) Dealing.


@pytest.mark.clause("NY (d)(1)(i)", "NY (d)(2) board")
@pytest.mark.parametrize("dealing", ["hand", "shoe"])
def test_ny_d_by_hand_or_from_an_automated_shoe(dealing: str) -> None:
    assert table_rules("new-york", options={"dealing": dealing}).dealing == dealing


@pytest.mark.clause("NY (e)(4) manual", "NY (e)(6) manual")
def test_ny_e4_e6_by_hand_the_board_comes_off_the_deck_when_needed() -> None:
    assert table_rules("new-york").board == "as_needed"
    assert refused_rules("new-york", options={"board": "at_once"}).code == "option_not_open"


# (e) The round.


@pytest.mark.clause("NY (e)(1) equal")
def test_ny_e1_ante_and_odds_are_equal() -> None:
    refusal = refused("new-york", ante=10, odds=11)
    assert refusal.code == "ante_not_equal_odds"
    assert "NY (e)(1)" in refusal.message


@pytest.mark.clause("NY (e)(2) not exposed")
def test_ny_e2_cards_are_not_exposed() -> None:
    assert load_book("new-york").clauses["information"] == "NY (e)(2)"
    assert refused_rules("new-york", options={"face_up": True}).code == "option_not_open"


@pytest.mark.clause("NY (e)(3) raise")
@pytest.mark.parametrize("multiple", [1, 2, 3])
def test_ny_e3_one_two_or_three_times_before_the_flop(multiple: int) -> None:
    won = settled("new-york", WIN["one_pair"], ("pocket", multiple))
    assert won.main == (10, 0, 10 * multiple)


@pytest.mark.clause("NY (e)(5) raise")
@pytest.mark.parametrize("multiple", [1, 2])
def test_ny_e5_one_or_two_times_on_the_flop(multiple: int) -> None:
    won = settled("new-york", WIN["one_pair"], ("flop", multiple))
    assert won.main == (10, 0, 10 * multiple)


@pytest.mark.clause(
    "NY (e)(3) raise",
    "NY (e)(5) raise",
    "NY (e)(7) raise or fold",
    "NY (c)(4)",
)
@pytest.mark.parametrize("raise_", [("pocket", 4), ("flop", 3), ("river", 2)])
def test_ny_e3_e5_e7_no_other_raise(raise_: tuple[str, int]) -> None:
    assert refused("new-york", raise_=raise_).code == "raise_not_allowed"


@pytest.mark.clause("NY (e)(3) raise", "NY (e)(5) raise", "NY (e)(7) raise or fold")
@pytest.mark.parametrize("street", list(Street))
def test_ny_e3_e5_e7_raises_are_not_the_facilitys_choice(street: Street) -> None:
    key = f"{street.value}_raises"
    assert refused_rules("new-york", options={key: [3]}).code == "option_not_open"


@pytest.mark.clause("NY (e)(7) forfeits")
def test_ny_e7_fold_forfeits_ante_and_odds() -> None:
    folded = settled("new-york", WIN["straight"], None)
    assert folded.nets == {"ante": -10, "odds": -10}
    assert set(folded.clauses.values()) == {"NY (e)(7)"}


@pytest.mark.clause("NY (e)(7) pocket bonus")
def test_ny_e7_a_folder_is_still_eligible_for_the_pocket_bonus() -> None:
    folded = settled("new-york", pocket_hands()["pair_of_aces"], None, pocket_bonus=5)
    assert folded.nets["pocket_bonus"] == 150
    forfeits = {"pocket_bonus_after_fold": "forfeits"}
    assert refused_rules("new-york", options=forfeits).code == "option_not_open"


@pytest.mark.clause("NY (e)(8) order", "NY (e)(9) order", "NY (e)(10) order")
def test_ny_e8_e10_the_dealers_hand_sets_the_order_from_the_dealers_right() -> None:
    """R97: below a pair (8), so raisers first; else (9), then (10)."""
    rules, cards = table_rules("new-york"), parse_cards("As Kh")
    plays = [
        SeatPlay(number, cards, {}, HasRaised(Street.RIVER, 1) if raised else HAS_FOLDED)
        for number, raised in ((1, False), (2, True), (4, False), (6, True))
    ]
    orders = {
        qualifies: [play.seat for play in sort_for_settlement(rules, plays, qualifies)]
        for qualifies in (True, False)
    }
    assert orders == {True: [4, 1, 6, 2], False: [6, 2, 4, 1]}


@pytest.mark.clause("NY (e)(8) best five")
def test_ny_e8_dealers_best_five_of_seven_may_be_the_board() -> None:
    assert settled("new-york", TIE["straight"]).main == (0, 0, 0)


# (f) Payout odds.


@pytest.mark.clause("NY (f)(1) ante", "NY (f)(1) others")
@pytest.mark.parametrize(
    ("scene", "main"),
    [
        ("player wins", (0, 0, 10)),
        ("player wins with a straight", (0, 10, 10)),
        ("player loses", (0, -10, -10)),
        ("copy", (0, 0, 0)),
    ],
)
def test_ny_f1_dealer_below_a_pair_pushes_the_ante_and_settles_the_rest(
    scene: str, main: tuple[int, ...]
) -> None:
    """R36: (f)(1) prevails over (f)(3)."""
    lines = settled("new-york", NOT_QUALIFIED[scene])
    assert lines.main == main
    assert lines.clauses["ante"] == "NY (f)(1)"


@pytest.mark.clause("NY (f)(2)")
@pytest.mark.parametrize("hand", [hand for hand in WIN if hand != "high_card"])
def test_ny_f2_ante_is_paid_even_money(hand: str) -> None:
    won = settled("new-york", WIN[hand])
    assert (won.nets["ante"], won.clauses["ante"]) == (10, "NY (f)(2)")


@pytest.mark.clause("NY (f)(3) ante", "NY (f)(3) raise", "NY (f)(3) odds")
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_ny_f3_losing_three_of_a_kind_or_worse_loses_everything(hand: str) -> None:
    lost = settled("new-york", LOSE[hand], ("pocket", 2))
    assert lost.main == (-10, -10, -20)
    assert lost.clauses["odds"] == "NY (f)(3)"


@pytest.mark.clause("NY (f)(4) ante", "NY (f)(4) raise", "NY (f)(4) odds")
@pytest.mark.parametrize("hand", TIE)
def test_ny_f4_identical_hands_push_ante_raise_and_odds(hand: str) -> None:
    tied = settled("new-york", TIE[hand], ("pocket", 3))
    assert tied.main == (0, 0, 0)
    assert set(tied.clauses.values()) == {"NY (f)(4)"}


@pytest.mark.clause("NY (f)(5) raise", "NY (f)(5) odds", "NY (f)(5) table")
@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("straight", 1),
        ("flush", 1.5),
        ("full_house", 3),
        ("four_of_a_kind", 10),
        ("straight_flush", 50),
        ("royal_flush", 500),
    ],
)
def test_ny_f5_winning_straight_or_better_pays_odds_by_the_table(hand: str, pays: float) -> None:
    won = settled("new-york", WIN[hand])
    assert won.main == (10, 10 * pays, 10)
    assert won.clauses["odds"] == "NY (f)(5)"


@pytest.mark.clause("NY (f)(5) odds")
def test_ny_f5_flush_at_three_to_two_is_exact_to_the_cent() -> None:
    """R18."""
    assert settled("new-york", WIN["flush"], ante=25).nets["odds"] == 37.5


@pytest.mark.clause("NY (f)(6) raise", "NY (f)(6) odds")
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_ny_f6_winning_three_of_a_kind_or_less_pays_raise_and_pushes_odds(hand: str) -> None:
    won = settled("new-york", WIN[hand])
    assert (won.nets["odds"], won.nets["raise"]) == (0, 10)
    assert won.clauses["odds"] == "NY (f)(6)"


@pytest.mark.clause("NY (f)(7) ante", "NY (f)(7) raise", "NY (f)(7) odds")
def test_ny_f7_losing_straight_pays_four_to_one_and_loses_ante_and_raise() -> None:
    lost = settled("new-york", LOSE["straight"], ("pocket", 3))
    assert lost.main == (-10, 40, -30)
    assert lost.clauses == {"ante": "NY (f)(3)", "odds": "NY (f)(7)", "raise": "NY (f)(3), (7)"}


@pytest.mark.clause("NY (f)(7) ante", "NY (f)(7) raise", "NY (f)(7) odds", "NY (f)(7) table")
@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("straight", 4),
        ("flush", 5),
        ("full_house", 6),
        ("four_of_a_kind", 25),
        ("straight_flush", 500),
    ],
)
def test_ny_f7_bad_beat_bonus_table(hand: str, pays: int) -> None:
    """R44: the Odds "remain": the stake is not lost under the bonus."""
    assert settled("new-york", LOSE[hand], ("flop", 2)).main == (-10, 10 * pays, -20)


def test_r39_no_bad_beat_for_a_royal_flush() -> None:
    assert "royal_flush" not in load_book("new-york").paytables["bad_beat"]["1"].pays


# (g), (h) Trips Plus.


@pytest.mark.clause(
    "NY (g) hand",
    "NY (g) table A",
    "NY (g) table B",
    "NY (g) table C",
    "NY (g) table D",
)
@pytest.mark.parametrize(("number", "paytable"), list(enumerate("ABCD")))
def test_ny_g_trips_plus_paytables(number: int, paytable: str) -> None:
    assert paid("new-york", "trips_plus", paytable, WIN) == column(TRIPS_PLUS, number)


@pytest.mark.clause("NY (g) regardless")
def test_ny_g_regardless_of_the_primary_game() -> None:
    assert settled("new-york", LOSE["full_house"], trips_plus=5).nets["trips_plus"] == 45


@pytest.mark.clause("NY (g) hand")
@pytest.mark.parametrize(
    ("cards", "seven", "literal"),
    [
        # Three of a kind on the board serves both readings.
        (BOARD_TRIPS, "three_of_a_kind", "three_of_a_kind"),
        # Four of a kind on the board: with both hole cards only three of it can be used.
        (Cards("4h 3c", "9c 9d 9h 9s 2d", "Kc Qc"), "four_of_a_kind", "three_of_a_kind"),
        # A straight with one hole card.
        (Cards("8h 2c", "7c 6d 5h 4s Kd", "Kc Qc"), "straight", "high_card"),
        # A flush on the board.
        (Cards("4h 3c", "Kd 9d 7d 6d 2d", "Kc Qc"), "flush", "high_card"),
        # Both hole cards are needed anyway.
        (Cards("8h 6s", "Kd 9c 7h 5s 2d", "Kh Qc"), "straight", "straight"),
    ],
)
def test_r53_best_of_seven_is_the_rule_and_the_literal_g_an_option(
    cards: Cards, seven: str, literal: str
) -> None:
    options = {"trips_plus_hand": "both_hole_cards"}
    assert settled("new-york", cards, trips_plus=5).outcomes["trips_plus"] == seven
    strict = settled("new-york", cards, trips_plus=5, options=options)
    assert strict.outcomes["trips_plus"] == literal
    assert strict.main == settled("new-york", cards).main


@pytest.mark.clause("NY (g) regardless")
def test_r54_trips_plus_stays_after_a_fold_unless_read_strictly() -> None:
    stays = settled("new-york", BOARD_TRIPS, None, trips_plus=5, pocket_bonus=5)
    assert stays.nets["trips_plus"] == 15
    options = {"trips_plus_after_fold": "forfeits"}
    strict = settled("new-york", BOARD_TRIPS, None, trips_plus=5, options=options)
    assert strict.nets["trips_plus"] == -5
    raised = settled("new-york", BOARD_TRIPS, trips_plus=5, options=options)
    assert raised.nets["trips_plus"] == 15


def test_r80_the_progressive_stays_after_a_fold_unless_read_strictly() -> None:
    hand = PROGRESSIVE["full_house"]
    stays = settled("new-york", hand, None, progressive=1)
    assert stays.nets["progressive"] == 10
    options = {"progressive_after_fold": "forfeits"}
    strict = settled("new-york", hand, None, progressive=1, options=options)
    assert strict.nets["progressive"] == -1
    assert strict.clauses["progressive"] == "NY (e)(7), (9)"
    assert settled("new-york", hand, progressive=1, options=options).nets["progressive"] == 10
    for other in ("galaxy", "washington"):
        assert refused_rules(other, options=options).code == "option_not_open"


@pytest.mark.clause("NY (h)")
def test_ny_h_trips_plus_before_or_after_the_main_bets() -> None:
    option = load_book("new-york").options["trips_plus_settled"]
    assert option.clause == "NY (h)"
    assert option.allows("before")
    assert option.allows("after")


# (i) Pocket Bonus.


@pytest.mark.clause(
    "NY (i) pair",
    "NY (i) ace with a face",
    "NY (i) table A",
    "NY (i) table B",
    "NY (i) table C",
)
@pytest.mark.parametrize(("number", "paytable"), list(enumerate("ABC")))
def test_ny_i_pocket_bonus_paytables(number: int, paytable: str) -> None:
    assert paid("new-york", "pocket_bonus", paytable, pocket_hands()) == column(
        POCKET_BONUS, number
    )


@pytest.mark.clause("NY (i) pair")
@pytest.mark.parametrize("rank", "23456789TJQK")
def test_r57_every_pair_wins_despite_the_second_sentence_of_i(rank: str) -> None:
    """R59: twos to kings in one row."""
    cards = Cards(f"{rank}c {rank}d", "As 9h 7s 4h 3s", "8h 8s")
    assert settled("new-york", cards, pocket_bonus=5).nets["pocket_bonus"] == 25


@pytest.mark.clause("NY (i) loses")
def test_ny_i_neither_pair_nor_ace_with_a_face_loses() -> None:
    for hole in ("Ac Tc", "Kc Qc"):
        cards = Cards(hole, "9s 7h 5s 3d 2d", "8h 8d")
        assert settled("new-york", cards, pocket_bonus=5).nets["pocket_bonus"] == -5


# (j) Irregularities.


@pytest.mark.clause("NY (j)(1)", "NY (j)(2)(i)")
def test_ny_j1_j2i_dealer_card_exposed_voids_all_but_trips_plus_is_settled() -> None:
    rule = load_book("new-york").irregularities[Cause.DEALER_CARD_EXPOSED]
    assert (rule.voids, rule.settles) == ("all", (Wager.TRIPS_PLUS,))
    assert not rule.correctable


@pytest.mark.clause("NY (j)(2)(ii)")
def test_ny_j2ii_card_found_face_up_settles_trips_plus() -> None:
    rule = load_book("new-york").irregularities[Cause.CARD_FOUND_FACE_UP]
    assert (rule.voids, rule.settles) == ("all", (Wager.TRIPS_PLUS,))


@pytest.mark.clause("NY (j)(3) player")
def test_ny_j3_wrong_number_of_cards_to_a_player_voids_that_hand() -> None:
    """R93: Trips Plus too, since no clause saves it."""
    rule = load_book("new-york").irregularities[Cause.PLAYER_CARD_COUNT]
    assert (rule.voids, rule.settles, rule.correctable) == ("hand", (), False)


@pytest.mark.clause("NY (j)(3) dealer", "NY (j)(3) correction")
def test_ny_j3_wrong_number_to_the_dealer_voids_all_unless_it_can_be_corrected() -> None:
    rule = load_book("new-york").irregularities[Cause.DEALER_CARD_COUNT]
    assert (rule.voids, rule.settles, rule.correctable) == ("all", (), True)


def test_r95_rules_that_no_document_covers_are_marked_house_rules() -> None:
    rules = load_book("new-york").irregularities
    own = {cause for cause, rule in rules.items() if not rule.house_rule}
    assert own == {
        "dealer_card_exposed",
        "card_found_face_up",
        "player_card_count",
        "dealer_card_count",
    }
    assert all(rules[cause].clause.startswith("NY (j)") for cause in own)


# (k) Progressive.


@pytest.mark.clause("NY (k)(1) amount")
@pytest.mark.parametrize("stake", ["0.99", "1.01", 2, 5])
def test_ny_k1_progressive_is_one_dollar_only(stake: object) -> None:
    refusal = refused("new-york", progressive=stake)
    assert refusal.code == "progressive_stake"
    assert "NY (k)(1)" in refusal.message
    assert refused_rules("new-york", options={"progressive_stake": "2.00"}).code == (
        "option_not_open"
    )


@pytest.mark.clause("NY (k)(2) pool")
def test_ny_k2_one_meter_at_each_table() -> None:
    """R78."""
    assert not load_book("new-york").linkable_meter


@pytest.mark.clause("NY (k)(2) facility")
def test_ny_k2_seed_and_contribution_are_the_facilitys() -> None:
    rules = table_rules(
        "new-york", options={"meter_seed": "10000.00", "meter_contribution": "0.27"}
    )
    assert (rules.meter_seed, rules.meter_contribution) == (10_000_000_000, 270_000)


@pytest.mark.clause(
    "NY (k)(3) hand",
    "NY (k)(3) flopped",
    "NY (k)(3) flopped in spades",
    "NY (k)(3) community",
)
@pytest.mark.parametrize(
    ("cards", "outcome"),
    [
        (Cards("As Ks", "Qs Js Ts 4d 2c", "9h 9c"), "flopped_royal_flush_in_spades"),
        (Cards("Ad Kd", "Qd Jd Td 4c 2c", "9h 9c"), "flopped_royal_flush"),
        (Cards("As Ks", "Qs Js 4d Ts 2c", "9h 9c"), "royal_flush"),
        (Cards("As 2d", "Qs Js Ts Ks 2c", "9h 9c"), "royal_flush"),
        (Cards("As Ac", "Qd Jd Td Kd Ad", "9h 9c"), "community_royal_flush"),
    ],
)
def test_ny_k3_flopped_and_community_hands(cards: Cards, outcome: str) -> None:
    """R66–R67."""
    lines = settled("new-york", cards, progressive=1, meter=1_000)
    assert lines.outcomes["progressive"] == outcome


@pytest.mark.clause(
    "NY (k)(4) wins",
    "NY (k)(4) pool",
    "NY (k)(4) table A",
    "NY (k)(4) table B",
    "NY (k)(4) table C",
    "NY (k)(4) table D",
    "NY (k)(4) table E",
    "NY (k)(4) table F",
    "NY (k)(4) table G",
    "NY (k)(4) table H",
)
@pytest.mark.parametrize(("number", "paytable"), list(enumerate("ABCDEFGH")))
def test_ny_k4_progressive_paytables_pay_to_1(number: int, paytable: str) -> None:
    """R15: x:1 as everywhere in this document; the stake comes back, on shares of the pool too."""
    nets = paid("new-york", "progressive", paytable, PROGRESSIVE, meter=100_000)
    assert nets == {outcome: row[number] for outcome, row in PROGRESSIVE_PRIZES.items()}


def test_r15_for_1_is_a_named_option() -> None:
    options = {"progressive_basis": "for"}
    quads = settled("new-york", WIN["four_of_a_kind"], progressive=1, options=options)
    assert quads.nets["progressive"] == 49
    royal = settled(
        "new-york", PROGRESSIVE["royal_flush"], progressive=1, options=options, meter=100_000
    )
    assert royal.nets["progressive"] == 9_999
    assert table_rules("new-york").paytables["progressive"].basis is Basis.TO


@pytest.mark.clause("NY (k)(4) table C")
def test_ny_k4_player_loses_wager() -> None:
    flush = load_book("new-york").paytables["progressive"]["C"].pays["flush"]
    assert (flush.printed, flush.kind) == ("Player loses wager", PayKind.LOSS)


@pytest.mark.clause("NY (k)(4) one table", "NY (g) one table", "NY (i) one table")
def test_ny_k4_one_of_the_eight_tables_and_no_other() -> None:
    """R2: closed lists."""
    book = load_book("new-york")
    assert "".join(book.paytables["progressive"]) == "ABCDEFGH"
    assert all(book.closed.values())
    assert refused_rules("new-york", {"progressive": "1"}).code == "unknown_paytable"


@pytest.mark.clause("NY (k)(4) pool")
def test_ny_k4_pool_in_full_empties_the_meter_to_its_seed() -> None:
    """R73."""
    flopped = PROGRESSIVE["flopped_royal_flush"]
    table = settled_table(
        "new-york",
        [seat(3, flopped.hole, progressive=1)],
        board=flopped.board,
        dealer=flopped.dealer,
        paytables={"progressive": "G"},
        options={"meter_seed": "2500.00"},
        meter="81234.56",
    )
    assert str(table.seats[3].nets["progressive"]) == "81234.56"
    assert table.meter == 2_500


@pytest.mark.clause("NY (k)(4) pool")
def test_r70_two_community_royals_take_10_percent_of_the_same_pool() -> None:
    table = settled_table(
        "new-york",
        [seat(1, "2c 2d", progressive=1), seat(2, "4c 4d", None, progressive=1)],
        board="Ah Kh Qh Jh Th",
        dealer="3c 3d",
        meter=50_000,
    )
    assert [one.nets["progressive"] for one in table.seats.values()] == [5_000, 5_000]
    assert table.meter == 40_000


def test_r80_progressive_stays_after_a_fold() -> None:
    assert settled("new-york", WIN["flush"], None, progressive=1).nets["progressive"] == 5


# The book as a whole.


@pytest.mark.clause("NY (k)")
def test_r7_ny_offers_trips_plus_pocket_bonus_and_progressive() -> None:
    assert set(load_book("new-york").offers) == {
        Wager.TRIPS_PLUS,
        Wager.POCKET_BONUS,
        Wager.PROGRESSIVE,
    }
    assert refused("new-york", all_6=5).code == "wager_not_offered"
    assert refused("new-york", packet="3c 4c 6c 8c").code == "wager_not_offered"


@pytest.mark.clause("NY (g) one table", "NY (i) one table", "NY (k)(4) one table")
def test_ny_default_paytables_are_the_first_of_each() -> None:
    rules = table_rules("new-york")
    assert {key: table.id for key, table in rules.paytables.items()} == {
        "odds": "1",
        "bad_beat": "1",
        "trips_plus": "A",
        "pocket_bonus": "A",
        "progressive": "A",
    }


def test_r102_ny_knows_no_payout_cap() -> None:
    assert table_rules("new-york").cap is None
    assert refused_rules("new-york", options={"cap": "50000.00"}).code == "option_not_open"


def test_r4_ny_is_in_effect_from_2018() -> None:
    assert load_book("new-york").effective_from == "2018"
