"""Washington's rules of play, with and without a dealer qualifier, clause by clause.

`wa_5` is numbered step 5, `wa_app_a_note_7` note 7 below the table of Appendix A.
"""

import pytest

from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import Basis, PayKind
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
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
OW_1 = {
    "royal_flush": 500,
    "straight_flush": 40,
    "four_of_a_kind": 8,
    "full_house": 3,
    "flush": 1,
    "straight": 1,
}
OW_2 = {
    "royal_flush": 500,
    "straight_flush": 50,
    "four_of_a_kind": 10,
    "full_house": 3,
    "flush": 1.5,
    "straight": 1,
}
BB_1 = {"straight_flush": 500, "four_of_a_kind": 50, "full_house": 10, "flush": 8, "straight": 5}
TRIPS_PLUS: dict[str, tuple[Dollars, ...]] = {
    "royal_flush": (50, 50, 50, 50, 100),
    "straight_flush": (40, 40, 40, 40, 40),
    "four_of_a_kind": (30, 30, 30, 20, 30),
    "full_house": (9, 8, 8, 7, 8),
    "flush": (7, 6, 7, 6, 7),
    "straight": (4, 5, 4, 5, 4),
    "three_of_a_kind": (3, 3, 3, 3, 3),
    "two_pair": (-1, -1, -1, -1, -1),
    "one_pair": (-1, -1, -1, -1, -1),
    "high_card": (-1, -1, -1, -1, -1),
}
# What $1 wins with the meter at $100,000; 0 where the cell is blank or there is none.
JACKPOT_PRIZES: dict[str, tuple[int, ...]] = {
    "flopped_royal_flush_in_spades": (100_000,) * 6,
    "flopped_royal_flush": (10_000, 1_000, 10_000, 1_000, 100_000, 100_000),
    "royal_flush": (10_000, 1_000, 10_000, 1_000, 3_000, 5_000),
    "community_royal_flush": (10_000, 1_000, 10_000, 1_000, 3_000, 3_000),
    "straight_flush": (200, 200, 500, 500, 250, 250),
    "four_of_a_kind": (50, 50, 100, 100, 100, 100),
    "full_house": (10, 10, 10, 10, 10, 10),
    "flush": (5, 5, 0, 0, 0, 0),
    "straight": (0,) * 6,
}
# Fillings for tables whose cells are all "Bonus".
OW_3 = {"odds": {hand: str(pays) for hand, pays in OW_1.items()}}
BB_2 = {"bad_beat": {hand: str(pays) for hand, pays in BB_1.items()}}
TP_6 = {
    "trips_plus": {
        "royal_flush": "200",
        "straight_flush": "60",
        "four_of_a_kind": "25",
        "full_house": "8",
        "flush": "6",
        "straight": "4",
        "three_of_a_kind": "2",
    }
}
PB_2 = {
    "pocket_bonus": {
        "pair_of_aces": "25",
        "suited_ace_face": "20",
        "unsuited_ace_face": "10",
        "pair": "4",
    }
}
JP_7 = {
    "progressive": {
        "flopped_royal_flush_in_spades": "25,000",
        "flopped_royal_flush": "5,000",
        "royal_flush": "2,500",
        "community_royal_flush": "500",
        "straight_flush": "200",
        "four_of_a_kind": "50",
        "full_house": "10",
        "flush": "Loss",
    }
}
NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize "
    "contest. Player wagers do not accrue to any guaranteed player fund. The displayed Bonus "
    "Jackpot prize may be modified or discontinued at any time without prior notice."
)


# The letter of 15 June 2020.


@pytest.mark.clause("WA letter of 15 June 2020, face up")
def test_wa_letter_2020_cards_may_be_dealt_face_up() -> None:
    """R25: off unless the operator says so, and in Washington only."""
    assert not table_rules("washington").face_up
    assert table_rules("washington", options={"face_up": True}).face_up
    assert "2020" in load_book("washington").options["face_up"].clause
    for other in ("galaxy", "galaxy-wpt", "new-york", "sugarhouse"):
        assert refused_rules(other, options={"face_up": True}).code == "option_not_open"


