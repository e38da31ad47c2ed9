"""Games to solve, with payoffs written by hand instead of compiled by settlement."""

import numpy as np

from headsup.analysis.solver.payoffs import LOSE, TIE, WIN, Payoffs
from tests.oracles.solver import Game

PAIR = 1 << 20

# Odds 500-50-10-3-1.5-1, Bad Beat 500-50-10-8-5, a pair qualifies; half an Ante is the unit.
HEADS_UP = Game(
    unit=2,
    odds={9: 1000, 8: 100, 7: 20, 6: 6, 5: 3, 4: 2},
    bad_beat={8: 1000, 7: 100, 6: 20, 5: 16, 4: 10},
    qualifier=PAIR,
)
ULTIMATE = Game(
    unit=2,
    odds={9: 1000, 8: 100, 7: 20, 6: 6, 5: 3, 4: 2},
    bad_beat={},
    qualifier=PAIR,
    pocket=(3, 4),
)


def payoffs(game: Game) -> Payoffs:
    multiples = game.pocket + game.flop + game.river
    showdown = np.zeros((len(multiples), 10, 3, 2), np.int64)
    for i, multiple in enumerate(multiples):
        for category in range(10):
            for place, result in ((LOSE, -1), (TIE, 0), (WIN, 1)):
                for qualifies in (0, 1):
                    net = game.net(multiple, category, result, bool(qualifies))
                    showdown[i, category, place, qualifies] = net
    fold = np.array([game.fold(category) for category in range(10)])
    streets = game.pocket, game.flop, game.river
    return Payoffs(game.unit, showdown, fold, *streets, qualifier=game.qualifier)
