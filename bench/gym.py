"""Rounds that learning agents play, against Gymnasium's own card game.

Both play actions by chance, one environment and many; Blackjack's many are Gymnasium's vector of
single ones. Processor time.
"""

from time import process_time
from typing import Any

import gymnasium

from headsup.gym import ENV_ID

OURS, PEER = ENV_ID, "Blackjack-v1"
STEPS, MANY = 2_000, 1_024


def rows() -> list[tuple[str, str, str, str]]:
    ours, peer = (_alone(name) for name in (OURS, PEER))
    many, many_peers = _many(OURS, "vector_entry_point", 20), _many(PEER, "sync", 5)
    told = [("gym, one environment", ours, peer), (f"gym, {MANY:,} at once", many, many_peers)]
    return [
        (what, f"{one:,.0f} rounds/s", f"{PEER} {other:,.0f}", f"{one / other:,.1f}×")
        for what, one, other in told
    ]


def _alone(name: str) -> float:
    """Rounds in a second, one after the other."""
    given: dict[str, Any] = {"regret": False} if name == OURS else {}
    env = gymnasium.make(name, **given)
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


def _many(name: str, mode: str, steps: int) -> float:
    envs = gymnasium.make_vec(name, num_envs=MANY, vectorization_mode=mode)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    envs.step(envs.action_space.sample())  # compiles
    rounds, start = 0, process_time()
    for _ in range(steps):
        rounds += int(envs.step(envs.action_space.sample())[2].sum())
    return rounds / (process_time() - start)
