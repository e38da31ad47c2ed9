"""Rules that several documents share, tested under each of them."""

import pytest

from headsup.game.values.cards import RANKS, parse_cards
from headsup.game.values.hands import strength
from tests.rulebook.rounds import LOSE, TIE, WIN, Cards, refused, settled

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
    "G 10 best five",
    "GW 9 best five",
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
