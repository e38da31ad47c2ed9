"""Side wagers in the environment: they ride along, and what they net is part of the reward.

Nothing that the player does changes them, but for Trips Plus that a fold forfeits: that one is
solved and settled with the main game (R54).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from headsup.analysis.joint.joint import round_distribution
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.simulate.side_cases import fill_side_cases
from headsup.analysis.par.par_sheet import is_trips_plus_forfeited
from headsup.analysis.simulation.seat_lookups import SeatProfile, table_pays
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros
from headsup.gym.deals import CARDS_DEALT, PACKET, pocket_classes


@dataclass(frozen=True)
class SideBets:
    """What each result of a side wager nets, in Antes."""

    trips_plus: Int64s  # [category], like the others in cents
    pocket_bonus: Int64s  # [pocket class]
    all_6: Int64s  # [case]
    progressive: Int64s  # [case]
    ante: Cents
    packet: bool  # All 6 has its four cards
    mean: Fraction  # of a round, in Antes

    @classmethod
    def of(cls, style: SeatProfile, meter: Micros) -> "SideBets":
        """The progressive's meter stands still."""
        rules, bets = style.rules, style.bets
        riding = is_trips_plus_forfeited(rules)
        _refuse_unsolved(rules, bets, riding)
        pays, unit = table_pays([style])
        shares = [share or Fraction(0) for share in style.claims]
        pool = np.array([int(share * meter) // MICROS_PER_CENT for share in shares], np.int64)
        payoffs = style.strategy.solution.payoffs
        joint = round_distribution(rules, payoffs, style.counts, bets, meter)
        alone = [w for w in joint.wagers if w in SIDE_WAGERS and not (riding and w is _TRIPS)]
        mean = sum((joint.mean(wager) for wager in alone), Fraction()) / bets[Wager.ANTE]
        return cls(
            trips_plus=unit * pays.trips_plus[0, 0] * (not riding),
            pocket_bonus=unit * pays.pocket_bonus[0, 0],
            all_6=unit * pays.all_6[0, 0],
            progressive=unit * pays.progressive[0, 0] + pool,
            ante=bets[Wager.ANTE],
            packet=Wager.ALL_6 in bets,
            mean=mean,
        )

    @property
    def dealt(self) -> int:
        """Cards that a round takes."""
        return CARDS_DEALT + (4 if self.packet else 0)

    def nets(self, decks: Int64s, strengths: Int64s) -> Int64s:
        """Of whole rounds, in cents."""
        cases = np.zeros((len(decks), 2), np.int64)
        rooms = np.zeros(6, np.int64), np.zeros(6, np.int64)
        fill_side_cases(
            np.ascontiguousarray(decks[:, : PACKET.stop]), strengths >> 20, *rooms, cases
        )
        nets: Int64s = (
            self.trips_plus[strengths >> 20]
            + self.pocket_bonus[pocket_classes(decks[:, :2])]
            + self.all_6[cases[:, 0]]
            + self.progressive[cases[:, 1]]
        )
        return nets


_TRIPS = Wager.TRIPS_PLUS


def _refuse_unsolved(rules: TableRules, bets: Mapping[Wager, Cents], riding: bool) -> None:
    """What would change best play, and is not solved with it."""
    if _TRIPS in bets and rules.both_hole_cards:
        raise Refused(Code.NOT_SOLVABLE, "both_hole_cards")
    for wager in SIDE_WAGERS:
        if wager in bets and not rules.after_fold[wager] and not (riding and wager is _TRIPS):
            raise Refused(Code.NOT_SOLVABLE, "forfeited", wager=rules.book.label(wager))
