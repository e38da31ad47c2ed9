"""Rounds per second for learning agents, against Gymnasium's Blackjack.

Both play random actions, in one environment and in many; Blackjack's many are Gymnasium's vector of
single environments. Times are processor time.
"""

from time import process_time
from typing import Any

import gymnasium

from headsup.gym import ENV_ID

OURS, PEER = ENV_ID, "Blackjack-v1"
STEPS, VECTOR_SIZE = 2_000, 1_024


def rows() -> list[tuple[str, str, str, str]]:
    ours, peer = (_single_rate(name) for name in (OURS, PEER))
    many, many_peers = _vector_rate(OURS, "vector_entry_point", 20), _vector_rate(PEER, "sync", 5)
    rates = [
        ("gym, one environment", ours, peer),
        (f"gym, {VECTOR_SIZE:,} at once", many, many_peers),
    ]
    return [
        (name, f"{rate:,.0f} rounds/s", f"{PEER} {other:,.0f}", f"{rate / other:,.1f}×")
        for name, rate, other in rates
    ]


def _single_rate(name: str) -> float:
    """Rounds per second in one environment."""
    options: dict[str, Any] = {"regret": False} if name == OURS else {}
    env = gymnasium.make(name, **options)
    env.reset(seed=1)
    env.step(env.action_space.sample())  # compiles
    env.reset()
    env.action_space.seed(1)
    rounds, start = 0, process_time()
    for _ in range(STEPS):
        if env.step(env.action_space.sample())[2]:
            env.reset()
            rounds += 1
    return rounds / (process_time() - start)


def _vector_rate(name: str, mode: str, steps: int) -> float:
    envs = gymnasium.make_vec(name, num_envs=VECTOR_SIZE, vectorization_mode=mode)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    envs.step(envs.action_space.sample())  # compiles
    rounds, start = 0, process_time()
    for _ in range(steps):
        rounds += int(envs.step(envs.action_space.sample())[2].sum())
    return rounds / (process_time() - start)
