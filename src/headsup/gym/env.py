"""One round at a time: `headsup/HeadsUpHoldem-v0`."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from headsup.analysis.joint.seating import seat_profiles
from headsup.analysis.par.table_par import meter_or_seed
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.strategies.examples import BEST
from headsup.game.refusal import Code, Refused
from headsup.gym.chosen import parse_action
from headsup.gym.deals import DEALER, HIDDEN_CARD
from headsup.gym.oneround import OneRound
from headsup.gym.oracle import Oracle
from headsup.gym.side_bets import SideBets
from headsup.library.cards import Card, CardsLike, cards
from headsup.library.game import get_round_counts, get_strategy
from headsup.library.rules import RulesLike, rules
from headsup.library.staking import read_meter, read_stakes

Observation: TypeAlias = NDArray[np.int64]
STREETS = ("pocket", "flop", "river")


def build_oracle(
    name: RulesLike, chosen: dict[str, Any], bets: Mapping[str, object] | None, meter: object
) -> tuple[Oracle, SideBets | None]:
    """Solved once for each machine, as everywhere in the library."""
    table = rules(name, **chosen)
    if bets is None:
        read_meter(table, {}, meter)
        payoffs = compile_payoffs(table)
        return Oracle(payoffs, get_strategy(payoffs)), None
    stakes = read_stakes(table, bets)
    (style,) = seat_profiles(table, stakes, [(BEST, None)], get_strategy, get_round_counts)
    stands = meter_or_seed(table, read_meter(table, stakes, meter))
    oracle = Oracle(style.strategy.solution.payoffs, style.strategy)
    return oracle, SideBets.of(style, stands)


def card_space() -> spaces.MultiDiscrete:
    """Two hole cards and the board; 52 where a card is not shown yet."""
    return spaces.MultiDiscrete([HIDDEN_CARD + 1] * 7)


class HeadsUpHoldemEnv(gymnasium.Env[Observation, np.int64]):
    """Observes seven cards, decides up to three times, is paid in Antes when the round ends.

    `rules` and the other keywords are those of `headsup.rules`: `rules="galaxy", bad_beat="4"`.
    With `regret=False` actions are not valued. `bets={"ante": 10, "trips_plus": 5}` are stakes in
    dollars whose side wagers are in the reward too; `meter` is where the progressive stands.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        rules: RulesLike = "galaxy",
        regret: bool = True,
        render_mode: str | None = None,
        bets: Mapping[str, object] | None = None,
        meter: object = None,
        **chosen: Any,
    ) -> None:
        self._oracle, self._sides = build_oracle(rules, chosen, bets, meter)
        self._round = OneRound(self._oracle, self._sides)
        self._regret, self._over = regret, True
        self.render_mode = render_mode
        self.observation_space = card_space()
        self.action_space = spaces.Discrete(self._round.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """`options={"cards": "AsKd QsJhTc2d2c 7c7d"}` deals hole, board and dealer so."""
        super().reset(seed=seed)
        self._round.deal(self.np_random)
        if options and "cards" in options:
            self._round.begin(_deck(options["cards"], self._round.dealt))
        self._over = False
        return self._round.seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._over:
            raise gymnasium.error.ResetNeeded("the round is over; call reset")
        chosen = parse_action(action)
        seen, best = self._round.cards, self._round.best
        taken, self._over, net = self._round.decide(chosen)
        info: dict[str, Any] = {"dealer": self._dealer()} if self._over else self._info()
        if self._regret:
            info["regret"] = 0.0 if taken == best else float(self._oracle.regret(seen, taken))
        return self._round.seen(), net, self._over, False, info

    def values(self) -> dict[int, Fraction]:
        """The exact value of each action of the present decision, in Antes, of the main game: side
        wagers come to the same whatever is done."""
        return self._oracle.values(self._round.cards)

    @property
    def optimal_value(self) -> Fraction:
        """Of a whole round with best play, before the cards are dealt; side wagers included."""
        aside = Fraction(0) if self._sides is None else self._sides.mean
        return aside - self._oracle.strategy.solution.house_edge

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        hole, board = self._round.cards[:2], self._round.cards[2:]
        shown = " ".join(map(str, map(Card, board))) or "–"
        return f"{STREETS[self._round.street]}: {' '.join(map(str, map(Card, hole)))} | {shown}"

    def _dealer(self) -> NDArray[np.int64]:
        return np.array(self._round.deck[DEALER], np.int64)

    def _info(self) -> dict[str, Any]:
        """The pocket's value is known at once; later ones are asked for with `values`."""
        info: dict[str, Any] = {
            "street": self._round.street,
            "action_mask": self._round.mask(),
            "optimal_action": self._round.best,
        }
        if self._round.street == 0:
            info["optimal_value"] = self._round.pocket_value()
        return info


def _deck(named: CardsLike, count: int) -> list[int]:
    dealt = cards(named)
    if len(dealt) != count:
        raise Refused(Code.WRONG_CARD_COUNT, where="cards", count=count, given=len(dealt))
    return [*map(int, dealt), *(card for card in range(52) if card not in dealt)]
