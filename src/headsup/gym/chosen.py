"""Actions as an agent names them: whole numbers from 0, refused before anything is decided."""

from operator import index

import numpy as np

from headsup.analysis.kernels.base.arrays import Int64s
from headsup.game.refusal import Code, Refused


def parse_action(said: object) -> int:
    """It may be beyond the last raise, and a boolean is a whole number to Python."""
    try:
        number = index(said)  # type: ignore[arg-type]  # what is none is caught
    except TypeError:
        number = -1
    if number < 0:
        raise Refused(Code.BAD_ARGUMENTS, "number_least", where="action", least=0)
    return number


def parse_actions(said: object, count: int, last: int) -> Int64s:
    """One for each round; beyond the last they are the last."""
    many = np.asarray(said)
    if many.shape != (count,):
        raise Refused(Code.BAD_ARGUMENTS, "one_action_each", where="actions", count=count)
    if many.dtype.kind not in "iu":
        many = np.array([min(parse_action(one), last) for one in many.tolist()], np.int64)
    elif count and many.min() < 0:
        raise Refused(Code.BAD_ARGUMENTS, "number_least", where="action", least=0)
    taken: Int64s = np.minimum(many, last).astype(np.int64)
    return taken
