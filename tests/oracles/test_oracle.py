"""The oracle itself is right: hand-made scenarios, and random rounds that reach every corner."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from tests.oracles.printed import printed_tables
from tests.oracles.rounds import random_round
from tests.oracles.scenarios import SCENARIOS, Scenario
from tests.oracles.settlement import (
    CATEGORIES,
    all_6_outcome,
    best,
    cards,
    category,
    settle,
    strength_of_five,
)

ROUNDS = 3_000
MAIN = ("ante", "odds", "raise")

pytestmark = pytest.mark.slow  # the oracle itself changes seldom


@pytest.fixture(scope="module")
def random_rounds() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    rng = random.Random(5324)
    return [(played, settle(played)) for played in (random_round(rng) for _ in range(ROUNDS))]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_oracle_gives_the_nets_worked_out_by_hand(scenario: Scenario) -> None:
    settled = settle(scenario.played)
    nets = {
        seat["seat"]: {wager: line["net"] for wager, line in seat["wagers"].items()}
        for seat in settled["seats"]
    }
    assert nets == scenario.nets
    if scenario.meter_after is not None:
        assert settled["meter"]["after"] == scenario.meter_after


def test_scenario_names_differ() -> None:
    names = Counter(scenario.name for scenario in SCENARIOS)
    assert [name for name, count in names.items() if count > 1] == []


def test_ranker_counts_every_five_card_category() -> None:
    """On a deck of ranks 2-7 in four suits, small enough to count by hand."""
    deck = [(rank, suit) for rank in range(2, 8) for suit in "cdhs"]
    counts = Counter(category(strength_of_five(five)) for five in combinations(deck, 5))
    assert counts == {
        "straight_flush": 2 * 4,
        "four_of_a_kind": 6 * 20,
        "full_house": 6 * 4 * 5 * 6,
        "flush": (6 - 2) * 4,
        "straight": 2 * (4**5 - 4),
        "three_of_a_kind": 6 * 4 * 10 * 16,
        "two_pair": 15 * 36 * 16,
        "one_pair": 6 * 6 * 10 * 64,
        "high_card": (6 - 2) * (4**5 - 4),
    }


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c3d4h5s6c", "Ac2d3h4s5c"),  # the wheel is the lowest straight, NY (b)(2)
        ("2c2d3h4s5c", "AcKdQhJs9c"),
        ("AcAdKhKs2c", "AcAdQhQsKc"),
        ("3c3d3h2s2c", "2h2d2sAsAc"),
        ("7c7d7h7s3c", "6c6d6h6sAc"),
        ("Ac2c3c4c5c", "AdAhAsAcKd"),
    ],
)
def test_the_better_hand_wins(better: str, worse: str) -> None:
    assert strength_of_five(cards(better)) > strength_of_five(cards(worse))


def test_suits_are_equal() -> None:
    assert best(cards("AcKd9h7s4c3d2h")) == best(cards("AdKh9s7c4d3h2s"))


@pytest.mark.parametrize(
    ("six", "outcome"),
    [
        ("9dTdJdQdKdAd", "six_card_royal_diamonds"),
        ("9sTsJsQsKsAs", "six_card_royal"),
        ("9cTsJsQsKsAs", "five_card_royal"),
        ("8sTsJsQsKsAs", "five_card_royal"),
        ("9s8sTsJsQsKs", "straight_flush"),
    ],
)
def test_six_card_royals_are_recognised(six: str, outcome: str) -> None:
    assert all_6_outcome(cards(six)) == outcome


def test_random_rounds_are_legal_deals(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    for played, _ in random_rounds:
        text = played["dealer"] + played["board"] + played.get("all_6", "")
        dealt = cards(text + "".join(seat["hole"] for seat in played["seats"]))
        assert len(set(dealt)) == len(dealt)
        assert len(dealt) == 7 + 2 * len(played["seats"]) + (4 if "all_6" in played else 0)


def test_a_net_is_the_sum_of_its_wagers(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    for _, settled in random_rounds:
        for seat in settled["seats"]:
            lines = seat["wagers"].values()
            assert Fraction(seat["net"]) == sum(Fraction(line["net"]) for line in lines)
            assert all(Fraction(line["net"]) >= -Fraction(line["stake"]) for line in lines)


def test_random_rounds_reach_every_hand_on_both_sides(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    hands = {seat["category"] for _, settled in random_rounds for seat in settled["seats"]}
    assert hands == set(CATEGORIES)
    assert {settled["dealer"]["category"] for _, settled in random_rounds} == set(CATEGORIES)


def test_random_rounds_reach_every_odds_result_of_every_hand(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    reached = {
        (seat["category"], line["odds"]["result"], line["ante"]["result"])
        for _, settled in random_rounds
        for seat in settled["seats"]
        if "raise" in (line := seat["wagers"])
    }
    for hand in CATEGORIES[4:]:
        assert (hand, "win", "win") in reached
        assert (hand, "push", "push") in reached
        assert hand == "royal_flush" or (hand, "win", "lose") in reached  # Bad Beat
    for hand in CATEGORIES[:4]:
        assert (hand, "push", "push") in reached
        assert (hand, "lose", "lose") in reached
    assert ("high_card", "lose", "push") in reached  # an unqualified dealer ahead
    assert ("straight", "win", "push") in reached


def test_random_rounds_use_every_printed_table(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    documents = {
        "galaxy": "000",
        "galaxy-wpt": "001",
        "new-york": "002",
        "sugarhouse": "003",
        "washington": "004",
        "washington-no-qualifier": "004",
    }
    used = {
        (documents[played["rules"]], wager, table_id)
        for played, _ in random_rounds
        for wager, table_id in played["paytables"].items()
    }
    printed = {(t.document, t.wager, t.id) for t in printed_tables() if t.id != "layout"}
    assert printed <= used
    assert used - printed == {("004", "bad_beat", "none")}


def test_random_rounds_share_jackpots(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    """Several 10% awards of one community royal (R70), and table 9 split in two (R69)."""
    shared = Counter(
        played["paytables"].get("progressive", "by default")
        for played, settled in random_rounds
        if "meter" in settled
        and settled["meter"]["before"] != settled["meter"]["after"]
        and winners(settled, "progressive") > 1
    )
    assert shared["9"] > 0
    assert shared["1"] > 0
    assert shared["HH/JP-1"] + shared["HH/JP-3"] + shared["C"] > 0


def test_random_rounds_cut_winnings_at_the_cap(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    cut = [
        seat
        for played, settled in random_rounds
        if played["rules"] == "sugarhouse"
        for seat in settled["seats"]
        if sum(Fraction(seat["wagers"].get(w, {"net": 0})["net"]) for w in MAIN) >= 50_000
    ]
    assert cut


def test_random_rounds_win_every_all_6_prize(
    random_rounds: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    outcomes = {
        all_6_outcome(cards(seat["hole"] + played["all_6"]))
        for played, _ in random_rounds
        for seat in played["seats"]
        if "all_6" in seat
    }
    royals = {"six_card_royal_diamonds", "six_card_royal", "five_card_royal"}
    assert outcomes == royals | set(CATEGORIES[:-1])


def winners(settled: dict[str, Any], wager: str) -> int:
    lines = [seat["wagers"].get(wager) for seat in settled["seats"]]
    return sum(1 for line in lines if line and line["result"] == "win")