@pytest.mark.clause("WA letter of 15 June 2020, nothing else")
def test_wa_letter_2020_no_other_modification_so_face_up_pays_the_same() -> None:
    open_cards = settled("washington", WIN["flush"], options={"face_up": True})
    assert open_cards.main == settled("washington", WIN["flush"]).main


# Rules of Play, the paragraphs before step 1.


@pytest.mark.clause("WA Rules of Play, second paragraph, wagers", "WA Proposition Wagers")
def test_wa_operator_chooses_the_wagers() -> None:
    rules = table_rules("washington", {"trips_plus": "none"})
    assert not rules.offers(Wager.TRIPS_PLUS)
    assert refused("washington", trips_plus=5, paytables={"trips_plus": "none"}).code == (
        "wager_not_offered"
    )


@pytest.mark.clause("WA Rules of Play, second paragraph, limits")
def test_wa_operator_sets_the_limits() -> None:
    limits = {"limits": {"ante": {"min": 5, "max": 100}, "pocket_bonus": {"max": 25}}}
    assert refused("washington", ante=3, options=limits).code == "below_minimum"
    assert refused("washington", pocket_bonus=26, options=limits).code == "above_maximum"


@pytest.mark.clause("WA Rules of Play, second paragraph, limits")
def test_r6_the_states_wager_limit_binds_the_triple_play_wager() -> None:
    single = {"single_wager_max": "500.00"}
    assert refused("washington", ante="166.67", options=single).code == "above_maximum"
    lost = settled("washington", LOSE["one_pair"], ("pocket", 3), ante="166.66", options=single)
    assert f"{lost.nets['raise']:.2f}" == "-499.98"


@pytest.mark.clause("WA Rules of Play, second paragraph, four options")
def test_wa_at_most_four_wagering_options() -> None:
    """R10: Ante, Odds and Play are three, so one proposition wager."""
    assert settled("washington", WIN["flush"], trips_plus=5).nets["trips_plus"] == 35
    assert settled("washington", WIN["flush"], pocket_bonus=5).nets["pocket_bonus"] == -5
    assert settled("washington", WIN["flush"], progressive=1).nets["progressive"] == 4
    refusal = refused("washington", trips_plus=5, pocket_bonus=5)
    assert refusal.code == "too_many_wagers"
    assert "this table allows one side bet per round" in refusal.message


@pytest.mark.clause("WA Rules of Play, second paragraph, four options")
def test_r10_the_play_wager_need_not_count_as_an_option() -> None:
    options = {"raise_counts_as_option": False}
    two = settled("washington", WIN["one_pair"], trips_plus=5, pocket_bonus=5, options=options)
    assert (two.nets["trips_plus"], two.nets["pocket_bonus"]) == (-5, 50)
    three = refused("washington", trips_plus=5, pocket_bonus=5, progressive=1, options=options)
    assert three.code == "too_many_wagers"


@pytest.mark.parametrize("rules", ["galaxy", "new-york"])
def test_r10_the_four_option_rule_is_washingtons_own(rules: str) -> None:
    lines = settled(rules, WIN["flush"], trips_plus=5, pocket_bonus=5, progressive=1)
    assert len(lines.nets) == 6


@pytest.mark.clause("WA Rules of Play, second paragraph, posted")
def test_wa_four_option_restriction_is_posted_on_the_layout() -> None:
    assert [inscription.text for inscription in load_book("washington").layout] == [
        "Players may wager on at most four of the wagering options"
    ]


# Steps 1–6.


@pytest.mark.clause("WA 1 equal")
def test_wa_1_ante_and_odds_are_equal() -> None:
    refusal = refused("washington", ante=10, odds=5)
    assert refusal.code == "ante_not_equal_odds"
    assert "WA 1" in refusal.message


@pytest.mark.clause("WA 2 play", "WA 3 play", "WA 4 play or fold")
@pytest.mark.parametrize("raise_", [("pocket", 3), ("flop", 2), ("river", 1)])
def test_wa_2_3_4_play_triple_double_or_equal(raise_: tuple[str, int]) -> None:
    won = settled("washington", WIN["one_pair"], raise_)
    assert won.main == (10, 0, 10 * raise_[1])


