"""Thousands of rounds side by side, as arrays; after one that ends the next is dealt at once."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import Int64s
from headsup.game.refusal import Code, Refused
from headsup.game.values.counts import parse_count
from headsup.gym.chosen import parse_actions
from headsup.gym.deals import HIDDEN_CARD
from headsup.gym.env import Observation, build_oracle, card_space
from headsup.gym.rounds import Float64s, RoundBatch, StepResults
from headsup.library.rules import RulesLike

MAX_ENVS = 10**7  # side by side, in memory at once

# Gymnasium has one type for rewards and for what has ended.
AnyArray: TypeAlias = NDArray[Any]


class HeadsUpHoldemVectorEnv(VectorEnv[Observation, Int64s, AnyArray]):
    """The same rounds as `HeadsUpHoldemEnv`. With `regret=True` every mistake is valued exactly,
    which takes about a millisecond each; best actions are told in any case."""

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
        **chosen: Any,
    ) -> None:
        parse_count(num_envs, "num_envs", MAX_ENVS)
        self._oracle, sides = build_oracle(rules, chosen, bets, meter)
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
        """One seed is of all rounds together; `options={"reset_mask": …}` deals some anew."""
        if isinstance(seed, list):
            raise Refused(Code.BAD_ARGUMENTS, "one_seed", where="seed")
        if options and "cards" in options:
            raise Refused(Code.BAD_ARGUMENTS, "cards_of_one", where="options")
        super().reset(seed=seed)
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"], np.bool_)
        self._batch.deal(self.np_random, which)
        return self._batch.seen(), self._infos()

    def step(
        self, actions: Int64s
    ) -> tuple[Observation, AnyArray, AnyArray, AnyArray, dict[str, Any]]:
        chosen = parse_actions(actions, self.num_envs, self._batch.actions - 1)
        seen, best = self._batch.seen(), self._batch.best()
        decided = self._batch.decide(chosen)
        infos: dict[str, Any] = {}
        if decided.ended.any():
            infos["final_obs"], infos["_final_obs"] = self._batch.seen(), decided.ended
            self._batch.deal(self.np_random, decided.ended)
        infos |= self._infos()
        if self._regret:
            infos["regret"] = self._regrets(seen, best, decided)
            infos["_regret"] = np.ones(self.num_envs, np.bool_)
        nobody = np.zeros(self.num_envs, np.bool_)
        return self._batch.seen(), decided.nets, decided.ended, nobody, infos

    def _infos(self) -> dict[str, Any]:
        told = np.ones(self.num_envs, np.bool_)
        return {
            "street": self._batch.street.copy(),
            "_street": told,
            "action_mask": self._batch.masks(),
            "_action_mask": told,
            "optimal_action": self._batch.best(),
            "_optimal_action": told,
        }

    def _regrets(self, seen: Observation, best: Int64s, decided: StepResults) -> Float64s:
        regrets = np.zeros(self.num_envs)
        for at in np.flatnonzero(decided.taken != best).tolist():
            known = [card for card in seen[at].tolist() if card != HIDDEN_CARD]
            regrets[at] = float(self._oracle.regret(known, int(decided.taken[at])))
        return regrets
