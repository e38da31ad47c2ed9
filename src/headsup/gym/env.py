"""The environment `headsup/HeadsUpHoldem-v0`: one round at a time."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from headsup.analysis.par.table_par import meter_or_seed
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.strategies.examples import BEST
from headsup.game.refusal import Code, Refused
from headsup.gym.deals import DEALER, HIDDEN_CARD
from headsup.gym.oracle import Oracle
from headsup.gym.rounds import OneRound, parse_action
from headsup.gym.side_bets import SideBets
from headsup.library.cards import Card, CardsLike, cards
from headsup.library.game import WORKBENCH
from headsup.library.rules import RulesLike, read_meter, read_stakes, rules

Observation: TypeAlias = NDArray[np.int64]
STREETS = ("pocket", "flop", "river")


def build_oracle(
    name: RulesLike, choices: dict[str, Any], bets: Mapping[str, object] | None, meter: object
) -> tuple[Oracle, SideBets | None]:
    """Build the oracle and the side wagers. A game is solved once per machine, then cached."""
    table = rules(name, **choices)
    if bets is None:
        read_meter(table, {}, meter)
        payoffs = compile_payoffs(table)
        return Oracle(payoffs, WORKBENCH.strategy(payoffs)), None
    stakes = read_stakes(table, bets)
    (profile,) = WORKBENCH.seats(table, stakes, [(BEST, None)])
    meter_micros = meter_or_seed(table, read_meter(table, stakes, meter))
    oracle = Oracle(profile.strategy.solution.payoffs, profile.strategy)
    return oracle, SideBets.of(profile, meter_micros)


def card_space() -> spaces.MultiDiscrete:
    """Two hole cards and the board; 52 stands for a card not shown yet."""
    return spaces.MultiDiscrete([HIDDEN_CARD + 1] * 7)


class HeadsUpHoldemEnv(gymnasium.Env[Observation, np.int64]):
    """Observe seven cards, decide up to three times, and get a reward in Antes at the end.

    `rules` and further keywords are those of `headsup.rules`: `rules="galaxy", bad_beat="4"`. With
    `regret=False` regrets are not computed. `bets={"ante": 10, "trips_plus": 5}` are stakes in
    dollars; the reward then includes the side wagers. `meter` is the Progressive's meter.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        rules: RulesLike = "galaxy",
        regret: bool = True,
        render_mode: str | None = None,
        bets: Mapping[str, object] | None = None,
        meter: object = None,
        **choices: Any,
    ) -> None:
        self._oracle, self._sides = build_oracle(rules, choices, bets, meter)
        self._round = OneRound(self._oracle, self._sides)
        self._regret, self._is_over = regret, True
        self.render_mode = render_mode
        self.observation_space = card_space()
        self.action_space = spaces.Discrete(self._round.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a round. `options={"cards": "AsKd QsJhTc2d2c 7c7d"}` sets hole, board and dealer."""
        super().reset(seed=seed)
        self._round.deal(self.np_random)
        if options and "cards" in options:
            self._round.begin(_build_deck(options["cards"], self._round.cards_dealt))
        self._is_over = False
        return self._round.observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the round is over; call reset")
        requested = parse_action(action)
        cards_seen, best = self._round.cards, self._round.best_action
        taken, self._is_over, net = self._round.decide(requested)
        info: dict[str, Any] = {"dealer": self._dealer()} if self._is_over else self._info()
        if self._regret:
            info["regret"] = 0.0 if taken == best else float(self._oracle.regret(cards_seen, taken))
        return self._round.observation(), net, self._is_over, False, info

    def values(self) -> dict[int, Fraction]:
        """The exact value of each action of the current decision in the main game, in Antes.

        Side wagers are left out: no action changes them.
        """
        return self._oracle.values(self._round.cards)

    @property
    def optimal_value(self) -> Fraction:
        """The value of a round with best play before the deal, side wagers included, in Antes."""
        side_mean = Fraction(0) if self._sides is None else self._sides.mean
        return side_mean - self._oracle.strategy.solution.house_edge

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        hole, board = self._round.cards[:2], self._round.cards[2:]
        shown = " ".join(map(str, map(Card, board))) or "–"
        return f"{STREETS[self._round.street]}: {' '.join(map(str, map(Card, hole)))} | {shown}"

    def _dealer(self) -> NDArray[np.int64]:
        return np.array(self._round.deck[DEALER], np.int64)

    def _info(self) -> dict[str, Any]:
        """The info of a decision. Only before the flop does it include the value."""
        info: dict[str, Any] = {
            "street": self._round.street,
            "action_mask": self._round.action_mask(),
            "optimal_action": self._round.best_action,
        }
        if self._round.street == 0:
            info["optimal_value"] = self._round.pocket_value()
        return info


def _build_deck(text: CardsLike, count: int) -> list[int]:
    dealt = cards(text)
    if len(dealt) != count:
        raise Refused(Code.WRONG_CARD_COUNT, where="cards", count=count, given=len(dealt))
    return [*map(int, dealt), *(card for card in range(52) if card not in dealt)]