@pytest.mark.clause("WA 2 play", "WA 3 play", "WA 4 play or fold")
@pytest.mark.parametrize("raise_", [("pocket", 1), ("pocket", 2), ("flop", 1), ("river", 2)])
def test_wa_2_3_4_no_other_play_wager(raise_: tuple[str, int]) -> None:
    assert refused("washington", raise_=raise_).code == "raise_not_allowed"


@pytest.mark.clause("WA 2 play")
def test_wa_play_is_the_label_of_the_raise() -> None:
    """R1."""
    assert load_book("washington").label(Wager.RAISE) == "Play"
    assert load_book("washington-no-qualifier").label(Wager.RAISE) == "Play"
    assert load_book("galaxy").label(Wager.RAISE) == "Raise"


@pytest.mark.clause("WA 4 fold")
def test_wa_4_fold_forfeits_ante_and_odds() -> None:
    folded = settled("washington", WIN["straight"], None)
    assert folded.nets == {"ante": -10, "odds": -10}
    assert set(folded.clauses.values()) == {"WA 4"}


@pytest.mark.clause("WA 5 highest", "WA 5 even money", "WA Rules of Play, first paragraph, object")
@pytest.mark.parametrize("rules", ["washington", "washington-no-qualifier"])
def test_wa_5_highest_hand_wins_ante_and_play_at_even_money(rules: str) -> None:
    assert settled(rules, WIN["two_pair"], ("pocket", 3)).main == (10, 0, 30)
    assert settled(rules, LOSE["two_pair"], ("pocket", 3)).main == (-10, -10, -30)


@pytest.mark.clause("WA 5 even money", "WA Rules of Play, first paragraph, versions")
@pytest.mark.parametrize(
    ("scene", "main"),
    [
        ("player wins", (10, 0, 10)),
        ("player wins with a straight", (10, 10, 10)),
        ("player loses", (-10, -10, -10)),
        ("copy", (0, 0, 0)),
    ],
)
def test_wa_5_without_a_qualifier_the_dealer_always_plays(
    scene: str, main: tuple[int, ...]
) -> None:
    """R49: any win pays the Ante."""
    assert settled("washington-no-qualifier", NOT_QUALIFIED[scene]).main == main


@pytest.mark.clause("WA 6 tie", "WA 6 others", "WA Rules of Play, first paragraph, versions")
@pytest.mark.parametrize(
    ("scene", "main"),
    [
        ("player wins", (0, 0, 10)),
        ("player wins with a straight", (0, 10, 10)),
        ("player loses", (0, -10, -10)),
        ("copy", (0, 0, 0)),
    ],
)
def test_wa_6_without_a_qualifying_hand_the_ante_is_automatically_a_tie(
    scene: str, main: tuple[int, ...]
) -> None:
    """R36."""
    lines = settled("washington", NOT_QUALIFIED[scene])
    assert lines.main == main
    assert lines.clauses["ante"] == "WA 6"


@pytest.mark.clause("WA footnote 2")
@pytest.mark.parametrize(
    ("qualifier", "dealer", "qualifies"),
    [
        ("one_pair", "2h Qc", True),
        ("99", "7c Qc", False),
        ("99", "9h Qc", True),
        ("two_pair", "Kh Qc", False),
        ("two_pair", "Kh 9s", True),
        ("AK", "Qc Jh", False),
        ("AK", "Ac Qh", True),
    ],
)
def test_wa_6_footnote_2_the_operator_determines_the_qualifying_hand(
    qualifier: str, dealer: str, qualifies: bool
) -> None:
    """R35."""
    table = settled_table(
        "washington",
        [seat(1, "5c 5d")],
        board="Kd 9c 7h 5s 2d",
        dealer=dealer,
        options={"qualifier": qualifier},
    )
    assert table.dealer_qualifies == qualifies
    assert table.seats[1].nets["ante"] == (10 if qualifies else 0)


def test_a_dealer_who_needs_no_hand_is_not_said_to_qualify() -> None:
    table = settled_table(
        "washington-no-qualifier",
        [seat(1, "5c 5d")],
        board="Kd 9c 7h 5s 2d",
        dealer="Qc Jh",
    )
    assert table.dealer_qualifies is None
    assert table.seats[1].nets["ante"] == 10


