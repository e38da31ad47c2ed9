"""R12: promotional coupons as stakes, which only New York knows ((c)(1))."""

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
from headsup.game.table.commands import OpenRound
from tests.rulebook.rounds import LOSE, TIE, WIN, Cards
from tests.tables import ANTE, ODDS, POCKET, PROGRESSIVE, TRIPS, Play, folded, opened, stakes, void

pytestmark = pytest.mark.clause("NY (c)(1) coupon")
COUPONS = {"coupons": True}


def written(cards: Cards, coupons: object, options: Any = COUPONS, **more: Any) -> FinishedRound:
    """A seat with $10 on Ante and Odds, which raises $10 on the river."""
    seat: dict[str, Any] = {"hole": cards.hole, "ante": 10, "odds": 10, "coupons": coupons}
    seat |= {"raise": {"street": "river", "multiple": 1}, **more}
    shared = {"dealer": cards.dealer, "board": cards.board, "meter": "1000.00"}
    return read_round({"rules": "new-york", "options": options, **shared, "seats": [seat]})


def told(cards: Cards, *coupons: str, **more: Any) -> dict[str, tuple[str, str, bool]]:
    """Wager → result, net and whether it was a coupon, as `settle` answers."""
    round = written(cards, list(coupons), **more)
    settlement = settle(round.rules, round.deal, round.plays, round.meter)
    (seat,) = write_settlement(round, settlement)["seats"]
    return {
        wager: (line["result"], line["net"], line.get("coupon", False))
        for wager, line in seat["wagers"].items()
    }


def test_what_a_coupon_wins_is_paid() -> None:
    lines = told(WIN["flush"], "ante", "odds", "trips_plus", trips_plus=5)
    assert lines == {
        "ante": ("win", "10.00", True),
        "odds": ("win", "15.00", True),
        "raise": ("win", "10.00", False),
        "trips_plus": ("win", "35.00", True),
    }


def test_a_lost_coupon_costs_the_player_no_money() -> None:
    lines = told(LOSE["one_pair"], "ante", "pocket_bonus", pocket_bonus=5)
    assert lines["ante"] == ("lose", "0.00", True)
    assert lines["odds"] == ("lose", "-10.00", False)
    assert lines["pocket_bonus"] == ("lose", "0.00", True)


def test_a_push_changes_nothing() -> None:
    lines = told(next(iter(TIE.values())), "ante", "odds")
    assert {lines[wager] for wager in ("ante", "odds")} == {("push", "0.00", True)}


@pytest.mark.parametrize(
    ("coupons", "options", "words"),
    [
        (["ante"], {}, "new-york takes no promotional coupons at this table"),
        (["trips_plus"], COUPONS, "is not staked on"),
        (["raise"], COUPONS, "seat 1: Raise is said to be a coupon and is not staked on"),
        (["progressive"], COUPONS, "Progressive is staked in chips"),
        (["blind"], COUPONS, "must be a list of wagers"),
        ("ante", COUPONS, "must be a list of wagers"),
        ([["ante"]], COUPONS, "must be a list of wagers"),
    ],
)
def test_what_may_be_no_coupon(coupons: object, options: Any, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        written(WIN["flush"], coupons, options, progressive=1)
    assert refused.value.code == "no_coupons"
    assert refused.value.message.startswith("seat 1: ")


# At a table: a coupon is no chip, and no money of the player's.


def table(*coupons: Wager, chips: int = 100_000, **sides: int) -> Play:
    play = opened("new-york", (1,), chips=chips, coupons=True)
    play.does(OpenRound(), PlaceBets(1, stakes(**sides), coupons))
    return play


def on_coupons(play: Play) -> int:
    return sum(
        amount for account, amount in play.floor.ledger if account.kind is AccountKind.COUPON
    )


def test_a_coupon_is_placed_without_chips() -> None:
    play = table(ANTE, ODDS, chips=3_000, trips_plus=500)
    assert play.chips(1) == 2_500
    assert on_coupons(play) == -20_000_000
    play.does(PlaceBets(1, stakes(trips_plus=500), (TRIPS,)))
    assert play.chips(1) == 1_000
    play.does(WithdrawBets(1))
    assert play.chips(1) == 3_000
    assert on_coupons(play) == 0


def test_chips_must_be_there_for_the_rest() -> None:
    play = table(ANTE, chips=1_499)
    assert play.refuses(PlaceBets(1, stakes(trips_plus=500), (ANTE,))) == "not_enough_chips"
    assert play.refuses(PlaceBets(1, stakes(progressive=100), (PROGRESSIVE,))) == "no_coupons"
    play.does(PlaceBets(1, stakes(trips_plus=500), (ANTE, TRIPS)))


@pytest.mark.parametrize("cards", [WIN["flush"], LOSE["one_pair"], next(iter(TIE.values()))])
def test_a_round_pays_what_settle_says(cards: Cards) -> None:
    play = table(ANTE, POCKET, pocket_bonus=500)
    from_chips = play.chips(1)
    play.bets_close()
    play.deals({1: cards.hole}, board=cards.board, dealer=cards.dealer)
    play.reaches(Phase.CLOSED)
    lines = told(cards, "ante", "pocket_bonus", pocket_bonus=5)
    net = sum(round(float(net) * 100) for _, net, _ in lines.values())
    assert play.chips(1) == from_chips + 1_000 + net  # the Odds were in chips
    assert on_coupons(play) == 0
    assert play.floor.ledger.total() == 0
    assert folded(play.log) == play.floor


def test_a_void_hands_the_coupon_back_as_a_coupon() -> None:
    play = table(ANTE)
    play.bets_close()
    play.deals()
    play.does(void("foul_deck"))
    play.reaches(Phase.CLOSED)
    assert play.chips(1) == 100_000
    assert on_coupons(play) == 0


def test_a_round_as_text_names_its_coupons() -> None:
    play = table(ODDS, ANTE)
    play.bets_close()
    play.deals()
    play.reaches(Phase.SETTLED)
    text = write_round(play.round)
    (seat,) = tomllib.loads(text)["seats"]
    assert seat["coupons"] == ["ante", "odds"]
