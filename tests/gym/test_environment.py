"""`headsup/HeadsUpHoldem-v0`: Gymnasium's own checks, settlement, exact regret."""

import runpy
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import VectorEnv

import headsup
from headsup.game.values.hands import strength
from headsup.gym import ENV_ID
from headsup.gym.deals import hand_strengths
from headsup.gym.env import HeadsUpHoldemEnv
from headsup.gym.vector import HeadsUpHoldemVectorEnv

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "learn.py"
DEALT = "KsKh Kd9c5h5s2d AcQd"


def make_environment(**chosen: Any) -> HeadsUpHoldemEnv:
    return cast(HeadsUpHoldemEnv, gymnasium.make(ENV_ID, **chosen).unwrapped)


def make_vector_environment(count: int, **chosen: Any) -> VectorEnv[Any, Any, Any]:
    return gymnasium.make_vec(ENV_ID, count, vectorization_mode="vector_entry_point", **chosen)


@pytest.mark.parametrize("chosen", [{}, {"rules": "galaxy-wpt"}])
def test_gymnasium_checks_pass(chosen: dict[str, Any]) -> None:
    check_env(make_environment(**chosen), skip_render_check=False)


def test_the_reward_matches_settlement() -> None:
    env = make_environment()
    paid = headsup.settle(
        dealer="AcQd", board="Kd9c5h5s2d",
        seats=[{"hole": "KsKh", "ante": 10, "odds": 10,
                "raise": {"street": "pocket", "multiple": 3}}],
    )  # fmt: skip
    env.reset(options={"cards": DEALT})
    _, reward, ended, _, info = env.step(1)
    assert ended
    assert reward == float(paid.net) / 10
    assert info["regret"] == 0.0


EVERYTHING = {"ante": 10, "trips_plus": 5, "pocket_bonus": 5, "all_6": 5, "progressive": 1}


@pytest.mark.parametrize(
    ("hole", "board", "dealer", "packet"),
    [
        ("KsKh", "Kd9c5h5s2d", "AcQd", "KcQs7h3d"),
        ("AsKs", "QsJsTs2d2c", "7c7d", "9s8s3h4h"),
        ("9h8h", "7h6h5h2d2c", "KcKd", "Th3s4s5d"),
        ("7h2c", "AsKdJs9c8d", "QhQd", "7s7d7c2h"),
    ],
)
def test_the_reward_includes_side_wagers(hole: str, board: str, dealer: str, packet: str) -> None:
    env = make_environment(bets=EVERYTHING, meter=1000)
    paid = headsup.settle(
        dealer=dealer, board=board, all_6=packet, meter=1000,
        seats=[{"hole": hole, "odds": 10, **EVERYTHING,
                "raise": {"street": "pocket", "multiple": 3}}],
    )  # fmt: skip
    env.reset(options={"cards": f"{hole} {board} {dealer} {packet}"})
    _, reward, _, _, _ = env.step(1)
    assert reward == float(paid.net) / 10
    with pytest.raises(headsup.Refused, match="13"):
        env.reset(options={"cards": DEALT})


@pytest.mark.slow
def test_the_optimal_value_includes_side_wagers_and_is_reached_on_average() -> None:
    env = make_environment(bets=EVERYTHING, meter=1000)
    whole = headsup.session(1, EVERYTHING, meter=1000)
    assert env.optimal_value == whole.mean / 10
    rounds = 100_000
    envs = make_vector_environment(rounds, bets=EVERYTHING, meter=1000)
    _, infos = envs.reset(seed=4)
    won, first = np.zeros(rounds), np.ones(rounds, np.bool_)
    for _ in range(3):
        _, rewards, ended, _, infos = envs.step(infos["optimal_action"])
        won[first] += rewards[first]
        first &= ~ended
    assert not first.any()
    error = float(whole.standard_deviation) / 10 / rounds**0.5
    assert abs(won.mean() - float(env.optimal_value)) < 4 * error


@pytest.mark.slow
def test_trips_plus_that_a_fold_forfeits_is_solved_with_the_main_game() -> None:
    bets = {"ante": 10, "trips_plus": 5}
    chosen = {"rules": "new-york", "trips_plus_after_fold": "forfeits"}
    env = make_environment(bets=bets, **chosen)
    whole = headsup.session(1, bets, name="new-york", trips_plus_after_fold="forfeits")
    assert env.optimal_value == whole.mean / 10
    env.reset(options={"cards": "7h2c AsKdJs9c8d QhQd"})
    assert [env.step(0)[1] for _ in range(3)] == [0.0, 0.0, -2.5]


