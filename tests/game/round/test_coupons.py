"""R12: promotional coupons as stakes, which only New York permits ((c)(1))."""

import tomllib
from typing import Any

import pytest

from headsup.game.bank.ledger import AccountKind
from headsup.game.notation.model import FinishedRound
from headsup.game.notation.reader import read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.notation.writer import write_round
from headsup.game.refusal import Refused
from headsup.game.round.commands import PlaceBets, WithdrawBets
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import settle
from headsup.game.table.coupon_control import IssueCoupon
from headsup.game.table.rounds import OpenRound
from tests.support.rounds import LOSE, TIE, WIN, Cards
from tests.support.tables import (
    ANTE,
    ODDS,
    POCKET,
    PROGRESSIVE,
    TRIPS,
    Play,
    irregularity_report,
    opened,
    replay_events,
    stakes,
)

pytestmark = pytest.mark.clause("NY (c)(1) coupon")
COUPONS = {"coupons": True}


def round_with_coupons(
    cards: Cards, coupons: object, options: Any = COUPONS, **more: Any
) -> FinishedRound:
    """A seat with $10 on Ante and Odds, which raises $10 on the river."""
    seat: dict[str, Any] = {"hole": cards.hole, "ante": 10, "odds": 10, "coupons": coupons}
    seat |= {"raise": {"street": "river", "multiple": 1}, **more}
    shared = {"dealer": cards.dealer, "board": cards.board, "meter": "1000.00"}
    return read_round({"rules": "new-york", "options": options, **shared, "seats": [seat]})


def settled_lines(cards: Cards, *coupons: str, **more: Any) -> dict[str, tuple[str, str, bool]]:
    """Wager → result, net and whether it was a coupon, as `settle` returns them."""
    round = round_with_coupons(cards, list(coupons), **more)
    settlement = settle(round.rules, round.deal, round.plays, round.meter)
    (seat,) = write_settlement(round, settlement)["seats"]
    return {
        wager: (line["result"], line["net"], line.get("coupon", False))
        for wager, line in seat["wagers"].items()
    }


def test_what_a_coupon_wins_is_paid() -> None:
    lines = settled_lines(WIN["flush"], "ante", "odds", "trips_plus", trips_plus=5)
    assert lines == {
        "ante": ("win", "10.00", True),
        "odds": ("win", "15.00", True),
        "raise": ("win", "10.00", False),
        "trips_plus": ("win", "35.00", True),
    }


def test_a_lost_coupon_costs_the_player_no_money() -> None:
    lines = settled_lines(LOSE["one_pair"], "ante", "pocket_bonus", pocket_bonus=5)
    assert lines["ante"] == ("lose", "0.00", True)
    assert lines["odds"] == ("lose", "-10.00", False)
    assert lines["pocket_bonus"] == ("lose", "0.00", True)


def test_a_push_changes_nothing() -> None:
    lines = settled_lines(next(iter(TIE.values())), "ante", "odds")
    assert {lines[wager] for wager in ("ante", "odds")} == {("push", "0.00", True)}


