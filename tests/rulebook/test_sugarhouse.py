"""SugarHouse Casino's guide, heading by heading: `sh_odds` is its paragraph on the Odds wager."""

import pytest

from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street, Wager
from tests.support.rounds import (
    LOSE,
    NOT_QUALIFIED,
    TIE,
    WIN,
    Cards,
    paid,
    pocket_hands,
    refused,
    refused_rules,
    seat,
    settled,
    settled_table,
)

ODDS_WIN = {
    "royal_flush": 500,
    "straight_flush": 50,
    "four_of_a_kind": 10,
    "full_house": 3,
    "flush": 1.5,
    "straight": 1,
}
BAD_BEAT = {
    "straight_flush": 500,
    "four_of_a_kind": 25,
    "full_house": 6,
    "flush": 5,
    "straight": 4,
}
BELOW_A_STRAIGHT = ("high_card", "one_pair", "two_pair", "three_of_a_kind")


# How to play.


@pytest.mark.clause("SH How to play equal")
def test_sh_how_to_play_ante_and_odds_are_equal() -> None:
    refusal = refused("sugarhouse", ante=10, odds=15)
    assert refusal.code == "ante_not_equal_odds"
    assert "SH How to play" in refusal.message


@pytest.mark.clause("SH How to play closing")
def test_sh_how_to_play_wagers_close_before_any_card() -> None:
    assert load_book("sugarhouse").clauses["closing_of_bets"] == "SH How to play"


@pytest.mark.clause("SH How to play board")
def test_sh_how_to_play_board_is_spread_face_down_at_once() -> None:
    assert table_rules("sugarhouse").board == "at_once"
    assert refused_rules("sugarhouse", options={"board": "as_needed"}).code == "option_not_open"


@pytest.mark.clause(
    "SH How to play pocket raise",
    "SH How to play flop raise",
    "SH How to play river",
    "SH Raise amount",
)
@pytest.mark.parametrize("raise_", [("pocket", 3), ("flop", 2), ("river", 1)])
def test_sh_how_to_play_raise_three_two_or_one_times(raise_: tuple[str, int]) -> None:
    won = settled("sugarhouse", WIN["one_pair"], raise_)
    assert won.main == (10, 0, 10 * raise_[1])


@pytest.mark.clause(
    "SH How to play pocket raise", "SH How to play flop raise", "SH How to play river"
)
@pytest.mark.parametrize("raise_", [("pocket", 1), ("pocket", 2), ("flop", 1), ("river", 2)])
def test_sh_how_to_play_no_other_raise(raise_: tuple[str, int]) -> None:
    assert refused("sugarhouse", raise_=raise_).code == "raise_not_allowed"


@pytest.mark.clause("SH How to play pocket raise")
def test_sh_how_to_play_raises_are_not_left_open() -> None:
    assert refused_rules("sugarhouse", options={"pocket_raises": [1, 2, 3]}).code == (
        "option_not_open"
    )
    assert table_rules("sugarhouse").raises[Street.POCKET] == (3,)


@pytest.mark.clause("SH How to play fold", "SH How to play bonus wagers")
def test_sh_how_to_play_fold_forfeits_ante_and_odds_but_bonus_wagers_remain() -> None:
    three_deuces = Cards("2h 2s", "Kd 9c 7h 5s 2d", "Kh Ks")
    folded = settled("sugarhouse", three_deuces, None, trips_plus=5, pocket_bonus=5)
    assert folded.nets == {"ante": -10, "odds": -10, "trips_plus": 15, "pocket_bonus": 20}
    for wager in ("trips_plus", "pocket_bonus"):
        option = load_book("sugarhouse").options[f"{wager}_after_fold"]
        assert option.clause == "SH How to play"
        assert not option.allows("forfeits")


@pytest.mark.clause("SH How to play qualify", "SH Ante push")
@pytest.mark.parametrize(
    ("scene", "main"),
    [
        ("player wins", (0, 0, 10)),
        ("player wins with a straight", (0, 10, 10)),
        ("player loses", (0, -10, -10)),
        ("copy", (0, 0, 0)),
    ],
)
def test_sh_ante_is_a_push_if_the_dealer_does_not_qualify(
    scene: str, main: tuple[int, ...]
) -> None:
    """R36."""
    lines = settled("sugarhouse", NOT_QUALIFIED[scene])
    assert lines.main == main
    assert lines.clauses["ante"] == "SH Ante"