def test_an_unavailable_side_wager_is_refused() -> None:
    with pytest.raises(headsup.Refused, match="an ante is needed"):
        make_environment(bets={"trips_plus": 5})
    with pytest.raises(headsup.Refused):
        make_environment(bets={"ante": 10, "trips": 5})


def test_cards_appear_street_by_street_and_a_river_check_folds() -> None:
    env = make_environment(render_mode="ansi")
    seen, info = env.reset(options={"cards": "7h2c AsKdJs9c8d QhQd"})
    assert (seen == 52).sum() == 5
    assert info["optimal_action"] == 0
    seen, reward, ended, _, _ = env.step(0)
    assert ((seen == 52).sum(), reward, ended) == (2, 0.0, False)
    assert env.render() == "flop: 7h 2c | As Kd Js"
    seen, _, ended, _, info = env.step(0)
    assert ((seen == 52).sum(), ended) == (0, False)
    _, reward, ended, _, info = env.step(0)
    assert (reward, ended) == (-2.0, True)
    assert info["regret"] == 0.0
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_regret_matches_the_advisors_cost_of_a_mistake() -> None:
    env = make_environment()
    env.reset(options={"cards": "QhJh Th9c2d 5s5c AcQd"})
    assert env.values() == {
        1: headsup.solve().pocket["QJs"].raises[3], 0: headsup.solve().pocket["QJs"].check,
    }  # fmt: skip
    _, _, _, _, info = env.step(0)
    advice = headsup.advise("QhJh", "Th9c2d")
    assert env.values() == {1: advice.options[0].ev, 0: advice.options[1].ev}
    _, _, _, _, info = env.step(0)
    assert info["regret"] == pytest.approx(float(Fraction(108259, 535095)))


def test_raises_come_from_the_rule_book() -> None:
    env = make_environment(rules="galaxy-wpt")
    _, info = env.reset(seed=1, options={"cards": DEALT})
    assert info["action_mask"].tolist() == [1, 1, 1, 1]
    assert info["optimal_action"] == 3
    assert env.optimal_value == -headsup.solve("galaxy-wpt").house_edge
    _, reward_of_one, _, _, _ = env.step(1)
    env.reset(options={"cards": DEALT})
    _, reward_of_three, _, _, _ = env.step(3)
    assert reward_of_three - reward_of_one == 2


def test_the_vector_environment_deals_the_same_rounds() -> None:
    envs = make_vector_environment(64)
    assert isinstance(envs.unwrapped, HeadsUpHoldemVectorEnv)
    env = make_environment()
    seen, info = envs.reset(seed=5)
    batch = envs.unwrapped._batch
    for turn in range(6):
        decks, streets = batch.decks.copy(), batch.street.copy()
        actions = np.array([(turn + row_number) % 2 for row_number in range(64)])
        seen, rewards, ended, _, info = envs.step(actions)
        for row_number in range(64):
            env.reset(options={"cards": decks[row_number, :9].tolist()})
            for _ in range(streets[row_number]):
                env.step(0)
            _, reward, over, _, _ = env.step(actions[row_number])
            assert (reward, over) == (rewards[row_number], ended[row_number])
        assert (info["street"][ended] == 0).all()
        assert (info["_final_obs"] == ended).all()
        game = headsup.solve()
        for row, action, street in zip(seen, info["optimal_action"], info["street"], strict=True):
            shown = [card for card in row.tolist() if card != 52]
            assert (game.best(shown[:2], shown[2:]) in ("check", "fold")) == (action == 0), street


@pytest.mark.parametrize(
    "chosen", [{"rules": "galaxy-wpt"}, {"bets": {"ante": 10, "trips_plus": 5, "all_6": 5}}]
)
def test_a_batch_of_one_matches_a_single_round(chosen: dict[str, Any]) -> None:
    """Scalar and array code play the same rounds from the same seed."""
    env, batch = make_environment(regret=False, **chosen), make_vector_environment(1, **chosen)
    (seen, info), (row, infos) = env.reset(seed=9), batch.reset(seed=9)
    for turn in range(600):
        assert seen.tolist() == row[0].tolist()
        for key in ("street", "optimal_action", "action_mask"):
            assert np.array_equal(info[key], infos[key][0]), key
        action = turn % 5 % 4 if turn % 3 else info["optimal_action"]
        seen, reward, ended, _, info = env.step(action)
        row, rewards, over, _, infos = batch.step(np.array([action]))
        assert ended == over[0]
        assert reward == pytest.approx(rewards[0], abs=1e-12)
        if ended:
            assert seen.tolist() == infos["final_obs"][0].tolist()
            seen, info = env.reset()


