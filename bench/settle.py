"""Batch settlement on one core, as in `headsup settle`, and the start-up time of the command.

Rounds have six seats and all wagers. Each time is the best of several batches, to reduce the effect
of other load.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from pokerkit import StandardHighHand

from headsup.game.notation.model import FinishedRound
from headsup.game.notation.reader import RulesCache, read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.settlement import settle
from headsup.game.values.cards import card_name, format_cards
from headsup.game.values.safe_parse import parse_json

ROUNDS = 1_000
GOAL = "goal 1,000 rounds/s"


def random_round(rng: random.Random) -> dict[str, Any]:
    deck = [card_name(card) for card in rng.sample(range(52), 23)]
    seats = []
    for seat in range(1, 7):
        hole = "".join(deck[9 + 2 * seat : 11 + 2 * seat])
        stakes = {"ante": "10.00", "odds": "10.00", "trips_plus": "5.00", "pocket_bonus": "5.00"}
        stakes |= {"all_6": "5.00", "progressive": "1.00"}
        street, multiple = rng.choice([("pocket", 3), ("flop", 2), ("river", 1), ("", 0)])
        decision: dict[str, Any] = {"raise": {"street": street, "multiple": multiple}}
        if not multiple:
            decision = {"fold": True}
        seats.append({"seat": seat, "hole": hole, **stakes, **decision})
    return {
        "rules": "galaxy",
        "paytables": {"bad_beat": "4", "trips_plus": "3", "pocket_bonus": "1", "all_6": "1"},
        "options": {"meter_seed": "10000.00"},
        "meter": "100000.00",
        "dealer": "".join(deck[:2]),
        "board": "".join(deck[2:7]),
        "all_6": "".join(deck[7:11]),
        "seats": seats,
    }


def text_to_text(lines: list[str], cache: RulesCache) -> list[str]:
    answers = []
    for line in lines:
        round = read_round(parse_json(line), cache)
        settlement = settle(round.rules, round.deal, round.plays, round.meter)
        answers.append(json.dumps(write_settlement(round, settlement)))
    return answers


def settle_all(rounds: list[FinishedRound]) -> None:
    for round in rounds:
        settle(round.rules, round.deal, round.plays, round.meter)


def pokerkit_showdowns(rounds: list[tuple[list[str], str]]) -> None:
    """Only evaluate the hands of seats and dealer: PokerKit does not have these wagers."""
    for holes, board in rounds:
        for hole in holes:
            StandardHighHand.from_game(hole, board)


def best(work: Callable[[], object], batches: int = 5) -> float:
    """Seconds of the fastest batch."""
    times = []
    for _ in range(batches):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def command_seconds(*words: str) -> float:
    command = [str(Path(sys.executable).with_name("headsup")), *words]
    return best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 7)


def rows() -> list[tuple[str, str, str, str]]:
    rng, cache = random.Random(1), RulesCache()
    lines = [json.dumps(random_round(rng)) for _ in range(ROUNDS)]
    rounds = [read_round(parse_json(line), cache) for line in lines]
    showdowns = [
        (
            [format_cards(hole) for hole in (round.deal.dealer, *(p.hole for p in round.plays))],
            format_cards(round.deal.board),
        )
        for round in rounds[:30]
    ]
    whole = ROUNDS / best(lambda: text_to_text(lines, cache))
    pure = ROUNDS / best(lambda: settle_all(rounds))
    peer = len(showdowns) / best(lambda: pokerkit_showdowns(showdowns), 3)
    help_seconds = command_seconds("--help")
    peer_words = f"PokerKit {peer:,.0f} rounds/s for the hands alone"
    return [
        (
            "settle six seats, all wagers: JSON to JSON",
            f"{whole:,.0f} rounds/s",
            GOAL,
            f"{whole / 1000:.1f}×",
        ),
        (
            "settle six seats, all wagers: in memory",
            f"{pure:,.0f} rounds/s",
            peer_words,
            f"{pure / peer:.0f}×",
        ),
        ("headsup --help", f"{help_seconds:.2f} s", "goal 0.3 s", f"{0.3 / help_seconds:.1f}×"),
    ]