@pytest.mark.parametrize(
    ("coupons", "options", "words"),
    [
        (["ante"], {}, "new-york takes no promotional coupons at this table"),
        (["trips_plus"], COUPONS, "has no stake"),
        (["raise"], COUPONS, "seat 1: Raise is marked as a coupon but has no stake"),
        (["progressive"], COUPONS, "Progressive must be staked in chips"),
        (["blind"], COUPONS, "must be a list of wagers"),
        ("ante", COUPONS, "must be a list of wagers"),
        ([["ante"]], COUPONS, "must be a list of wagers"),
    ],
)
def test_wagers_that_may_not_be_coupons(coupons: object, options: Any, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        round_with_coupons(WIN["flush"], coupons, options, progressive=1)
    assert refused.value.code == "no_coupons"
    assert refused.value.message.startswith("seat 1: ")


# At a table: a coupon is not a chip, and not the player's money.


def issued(player: str, **amounts: int) -> list[IssueCoupon]:
    """Coupons for a player: `ante=1_000`."""
    return [
        IssueCoupon(player, Wager(name), cents, "2026-12-31", ("Dee", "Sue"))
        for name, cents in amounts.items()
    ]


def table(*coupons: Wager, chips: int = 100_000, **sides: int) -> Play:
    """A round in which seat 1 bets these wagers by coupon; coupon 1 is the first one's."""
    play, placed = opened("new-york", (1,), chips=chips, coupons=True), stakes(**sides)
    play.does(*issued("P1", **{wager.value: placed[wager] for wager in coupons}), OpenRound())
    play.does(PlaceBets(1, placed, {wager: i + 1 for i, wager in enumerate(coupons)}))
    return play


def coupon_money(play: Play) -> dict[str, int]:
    """Cents of coupons by kind of account: issued, unspent in hand, spent."""
    kinds = (AccountKind.ISSUED_COUPON, AccountKind.COUPON, AccountKind.SPENT_COUPON)
    held = {kind.value: 0 for kind in kinds}
    for account, micros in play.floor.ledger:
        if account.kind in kinds:
            held[account.kind.value] += micros // 10_000
    return held


def test_a_coupon_is_placed_without_chips() -> None:
    play = table(ANTE, ODDS, chips=3_000, trips_plus=500)
    assert play.chips(1) == 2_500
    assert coupon_money(play) == {"issued_coupon": -2_000, "coupon": 0, "spent_coupon": 0}
    play.does(*issued("P1", trips_plus=500), PlaceBets(1, stakes(trips_plus=500), {TRIPS: 3}))
    assert play.chips(1) == 1_000
    assert coupon_money(play)["coupon"] == 2_000
    play.does(WithdrawBets(1))
    assert play.chips(1) == 3_000
    assert coupon_money(play) == {"issued_coupon": -2_500, "coupon": 2_500, "spent_coupon": 0}


def test_wagers_without_coupons_need_chips() -> None:
    play = table(ANTE, chips=1_499)
    play.does(*issued("P1", trips_plus=500))
    assert play.refuses(PlaceBets(1, stakes(trips_plus=500), {ANTE: 1})) == "not_enough_chips"
    assert play.refuses(PlaceBets(1, stakes(progressive=100), {PROGRESSIVE: 1})) == "no_coupons"
    play.does(PlaceBets(1, stakes(trips_plus=500), {ANTE: 1, TRIPS: 2}))


@pytest.mark.parametrize("cards", [WIN["flush"], LOSE["one_pair"], next(iter(TIE.values()))])
def test_a_table_pays_coupons_as_settle_does(cards: Cards) -> None:
    """Win, lose or push: the coupons are spent, and never money."""
    play = table(ANTE, POCKET, pocket_bonus=500)
    from_chips = play.chips(1)
    play.bets_close()
    play.deals({1: cards.hole}, board=cards.board, dealer=cards.dealer)
    play.reaches(Phase.CLOSED)
    lines = settled_lines(cards, "ante", "pocket_bonus", pocket_bonus=5)
    net = sum(round(float(net) * 100) for _, net, _ in lines.values())
    assert play.chips(1) == from_chips + 1_000 + net  # the Odds were in chips
    assert coupon_money(play) == {"issued_coupon": -1_500, "coupon": 0, "spent_coupon": 1_500}
    assert not play.table.coupons.unspent
    assert play.floor.ledger.total() == 0
    assert replay_events(play.log) == play.floor


def test_a_void_hands_the_coupon_back_as_a_coupon() -> None:
    play = table(ANTE)
    play.bets_close()
    play.deals()
    play.does(irregularity_report("foul_deck"))
    play.reaches(Phase.CLOSED)
    assert play.chips(1) == 100_000
    assert coupon_money(play) == {"issued_coupon": -1_000, "coupon": 1_000, "spent_coupon": 0}


def test_a_written_round_names_its_coupons() -> None:
    play = table(ODDS, ANTE)
    play.bets_close()
    play.deals()
    play.reaches(Phase.SETTLED)
    text = write_round(play.round)
    (seat,) = tomllib.loads(text)["seats"]
    assert seat["coupons"] == ["ante", "odds"]
