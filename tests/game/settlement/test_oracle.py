"""Compares settlement with a second implementation, written separately from the documents."""

import random
from fractions import Fraction
from typing import Any

import pytest

from headsup.game.notation.reader import RulesCache, read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.settlement import settle
from tests.oracles import settlement as oracle
from tests.oracles.rounds import SCENARIOS, random_rounds
from tests.oracles.scenarios import Scenario

memory = RulesCache()


def ours(raw: dict[str, Any]) -> dict[str, Any]:
    round = read_round(raw, memory)
    return write_settlement(round, settle(round.rules, round.deal, round.plays, round.meter))


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """What both settlements state: categories, each wager's stake, result, net and breakage, the
    order of settlement, the meter."""
    meter = answer.get("meter")
    return {
        "dealer": {key: answer["dealer"][key] for key in ("category", "qualifies")},
        "seats": [
            {
                "seat": seat["seat"],
                "category": seat["category"],
                "net": seat["net"],
                "wagers": {
                    wager: {
                        **{key: line[key] for key in ("stake", "result", "net")},
                        "breakage": Fraction(line.get("breakage", 0)),
                    }
                    for wager, line in seat["wagers"].items()
                },
            }
            for seat in answer["seats"]
        ],
        "order": answer["order"],
        "meter": meter and {key: meter[key] for key in ("before", "after")},
    }


def disagreements(seed: int, count: int) -> list[tuple[dict[str, Any], Any, Any]]:
    """Rules are random too, and reused for a while because compiling them is expensive."""
    rng = random.Random(seed)
    results = []
    rounds = (raw for _ in range(count // 10) for raw in random_rounds(rng, 10))
    for raw in rounds:
        mine, theirs = comparable(ours(raw)), comparable(oracle.settle(raw))
        if mine != theirs:
            results.append((raw, mine, theirs))
    return results


def test_two_settlements_agree_on_200_random_rounds() -> None:
    assert disagreements(seed=1, count=200) == []


@pytest.mark.slow(seconds=12)
@pytest.mark.parametrize("seed", range(10, 20))
def test_two_settlements_agree_on_100000_random_rounds(seed: int) -> None:
    assert disagreements(seed, count=10_000) == []


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_round_matches_a_hand_calculation(scenario: Scenario) -> None:
    answer = ours(scenario.played)
    nets = {
        seat["seat"]: {wager: line["net"] for wager, line in seat["wagers"].items()}
        for seat in answer["seats"]
    }
    assert nets == scenario.nets
    if scenario.meter_after is not None:
        assert answer["meter"]["after"] == scenario.meter_after
