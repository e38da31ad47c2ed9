"""Divides one progressive pool among several winners.

Amounts are whole micro-dollars. An award is paid in chips, so it is rounded down to the cent. The
rest stays in the pool, even when a 100 % award resets it (R79).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from headsup.game.values.money import MICROS_PER_CENT, Micros

WHOLE_POOL = Fraction(1)


class PoolAwards(NamedTuple):
    """What one round takes out of a pool."""

    awards: tuple[Micros, ...]  # in the order of the claims
    remaining: Micros  # before the reset to the seed
    resets: bool  # the whole pool was won (R73)


def pool_awards(
    pool: Micros, claims: Sequence[Fraction], sequential: bool = False, bonus: bool = False
) -> PoolAwards:
    """What each claim on the pool is paid.

    With `bonus` the pool is a prize of the house: each winner is paid in full, and the figure stays
    posted (R82).
    """
    if bonus:
        each = tuple(split_awards(pool, [claim])[0][0] for claim in claims)
        return PoolAwards(each, pool, resets=False)
    awards, remaining = split_awards(pool, claims, sequential)
    return PoolAwards(awards, remaining, resets=WHOLE_POOL in claims)


def split_awards(
    pool: int, claims: Sequence[Fraction], sequential: bool = False
) -> tuple[tuple[int, ...], int]:
    """What each claim on the pool is paid, in the order of the claims, and what remains.

    A claim is a share of the pool: 1/10 for a "10 % of pool" row, 1 for "100 %". Smaller shares are
    taken of the pool before this round's awards, or with `sequential` of what the previous award
    left (R70). Winners of 100 % split equally (New York (k)(4), R69) what the smaller shares leave
    (R71). If the shares exceed the pool, the last ones in paying order get what is left: the pool
    never falls below zero.
    """
    if pool < 0:
        raise ValueError(f"a pool of {pool} micro-dollars cannot be shared")
    if not all(0 < claim <= WHOLE_POOL for claim in claims):
        raise ValueError(f"each claim is a share above 0 and up to 1, not {_list_claims(claims)}")
    remaining = pool
    awards = [0] * len(claims)
    for i, claim in enumerate(claims):
        if claim < WHOLE_POOL:
            base = remaining if sequential else pool
            awards[i] = min(_share(base, claim), floor_to_cent(remaining))
            remaining -= awards[i]
    winners = [i for i, claim in enumerate(claims) if claim == WHOLE_POOL]
    if winners:
        each = floor_to_cent(remaining // len(winners))
        for i in winners:
            awards[i] = each
        remaining -= each * len(winners)
    return tuple(awards), remaining


def floor_to_cent(micros: int) -> int:
    return micros - micros % MICROS_PER_CENT


def _share(base: int, claim: Fraction) -> int:
    return floor_to_cent(base * claim.numerator // claim.denominator)


def _list_claims(claims: Sequence[Fraction]) -> str:
    return ", ".join(str(claim) for claim in claims)
