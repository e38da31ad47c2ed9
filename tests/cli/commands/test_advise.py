"""`headsup advise` and `headsup solve` as programs and people call them."""

from fractions import Fraction
from typing import Any

import pytest

from headsup.game.refusal import Refused
from headsup.library.cards import read_decision_cards
from tests.support.cli.run import headsup


def answer(*words: str) -> Any:
    result = headsup(*words, "--json")
    assert result.code == 0
    return result.json


def test_solve_prints_json_as_documented() -> None:
    solved = answer("solve")
    assert solved["rules"] == "galaxy"
    assert solved["house_edge"] == {
        "exact": "840983767/35658730800",
        "decimal": "0.0235842316",
    }
    assert solved["standard_deviation"] == "4.557824"
    assert set(solved["frequencies"]) == {"raise_pocket", "raise_flop", "raise_river", "fold"}
    assert len(solved["pocket"]) == 169
    assert solved["pocket"]["AA"]["best"] == "raise"
    assert solved["pocket"]["32o"]["best"] == "check"
    assert sum(outcome["deals"] for outcome in solved["outcomes"]) == solved["deals"]


def test_frequencies_and_edge_follow_from_the_outcomes() -> None:
    solved = answer("solve", "--rules", "sugarhouse", "--no-cache")
    net = sum(Fraction(row["net"]) * row["deals"] for row in solved["outcomes"])
    assert -net / solved["deals"] == Fraction(solved["house_edge"]["exact"])
    folds = sum(row["deals"] for row in solved["outcomes"] if row["multiple"] == 0)
    assert f"{folds / solved['deals']:.8f}" == f"{float(solved['frequencies']['fold']):.8f}"


def test_a_game_that_favours_the_player_prints_a_warning() -> None:
    result = headsup("solve", "--rules", "washington-no-qualifier")
    assert result.code == 0
    assert "These rules favour the player" in result.out


def test_a_dealer_who_needs_no_hand_qualifies_neither_way() -> None:
    outcomes = answer("solve", "--rules", "washington-no-qualifier")["outcomes"]
    assert {outcome["dealer_qualifies"] for outcome in outcomes} == {None}
    usual = answer("solve")["outcomes"]
    assert {outcome["dealer_qualifies"] for outcome in usual} == {True, False}


def test_advice_on_each_street() -> None:
    pocket = answer("advise", "--hole", "AsKd")
    assert pocket["street"] == "pocket"
    assert pocket["best"] == pocket["options"][0]
    assert pocket["best"]["action"] == "raise"
    assert pocket["best"]["multiple"] == 3
    flop = answer("advise", "--hole", "AsKd", "--board", "Kh7c2d")
    assert (flop["street"], flop["best"]["action"]) == ("flop", "raise")
    river = answer("advise", "--hole", "7h2s", "--board", "KdKcKhAsQs")
    assert [option["action"] for option in river["options"]] == ["raise", "fold"]
    assert river["options"][1]["ev"] == {"exact": "-2/1", "decimal": "-2.0000000000"}


def test_every_permitted_multiple_is_valued() -> None:
    advice = answer("advise", "--hole", "AsKd", "--rules", "new-york")
    raises = [option["multiple"] for option in advice["options"] if option["action"] == "raise"]
    assert raises == [1, 2, 3]


@pytest.mark.clause("WA letter of 15 June 2020, odds")
def test_seen_cards_change_the_value() -> None:
    plain = answer("advise", "--hole", "9h9c", "--board", "Kh7c2d")
    seen = answer("advise", "--hole", "9h9c", "--board", "Kh7c2d", "--seen", "9s9d KcKd")
    assert plain["best"]["ev"] != seen["best"]["ev"]


@pytest.mark.parametrize(
    ("hole", "board", "seen", "code"),
    [
        ("AsKx", "", "", "unknown_card"),
        ("As", "", "", "wrong_card_count"),
        ("AsKdQc", "", "", "wrong_card_count"),
        ("AsKd", "2c", "", "wrong_card_count"),
        ("AsKd", "2c3c", "", "wrong_card_count"),
        ("AsKd", "2c3c4c5c", "", "wrong_card_count"),
        ("AsAs", "", "", "duplicate_card"),
        ("AsKd", "As2c3c", "", "duplicate_card"),
        ("AsKd", "2c3c4c", "2c", "duplicate_card"),
        ("AsKd", "", "9s9s", "duplicate_card"),
    ],
)
def test_impossible_questions_are_refused(hole: str, board: str, seen: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_decision_cards(hole, board, seen)
    assert refused.value.code == code


def test_washingtons_raise_is_called_play() -> None:
    """WA 2: a Raise is called Play."""
    words = ("advise", "--rules", "washington", "--hole", "AsKd", "--board", "2c7d9hJsQc")
    answer = headsup(*words)
    assert "play 1×" in answer.out
    assert "Play 1×. Folding here costs 0.47 Antes" in answer.out
    assert "aise" not in answer.out
    answer = headsup(*words, "--json").json
    assert answer["explanation"].startswith("Play 1×. ")
    assert answer["best"]["action"] == "raise", "programs read one name"
