"""A4, A5, R69–R85, R88, R94: the progressive meter and the Bonus Jackpot."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import ParamSpec, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from headsup.game.bank import meter_changes, meter_closing
from headsup.game.bank.awards import pool_awards
from headsup.game.bank.ledger import (
    Account,
    AccountKind,
    Ledger,
    Reason,
    Transfer,
    post,
    prize_account,
)
from headsup.game.bank.meter import (
    Active,
    AdjustmentKind,
    BrokenMeter,
    Closing,
    Discontinued,
    Meter,
    MeterRules,
    PoolPlace,
    Regime,
    Transferred,
)
from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.values.money import MAX_METER_MICROS, MICROS_PER_CENT

CENT = MICROS_PER_CENT
DOLLAR = 100 * CENT
ALL, TENTH = Fraction(1), Fraction(1, 10)
ANN, BOB = prize_account("T1", 1), prize_account("T1", 2)
APPROVALS = ("Sue", "Tom")
DAY = "2026-12-31"

P = ParamSpec("P")
T = TypeVar("T")


def accept(change: Callable[P, T | Refusal]) -> Callable[P, T]:
    """The change if it is allowed; refusals are raised."""

    def apply(*args: P.args, **kwargs: P.kwargs) -> T:
        result = change(*args, **kwargs)
        if isinstance(result, Refusal):
            raise Refused.of(result)
        return result

    return apply


open_meter = accept(meter_changes.open_meter)
contribute = accept(meter_changes.contribute)
reverse_contribution = accept(meter_changes.reverse_contribution)


def award(
    meter: Meter,
    winners: Sequence[tuple[Account, Fraction]],
    reference: str,
    sequential: bool = False,
) -> tuple[Meter, tuple[Transfer, ...]]:
    """Award shares of the pool as settlement does."""
    bonus = meter.rules.regime is Regime.BONUS
    shared = pool_awards(meter.pool, [share for _, share in winners], sequential, bonus)
    amounts = zip((account for account, _ in winners), shared.awards, strict=True)
    return accept(meter_changes.award)(meter, list(amounts), shared.resets, reference)


correct = accept(meter_changes.correct_meter)
freeze = accept(meter_changes.freeze_meter)
unfreeze = meter_changes.unfreeze_meter
stop = meter_changes.mark_table_down
start = meter_changes.mark_table_up
send_pool = accept(meter_closing.send_pool)
receive_pool = accept(meter_closing.receive_pool)
transfer_pool = accept(meter_closing.transfer_pool)


def plan_closing(meter: Meter, day: str, approval: str, target: Meter) -> Meter:
    plan = Closing(day, approval, target.rules.name)
    return accept(meter_closing.plan_closing)(meter, plan, target)


set_prize = accept(meter_changes.set_prize)
discontinue = accept(meter_changes.discontinue)


def rules(
    meter_seed: int = 1_000 * DOLLAR,
    contribution: Fraction | int = Fraction(1, 4),
    maximum: int = MAX_METER_MICROS,
    name: str = "M1",
    reseed_floor: bool = False,
    escrow: bool = False,
) -> MeterRules:
    return MeterRules(
        name,
        meter_seed,
        contribution,
        maximum,
        reseed_floor=reseed_floor,
        escrow=escrow,
    )


def new_meter(**settings: object) -> Meter:
    return open_meter(rules(**settings), "open")[0]  # type: ignore[arg-type]


def bonus(prize: int = 500 * DOLLAR) -> Meter:
    return open_meter(MeterRules("B1", prize, regime=Regime.BONUS), "open")[0]


def moves(transfers: tuple[Transfer, ...]) -> list[tuple[str, str, int, str]]:
    return [(t.debit.kind, t.credit.kind, t.amount, t.reason) for t in transfers]


def test_r73_a_meter_opens_with_the_houses_seed() -> None:
    meter, transfers = open_meter(rules(), "open")
    assert meter.pool == meter.seeded == 1_000 * DOLLAR
    assert moves(transfers) == [("seed", "meter", 1_000 * DOLLAR, "seed")]


def test_a_seed_of_zero_posts_no_entry() -> None:
    assert open_meter(rules(meter_seed=0), "open")[1] == ()


@pytest.mark.clause("WA App. D note 6 escrow")
def test_washington_note_6_the_pool_is_in_escrow_where_the_operator_is_custodian() -> None:
    _, transfers = contribute(new_meter(escrow=True), 1, DOLLAR, "round 1")
    assert moves(transfers) == [("accrual", "escrow", 250_000, "contribution")]


@pytest.mark.clause("NY (k)(2) pool", "NY (k)(2) facility")
@pytest.mark.parametrize(
    ("contribution", "wagers", "stake", "added"),
    [
        pytest.param(Fraction(1, 4), 6, DOLLAR, 1_500_000, id="a quarter of six dollars"),
        pytest.param(Fraction(31, 200), 1, DOLLAR, 155_000, id="15.5 %: half a cent is kept"),
        pytest.param(Fraction(1, 3), 3, DOLLAR, 999_999, id="down to the micro-dollar per wager"),
        pytest.param(200_000, 4, DOLLAR, 800_000, id="twenty cents per wager"),
        pytest.param(Fraction(1), 1, DOLLAR, DOLLAR, id="the whole stake"),
        pytest.param(Fraction(1, 4), 0, DOLLAR, 0, id="nobody wagered"),
        pytest.param(Fraction(0), 6, DOLLAR, 0, id="nothing is contributed"),
    ],
)
def test_ny_k2_each_wager_adds_its_contribution(
    contribution: Fraction | int, wagers: int, stake: int, added: int
) -> None:
    before = new_meter(contribution=contribution)
    meter, transfers = contribute(before, wagers, stake, "round 1")
    assert meter.pool - before.pool == meter.contributed == added
    assert moves(transfers) == ([("accrual", "meter", added, "contribution")] if added else [])


def test_r72_the_winners_own_contribution_is_won() -> None:
    meter, _ = contribute(new_meter(), 1, DOLLAR, "round 1")
    _, transfers = award(meter, [(ANN, ALL)], "round 1")
    assert transfers[0] == Transfer(meter.account, ANN, 1_000_250_000, Reason.AWARD, "round 1")


def test_r94_a_void_round_takes_its_contributions_back_by_a_new_entry() -> None:
    before = new_meter()
    fed, _ = contribute(before, 3, DOLLAR, "round 1")
    meter, transfers = reverse_contribution(fed, 3, DOLLAR, "round 1")
    assert meter == before
    assert moves(transfers) == [("meter", "accrual", 750_000, "contribution_reversed")]


def test_r94_what_another_table_has_won_since_cannot_be_taken_back() -> None:
    fed, _ = contribute(new_meter(meter_seed=0), 1, DOLLAR, "round 1")
    won, _ = award(fed, [(BOB, Fraction(9, 10))], "round 2")
    meter, transfers = reverse_contribution(won, 1, DOLLAR, "round 1")
    assert meter.pool == 0
    assert moves(transfers) == [("meter", "accrual", 30_000, "contribution_reversed")]


def test_r70_six_tenths_of_one_snapshot() -> None:
    winners = [(prize_account("T1", seat), TENTH) for seat in range(6)]
    meter, transfers = award(new_meter(), winners, "round 1")
    assert [transfer.amount for transfer in transfers] == [100 * DOLLAR] * 6
    assert meter.pool == 400 * DOLLAR


def test_r70_six_tenths_one_after_another() -> None:
    winners = [(prize_account("T1", seat), TENTH) for seat in range(6)]
    meter, _ = award(new_meter(meter_seed=1_000_000 * DOLLAR), winners, "round 1", sequential=True)
    assert meter.pool == 531_441 * DOLLAR


def test_r74_a_share_may_leave_the_meter_below_its_seed() -> None:
    meter, transfers = award(new_meter(), [(ANN, TENTH)], "round 1")
    assert meter.pool == 900 * DOLLAR
    assert len(transfers) == 1


def test_r74_an_operator_may_choose_a_floor() -> None:
    meter, transfers = award(new_meter(reseed_floor=True), [(ANN, TENTH)], "round 1")
    assert meter.pool == 1_000 * DOLLAR
    assert moves(transfers)[1:] == [("seed", "meter", 100 * DOLLAR, "reseed")]


def test_r73_after_the_whole_pool_the_house_seeds_again() -> None:
    meter, transfers = award(new_meter(), [(ANN, ALL)], "round 1")
    assert moves(transfers) == [
        ("meter", "prize", 1_000 * DOLLAR, "award"),
        ("seed", "meter", 1_000 * DOLLAR, "reseed"),
    ]
    assert (meter.pool, meter.seeded) == (1_000 * DOLLAR, 2_000 * DOLLAR)


def test_r79_the_odd_cent_and_the_micro_dollars_are_carried_over_the_reset() -> None:
    fed, _ = contribute(new_meter(contribution=15_001), 1, DOLLAR, "round 1")
    meter, transfers = award(fed, [(ANN, ALL), (BOB, ALL)], "round 1")
    assert [transfer.amount for transfer in transfers[:2]] == [500 * DOLLAR] * 2
    assert meter.pool == 1_000 * DOLLAR + 15_001
    assert meter.displayed == 1_000 * DOLLAR + CENT


def test_an_award_of_less_than_a_cent_posts_no_entry() -> None:
    fed, _ = contribute(new_meter(meter_seed=0, contribution=9_999), 1, DOLLAR, "round 1")
    assert award(fed, [(ANN, ALL)], "round 1") == (fed, ())


def test_r85_contributions_above_the_maximum_go_to_the_reserve() -> None:
    full = new_meter(maximum=1_001 * DOLLAR)
    meter, transfers = contribute(full, 6, DOLLAR, "round 1")
    assert (meter.pool, meter.reserve) == (1_001 * DOLLAR, DOLLAR // 2)
    assert moves(transfers)[1:] == [("meter", "reserve", DOLLAR // 2, "overflow")]
    back, transfers = reverse_contribution(meter, 6, DOLLAR, "round 1")
    assert back == full
    assert moves(transfers)[1:] == [("reserve", "meter", DOLLAR // 2, "reserve_released")]


def test_r85_the_reserve_returns_to_the_players_on_top_of_the_houses_seed() -> None:
    full, _ = contribute(new_meter(maximum=1_001 * DOLLAR), 6, DOLLAR, "round 1")
    meter, transfers = award(full, [(ANN, ALL)], "round 2")
    assert moves(transfers) == [
        ("meter", "prize", 1_001 * DOLLAR, "award"),
        ("seed", "meter", 1_000 * DOLLAR, "reseed"),
        ("reserve", "meter", DOLLAR // 2, "reserve_released"),
    ]
    assert (meter.pool, meter.reserve) == (1_000 * DOLLAR + DOLLAR // 2, 0)


def test_r85_the_reserve_refills_only_up_to_the_maximum() -> None:
    full, _ = contribute(new_meter(maximum=1_000 * DOLLAR), 2_000, DOLLAR, "round 1")
    meter, _ = award(full, [(ANN, TENTH)], "round 2")
    assert (meter.pool, meter.reserve) == (1_000 * DOLLAR, 400 * DOLLAR)


def test_r88_wagers_feed_a_frozen_meter_and_only_the_display_stands_still() -> None:
    frozen = freeze(new_meter(), "sensor board replaced")
    counted, transfers = contribute(frozen, 3, DOLLAR, "round 1")
    assert (counted.pool, counted.displayed) == (1_000 * DOLLAR + 750_000, 1_000 * DOLLAR)
    assert moves(transfers) == [("accrual", "meter", 750_000, "contribution")]
    voided, transfers = reverse_contribution(counted, 1, DOLLAR, "round 1")
    assert (voided.pool, voided.displayed) == (1_000 * DOLLAR + 500_000, 1_000 * DOLLAR)
    assert moves(transfers) == [("meter", "accrual", 250_000, "contribution_reversed")]
    running = unfreeze(voided)
    assert running.displayed == running.pool == 1_000 * DOLLAR + 500_000


def test_r88_a_frozen_display_shows_what_an_award_leaves() -> None:
    frozen, _ = contribute(freeze(new_meter(), "sensor board replaced"), 4, DOLLAR, "round 1")
    paid, _ = award(frozen, [(ANN, TENTH)], "round 1")
    assert (paid.pool, paid.displayed) == (900_900_000, 900_900_000)
    assert paid.frozen_reason == "sensor board replaced"
    counted, _ = contribute(paid, 4, DOLLAR, "round 2")
    assert (counted.pool, counted.displayed) == (901_900_000, 900_900_000)


def test_r88_a_meter_runs_again_when_the_last_of_its_tables_counts() -> None:
    meter = stop(stop(new_meter(), "T1 is down"), "T2 is down")
    meter, _ = contribute(freeze(meter, "display"), 4, DOLLAR, "round 1")
    assert meter.frozen_reason == "display"
    meter = unfreeze(meter)
    assert (meter.frozen_reason, meter.displayed) == ("T2 is down", 1_000 * DOLLAR)
    meter = start(meter)
    assert (meter.frozen_reason, meter.displayed) == ("T2 is down", 1_000 * DOLLAR)
    meter = start(meter)
    assert (meter.frozen_reason, meter.displayed) == ("", 1_001 * DOLLAR)


def test_r88_wagers_void_after_the_restart_leave_the_pool() -> None:
    before = new_meter()
    meter, _ = contribute(freeze(before, "down"), 2, DOLLAR, "round 1")
    meter, _ = reverse_contribution(unfreeze(meter), 2, DOLLAR, "round 1")
    assert (meter.pool, meter.displayed, meter.contributed) == (before.pool, before.displayed, 0)


@pytest.mark.parametrize(
    ("amount", "move"),
    [
        pytest.param(DOLLAR, ("accrual", "meter", DOLLAR, "meter_correction"), id="up"),
        pytest.param(-DOLLAR, ("meter", "accrual", DOLLAR, "meter_correction"), id="down"),
        pytest.param(-1, ("meter", "accrual", 1, "meter_correction"), id="one micro-dollar"),
    ],
)
def test_a5_a_correction_names_a_reason_and_two_people(
    amount: int, move: tuple[str, str, int, str]
) -> None:
    meter, transfers = correct(new_meter(), amount, "four counted by hand", APPROVALS, "form 7")
    assert meter.pool == 1_000 * DOLLAR + amount
    assert moves(transfers) == [move]
    adjustment = meter.last_adjustment
    assert adjustment is not None
    assert (adjustment.kind, adjustment.amount) == (AdjustmentKind.CORRECTED, amount)
    assert (adjustment.reason, adjustment.by) == ("four counted by hand", APPROVALS)


def test_r84_discontinue_and_transfer() -> None:
    full, _ = contribute(new_meter(maximum=1_001 * DOLLAR), 6, DOLLAR, "round 1")
    closing = plan_closing(full, "2026-12-31", "COMM-12", new_meter(name="M2"))
    assert closing.standing == Closing("2026-12-31", "COMM-12", "M2")
    closing, _ = contribute(closing, 1, DOLLAR, "it still plays")
    old, new, transfers = transfer_pool(closing, new_meter(name="M2", maximum=1_500 * DOLLAR))
    assert (old.pool, old.reserve) == (0, 0)
    assert old.standing == Transferred("2026-12-31", "COMM-12", "M2")
    assert (new.pool, new.reserve) == (1_500 * DOLLAR, 501 * DOLLAR + 750_000)
    assert moves(transfers) == [
        ("reserve", "meter", 750_000, "reserve_released"),
        ("meter", "meter", 1_001 * DOLLAR + 750_000, "meter_transfer"),
        ("meter", "reserve", 501 * DOLLAR + 750_000, "overflow"),
    ]
    assert {transfer.reference for transfer in transfers} == {"COMM-12"}


def leaving(place: PoolPlace, floor: str = "") -> Meter:
    """A full meter whose pool is to leave its floor."""
    full, _ = contribute(new_meter(maximum=1_001 * DOLLAR), 6, DOLLAR, "round 1")
    plan = Closing(DAY, "COMM-12", "Baccarat 3", place, floor)
    return accept(meter_closing.plan_closing)(full, plan, None)


@pytest.mark.parametrize(
    ("place", "floor", "account"),
    [
        (PoolPlace.OTHER_FLOOR, "High limit", ("transit", "Baccarat 3, floor High limit")),
        (PoolPlace.OUTSIDE, "", ("outside", "Baccarat 3")),
    ],
)
def test_r84_a_pool_leaves_the_floor_whole_and_two_people_sign(
    place: PoolPlace, floor: str, account: tuple[str, str]
) -> None:
    meter = leaving(place, floor)
    for approvals in (("Sue", "Sue"), ("Sue", "")):
        with pytest.raises(Refused, match="two different people"):
            send_pool(meter, "Baccarat 3", approvals)
    with pytest.raises(Refused, match="the plan names"):
        send_pool(meter, "Baccarat 4", APPROVALS)
    sent, transfers = send_pool(meter, "Baccarat 3", APPROVALS)
    assert (sent.pool, sent.reserve) == (0, 0)
    assert sent.standing == Transferred(DAY, "COMM-12", "Baccarat 3", place, floor)
    assert sent.last_adjustment is not None
    assert sent.last_adjustment.by == ("COMM-12", *APPROVALS)
    last = transfers[-1]
    assert (last.credit, last.amount) == (
        Account(AccountKind(account[0]), account[1]),
        1_001_500_000,
    )
    assert last.reference == "COMM-12"


def test_r84_a_pool_from_another_floor_is_received_in_full() -> None:
    meter, transfers = receive_pool(new_meter(), "Main / T1", 5 * DOLLAR, "COMM-12", APPROVALS)
    assert meter.pool == 1_005 * DOLLAR
    assert moves(transfers) == [("transit", "meter", 5 * DOLLAR, "meter_transfer")]
    for sender, amount, approval, approvals in (
        (" ", 5, "COMM-12", APPROVALS),
        ("Main", 0, "COMM-12", APPROVALS),
        ("Main", -5, "COMM-12", APPROVALS),
        ("Main", 5, "", APPROVALS),
        ("Main", 5, "COMM-12", ("Sue", "sue")),
    ):
        with pytest.raises(Refused):
            receive_pool(new_meter(), sender, amount, approval, approvals)
    with pytest.raises(Refused):
        receive_pool(meter_with_plan(), "Main", 5, "COMM-12", APPROVALS)


@pytest.mark.parametrize(
    ("place", "floor", "to"),
    [
        (PoolPlace.OTHER_FLOOR, "", "T7"),
        (PoolPlace.OUTSIDE, "Main", "Keno"),
        (PoolPlace.OUTSIDE, "", " "),
        (PoolPlace.THIS_FLOOR, "Main", "M2"),
    ],
)
def test_r84_a_plan_says_where_the_pool_goes(place: PoolPlace, floor: str, to: str) -> None:
    with pytest.raises(Refused, match="meter or game that receives"):
        accept(meter_closing.plan_closing)(new_meter(), Closing(DAY, "C", to, place, floor), None)


def test_r84_an_empty_meter_closes_without_an_entry() -> None:
    other = new_meter(name="M2")
    closing = plan_closing(new_meter(meter_seed=0), "2026-12-31", "COMM-12", other)
    old, new, transfers = transfer_pool(closing, other)
    assert isinstance(old.standing, Transferred)
    assert (new, transfers) == (other, ())


def test_r82_a_bonus_prize_is_the_houses_and_paid_in_full_to_each() -> None:
    meter, transfers = award(bonus(), [(ANN, ALL), (BOB, ALL)], "round 1")
    assert meter.pool == 500 * DOLLAR
    assert moves(transfers) == [("bonus", "prize", 500 * DOLLAR, "award")] * 2


def test_r82_a_bonus_prize_is_posted_without_an_entry_and_changed_with_a_record() -> None:
    assert open_meter(bonus().rules, "open")[1] == ()
    meter = set_prize(bonus(), 750 * DOLLAR, "holiday", "Sue")
    assert meter.pool == 750 * DOLLAR
    assert meter.last_adjustment is not None
    assert meter.last_adjustment.amount == 250 * DOLLAR
    ended = discontinue(meter, "end of season", "Sue")
    assert (ended.pool, ended.standing) == (0, Discontinued())
    assert ended.last_adjustment is not None
    assert ended.last_adjustment.kind is AdjustmentKind.DISCONTINUED


def closed_meter() -> Meter:
    return transfer_pool(meter_with_plan(), new_meter(name="M2"))[0]


def meter_with_plan(meter: Meter | None = None, approval: str = "C") -> Meter:
    """A meter with a plan to move its pool to M2."""
    return plan_closing(meter or new_meter(), DAY, approval, new_meter(name="M2"))


Attempt = Callable[[], object]


@pytest.mark.parametrize(
    ("attempt", "code"),
    [
        pytest.param(lambda: contribute(bonus(), 1, DOLLAR, ""), "regime", id="R82 feed"),
        pytest.param(lambda: correct(bonus(), 1, "x", APPROVALS, ""), "regime", id="R82 correct"),
        pytest.param(lambda: plan_closing(bonus(), DAY, "a", new_meter()), "regime", id="R82 plan"),
        pytest.param(lambda: set_prize(new_meter(), 1, "x", "Sue"), "regime", id="R82 set a pool"),
        pytest.param(lambda: discontinue(new_meter(), "x", "Sue"), "regime", id="R82 end a pool"),
        pytest.param(lambda: set_prize(bonus(), -1, "x", "Sue"), "amount", id="prize below zero"),
        pytest.param(lambda: set_prize(bonus(), 1, " ", "Sue"), "record", id="prize: no reason"),
        pytest.param(lambda: set_prize(bonus(), 1, "x", ""), "record", id="prize: nobody"),
        pytest.param(
            lambda: award(discontinue(bonus(), "x", "Sue"), [(ANN, ALL)], ""), "ended", id="bonus"
        ),
        pytest.param(lambda: contribute(closed_meter(), 1, DOLLAR, ""), "ended", id="feed closed"),
        pytest.param(lambda: award(closed_meter(), [(ANN, TENTH)], ""), "ended", id="award closed"),
        pytest.param(
            lambda: correct(closed_meter(), 1, "x", APPROVALS, ""), "ended", id="fix closed"
        ),
        pytest.param(lambda: freeze(closed_meter(), "x"), "ended", id="freeze closed"),
        pytest.param(lambda: contribute(new_meter(), -1, DOLLAR, ""), "amount", id="minus one"),
        pytest.param(
            lambda: contribute(new_meter(contribution=DOLLAR), 1, CENT, ""),
            "amount",
            id="contribution above the stake",
        ),
        pytest.param(
            lambda: correct(new_meter(), 0, "x", APPROVALS, ""), "amount", id="by nothing"
        ),
        pytest.param(
            lambda: correct(new_meter(), -1_001 * DOLLAR, "x", APPROVALS, ""),
            "amount",
            id="below 0",
        ),
        pytest.param(
            lambda: correct(new_meter(), 1, "", APPROVALS, ""), "record", id="A5 no reason"
        ),
        pytest.param(
            lambda: correct(new_meter(), 1, "x", ("Sue", " sue "), ""),
            "approvals",
            id="A5 one person",
        ),
        pytest.param(
            lambda: correct(new_meter(), 1, "x", ("Sue", ""), ""), "approvals", id="A5 one name"
        ),
        pytest.param(lambda: freeze(new_meter(), ""), "record", id="R88 no reason"),
        *[
            pytest.param(
                lambda day=day: plan_closing(new_meter(), day, "C", new_meter(name="M2")),
                "record",
                id=f"R84 the date {day!r}",
            )
            for day in (
                "",
                " ",
                "soon",
                "2027",
                "2026-02-30",
                "20261231",
                "2026-W01-1",
                "٢٠٢٦-12-31",
            )
        ],
        pytest.param(lambda: meter_with_plan(approval=" "), "record", id="R84 no approval"),
        pytest.param(
            lambda: meter_with_plan(meter_with_plan()), "phase", id="R84 the same plan twice"
        ),
        pytest.param(
            lambda: meter_with_plan(closed_meter(), "D"),
            "phase",
            id="R84 a plan for a closed meter",
        ),
        pytest.param(
            lambda: transfer_pool(new_meter(), new_meter(name="M2")),
            "phase",
            id="R84 without a plan",
        ),
        pytest.param(
            lambda: transfer_pool(closed_meter(), new_meter(name="M2")), "phase", id="R84 again"
        ),
        pytest.param(
            lambda: plan_closing(new_meter(), DAY, "C", new_meter()), "target", id="R84 to itself"
        ),
        pytest.param(
            lambda: plan_closing(new_meter(), DAY, "C", new_meter(name="M2", escrow=True)),
            "target",
            id="R84 to another custody",
        ),
        pytest.param(
            lambda: transfer_pool(freeze(meter_with_plan(), "x"), new_meter(name="M2")),
            "frozen",
            id="R84 while it stands still",
        ),
        pytest.param(
            lambda: transfer_pool(meter_with_plan(), new_meter(name="M3")),
            "target",
            id="R84 to another than the plan names",
        ),
        pytest.param(
            lambda: transfer_pool(meter_with_plan(), meter_with_plan(new_meter(name="M2"), "D")),
            "target",
            id="R84 to a meter that is closing by now",
        ),
        pytest.param(
            lambda: plan_closing(new_meter(), DAY, "C", bonus()), "regime", id="R84 to a bonus"
        ),
        pytest.param(lambda: new_meter(meter_seed=-1), "rules", id="seed below zero"),
        pytest.param(lambda: new_meter(contribution=-1), "rules", id="contribution below zero"),
        pytest.param(lambda: new_meter(contribution=Fraction(3, 2)), "rules", id="above the stake"),
        pytest.param(lambda: new_meter(maximum=DOLLAR), "rules", id="maximum below the seed"),
        pytest.param(lambda: new_meter(maximum=10**17), "rules", id="more than is handled"),
        pytest.param(
            lambda: open_meter(MeterRules("M", 0, 1, regime=Regime.BONUS), ""),
            "rules",
            id="R82 bonus",
        ),
        pytest.param(
            lambda: set_prize(bonus(), 10**17, "x", "Sue"), "amount", id="a prize beyond bounds"
        ),
        pytest.param(
            lambda: correct(new_meter(), 10**17, "x", APPROVALS, ""), "amount", id="beyond bounds"
        ),
    ],
)
def test_impossible_meters_and_commands_are_refused(attempt: Attempt, code: str) -> None:
    with pytest.raises(Refused) as refused:
        attempt()
    assert refused.value.code == Code[f"METER_{code.upper()}"]


def test_a4_a_meter_that_contradicts_its_history_cannot_exist() -> None:
    with pytest.raises(BrokenMeter):
        replace(new_meter(), pool=1)


POOLS = {AccountKind.METER, AccountKind.RESERVE}


class MeterHistory(RuleBasedStateMachine):
    """Random histories of meters with a ledger; each meter passes its pool on to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.entered: Counter[Reason] = Counter()
        self.closed: list[Meter] = []
        self.meter = self.a_new_meter("M0")

    def a_new_meter(self, name: str) -> Meter:
        settings = rules(100 * DOLLAR, Fraction(1, 7), maximum=120 * DOLLAR, name=name)
        return self.keep(open_meter(settings, "open"))

    def meters(self) -> tuple[Meter, ...]:
        waiting = isinstance(self.meter.standing, Closing)
        return (*self.closed, self.meter, *([self.next] if waiting else []))

    def keep(self, moved: tuple[Meter, tuple[Transfer, ...]]) -> Meter:
        meter, transfers = moved
        self.record(transfers)
        return meter

    def record(self, transfers: tuple[Transfer, ...]) -> None:
        self.ledger = post(self.ledger, transfers)
        for transfer in transfers:
            into, out_of = transfer.credit.kind in POOLS, transfer.debit.kind in POOLS
            self.entered[transfer.reason] += (into - out_of) * transfer.amount

    @rule(wagers=st.integers(0, 60), stake=st.integers(1, 500))
    def wagers_are_placed(self, wagers: int, stake: int) -> None:
        self.meter = self.keep(contribute(self.meter, wagers, stake * CENT, "round"))

    @rule(wagers=st.integers(0, 60))
    def a_round_is_void(self, wagers: int) -> None:
        self.meter = self.keep(reverse_contribution(self.meter, wagers, DOLLAR, "void"))

    @rule(
        shares=st.lists(st.sampled_from([TENTH, Fraction(1, 20), ALL]), max_size=6),
        sequential=st.booleans(),
    )
    def prizes_are_won(self, shares: list[Fraction], sequential: bool) -> None:
        winners = [(prize_account("T1", n), share) for n, share in enumerate(shares)]
        self.meter = self.keep(award(self.meter, winners, "win", sequential))

    @rule(amount=st.integers(-(10**7), 10**7))
    def it_is_corrected(self, amount: int) -> None:
        try:
            self.meter = self.keep(correct(self.meter, amount, "recount", APPROVALS, "form"))
        except Refused as refused:
            if refused.code is not Code.METER_AMOUNT:
                raise

    @precondition(lambda self: isinstance(self.meter.standing, Active))
    @rule()
    def it_is_planned_to_close(self) -> None:
        self.next = self.a_new_meter(f"M{len(self.closed) + 1}")
        self.meter = plan_closing(self.meter, "2026-12-31", "COMM-12", self.next)

    @precondition(lambda self: isinstance(self.meter.standing, Closing))
    @rule()
    def it_is_closed(self) -> None:
        self.closed.append(self.meter)
        self.closed[-1], self.meter, transfers = transfer_pool(self.meter, self.next)
        self.record(transfers)

    @invariant()
    def the_ledger_holds_what_the_meters_show(self) -> None:
        assert self.ledger.total() == 0
        for meter in self.meters():
            assert self.ledger.balance(meter.account) == meter.pool
            assert self.ledger.balance(meter.reserve_account) == meter.reserve

    @invariant()
    def a4_meters_are_seed_and_contributions_less_awards_and_adjustments(self) -> None:
        entered = self.entered
        meters = self.meters()
        assert sum(meter.pool + meter.reserve for meter in meters) == entered.total()
        assert sum(meter.awarded for meter in meters) == -entered[Reason.AWARD]
        seeded = entered[Reason.SEED] + entered[Reason.RESEED]
        assert sum(meter.seeded for meter in meters) == seeded
        contributed = entered[Reason.CONTRIBUTION] + entered[Reason.CONTRIBUTION_REVERSED]
        assert sum(meter.contributed for meter in meters) == contributed
        adjusted = sum(meter.adjusted for meter in meters)
        assert adjusted == entered[Reason.METER_CORRECTION]

    @invariant()
    def r84_a_closed_meter_is_exactly_zero(self) -> None:
        assert all(meter.pool == meter.reserve == 0 for meter in self.closed)

    @invariant()
    def r85_there_is_a_reserve_only_above_a_full_pool(self) -> None:
        assert self.meter.reserve == 0 or self.meter.pool == self.meter.rules.maximum


