"""R69–R71, R79 and New York (k)(4): several winners on one progressive pool."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.bank.awards import pool_awards, split_awards
from headsup.game.values.money import MICROS_PER_CENT

ALL = Fraction(1)
TENTH = Fraction(1, 10)
TWENTIETH = Fraction(1, 20)
CENTS = MICROS_PER_CENT
DOLLARS = 100 * CENTS

claims_of_a_deal = st.lists(
    st.fractions(Fraction(1, 100), Fraction(1), max_denominator=100), max_size=6
)
pools = st.integers(0, 10**13)


@pytest.mark.parametrize(
    ("pool", "claims", "sequential", "awards", "remaining"),
    [
        pytest.param(100 * DOLLARS, [], False, [], 100 * DOLLARS, id="nobody"),
        pytest.param(100 * DOLLARS, [ALL], False, [100 * DOLLARS], 0, id="one winner of all"),
        pytest.param(100 * DOLLARS, [TENTH], False, [10 * DOLLARS], 90 * DOLLARS, id="one tenth"),
        pytest.param(
            100_000 * DOLLARS,
            [TENTH] * 6,
            False,
            [10_000 * DOLLARS] * 6,
            40_000 * DOLLARS,
            id="R70: six tenths of one snapshot are 60 %",
        ),
        pytest.param(
            1_000_000 * DOLLARS,
            [TENTH] * 6,
            True,
            [n * DOLLARS for n in (100_000, 90_000, 81_000, 72_900, 65_610, 59_049)],
            531_441 * DOLLARS,
            id="R70: six tenths one after another are 46.8559 %",
        ),
        pytest.param(
            100 * DOLLARS + CENTS,
            [ALL, ALL],
            False,
            [50 * DOLLARS, 50 * DOLLARS],
            CENTS,
            id="R79: the odd cent of a split stays",
        ),
        pytest.param(
            100 * DOLLARS,
            [ALL, ALL, ALL],
            True,
            [33_330_000] * 3,
            CENTS,
            id="R69: winners of 100 % split equally also when sequential",
        ),
        pytest.param(12_345_678, [ALL], False, [12_340_000], 5_678, id="R79: micro-dollars stay"),
        pytest.param(
            12_345_678, [TENTH], False, [1_230_000], 11_115_678, id="R79: a tenth floors to cents"
        ),
        pytest.param(9_999, [ALL], False, [0], 9_999, id="less than a cent pays nothing"),
        pytest.param(CENTS, [ALL, ALL], False, [0, 0], CENTS, id="one cent between two"),
        pytest.param(0, [ALL, TENTH], False, [0, 0], 0, id="an empty pool"),
        pytest.param(
            100 * DOLLARS,
            [ALL, TENTH, ALL, TWENTIETH],
            False,
            [42_500_000, 10 * DOLLARS, 42_500_000, 5 * DOLLARS],
            0,
            id="R71: shares first, then the winners of 100 % split the rest",
        ),
        pytest.param(
            100 * DOLLARS,
            [Fraction(1, 2)] * 3,
            False,
            [50 * DOLLARS, 50 * DOLLARS, 0],
            0,
            id="shares above 100 % together never take the pool below zero",
        ),
        pytest.param(
            10_005_000,
            [Fraction(99, 100), Fraction(1, 2)],
            False,
            [9_900_000, 100_000],
            5_000,
            id="what is left is paid in whole cents too",
        ),
    ],
)
def test_equal_shares_leave_less_than_a_cent_each(
    pool: int, claims: list[Fraction], sequential: bool, awards: list[int], remaining: int
) -> None:
    assert split_awards(pool, claims, sequential) == (tuple(awards), remaining)


@pytest.mark.parametrize("claim", [Fraction(0), Fraction(-1, 10), Fraction(11, 10)])
def test_a_share_outside_the_pool_is_a_bug(claim: Fraction) -> None:
    with pytest.raises(ValueError, match="share above 0"):
        split_awards(DOLLARS, [claim])


def test_a_pool_below_zero_is_a_bug() -> None:
    with pytest.raises(ValueError, match="-1 micro-dollars"):
        split_awards(-1, [ALL])


@given(pools, claims_of_a_deal, st.booleans())
def test_awards_conserve_the_pool(pool: int, claims: list[Fraction], sequential: bool) -> None:
    awards, remaining = split_awards(pool, claims, sequential)
    assert sum(awards) + remaining == pool
    assert remaining >= 0
    assert all(award >= 0 and award % CENTS == 0 for award in awards)


@pytest.mark.clause("NY (k)(4) split")
@given(pools, st.integers(1, 6))
def test_r69_equal_winners_are_paid_equally_and_leave_less_than_a_cent_each(
    pool: int, winners: int
) -> None:
    awards, remaining = split_awards(pool, [ALL] * winners)
    assert len(set(awards)) == 1
    assert sum(awards) + remaining == pool
    assert 0 <= remaining < winners * CENTS


@given(pools, st.permutations([TENTH, TENTH, TWENTIETH, Fraction(1, 4), ALL, ALL]))
def test_r70_seats_do_not_matter_on_one_snapshot(pool: int, claims: list[Fraction]) -> None:
    awards, _ = split_awards(pool, claims)
    by_claim = {(claim, award) for claim, award in zip(claims, awards, strict=True)}
    assert len(by_claim) == 4


@given(pools, st.integers(1, 6))
def test_r70_one_after_another_pays_no_more_than_one_snapshot(pool: int, winners: int) -> None:
    together, _ = split_awards(pool, [TENTH] * winners)
    in_turn, _ = split_awards(pool, [TENTH] * winners, sequential=True)
    assert all(late <= same for late, same in zip(in_turn, together, strict=True))


def test_r82_a_bonus_is_paid_in_full_to_each_winner_and_stays_posted() -> None:
    shared = pool_awards(5_000 * DOLLARS, [ALL, ALL, TENTH], bonus=True)
    assert shared.awards == (5_000 * DOLLARS, 5_000 * DOLLARS, 500 * DOLLARS)
    assert (shared.remaining, shared.resets) == (5_000 * DOLLARS, False)


@pytest.mark.parametrize(("claims", "resets"), [([TENTH], False), ([TENTH, ALL], True)])
def test_r73_only_the_whole_pool_resets_it(claims: list[Fraction], resets: bool) -> None:
    shared = pool_awards(5_000 * DOLLARS, claims)
    assert (shared.awards, shared.remaining) == split_awards(5_000 * DOLLARS, claims)
    assert shared.resets is resets