# The wagers.


@pytest.mark.clause("SH Ante pays", "SH Raise pays", "SH Introduction against the dealer")
def test_sh_ante_and_raise_are_paid_one_to_one() -> None:
    won = settled("sugarhouse", WIN["three_of_a_kind"], ("flop", 2))
    assert won.main == (10, 0, 20)
    assert (won.clauses["ante"], won.clauses["raise"]) == ("SH Ante", "SH Raise")


@pytest.mark.clause("SH Trips Plus wins", "SH Trips Plus table")
def test_sh_trips_plus_paytable() -> None:
    assert paid("sugarhouse", "trips_plus", "1", WIN) == {
        "royal_flush": 100,
        "straight_flush": 40,
        "four_of_a_kind": 30,
        "full_house": 8,
        "flush": 7,
        "straight": 4,
        "three_of_a_kind": 3,
        "two_pair": -1,
        "one_pair": -1,
        "high_card": -1,
    }


@pytest.mark.clause("SH Trips Plus regardless")
def test_sh_trips_plus_regardless_of_the_outcome_against_the_dealer() -> None:
    lost = settled("sugarhouse", LOSE["three_of_a_kind"], trips_plus=5)
    assert lost.nets["trips_plus"] == 15


@pytest.mark.clause(
    "SH Pocket Bonus pair", "SH Pocket Bonus ace with a face", "SH Pocket Bonus table"
)
def test_sh_pocket_bonus_paytable() -> None:
    """R60: a pair pays 4 here."""
    assert paid("sugarhouse", "pocket_bonus", "1", pocket_hands()) == {
        "pair_of_aces": 30,
        "suited_ace_face": 20,
        "unsuited_ace_face": 10,
        "pair": 4,
    }


@pytest.mark.clause("SH Pocket Bonus ace with a face")
@pytest.mark.parametrize("hole", ["Ac Tc", "Kc Qc"])
def test_sh_pocket_bonus_winning_combinations_only(hole: str) -> None:
    cards = Cards(hole, "Qs 9c 7h 5s 3d", "8h 8d")
    assert settled("sugarhouse", cards, pocket_bonus=5).nets["pocket_bonus"] == -5


@pytest.mark.clause("SH Odds wins", "SH Odds table, #Win")
@pytest.mark.parametrize(("hand", "pays"), ODDS_WIN.items())
def test_sh_odds_listed_hand_that_beats_the_dealer_wins(hand: str, pays: float) -> None:
    won = settled("sugarhouse", WIN[hand])
    assert won.nets["odds"] == 10 * pays
    assert won.clauses["odds"] == "SH Odds"


@pytest.mark.clause("SH Odds Bad Beat", "SH Odds table, Bad Beat", "SH Introduction Bad Beat")
@pytest.mark.parametrize(("hand", "pays"), BAD_BEAT.items())
def test_sh_odds_listed_hand_that_loses_is_a_bad_beat(hand: str, pays: int) -> None:
    lost = settled("sugarhouse", LOSE[hand], ("pocket", 3))
    assert lost.main == (-10, 10 * pays, -30)
    assert lost.clauses["odds"] == "SH Odds"


@pytest.mark.clause("SH Odds other hands")
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_sh_odds_other_hands_push_when_they_beat_the_dealer(hand: str) -> None:
    assert settled("sugarhouse", WIN[hand]).nets["odds"] == 0


@pytest.mark.clause(
    "SH Odds must beat",
    "SH Odds other hands",
    "SH Introduction against the dealer",
)
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_r43_other_hands_lose_the_odds_when_they_lose(hand: str) -> None:
    lost = settled("sugarhouse", LOSE[hand])
    assert lost.main == (-10, -10, -10)
    assert lost.clauses["odds"] == "R43"


@pytest.mark.clause("SH Odds must beat")
@pytest.mark.parametrize("hand", TIE)
def test_r42_copies_push(hand: str) -> None:
    tied = settled("sugarhouse", TIE[hand], ("pocket", 3))
    assert tied.main == (0, 0, 0)
    assert set(tied.clauses.values()) == {"R42"}


def test_r39_bad_beat_cell_of_the_royal_flush_is_blank() -> None:
    table = load_book("sugarhouse").paytables["bad_beat"]["1"]
    assert table.pays["royal_flush"].printed == ""
    assert table.is_unreachable("royal_flush")


# The maximum aggregate payout.


