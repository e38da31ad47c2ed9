"""How often two pocket cards win and tie at the showdown, against a hand the dealer holds blind.

It follows from the cards alone, so it is worked out once: `chances.txt` has for each of the 169
classes how many of the 2,097,572,400 ways to deal a board and a dealer's hand are won and tied. A
test counts them again, by solving a game that pays for nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from math import comb

from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.solver.solution import pocket_class_name

DEALS_PER_HOLE = comb(50, 5) * comb(45, 2)


@dataclass(frozen=True, slots=True)
class ShowdownProbabilities:
    """Of winning, tying and losing the showdown."""

    win: Fraction
    tie: Fraction

    @property
    def lose(self) -> Fraction:
        return 1 - self.win - self.tie


def pocket_probabilities(hole: Sequence[int]) -> ShowdownProbabilities:
    return _by_class()[pocket_class_name(pocket_class(hole[0], hole[1]))]


@cache
def _by_class() -> dict[str, ShowdownProbabilities]:
    text = (resources.files(__package__) / "showdown_odds.txt").read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines())
    return {
        name: ShowdownProbabilities(
            Fraction(int(w), DEALS_PER_HOLE), Fraction(int(t), DEALS_PER_HOLE)
        )
        for name, w, t in rows
    }