@pytest.mark.parametrize("rules", ["galaxy", "galaxy-wpt", "new-york", "sugarhouse"])
def test_r35_elsewhere_a_pair_is_the_rule(rules: str) -> None:
    assert table_rules(rules).qualifier == "one_pair"
    assert refused_rules(rules, options={"qualifier": "none"}).code == "option_not_open"


# Appendix A: the Odds wager.


@pytest.mark.clause("WA App. A HH/OW-1", "WA 5 odds")
@pytest.mark.parametrize(("hand", "pays"), OW_1.items())
def test_wa_app_a_odds_paytable_ow_1(hand: str, pays: int) -> None:
    assert settled("washington-no-qualifier", WIN[hand]).nets["odds"] == 10 * pays


@pytest.mark.clause("WA App. A HH/OW-2", "WA 5 odds")
@pytest.mark.parametrize(("hand", "pays"), OW_2.items())
def test_wa_app_a_odds_paytable_ow_2(hand: str, pays: float) -> None:
    assert settled("washington", WIN[hand]).nets["odds"] == 10 * pays


@pytest.mark.clause("WA App. A HH/OW/BB-1", "WA 5 bad beat", "WA App. A note 3")
@pytest.mark.parametrize(("hand", "pays"), BB_1.items())
def test_wa_app_a_bad_beat_1(hand: str, pays: int) -> None:
    lost = settled("washington", LOSE[hand], ("pocket", 3))
    assert lost.main == (-10, 10 * pays, -30)
    assert lost.clauses["odds"] == "WA 5, App. A note 3"


@pytest.mark.clause("WA App. A HH/OW-1", "WA App. A HH/OW-2", "WA App. A HH/OW/BB-1")
@pytest.mark.parametrize("rules", ["washington", "washington-no-qualifier"])
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_wa_app_a_all_other_push_on_a_win_and_lose_on_a_loss(rules: str, hand: str) -> None:
    assert settled(rules, WIN[hand]).nets["odds"] == 0
    assert settled(rules, LOSE[hand]).nets["odds"] == -10


@pytest.mark.clause("WA App. A note 1")
def test_wa_app_a_note_1_odds_are_to_1() -> None:
    for key in ("odds", "bad_beat"):
        assert {t.basis for t in load_book("washington").paytables[key].values()} == {Basis.TO}


@pytest.mark.clause("WA App. A note 2 ties")
@pytest.mark.parametrize("rules", ["washington", "washington-no-qualifier"])
@pytest.mark.parametrize("hand", TIE)
def test_wa_app_a_note_2_all_ties_push(rules: str, hand: str) -> None:
    tied = settled(rules, TIE[hand], ("pocket", 3))
    assert tied.main == (0, 0, 0)
    assert tied.clauses["odds"] == "WA App. A note 2"


@pytest.mark.clause("WA App. A note 2 higher")
@pytest.mark.parametrize("hand", BB_1)
def test_wa_app_a_note_2_without_a_bad_beat_a_losing_hand_loses_its_odds(hand: str) -> None:
    """R37: note 9 leaves the game without a qualifier no Bad Beat, against step 5."""
    assert settled("washington-no-qualifier", LOSE[hand]).main == (-10, -10, -10)
    none = {"bad_beat": "none"}
    assert settled("washington", LOSE[hand], paytables=none).main == (-10, -10, -10)


@pytest.mark.clause("WA App. A note 5", "WA App. A HH/OW-3")
def test_wa_app_a_note_5_a_table_with_bonus_cells_opens_only_when_they_are_filled() -> None:
    """R38."""
    refusal = refused_rules("washington", {"odds": "HH/OW-3"})
    assert refusal.code == "bonus_unfilled"
    for hand in OW_1:
        assert hand in refusal.message
    some = {"bonus": {"odds": {**OW_3["odds"], "flush": "2"}}}
    won = settled("washington", WIN["flush"], paytables={"odds": "HH/OW-3"}, options=some)
    assert won.nets["odds"] == 20


