"""Ranking random seven-card hands on one thread: the kernel, and what others offer for one call.

Each time is the best of several batches, so that a busy machine does not count.
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
GOAL = 100  # times phevaluator's public call


def rows() -> list[tuple[str, str, str, str]]:
    chance = np.random.default_rng(1)
    hands = chance.random((HANDS, 52)).argsort(1)[:, :7].astype(np.uint8)
    out, look = np.zeros(HANDS, np.int32), strength_tables()
    ours = _rate(lambda: evaluate(hands, look, out), HANDS)
    few = [[int(card) for card in hand] for hand in hands[:20_000]]
    peers = {
        "phevaluator": _rate(lambda: [evaluate_cards(*hand) for hand in few], len(few)),
        "eval7": _eval7(few),
        "treys": _treys(few[:4_000]),
        "pokerkit": _pokerkit(few[:400]),
        "headsup's plain evaluator": _rate(lambda: [strength(hand) for hand in few], len(few)),
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
    reached = ours / peers["phevaluator"]
    return [*table, ("seven-card hands", _per_second(ours), goal, f"{reached / GOAL:.1f}×")]


def _rate(call: Callable[[], object], hands: int, batches: int = 5) -> float:
    """Hands per second in the best batch; the first call, which may compile, is not timed."""
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
    dealt = [[eval7.Card(card_name(card)) for card in hand] for hand in hands]
    return _rate(lambda: [eval7.evaluate(hand) for hand in dealt], len(dealt))


def _treys(hands: list[list[int]]) -> float:
    evaluator = Evaluator()
    dealt = [[Card.new(card_name(card)) for card in hand] for hand in hands]
    return _rate(lambda: [evaluator.evaluate(hand[:2], hand[2:]) for hand in dealt], len(dealt))


def _pokerkit(hands: list[list[int]]) -> float:
    dealt = [["".join(map(card_name, part)) for part in (hand[:2], hand[2:])] for hand in hands]
    return _rate(lambda: [StandardHighHand.from_game(*hand) for hand in dealt], len(dealt))
