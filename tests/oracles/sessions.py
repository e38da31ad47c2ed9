"""Slow twins of sessions: exact fractions, one round after the other."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

Chances = Mapping[int, Fraction]


def totals_after(one: Chances, rounds: int) -> Chances:
    found: Chances = {0: Fraction(1)}
    for _ in range(rounds):
        more: dict[int, Fraction] = {}
        for total, chance in found.items():
            for net, share in one.items():
                more[total + net] = more.get(total + net, Fraction()) + chance * share
        found = more
    return found


def fortune_after(
    one: Chances, rounds: int, bankroll: int, needed: int, target: int | None
) -> tuple[Fraction, Fraction, Fraction]:
    """Ruined, at the target, and rounds played on average."""
    held: dict[int, Fraction] = {bankroll: Fraction(1)}
    ruin = reached = played = Fraction()
    for _ in range(rounds):
        more: dict[int, Fraction] = {}
        for money, chance in held.items():
            played += chance
            for net, share in one.items():
                now = money + net
                if now < needed:
                    ruin += chance * share
                elif target is not None and now >= target:
                    reached += chance * share
                else:
                    more[now] = more.get(now, Fraction()) + chance * share
        held = more
    return ruin, reached, played


def ruin_by_roots(one: Chances, points: int) -> float:
    """Ruin in endless play that favours the player, as a sum over the roots within the circle.

    Below zero the bankroll is ruined: h = 1 at -1, …, -deepest fall. The roots come from the
    companion matrix of the round, the weights from those conditions.
    """
    deepest, highest = -min(one), max(one)
    polynomial = np.zeros(deepest + highest + 1)
    for net, chance in one.items():
        polynomial[highest - net] += float(chance)
    polynomial[highest] -= 1.0
    roots = np.roots(polynomial)
    inside = roots[np.abs(roots) < 1 - 1e-9]
    assert len(inside) == deepest
    places = -np.arange(1, deepest + 1)
    weights = np.linalg.solve(inside[None, :] ** places[:, None], np.ones(deepest))
    return float((weights * inside**points).sum().real)