@pytest.mark.clause("WA App. A HH/OW-3", "WA App. A HH/OW/BB-2")
def test_r38_unfilled_all_other_pushes_on_a_win_and_loses_on_a_loss() -> None:
    paytables = {"odds": "HH/OW-3", "bad_beat": "HH/OW/BB-2"}
    options = {"bonus": OW_3 | BB_2}
    won = settled("washington", WIN["one_pair"], paytables=paytables, options=options)
    lost = settled("washington", LOSE["one_pair"], paytables=paytables, options=options)
    assert (won.nets["odds"], lost.nets["odds"]) == (0, -10)


@pytest.mark.clause("WA App. A HH/OW-3")
def test_r38_all_other_may_be_filled_too() -> None:
    bonus = {"bonus": {"odds": {**OW_3["odds"], "other": "1:10"}}}
    won = settled("washington", WIN["one_pair"], paytables={"odds": "HH/OW-3"}, options=bonus)
    assert won.nets["odds"] == 1


def test_r39_the_royal_of_bad_beat_2_needs_no_filling() -> None:
    rules = table_rules("washington", {"bad_beat": "HH/OW/BB-2"}, {"bonus": BB_2})
    assert rules.paytables["bad_beat"].pays["royal_flush"].kind is PayKind.LOSS


def test_r39_bad_beat_1_prints_0_for_a_royal_flush_that_cannot_lose() -> None:
    table = load_book("washington").paytables["bad_beat"]["HH/OW/BB-1"]
    assert table.pays["royal_flush"].printed == "0"
    assert table.is_unreachable("royal_flush")


@pytest.mark.clause("WA App. A note 7")
def test_wa_app_a_note_7_ow1_only_without_qualifier() -> None:
    refusal = refused_rules("washington", {"odds": "HH/OW-1"})
    assert refusal.code == "illegal_combination"
    assert "WA App. A note 7" in refusal.message
    assert table_rules("washington-no-qualifier").paytables["odds"].id == "HH/OW-1"


@pytest.mark.clause("WA App. A note 8")
def test_wa_app_a_note_8_ow2_only_with_qualifier() -> None:
    refusal = refused_rules("washington-no-qualifier", {"odds": "HH/OW-2"})
    assert refusal.code == "illegal_combination"
    assert "WA App. A note 8" in refusal.message


@pytest.mark.clause("WA App. A note 9")
@pytest.mark.parametrize("bad_beat", ["HH/OW/BB-1", "HH/OW/BB-2"])
def test_wa_app_a_note_9_bad_beat_only_with_qualifier(bad_beat: str) -> None:
    refusal = refused_rules(
        "washington-no-qualifier",
        {"bad_beat": bad_beat},
        {"bonus": BB_2} if bad_beat.endswith("2") else None,
    )
    assert refusal.code == "illegal_combination"
    assert "WA App. A note 9" in refusal.message


@pytest.mark.clause("WA App. A note 7", "WA App. A note 8", "WA App. A note 9")
def test_r37_eight_combinations_are_legal() -> None:
    legal = set()
    for rules in ("washington", "washington-no-qualifier"):
        for odds in ("HH/OW-1", "HH/OW-2", "HH/OW-3"):
            for bad_beat in ("none", "HH/OW/BB-1", "HH/OW/BB-2"):
                bonus = (OW_3 if odds == "HH/OW-3" else {}) | (
                    BB_2 if bad_beat == "HH/OW/BB-2" else {}
                )
                try:
                    table_rules(rules, {"odds": odds, "bad_beat": bad_beat}, {"bonus": bonus})
                except ValueError:
                    continue
                legal.add((rules, odds[-1], bad_beat[-1]))
    assert legal == {
        ("washington-no-qualifier", "1", "e"),
        ("washington-no-qualifier", "3", "e"),
        *(("washington", odds, bad_beat) for odds in "23" for bad_beat in "e12"),
    }


@pytest.mark.clause("WA App. A note 7", "WA Rules of Play, first paragraph, versions")
def test_wa_6_a_table_of_the_first_book_may_drop_its_qualifier_with_ow1() -> None:
    paytables = {"odds": "HH/OW-1", "bad_beat": "none"}
    lines = settled(
        "washington",
        NOT_QUALIFIED["player loses"],
        paytables=paytables,
        options={"qualifier": "none"},
    )
    assert lines.main == (-10, -10, -10)
    assert refused_rules("washington", options={"qualifier": "none"}).code == (
        "illegal_combination"
    )


