"""Impossible payoffs are refused with a clear message."""

from dataclasses import replace

import numpy as np
import pytest

from headsup.analysis.solver.payoffs import LARGEST_PAY, BadPayoffs, Payoffs
from tests.support.analysis.games import HEADS_UP, payoffs

GOOD = payoffs(HEADS_UP)


def test_base_payoffs_exclude_the_raise() -> None:
    assert GOOD.base[5, 2].tolist() == [3, 5]  # a winning flush: Odds 3 to 2, Ante if qualified


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"unit": 0}, "the unit is 0"),
        ({"qualifier": 10 << 20}, "can never qualify"),
        ({"qualifier": -1}, "can never qualify"),
        ({"fold": np.zeros(9)}, r"fold has the shape \(9,\)"),
        ({"showdown": GOOD.showdown[:2]}, "showdown has the shape"),
        ({"fold": np.full(10, -LARGEST_PAY - 1)}, "fold pays more than"),
        ({"showdown": GOOD.showdown * LARGEST_PAY}, "showdown pays more than"),
        ({"showdown": GOOD.showdown[::-1]}, "a Raise of"),
        ({"flop_multiples": (0,)}, "the flop raises"),
    ],
)
def test_impossible_payoffs_are_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(BadPayoffs, match=reason):
        replace(GOOD, **change)  # type: ignore[arg-type]


def test_an_empty_raise_schedule_is_refused() -> None:
    with pytest.raises(BadPayoffs, match="the river raises"):
        Payoffs(2, GOOD.showdown[:2], GOOD.fold, (3,), (2,), (), GOOD.qualifier)


def test_different_payoffs_have_different_keys() -> None:
    same = payoffs(HEADS_UP)
    assert same.key == GOOD.key
    others = [
        payoffs(replace(HEADS_UP, odds={4: 3})),
        payoffs(replace(HEADS_UP, qualifier=0)),
        payoffs(replace(HEADS_UP, pocket=(2,), flop=(3,))),
    ]
    assert len({GOOD.key, *(other.key for other in others)}) == 4


def test_payoffs_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="read-only"):
        GOOD.showdown[0, 0, 0, 0] = 1