def test_the_same_seed_deals_the_same_rounds() -> None:
    envs = make_vector_environment(32)
    runs = []
    for seed in (7, 7, 8):
        seen, _ = envs.reset(seed=seed)
        runs.append([seen, *(envs.step(np.ones(32, np.int64))[0] for _ in range(3))])
    first, again, other = (np.stack(run) for run in runs)
    assert (first == again).all()
    assert (first != other).any()


def test_a_deal_has_nine_different_cards_and_best_play_earns_its_value() -> None:
    envs = make_vector_environment(4096)
    _, info = envs.reset(seed=11)
    batch = cast(HeadsUpHoldemVectorEnv, envs.unwrapped)._batch
    won, rounds = 0.0, 0
    for _ in range(60):
        _, rewards, ended, _, info = envs.step(info["optimal_action"])
        won, rounds = won + float(rewards.sum()), rounds + int(ended.sum())
    assert (np.sort(batch.decks, axis=1) == np.arange(52)).all()
    game = headsup.solve()
    error = float(game.variance) ** 0.5 / rounds**0.5
    assert abs(won / rounds + float(game.house_edge)) < 4 * error


def test_strengths_match_the_game() -> None:
    random = np.random.default_rng(3)
    hands = [random.permutation(52)[:7] for _ in range(400)]
    suits = [[4 * rank + suit for rank in ranks] for suit, ranks in product(
        range(4), ([0, 1, 2, 3, 12, 7, 8], [8, 9, 10, 11, 12, 0, 1], [0, 2, 4, 6, 8, 10, 12]),
    )]  # fmt: skip
    every = np.array([*hands, *suits])
    assert hand_strengths(every).tolist() == [strength(row) for row in every.tolist()]


@pytest.mark.slow
def test_the_regret_of_a_learning_agent_falls() -> None:
    learn = runpy.run_path(str(EXAMPLE))
    measured = learn["learn"](batches=12, rounds=2048, measure=(0, 12))
    (_, before), (_, after) = measured
    assert after < before / 2


@pytest.mark.parametrize("cards", ["KsKh Kd9c", "KsKs QhJhTh 2c3c 4d5d"])
def test_incomplete_deals_are_refused(cards: str) -> None:
    with pytest.raises(headsup.Refused):
        make_environment().reset(options={"cards": cards})


@pytest.mark.parametrize("action", [-1, -(10**30), 1.7, "1", None])
def test_an_invalid_action_is_refused_and_changes_nothing(action: Any) -> None:
    env, batch = make_environment(), make_vector_environment(2)
    before, _ = env.reset(seed=1)
    rounds, _ = batch.reset(seed=1)
    rounds = rounds.copy()
    for step in (lambda: env.step(action), lambda: batch.step([0, action])):
        with pytest.raises(headsup.Refused, match="action: must be a whole number from 0"):
            step()
    after, _, over, _, _ = env.step(0)
    assert not over
    assert (after[:2] == before[:2]).all()
    later, *_ = batch.step(np.zeros(2, np.int64))
    assert (later[:, :2] == rounds[:, :2]).all()


def test_an_action_beyond_the_last_means_the_largest_raise() -> None:
    for action in (99, 10**30, np.uint64(2**64 - 1)):
        env, batch = make_environment(), make_vector_environment(1)
        env.reset(seed=1)
        batch.reset(seed=1)
        largest = make_environment()
        largest.reset(seed=1)
        _, net, *_ = largest.step(2)
        assert env.step(action)[1:3] == (net, True)  # type: ignore[arg-type]
        assert batch.step([action])[1][0] == net


def test_a_meter_without_its_wager_and_an_empty_batch_are_refused() -> None:
    for bets in (None, {"ante": 10}):
        with pytest.raises(headsup.Refused, match="meter: can be used only with progressive"):
            make_environment(bets=bets, meter=5000)
    with pytest.raises(headsup.Refused, match="num_envs: must be a whole number from 1"):
        make_vector_environment(0)


def test_a_batch_takes_one_seed_and_no_cards_and_one_action_per_round() -> None:
    batch = make_vector_environment(4)
    with pytest.raises(headsup.Refused, match="must be one number"):
        batch.reset(seed=[1, 2, 3, 4])  # type: ignore[arg-type]
    with pytest.raises(
        headsup.Refused, match="cards can be named only in an environment of one round"
    ):
        batch.reset(options={"cards": DEALT})
    batch.reset(seed=1)
    with pytest.raises(headsup.Refused, match="for each of the 4 environments"):
        batch.step([0])
