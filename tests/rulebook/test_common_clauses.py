"""Rules that several documents share, tested under each of them."""

from typing import Any

import pytest

from headsup.game.values.cards import RANKS, parse_cards
from headsup.game.values.hands import strength
from tests.support.rounds import LOSE, TIE, WIN, Cards, refused, settled

BOOKS = ("galaxy", "galaxy-wpt", "new-york", "sugarhouse", "washington")


@pytest.mark.clause("G 1", "GW 1", "WA Rules of Play, first paragraph, deck")
@pytest.mark.parametrize("rules", BOOKS)
def test_one_deck_so_no_card_lies_in_two_places(rules: str) -> None:
    twice = Cards("As Kh", "Kd 9c 7h 5s 2d", "As Qc")
    assert refused(rules, twice).code == "duplicate_card"


@pytest.mark.clause("G 2 mandatory", "GW 2 mandatory", "NY (e)(1) both")
@pytest.mark.parametrize("rules", BOOKS)
def test_ante_and_odds_are_both_needed(rules: str) -> None:
    for missing in ({"ante": None, "odds": 10}, {"ante": 10, "odds": 0}):
        refusal = refused(rules, WIN["one_pair"], ("river", 1), **missing)
        assert refusal.code in ("missing_wager", "stake_not_positive")


@pytest.mark.clause(
    "G 10 player's hand",
    "G 10 dealer's hand",
    "GW 9 player's hand",
    "GW 9 dealer's hand",
    "NY (e)(8) best five",
    "SH Ante best five",
    "WA 5 best five",
)
@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize(
    ("cards", "ante"),
    [
        (TIE["straight"], 0),  # both play the five board cards
        (Cards("8h 3s", "Kd 9c 7h 6s 5d", "Kh Qc"), 10),  # one hole card makes the straight
        (Cards("8h 6s", "Kd 9c 7h 5s 2d", "Kh Qc"), 10),  # both do
        (Cards("Ah 3s", "Kd 9c 7h 6s 5d", "8h 2c"), -10),  # one of the dealer's makes it
    ],
)
def test_the_best_five_of_seven_in_any_combination(rules: str, cards: Cards, ante: int) -> None:
    assert settled(rules, cards).nets["ante"] == ante


@pytest.mark.clause("G Pocket Bonus hole cards", "GW Pocket Bonus hole cards", "WA Pocket Bonus")
@pytest.mark.parametrize("rules", BOOKS)
def test_the_pocket_bonus_is_on_the_two_hole_cards_alone(rules: str) -> None:
    pair_with_the_board = Cards("7c 2d", "7s 9c Jh 5s 3d", "8h 8d")
    assert settled(rules, pair_with_the_board, pocket_bonus=5).nets["pocket_bonus"] == -5


SUITED, UNSUITED = ("c", "c"), ("c", "d")
EVERY_TWO_CARDS = [
    (high, low, suits)
    for at, high in enumerate(RANKS)
    for low in RANKS[: at + 1]
    for suits in (SUITED, UNSUITED)
    if (high, suits) != (low, SUITED)
]
FACES = ("J", "Q", "K")
PAIR_PAYS = {"sugarhouse": 4}  # R60


@pytest.mark.clause(
    "G Pocket Bonus pair",
    "G Pocket Bonus ace with a face",
    "G Pocket Bonus loses",
    "GW Pocket Bonus pair",
    "GW Pocket Bonus ace with a face",
    "GW Pocket Bonus loses",
    "NY (i) pair",
    "NY (i) ace with a face",
    "NY (i) loses",
    "SH Pocket Bonus pair",
    "SH Pocket Bonus ace with a face",
    "WA Pocket Bonus",
)
@pytest.mark.parametrize("rules", BOOKS)
def test_every_pair_and_every_ace_with_a_face_wins_the_pocket_bonus(rules: str) -> None:
    for high, low, suits in EVERY_TWO_CARDS:
        hole = f"{high}{suits[0]} {low}{suits[1]}"
        if high == low:
            pays = 30 if high == "A" else PAIR_PAYS.get(rules, 5)
        elif high == "A" and low in FACES:
            pays = 20 if suits == SUITED else 10
        else:
            pays = -1
        cards = Cards(hole, "Qs 9h 7h 5s 3h", "8h 8s")
        assert settled(rules, cards, pocket_bonus=1).nets["pocket_bonus"] == pays, hole


@pytest.mark.clause(
    "G Trips Plus optional",
    "G Pocket Bonus optional",
    "GW Trips Plus optional",
    "GW Pocket Bonus optional",
    "NY (g) optional",
    "NY (i) optional",
    "SH Introduction side wagers",
    "WA Proposition Wagers, optional",
)
@pytest.mark.parametrize("rules", BOOKS)
def test_each_side_wager_may_be_made_or_left_out(rules: str) -> None:
    main = ["ante", "odds", "raise"]
    assert list(settled(rules, WIN["flush"]).nets) == main
    for wager in ("trips_plus", "pocket_bonus"):
        stake: dict[str, Any] = {wager: 5}
        assert set(settled(rules, WIN["flush"], **stake).nets) == {*main, wager}


@pytest.mark.clause("NY (i) regardless", "SH Pocket Bonus regardless")
@pytest.mark.parametrize("rules", ["new-york", "sugarhouse"])
def test_the_pocket_bonus_is_paid_whatever_the_main_game_does(rules: str) -> None:
    pair = 5 if rules == "new-york" else 4
    won = Cards("9h 9s", "Kd 9c 7h 5s 2d", "Kh Qc")
    tied = Cards("2c 2h", "9c 8d 7h 6s 5d", "3c 3h")
    lost = LOSE["three_of_a_kind"]
    for cards, decision in ((won, ("river", 1)), (tied, ("river", 1)), (lost, None)):
        lines = settled(rules, cards, decision, pocket_bonus=5)
        assert lines.nets["pocket_bonus"] == 5 * pair


@pytest.mark.clause("NY (b)(1) ranks")
def test_ny_b1_cards_rank_from_the_ace_down_to_the_2() -> None:
    assert RANKS == "23456789TJQKA"
    pairs = []
    for rank in RANKS:
        beside = [other for other in "2345" if other != rank][:3]
        pairs.append(
            strength(parse_cards(f"{rank}c {rank}d {beside[0]}h {beside[1]}s {beside[2]}h"))
        )
    assert pairs == sorted(pairs)
    assert len(set(pairs)) == 13


@pytest.mark.clause("G Trips Plus before or after", "GW Trips Plus before or after", "NY (h)")
@pytest.mark.parametrize("rules", ["galaxy", "galaxy-wpt", "new-york"])
def test_trips_plus_is_settled_before_or_after_the_main_wagers(rules: str) -> None:
    lines = {
        when: settled(
            rules, WIN["straight"], trips_plus=5, options={"trips_plus_settled": when}
        ).nets
        for when in ("before", "after")
    }
    assert next(iter(lines["before"])) == "trips_plus"
    assert list(lines["after"])[:3] == ["ante", "odds", "raise"]
    assert lines["before"] == lines["after"], "the money is the same (R55)"