@pytest.mark.clause("WA App. A HH/OW-3")
@pytest.mark.parametrize("written", ["HH/OW 3", "hh/ow-3", "HH/OW – 3"])
def test_wa_app_a_paytables_may_be_named_as_printed(written: str) -> None:
    rules = table_rules("washington", {"odds": written}, {"bonus": OW_3})
    assert rules.paytables["odds"].id == "HH/OW-3"


@pytest.mark.clause("WA App. A note 10")
def test_wa_app_a_note_10_maximum_aggregate_per_round() -> None:
    """R102: a posted cap, per player unless said otherwise."""
    cap = {"cap": {"amount": "1000.00"}}
    won = settled("washington", WIN["royal_flush"], ("pocket", 3), options=cap)
    assert won.main == (10, 960, 30)
    assert won.shortfalls == {"odds": 4_040}


@pytest.mark.clause("WA App. A note 10")
def test_r102_a_cap_over_the_table_is_shared_in_proportion() -> None:
    """A straight flush wins 10 + 500 + 30, quads 20 + 200 + 60: 820, twice the cap."""
    table = settled_table(
        "washington",
        [seat(1, "6d 5d", ("pocket", 3), ante=10), seat(2, "9h 9s", ("pocket", 3), ante=20)],
        board="9d 8d 7d 9c 2c",
        dealer="Ad Kd",
        options={"cap": {"amount": "410.00", "scope": "table"}},
    )
    assert table.seats[1].total == 270
    assert table.seats[2].total == 140
    assert sum(sum(one.shortfalls.values()) for one in table.seats.values()) == 410


def test_r102_a_cap_may_spare_prizes_below_50_to_1() -> None:
    cap = {"cap": {"amount": "1000.00", "spares_below": 50}}
    quads = settled("washington", WIN["four_of_a_kind"], ("pocket", 3), ante=200, options=cap)
    assert quads.main == (200, 2_000, 600)
    royal = settled("washington", WIN["royal_flush"], ("pocket", 3), options=cap)
    assert royal.main == (10, 1_000, 30)


# Appendix B: Trips Plus.


@pytest.mark.clause(
    "WA Trips Plus",
    "WA App. B HH/TP-1",
    "WA App. B HH/TP-2",
    "WA App. B HH/TP-3",
    "WA App. B HH/TP-4",
    "WA App. B HH/TP-5",
    "WA App. B note 1",
    "WA Rules of Play, first paragraph, propositions",
)
@pytest.mark.parametrize("number", range(1, 6))
def test_wa_app_b_trips_plus_paytables(number: int) -> None:
    """R52."""
    nets = paid("washington", "trips_plus", f"HH/TP-{number}", WIN)
    assert nets == column(TRIPS_PLUS, number - 1)


@pytest.mark.clause("WA App. B note 3", "WA App. B HH/TP-6")
def test_wa_app_b_note_3_bonus_amounts_are_the_operators() -> None:
    assert refused_rules("washington", {"trips_plus": "HH/TP-6"}).code == "bonus_unfilled"
    nets = paid("washington", "trips_plus", "HH/TP-6", WIN, options={"bonus": TP_6})
    assert (nets["royal_flush"], nets["straight_flush"], nets["three_of_a_kind"]) == (200, 60, 2)
    assert nets["two_pair"] == -1


def test_r54_trips_plus_stays_after_a_fold() -> None:
    """The document is silent."""
    board_trips = Cards("4h 3c", "9c 9d 9h 5s 2d", "Kc Qc")
    assert settled("washington", board_trips, None, trips_plus=5).nets["trips_plus"] == 15


# Appendix C: Pocket Bonus.


@pytest.mark.clause(
    "WA Pocket Bonus",
    "WA App. C HH/PB-1",
    "WA App. C note 1",
    "WA Rules of Play, first paragraph, propositions",
)
def test_wa_app_c_pocket_bonus_paytable_1() -> None:
    assert paid("washington", "pocket_bonus", "HH/PB-1", pocket_hands()) == {
        "pair_of_aces": 30,
        "suited_ace_face": 20,
        "unsuited_ace_face": 10,
        "pair": 5,
    }


