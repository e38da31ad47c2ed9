"""The payoffs of one game as whole numbers, which is all the solver knows about the rules."""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CATEGORY_COUNT = 10
LOSE, TIE, WIN = range(3)
LARGEST_PAY = 400_000_000  # units; larger pays could overflow 64-bit sums over the game
HIGHEST_QUALIFIER = 9 << 20 | 12 << 16  # a royal flush


class BadPayoffs(ValueError):
    """The solver cannot handle these payoffs."""


@dataclass(frozen=True, eq=False)
class Payoffs:
    """What Ante, Odds and Raise together win or lose, in units; one Ante is `unit` units.

    `showdown[i][category][LOSE | TIE | WIN][dealer qualifies]` is the net result of a
    Raise of `multiples[i]` times the Ante, where `multiples` lists pocket, flop and river in turn.
    `fold[category]` is the net result of folding that hand on the river. `qualifier` is the lowest
    strength that qualifies the dealer; with 0 every hand does.
    """

    unit: int
    showdown: NDArray[np.int64]
    fold: NDArray[np.int64]
    pocket_multiples: tuple[int, ...]
    flop_multiples: tuple[int, ...]
    river_multiples: tuple[int, ...]
    qualifier: int

    def __post_init__(self) -> None:
        for name, shape in (
            ("showdown", (len(self.multiples), CATEGORY_COUNT, 3, 2)),
            ("fold", (CATEGORY_COUNT,)),
        ):
            array = np.array(getattr(self, name), np.int64)
            if array.shape != shape:
                raise BadPayoffs(f"{name} has the shape {array.shape}, not {shape}")
            if np.abs(array).max(initial=0) > LARGEST_PAY:
                raise BadPayoffs(f"{name} pays more than {LARGEST_PAY} units")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        self._check()

    def _check(self) -> None:
        if self.unit < 1:
            raise BadPayoffs(f"the unit is {self.unit}, not 1 or more")
        if not 0 <= self.qualifier <= HIGHEST_QUALIFIER:
            raise BadPayoffs("the dealer can never qualify: the qualifier is above a royal flush")
        for street, multiples in (
            ("pocket", self.pocket_multiples),
            ("flop", self.flop_multiples),
            ("river", self.river_multiples),
        ):
            if not multiples or min(multiples) < 1:
                raise BadPayoffs(f"the {street} raises {multiples} are not multiples of the Ante")
        for multiple, pays in zip(self.multiples, self.showdown, strict=True):
            raise_nets = np.array([-multiple, 0, multiple]) * self.unit
            if not np.array_equal(pays - raise_nets[:, None], self.base):
                raise BadPayoffs(f"a Raise of {multiple} does not win or lose {multiple} Antes")

    @property
    def multiples(self) -> tuple[int, ...]:
        return self.pocket_multiples + self.flop_multiples + self.river_multiples

    @property
    def base(self) -> NDArray[np.int64]:
        """Ante and Odds without the Raise, which pays even money and is added separately."""
        first = self.multiples[0] * self.unit
        return np.asarray(self.showdown[0] - np.array([-first, 0, first])[:, None])

    @property
    def key(self) -> str:
        """Equal for payoffs that have the same solution."""
        digest = hashlib.sha256(
            repr((self.unit, self.multiples_by_street, self.qualifier)).encode()
        )
        digest.update(self.showdown.tobytes() + self.fold.tobytes())
        return digest.hexdigest()

    @property
    def multiples_by_street(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        return self.pocket_multiples, self.flop_multiples, self.river_multiples
