"""Galaxy Gaming's older dealing procedures with a layout: `gw_10a` is step 10(a)."""

from pathlib import Path

import pytest

from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.table.opening import OpenTable
from tests.support.rounds import (
    LOSE,
    NOT_QUALIFIED,
    TIE,
    WIN,
    Cards,
    Dollars,
    column,
    paid,
    pocket_hands,
    refused,
    refused_rules,
    settled,
)
from tests.support.tables import Play

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
TRIPS_PLUS: dict[str, tuple[Dollars, ...]] = {
    "royal_flush": (100, 100, 100, 100),
    "straight_flush": (40, 40, 40, 40),
    "four_of_a_kind": (30, 30, 30, 30),
    "full_house": (9, 8, 7, 8),
    "flush": (7, 6, 6, 7),
    "straight": (4, 5, 5, 4),
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


@pytest.mark.clause("GW 2 equal", "GW 2 limits")
def test_gw_2_ante_and_odds_are_mandatory_equal_and_within_limits() -> None:
    refusal = refused("galaxy-wpt", ante=10, odds=20)
    assert refusal.code == "ante_not_equal_odds"
    assert "GW 2" in refusal.message
    limits = {"limits": {"ante": {"min": 15}}}
    assert refused("galaxy-wpt", ante=10, options=limits).code == "below_minimum"


@pytest.mark.clause("GW 3 board at once", "GW 3 board as needed")
def test_gw_3_board_and_dealing_are_left_to_the_casino() -> None:
    options = load_book("galaxy-wpt").options
    assert options["dealing"].allows("hand")
    assert options["dealing"].allows("shoe")
    assert options["board"].allows("at_once")
    assert {options["board"].clause, load_book("galaxy-wpt").clauses["information"]} == {"GW 3"}


@pytest.mark.clause("GW 4 raise")
@pytest.mark.parametrize("multiple", [1, 2, 3])
def test_gw_4_one_two_or_three_times_the_ante_before_the_flop(multiple: int) -> None:
    won = settled("galaxy-wpt", WIN["one_pair"], ("pocket", multiple))
    assert won.main == (10, 0, 10 * multiple)


@pytest.mark.clause("GW 6 raise")
@pytest.mark.parametrize("multiple", [1, 2])
def test_gw_6_one_or_two_times_the_ante_on_the_flop(multiple: int) -> None:
    won = settled("galaxy-wpt", WIN["one_pair"], ("flop", multiple))
    assert won.main == (10, 0, 10 * multiple)


@pytest.mark.clause("GW 4 raise", "GW 6 raise", "GW 8 must")
@pytest.mark.parametrize("raise_", [("pocket", 4), ("flop", 3), ("river", 2)])
def test_gw_4_6_8_no_larger_raise(raise_: tuple[str, int]) -> None:
    assert refused("galaxy-wpt", raise_=raise_).code == "raise_not_allowed"


@pytest.mark.clause("GW 4 raise", "GW 6 raise")
def test_r29_the_text_governs_over_the_layouts_3x_2x_1x() -> None:
    assert table_rules("galaxy-wpt").raises == {
        Street.POCKET: (1, 2, 3),
        Street.FLOP: (1, 2),
        Street.RIVER: (1,),
    }
    for key in ("pocket_raises", "flop_raises"):
        assert refused_rules("galaxy-wpt", options={key: [3]}).code == "option_not_open"


@pytest.mark.clause("GW 8 fold")
def test_gw_8_fold_forfeits_ante_and_odds() -> None:
    folded = settled("galaxy-wpt", WIN["straight"], None)
    assert folded.nets == {"ante": -10, "odds": -10}
    assert set(folded.clauses.values()) == {"GW 8"}


@pytest.mark.clause("GW 8 pocket bonus")
def test_gw_8_a_folder_may_still_win_the_pocket_bonus() -> None:
    folded = settled("galaxy-wpt", pocket_hands()["suited_ace_face"], None, pocket_bonus=5)
    assert folded.nets["pocket_bonus"] == 100
    assert load_book("galaxy-wpt").options["pocket_bonus_after_fold"].clause == "GW 8"


@pytest.mark.clause("GW 10(a) not qualified", "GW 10(a) other wagers")
@pytest.mark.parametrize(
    ("scene", "main"),
    [
        ("player wins", (0, 0, 10)),
        ("player wins with a straight", (0, 10, 10)),
        ("player loses", (0, -10, -10)),
        ("copy", (0, 0, 0)),
    ],
)
def test_gw_10a_dealer_without_a_pair_pushes_only_the_ante(
    scene: str, main: tuple[int, ...]
) -> None:
    """R36: even when the dealer's hand is better."""
    lines = settled("galaxy-wpt", NOT_QUALIFIED[scene])
    assert lines.main == main
    assert lines.clauses["ante"] == "GW 10(a)"


@pytest.mark.clause("GW 10(b)")
@pytest.mark.parametrize("hand", [hand for hand in WIN if hand != "high_card"])
def test_gw_10b_ante_is_paid_even_money(hand: str) -> None:
    won = settled("galaxy-wpt", WIN[hand])
    assert (won.nets["ante"], won.clauses["ante"]) == (10, "GW 10(b)")


@pytest.mark.clause("GW 10(c)")
@pytest.mark.parametrize("hand", LOSE)
def test_gw_10c_ante_loses_to_the_dealers_better_hand(hand: str) -> None:
    lost = settled("galaxy-wpt", LOSE[hand])
    assert (lost.nets["ante"], lost.clauses["ante"]) == (-10, "GW 10(c)")


@pytest.mark.clause("GW 10(d)", "GW 10(g) raise", "GW 10(g) odds")
@pytest.mark.parametrize("hand", TIE)
def test_gw_10d_10g_copies_push_everything(hand: str) -> None:
    tied = settled("galaxy-wpt", TIE[hand], ("pocket", 3))
    assert tied.main == (0, 0, 0)
    assert tied.clauses == {"ante": "GW 10(d)", "odds": "GW 10(g)", "raise": "GW 10(g)"}


@pytest.mark.clause("GW 10(e) raise", "GW 10(e) odds", "GW 10(e) PT1")
@pytest.mark.parametrize(("hand", "pays"), ODDS_WIN.items())
def test_gw_10e_winning_straight_or_better_pays_odds_by_the_table(hand: str, pays: float) -> None:
    won = settled("galaxy-wpt", WIN[hand])
    assert won.main == (10, 10 * pays, 10)
    assert won.clauses["odds"] == "GW 10(e)"


@pytest.mark.clause("GW 10(e) PT1", "GW Layout Odds")
def test_gw_10e_flush_three_to_two_is_the_layouts_1_5() -> None:
    """R18."""
    book = load_book("galaxy-wpt")
    text = book.paytables["odds"]["1"].pays["flush"]
    layout = next(t for t in book.layout_tables if t.key == "odds").pays["flush"]
    assert (text.printed, layout.printed) == ("3:2", "1.5")
    assert text.amount == layout.amount


@pytest.mark.clause("GW 10(f) raise", "GW 10(f) odds")
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_gw_10f_winning_three_of_a_kind_or_less_pushes_odds(hand: str) -> None:
    won = settled("galaxy-wpt", WIN[hand])
    assert (won.nets["odds"], won.nets["raise"]) == (0, 10)
    assert won.clauses["odds"] == "GW 10(f)"


@pytest.mark.clause("GW 10(h) raise", "GW 10(h) odds")
@pytest.mark.parametrize("hand", BELOW_A_STRAIGHT)
def test_gw_10h_losing_three_of_a_kind_or_worse_loses_raise_and_odds(hand: str) -> None:
    lost = settled("galaxy-wpt", LOSE[hand])
    assert lost.main == (-10, -10, -10)
    assert lost.clauses["odds"] == "GW 10(h)"


@pytest.mark.clause(
    "GW 10(i) raise",
    "GW 10(i) odds",
    "GW 10(i) PT1",
    "GW Introduction Bad Beat",
)
@pytest.mark.parametrize(("hand", "pays"), BAD_BEAT.items())
def test_gw_10i_losing_straight_or_better_is_paid_as_a_bad_beat(hand: str, pays: int) -> None:
    lost = settled("galaxy-wpt", LOSE[hand], ("flop", 2))
    assert lost.main == (-10, 10 * pays, -20)
    assert lost.clauses["odds"] == "GW 10(i)"


@pytest.mark.clause("GW 10(i) PT1", "GW Layout Bad Beat")
def test_r39_bad_beat_royal_is_na_in_the_text_500_on_the_layout_and_never_paid() -> None:
    book = load_book("galaxy-wpt")
    text = book.paytables["bad_beat"]["1"]
    layout = next(t for t in book.layout_tables if t.key == "bad_beat")
    assert text.pays["royal_flush"].printed == "n/a"
    assert text.pays["royal_flush"].kind is PayKind.LOSS
    assert layout.pays["royal_flush"].printed == "500"
    assert text.is_unreachable("royal_flush")
    assert layout.is_unreachable("royal_flush")
    assert settled("galaxy-wpt", TIE["royal_flush"]).nets["odds"] == 0


@pytest.mark.clause(
    "GW Trips Plus hand",
    "GW Trips Plus PT1",
    "GW Trips Plus PT2",
    "GW Trips Plus PT3",
    "GW Trips Plus PT4",
)
@pytest.mark.parametrize("paytable", ["1", "2", "3", "4"])
def test_gw_trips_plus_paytables(paytable: str) -> None:
    """R51: tables 3 and 4 are in the opposite order to the current rules."""
    assert paid("galaxy-wpt", "trips_plus", paytable, WIN) == column(TRIPS_PLUS, int(paytable) - 1)


@pytest.mark.clause("GW Trips Plus regardless")
def test_gw_trips_plus_regardless_of_the_primary_game_and_of_a_fold() -> None:
    """R53, R54: three of a kind on the board counts, for a folder too."""
    board_trips = Cards("4h 3c", "9c 9d 9h 5s 2d", "Kc Qc")
    for raise_ in (None, ("river", 1)):
        lines = settled("galaxy-wpt", board_trips, raise_, trips_plus=5)
        assert lines.nets["trips_plus"] == 15


@pytest.mark.clause("GW Trips Plus before or after")
def test_gw_trips_plus_before_or_after_is_house_procedure() -> None:
    option = load_book("galaxy-wpt").options["trips_plus_settled"]
    assert option.allows("before")
    assert option.allows("after")


@pytest.mark.clause(
    "GW Pocket Bonus pair",
    "GW Pocket Bonus ace with a face",
    "GW Pocket Bonus PT1",
    "GW Pocket Bonus PT2",
    "GW Pocket Bonus PT3",
)
@pytest.mark.parametrize("paytable", ["1", "2", "3"])
def test_gw_pocket_bonus_paytables(paytable: str) -> None:
    expected = column(POCKET_BONUS, int(paytable) - 1)
    assert paid("galaxy-wpt", "pocket_bonus", paytable, pocket_hands()) == expected


@pytest.mark.clause("GW Pocket Bonus loses")
def test_gw_pocket_bonus_otherwise_loses() -> None:
    ace_ten = Cards("Ac Tc", "Qs 9c 7h 5s 3d", "8h 8d")
    assert settled("galaxy-wpt", ace_ten, pocket_bonus=5).nets["pocket_bonus"] == -5


@pytest.mark.clause(
    "GW Layout Odds",
    "GW Layout Bad Beat",
    "GW Layout Trips Plus",
    "GW Layout Pocket Bonus",
)
def test_gw_layout_prints_the_default_paytables() -> None:
    """R51: Trips Plus 8/7/4 on the felt is table 4 of this edition."""
    book, rules = load_book("galaxy-wpt"), table_rules("galaxy-wpt")
    assert {key: table.id for key, table in rules.paytables.items()} == {
        "odds": "1",
        "bad_beat": "1",
        "trips_plus": "4",
        "pocket_bonus": "1",
    }
    for layout in book.layout_tables:
        chosen = rules.paytables[layout.key]
        for row in layout.rows:
            if not layout.is_unreachable(row.outcome):
                assert chosen.pays[row.outcome].amount == row.pay.amount, (layout.key, row)


@pytest.mark.clause("GW Layout must beat dealer", "GW Layout raise", "GW Layout to 1")
def test_gw_layout_inscriptions() -> None:
    words = [inscription.text for inscription in load_book("galaxy-wpt").layout]
    assert words == [
        "RAISE: 3X on Pocket Cards, 2X on Flop, 1X on River",
        "*Must beat dealer",
        "All Layout Paytables Are to 1",
    ]


@pytest.mark.clause("GW 10(i) example", "GW Trips Plus example", "GW Pocket Bonus example")
def test_r2_gw_tables_are_examples_not_closed_lists() -> None:
    assert not any(load_book("galaxy-wpt").closed.values())


OWN_TABLES = """extends = "galaxy-wpt"
[[paytable]]
key = "bad_beat"
custom = true
basis = "to"
ids = ["own"]
rows = [["straight_flush", "Straight flush", "400 to 1"], ["straight", "Straight", "2 to 1"]]
[[paytable]]
key = "trips_plus"
custom = true
basis = "to"
ids = ["own"]
rows = [["full_house", "Full house", "11 to 1"], ["straight", "Straight", "6 to 1"]]
[[paytable]]
key = "pocket_bonus"
custom = true
basis = "to"
ids = ["own"]
rows = [["pair_of_aces", "Pair of aces", "40 to 1"], ["pair", "Pair", "3 to 1"]]
[paytables]
bad_beat = "own"
trips_plus = "own"
pocket_bonus = "own"
"""


@pytest.mark.clause("GW 10(i) example", "GW Trips Plus example", "GW Pocket Bonus example")
def test_r2_gw_a_house_plays_by_its_own_tables(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN_TABLES, encoding="utf-8")
    lost = settled(str(path), LOSE["straight"], trips_plus=5)
    assert (lost.nets["odds"], lost.nets["trips_plus"]) == (20, 30)
    pair = Cards("8c8h", "Kd 9c 7h 5s 2d", "Qc Jh")
    assert settled(str(path), pair, pocket_bonus=5).nets["pocket_bonus"] == 15
    play = Play()
    play.does(OpenTable(OWN_TABLES))
    assert play.table.rules.paytables["trips_plus"].id == "own"


@pytest.mark.clause("GW Introduction side bets")
@pytest.mark.parametrize("wager", ["all_6", "progressive"])
def test_r7_gw_offers_trips_plus_and_pocket_bonus_only(wager: str) -> None:
    assert set(load_book("galaxy-wpt").offers) == {Wager.TRIPS_PLUS, Wager.POCKET_BONUS}
    assert (
        refused("galaxy-wpt", WIN["one_pair"], ("river", 1), **{wager: 1}).code
        == "wager_not_offered"
    )
    assert refused_rules("galaxy-wpt", {wager: "1"}).code == "wager_not_offered"