@pytest.mark.clause("WA App. C note 3", "WA App. C HH/PB-2")
def test_wa_app_c_note_3_bonus_amounts_are_the_operators() -> None:
    assert refused_rules("washington", {"pocket_bonus": "HH/PB-2"}).code == "bonus_unfilled"
    nets = paid("washington", "pocket_bonus", "HH/PB-2", pocket_hands(), options={"bonus": PB_2})
    assert nets == {
        "pair_of_aces": 25,
        "suited_ace_face": 20,
        "unsuited_ace_face": 10,
        "pair": 4,
    }


@pytest.mark.clause("WA Pocket Bonus")
def test_r59_face_in_washington_is_king_queen_or_jack() -> None:
    ace_ten = Cards("Ac Tc", "Qs 9c 7h 5s 3d", "8h 8d")
    assert settled("washington", ace_ten, pocket_bonus=5).nets["pocket_bonus"] == -5


def test_r58_pocket_bonus_stays_after_a_fold() -> None:
    folded = settled("washington", pocket_hands()["pair"], None, pocket_bonus=5)
    assert folded.nets["pocket_bonus"] == 25


# Appendix D: Bonus Jackpot or Progressive Jackpot.


@pytest.mark.clause(
    "WA App. D note 1",
    "WA Bonus Jackpot or Progressive Jackpot",
    "WA Bonus Jackpot or Progressive Jackpot, which cards",
    "WA App. D HH/JP-1",
    "WA App. D HH/JP-2",
    "WA App. D HH/JP-3",
    "WA App. D HH/JP-4",
    "WA App. D HH/JP-5",
    "WA App. D HH/JP-6",
    "WA Rules of Play, first paragraph, propositions",
)
@pytest.mark.parametrize("number", range(1, 7))
def test_wa_app_d_note_1_jackpots_pay_for_1(number: int) -> None:
    """R65: JP-4 pays 1,000 for a flopped royal, unlike Galaxy's 4; a blank flush is a loss."""
    nets = paid("washington", "progressive", f"HH/JP-{number}", PROGRESSIVE, meter=100_000)
    assert nets == {outcome: row[number - 1] - 1 for outcome, row in JACKPOT_PRIZES.items()}


@pytest.mark.clause("WA App. D note 2")
def test_wa_app_d_note_2_one_prize_only() -> None:
    """R81: "additional prizes" are not paid beside it."""
    flopped = PROGRESSIVE["flopped_royal_flush_in_spades"]
    lines = settled("washington", flopped, progressive=1, meter=1_000)
    assert lines.nets["progressive"] == 999


@pytest.mark.clause("WA App. D note 3")
def test_wa_app_d_note_3_on_flop_is_two_pocket_cards_and_the_first_three() -> None:
    turned = Cards("As Ks", "Qs Js 4d Ts 2c", "9h 9c")
    lines = settled("washington", turned, progressive=1, meter=1_000)
    assert lines.outcomes["progressive"] == "royal_flush"


@pytest.mark.clause("WA App. D note 4")
def test_wa_app_d_note_4_community_royal_is_the_five_community_cards() -> None:
    """R66: under JP-6 it takes its own 3,000, not the 5% of a royal flush."""
    lines = settled(
        "washington",
        TIE["royal_flush"],
        progressive=1,
        paytables={"progressive": "HH/JP-6"},
        meter=100_000,
    )
    assert lines.nets["progressive"] == 2_999


@pytest.mark.clause("WA App. D note 5 operator", "WA App. D HH/JP-7")
def test_wa_app_d_note_5_bonus_jackpot_prizes_are_set_by_the_operator() -> None:
    assert refused_rules("washington", {"progressive": "HH/JP-7"}).code == "bonus_unfilled"
    table = settled_table(
        "washington",
        [seat(1, PROGRESSIVE["straight_flush"].hole, progressive=1)],
        board=PROGRESSIVE["straight_flush"].board,
        dealer=PROGRESSIVE["straight_flush"].dealer,
        paytables={"progressive": "HH/JP-7"},
        options={"bonus": JP_7},
    )
    assert table.seats[1].nets["progressive"] == 199


