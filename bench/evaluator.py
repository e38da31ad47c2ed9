"""Ranking random seven-card hands on one thread: our kernel against other libraries' single calls.

Each time is the best of several batches, to reduce the effect of other load.
"""

from collections.abc import Callable
from time import perf_counter

import eval7
import numpy as np
from phevaluator import evaluate_cards
from pokerkit import StandardHighHand
from treys import Card, Evaluator

from headsup.analysis.kernels.base.evaluator import evaluate, strength_tables
from headsup.game.values.cards import card_name
from headsup.game.values.hands import strength

HANDS = 1_000_000
GOAL = 100  # times as fast as phevaluator's public call


def rows() -> list[tuple[str, str, str, str]]:
    rng = np.random.default_rng(1)
    hands = rng.random((HANDS, 52)).argsort(1)[:, :7].astype(np.uint8)
    out, tables = np.zeros(HANDS, np.int32), strength_tables()
    ours = _rate(lambda: evaluate(hands, tables, out), HANDS)
    sample = [[int(card) for card in hand] for hand in hands[:20_000]]
    peers = {
        "phevaluator": _rate(lambda: [evaluate_cards(*hand) for hand in sample], len(sample)),
        "eval7": _eval7(sample),
        "treys": _treys(sample[:4_000]),
        "pokerkit": _pokerkit(sample[:400]),
        "headsup's plain evaluator": _rate(
            lambda: [strength(hand) for hand in sample], len(sample)
        ),
    }
    table = [
        (
            f"seven-card hands, against {name}",
            _per_second(ours),
            _per_second(rate),
            f"{ours / rate:,.0f}×",
        )
        for name, rate in peers.items()
    ]
    goal = f"goal {GOAL}× phevaluator"
    speedup = ours / peers["phevaluator"]
    return [*table, ("seven-card hands", _per_second(ours), goal, f"{speedup / GOAL:.1f}×")]


def _rate(call: Callable[[], object], hands: int, batches: int = 5) -> float:
    """Hands per second in the best batch, after one untimed call that may compile."""
    call()
    best = float("inf")
    for _ in range(batches):
        start = perf_counter()
        call()
        best = min(best, perf_counter() - start)
    return hands / best


def _per_second(rate: float) -> str:
    return f"{rate / 1e6:,.3g} M/s" if rate >= 1e6 else f"{rate / 1e3:,.3g} k/s"


def _eval7(hands: list[list[int]]) -> float:
    cards = [[eval7.Card(card_name(card)) for card in hand] for hand in hands]
    return _rate(lambda: [eval7.evaluate(hand) for hand in cards], len(cards))


def _treys(hands: list[list[int]]) -> float:
    evaluator = Evaluator()
    cards = [[Card.new(card_name(card)) for card in hand] for hand in hands]
    return _rate(lambda: [evaluator.evaluate(hand[:2], hand[2:]) for hand in cards], len(cards))


def _pokerkit(hands: list[list[int]]) -> float:
    cards = [["".join(map(card_name, part)) for part in (hand[:2], hand[2:])] for hand in hands]
    return _rate(lambda: [StandardHighHand.from_game(*hand) for hand in cards], len(cards))