TestMeterHistory = MeterHistory.TestCase


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 1_000)), max_size=30),
    st.fractions(0, 1, max_denominator=997),
)
def test_r94_voiding_every_round_backwards_leaves_the_meter_as_it_was(
    played: list[tuple[int, int]], contribution: Fraction
) -> None:
    before = meter = new_meter(contribution=contribution, maximum=1_002 * DOLLAR)
    for wagers, cents in played:
        meter, _ = contribute(meter, wagers, cents * CENT, "round")
    for wagers, cents in reversed(played):
        meter, _ = reverse_contribution(meter, wagers, cents * CENT, "round")
    assert meter == before


@pytest.mark.slow(seconds=15)
def test_a4_ten_million_wagers_to_the_micro_dollar() -> None:
    """A seventh of a dollar, six at a time; every thousandth round a tenth, every 90,000th all."""
    meter = new_meter(contribution=Fraction(1, 7))
    pool = 1_000 * DOLLAR
    for number in range(1, 10_000_000 // 6 + 2):
        meter, _ = contribute(meter, 6, DOLLAR, "round")
        pool += 6 * 142_857
        if number % 1_000 == 0:
            meter, _ = award(meter, [(ANN, TENTH)], "win")
            pool -= pool // 10 // CENT * CENT
        if number % 90_000 == 0:
            meter, _ = award(meter, [(ANN, ALL)], "win")
            pool = 1_000 * DOLLAR + pool % CENT
    assert meter.pool == pool
    assert meter.contributed >= 10_000_000 * 142_857