@pytest.mark.clause("WA App. D note 5 language")
def test_wa_app_d_note_5_notice_is_shown_word_for_word() -> None:
    """R83."""
    for rules in ("washington", "washington-no-qualifier"):
        notices = [(notice.text, notice.when, notice.clause) for notice in load_book(rules).notices]
        assert (NOTICE, "bonus_jackpot", "WA App. D note 5") in notices


@pytest.mark.clause("WA App. D HH/JP-7", "WA App. D note 5 operator")
def test_wa_app_d_notes_5_and_6_jp7_is_a_bonus_jackpot_and_the_others_progressive() -> None:
    """R82."""
    for number in range(1, 7):
        assert not table_rules("washington", {"progressive": f"HH/JP-{number}"}).bonus_jackpot
    bonus = table_rules("washington", {"progressive": "HH/JP-7"}, {"bonus": JP_7})
    assert bonus.bonus_jackpot
    assert table_rules("washington", options={"jackpot_regime": "bonus"}).bonus_jackpot


@pytest.mark.clause("WA App. D note 6 wager limits")
def test_wa_app_d_note_6_one_specific_wager_is_accepted() -> None:
    """R76; footnote 3 gives $1 as an example, so another amount may be set."""
    assert refused("washington", progressive=5).code == "progressive_stake"
    five = {"progressive_stake": "5.00"}
    quads = settled("washington", WIN["four_of_a_kind"], progressive=5, options=five)
    assert quads.nets["progressive"] == 245


@pytest.mark.clause("WA App. D note 8")
def test_wa_app_d_note_8_a_posted_maximum_may_cover_fixed_jackpots_only() -> None:
    """R103."""
    cap = {"cap": {"amount": "100.00", "wagers": ["progressive"]}}
    fixed = settled("washington", PROGRESSIVE["straight_flush"], progressive=1, options=cap)
    assert fixed.nets["progressive"] == 100
    share = settled(
        "washington", PROGRESSIVE["royal_flush"], progressive=1, options=cap, meter=100_000
    )
    assert share.nets["progressive"] == 9_999


# Appendix E and the book as a whole.


@pytest.mark.clause("WA App. E button")
def test_wa_app_e_wagers_are_registered_at_the_dealers_button() -> None:
    assert load_book("washington").clauses["closing_of_bets"] == "WA App. E"


def test_r7_wa_offers_no_all_6() -> None:
    assert set(load_book("washington").offers) == {
        Wager.TRIPS_PLUS,
        Wager.POCKET_BONUS,
        Wager.PROGRESSIVE,
    }
    assert refused("washington", all_6=5).code == "wager_not_offered"


@pytest.mark.clause("WA letter of 6 September 2013, modifications")
def test_r2_wa_lists_are_closed() -> None:
    assert all(load_book("washington").closed.values())
    assert all(load_book("washington-no-qualifier").closed.values())


@pytest.mark.clause("WA App. A note 7", "WA App. A note 8")
def test_wa_default_paytables() -> None:
    sides = {"trips_plus": "HH/TP-1", "pocket_bonus": "HH/PB-1", "progressive": "HH/JP-1"}
    chosen = {key: table.id for key, table in table_rules("washington").paytables.items()}
    assert chosen == {"odds": "HH/OW-2", "bad_beat": "HH/OW/BB-1", **sides}
    plain = table_rules("washington-no-qualifier").paytables
    assert {key: table.id for key, table in plain.items()} == {"odds": "HH/OW-1", **sides}


@pytest.mark.clause("WA App. B HH/TP-5")
def test_r51_equal_pays_have_a_different_name_in_each_document() -> None:
    """TP-5 = Galaxy's 3 = Galaxy WPT's 4 = SugarHouse's only table = New York's C."""
    same = {
        "washington": "HH/TP-5",
        "galaxy": "3",
        "galaxy-wpt": "4",
        "sugarhouse": "1",
        "new-york": "C",
    }
    nets = [paid(rules, "trips_plus", id, WIN) for rules, id in same.items()]
    assert all(pays == nets[0] for pays in nets)
