"""Many rounds side by side, as arrays. When a round ends, the next is dealt at once."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import Int64s
from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import parse_count
from headsup.gym.deals import HIDDEN_CARD
from headsup.gym.env import Observation, build_oracle, card_space
from headsup.gym.rounds import Float64s, RoundBatch, StepResults, parse_actions
from headsup.library.rules import RulesLike

MAX_ENVS = 10**7

# Gymnasium uses one type variable for rewards and for terminated flags.
AnyArray: TypeAlias = NDArray[Any]


class HeadsUpHoldemVectorEnv(VectorEnv[Observation, Int64s, AnyArray]):
    """Plays the same rounds as `HeadsUpHoldemEnv`.

    With `regret=True` the cost of every mistake is computed exactly, which takes about a
    millisecond each. Infos always include the best actions.
    """

    metadata = {  # noqa: RUF012 (Gymnasium's)
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: RulesLike = "galaxy",
        regret: bool = False,
        render_mode: str | None = None,
        bets: Mapping[str, object] | None = None,
        meter: object = None,
        **choices: Any,
    ) -> None:
        parse_count(num_envs, "num_envs", MAX_ENVS)
        self._oracle, sides = build_oracle(rules, choices, bets, meter)
        self._batch = RoundBatch(num_envs, self._oracle, sides)
        self._regret = regret
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = card_space()
        self.single_action_space = spaces.Discrete(self._batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal new rounds. One seed serves all; `options={"reset_mask": …}` redeals only some."""
        if isinstance(seed, list):
            raise Refused(Code.BAD_ARGUMENTS, "one_seed", where="seed")
        if options and "cards" in options:
            raise Refused(Code.BAD_ARGUMENTS, "cards_of_one", where="options")
        super().reset(seed=seed)
        mask = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"], np.bool_)
        self._batch.deal(self.np_random, mask)
        return self._batch.observations(), self._infos()

    def step(
        self, actions: Int64s
    ) -> tuple[Observation, AnyArray, AnyArray, AnyArray, dict[str, Any]]:
        requested = parse_actions(actions, self.num_envs, self._batch.actions - 1)
        observations, best = self._batch.observations(), self._batch.best_actions()
        result = self._batch.decide(requested)
        infos: dict[str, Any] = {}
        if result.ended.any():
            infos["final_obs"], infos["_final_obs"] = self._batch.observations(), result.ended
            self._batch.deal(self.np_random, result.ended)
        infos |= self._infos()
        if self._regret:
            infos["regret"] = self._regrets(observations, best, result)
            infos["_regret"] = np.ones(self.num_envs, np.bool_)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._batch.observations(), result.nets, result.ended, truncated, infos

    def _infos(self) -> dict[str, Any]:
        present = np.ones(self.num_envs, np.bool_)
        return {
            "street": self._batch.street.copy(),
            "_street": present,
            "action_mask": self._batch.action_masks(),
            "_action_mask": present,
            "optimal_action": self._batch.best_actions(),
            "_optimal_action": present,
        }

    def _regrets(self, observations: Observation, best: Int64s, result: StepResults) -> Float64s:
        regrets = np.zeros(self.num_envs)
        for row in np.flatnonzero(result.taken != best).tolist():
            cards = [card for card in observations[row].tolist() if card != HIDDEN_CARD]
            regrets[row] = float(self._oracle.regret(cards, int(result.taken[row])))
        return regrets
