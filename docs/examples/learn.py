"""A small agent that learns the game by playing it, with tables of averages in NumPy.

    python docs/examples/learn.py

It knows no values and no poker mathematics. Before the flop, it stores the average result of each
action for each of the 169 starting hands; later, for each kind of hand it can tell apart. It tries
other actions less and less often. From time to time the script measures its regret: exactly what
its decisions give away against best play, in Antes per round. The regret falls.
"""

import gymnasium
import numpy as np

import headsup.gym

HIDDEN = 52
STATES = 3 * 1024  # kinds of situations, 1,024 per street


def situations(seen):
    """Number each situation by street, pairs with the board, high card and suits."""
    hole, board = np.sort(seen[:, :2] >> 2, axis=1), seen[:, 2:] >> 2
    low, high = hole.T
    suited = seen[:, 0] & 3 == seen[:, 1] & 3
    street = (seen[:, 2] != HIDDEN).astype(int) + (seen[:, 5] != HIDDEN)
    pocket = np.where(suited, high * 13 + low, low * 13 + high)
    board = np.where(seen[:, 2:] == HIDDEN, -1, board)
    paired = (board == high[:, None]).sum(axis=1) + (board == low[:, None]).sum(axis=1)
    made = np.minimum(np.where(low == high, 2 + paired, paired), 3)  # 0 nothing hidden … 3 strong
    top = board.max(axis=1) <= np.where(paired > 0, high, low)  # no board card is higher
    suits = (np.where(seen == HIDDEN, -1, seen & 3)[:, :, None] == np.arange(4)).sum(axis=1)
    flush = np.clip(suits.max(axis=1) - 3, 0, 2)  # none, four or five of a suit
    ranks = (board[:, :, None] == np.arange(13)).sum(axis=1).max(axis=1) > 1  # paired board
    later = (((made * 2 + top) * 3 + flush) * 2 + ranks) * 13 + high
    return street * 1024 + np.where(street == 0, pocket, later)


def regret(values, rounds=1500, seed=99):
    """The Antes per round that the agent gives away by playing what it thinks is best."""
    env = gymnasium.make_vec(
        headsup.gym.ENV_ID, rounds, vectorization_mode="vector_entry_point", regret=True
    )
    seen, _ = env.reset(seed=seed)
    lost, playing = np.zeros(rounds), np.ones(rounds, bool)
    while playing.any():
        actions = values[situations(seen)].argmax(axis=1)
        seen, _, ended, _, info = env.step(actions)
        lost += np.where(playing, info["regret"], 0.0)
        playing &= ~ended
    return float(lost.mean())


def learn(batches=240, rounds=4096, measure=(0, 10, 40, 120, 240), seed=1):
    """Play batches of rounds; return [(rounds played, regret)]."""
    env = gymnasium.make_vec(headsup.gym.ENV_ID, rounds, vectorization_mode="vector_entry_point")
    random = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    actions = env.single_action_space.n
    sums, counts = np.zeros((STATES, actions)), np.full((STATES, actions), 1e-9)
    measured, visits = [], []
    for batch in range(batches + 1):
        values = sums / counts
        if batch in measure:
            measured.append((batch * rounds, regret(values)))
        if batch == batches:
            return measured
        explore = max(0.05, 1 - batch / batches * 2)
        visits, playing = [], np.ones(rounds, bool)
        results = np.zeros(rounds)
        while playing.any():
            at = situations(seen)
            chosen = values[at].argmax(axis=1)
            tried = random.integers(0, actions, rounds)
            chosen = np.where(random.random(rounds) < explore, tried, chosen)
            visits.append((at, chosen, playing.copy()))
            seen, rewards, ended, _, _ = env.step(chosen)
            results += np.where(playing, rewards, 0.0)
            playing &= ~ended
        sums, counts = sums * 0.99, counts * 0.99  # early experience fades
        for at, chosen, counted in visits:
            np.add.at(sums, (at[counted], chosen[counted]), results[counted])
            np.add.at(counts, (at[counted], chosen[counted]), 1)
    return measured


if __name__ == "__main__":
    for played, lost in learn():
        print(f"after {played:9,} rounds: regret {lost:.4f} Antes a round")
