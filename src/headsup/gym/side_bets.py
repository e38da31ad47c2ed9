"""Side wagers in the environment: their results are part of the reward.

The player's decisions do not affect them, except Trips Plus where a fold forfeits it. In that case
it is solved and settled with the main game (R54).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from headsup.analysis.joint.joint import round_distribution
from headsup.analysis.joint.seating import SeatProfile
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.simulate.side_cases import fill_side_cases
from headsup.analysis.simulation.seat_lookups import table_pays
from headsup.analysis.solver.compile import is_trips_plus_forfeited
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros
from headsup.gym.deals import CARDS_DEALT, PACKET, pocket_classes


@dataclass(frozen=True)
class SideBets:
    """What each outcome of a side wager nets, in cents; `mean` is per round, in Antes."""

    trips_plus: Int64s  # [category]
    pocket_bonus: Int64s  # [pocket class]
    all_6: Int64s  # [case]
    progressive: Int64s  # [case]
    ante: Cents
    packet: bool  # whether All 6 is bet, which takes four more cards
    mean: Fraction

    @classmethod
    def of(cls, profile: SeatProfile, meter: Micros) -> "SideBets":
        """The side wagers of a seat. The Progressive's meter does not change."""
        rules, bets = profile.rules, profile.bets
        trips_plus_is_solved = is_trips_plus_forfeited(rules)
        _refuse_unsolved(rules, bets, trips_plus_is_solved)
        pays, unit = table_pays([profile])
        shares = [share or Fraction(0) for share in profile.pool_shares]
        pool = np.array([int(share * meter) // MICROS_PER_CENT for share in shares], np.int64)
        payoffs = profile.strategy.solution.payoffs
        joint = round_distribution(rules, payoffs, profile.counts, bets, meter)
        side_wagers = [
            w
            for w in joint.wagers
            if w in SIDE_WAGERS and not (trips_plus_is_solved and w is _TRIPS)
        ]
        mean = sum((joint.mean(wager) for wager in side_wagers), Fraction()) / bets[Wager.ANTE]
        return cls(
            trips_plus=unit * pays.trips_plus[0, 0] * (not trips_plus_is_solved),
            pocket_bonus=unit * pays.pocket_bonus[0, 0],
            all_6=unit * pays.all_6[0, 0],
            progressive=unit * pays.progressive[0, 0] + pool,
            ante=bets[Wager.ANTE],
            packet=Wager.ALL_6 in bets,
            mean=mean,
        )

    @property
    def cards_dealt(self) -> int:
        """How many cards a round takes."""
        return CARDS_DEALT + (4 if self.packet else 0)

    def nets(self, decks: Int64s, strengths: Int64s) -> Int64s:
        """[row]: the net of all side wagers of a round, in cents."""
        cases = np.zeros((len(decks), 2), np.int64)
        scratch = np.zeros(6, np.int64), np.zeros(6, np.int64)
        fill_side_cases(
            np.ascontiguousarray(decks[:, : PACKET.stop]), strengths >> 20, *scratch, cases
        )
        nets: Int64s = (
            self.trips_plus[strengths >> 20]
            + self.pocket_bonus[pocket_classes(decks[:, :2])]
            + self.all_6[cases[:, 0]]
            + self.progressive[cases[:, 1]]
        )
        return nets


_TRIPS = Wager.TRIPS_PLUS


def _refuse_unsolved(
    rules: TableRules, bets: Mapping[Wager, Cents], trips_plus_is_solved: bool
) -> None:
    """Refuse side wagers that would change best play but cannot be solved with it."""
    if _TRIPS in bets and rules.both_hole_cards:
        raise Refused(Code.NOT_SOLVABLE, "both_hole_cards")
    for wager in SIDE_WAGERS:
        if (
            wager in bets
            and not rules.after_fold[wager]
            and not (trips_plus_is_solved and wager is _TRIPS)
        ):
            raise Refused(Code.NOT_SOLVABLE, "forfeited", wager=rules.book.label(wager))