@pytest.mark.clause("SH Raise cap")
def test_sh_raise_aggregate_payout_is_at_most_50000() -> None:
    """R100–R101: Ante 100 and Raise 300 are paid in full, the Odds' 50,000 is cut."""
    won = settled("sugarhouse", WIN["royal_flush"], ("pocket", 3), ante=100)
    assert won.main == (100, 49_600, 300)
    assert won.shortfalls == {"odds": 400}
    assert won.total == 50_000


@pytest.mark.clause("SH Raise cap exclusions")
def test_sh_raise_cap_does_not_include_pocket_bonus_and_trips_plus() -> None:
    pocket_and_trips = Cards("Ad Kd", "Qd Jd Td 5s 2c", "5h 5c")
    won = settled(
        "sugarhouse",
        pocket_and_trips,
        ("pocket", 3),
        ante=100,
        trips_plus=1_000,
        pocket_bonus=1_000,
    )
    assert won.nets["trips_plus"] == 100_000
    assert won.nets["pocket_bonus"] == 20_000
    assert won.total == 170_000


@pytest.mark.clause("SH Raise cap")
def test_sh_raise_cap_does_not_bite_below_a_100_dollar_ante() -> None:
    won = settled("sugarhouse", WIN["royal_flush"], ("pocket", 3), ante="99.20")
    assert f"{won.total:.2f}" == "49996.80"
    assert not won.shortfalls


@pytest.mark.clause("SH Raise cap minimum")
@pytest.mark.parametrize(
    ("minimum", "odds", "total"),
    [("99.00", 49_600, 50_000), ("100.00", 50_000, 50_400), ("25.00", 49_600, 50_000)],
)
def test_sh_raise_or_what_the_minimum_wager_could_win_if_that_is_more(
    minimum: str, odds: int, total: int
) -> None:
    """R100: 500 + 1 + 3 times the minimum, so from a $100 minimum up."""
    options = {"minimum_wager": minimum}
    won = settled("sugarhouse", WIN["royal_flush"], ("pocket", 3), ante=100, options=options)
    assert won.nets["odds"] == odds
    assert won.total == total


@pytest.mark.clause("SH Raise cap")
def test_sh_raise_cap_covers_a_bad_beat() -> None:
    """Only what is won counts: the lost Ante and Raise do not make room."""
    lost = settled("sugarhouse", LOSE["straight_flush"], ("pocket", 3), ante=200)
    assert lost.main == (-200, 50_000, -600)
    assert lost.shortfalls == {"odds": 50_000}


@pytest.mark.clause("SH Raise cap")
def test_sh_raise_cap_is_per_player() -> None:
    """A straight flush and a royal at one table are capped separately."""
    table = settled_table(
        "sugarhouse",
        [
            seat(1, "Ad Td", ("pocket", 3), ante=200),
            seat(2, "9h 9d", ("pocket", 3), ante=2_000),
        ],
        board="Kd Qd Jd 9c 9s",
        dealer="Kh Ks",
    )
    assert table.seats[1].total == 50_000
    assert table.seats[2].main == (2_000, 20_000, 6_000)


@pytest.mark.clause("SH Raise cap")
def test_sh_raise_cap_is_the_houses_promise_not_an_option() -> None:
    assert refused_rules("sugarhouse", options={"cap": "none"}).code == "option_not_open"
    assert refused_rules("sugarhouse", options={"cap": "1000.00"}).code == "option_not_open"


# The book as a whole.


def test_r2_sh_single_tables_are_closed_lists() -> None:
    book = load_book("sugarhouse")
    assert all(book.closed.values())
    assert {len(tables) for tables in book.paytables.values()} == {1}


@pytest.mark.clause("SH Introduction side wagers")
@pytest.mark.parametrize("wager", ["all_6", "progressive"])
def test_r7_sh_offers_trips_plus_and_pocket_bonus_only(wager: str) -> None:
    assert set(load_book("sugarhouse").offers) == {Wager.TRIPS_PLUS, Wager.POCKET_BONUS}
    assert (
        refused("sugarhouse", WIN["one_pair"], ("river", 1), **{wager: 1}).code
        == "wager_not_offered"
    )


@pytest.mark.clause("SH cover")
def test_sh_cover_carries_the_gambling_notice() -> None:
    notices = [(notice.text, notice.when) for notice in load_book("sugarhouse").notices]
    assert notices == [("GAMBLING PROBLEM? CALL 1.800.GAMBLER.", "always")]
