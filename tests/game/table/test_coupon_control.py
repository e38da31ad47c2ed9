"""R12: who has a coupon, and that it is good for one wager of one person."""

from typing import Any

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import format_link
from headsup.game.record.floor_text import floor_text, read_floor
from headsup.game.record.journal import Journal, record_command, record_decision
from headsup.game.refusal import Refusal
from headsup.game.round.commands import PlaceBets, Raise, WithdrawBets
from headsup.game.round.events import BetsPlaced
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.opening import CloseTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, PlayerSat, Sit
from headsup.game.views.builder import dealer_view, player_view, rail_view, tablevision_view
from headsup.game.views.wire import write_view
from tests.support.tables import (
    ANTE,
    ODDS,
    POOL_LEAVES,
    PROGRESSIVE,
    RAISE,
    TRIPS,
    Play,
    default_actor,
    irregularity_report,
    opened,
    opening,
    stakes,
)

pytestmark = pytest.mark.clause("NY (c)(1) coupon")
TWO = ("Dee", "Sue")
CHIPS = 100_000


def coupon(
    player: str = "P1",
    wager: Wager = ANTE,
    cents: int = 1_000,
    expires: str = "2026-12-31",
    approvals: tuple[str, str] = TWO,
) -> IssueCoupon:
    return IssueCoupon(player, wager, cents, expires, approvals)


def by_coupon(seat: int = 1, number: int = 1, **sides: int) -> PlaceBets:
    """$10 on Ante and Odds, the Ante by coupon."""
    return PlaceBets(seat, stakes(**sides), {ANTE: number})


def play_with(*coupons: IssueCoupon, seats: tuple[int, ...] = (1, 2), **options: Any) -> Play:
    """A table that takes coupons, with a round open for bets."""
    play = opened("new-york", seats, chips=CHIPS, coupons=True, **options)
    play.does(*coupons, OpenRound())
    return play


# A coupon has to be issued.


def test_a_player_without_a_coupon_cannot_bet_one() -> None:
    play = play_with()
    for number in (0, 1, -1, 2**62):
        assert play.refuses(by_coupon(number=number)) == "no_such_coupon"
    assert play.chips(1) == CHIPS


def test_a_player_who_never_paid_in_cannot_win() -> None:
    """Coupons on every wager of a round, without chips and without coupons."""
    play = opened("new-york", (), coupons=True)
    play.does(Sit(1, "Ann"), OpenRound())
    placed = stakes(trips_plus=500, pocket_bonus=500)
    assert play.refuses(PlaceBets(1, placed, dict.fromkeys(placed, 1))) == "no_such_coupon"


def test_anothers_coupon_is_refused_like_one_that_does_not_exist() -> None:
    play = play_with(coupon("P2"))
    other, missing = play.ask(by_coupon(number=1)), play.ask(by_coupon(number=2))
    assert isinstance(other, Refusal)
    assert isinstance(missing, Refusal)
    assert other.message == missing.message.replace("coupon 2", "coupon 1")
    play.does(by_coupon(seat=2))


@pytest.mark.parametrize(
    ("placed", "coupons", "words"),
    [
        (stakes(trips_plus=1_000), {TRIPS: 1}, "coupon 1 is for the Ante, not for the Trips Plus"),
        (stakes(), {ODDS: 1}, "coupon 1 is for the Ante, not for the Odds"),
        (stakes(), {ANTE: 1, ODDS: 1}, "coupon 1 is for the Ante, not for the Odds"),
        (stakes(2_000), {ANTE: 1}, "coupon 1 is for exactly $10.00, not $20.00"),
        (stakes(500), {ANTE: 1}, "coupon 1 is for exactly $10.00, not $5.00"),
    ],
)
def test_a_coupon_is_for_one_wager_and_one_amount(
    placed: dict[Wager, int], coupons: dict[Wager, int], words: str
) -> None:
    play = play_with(coupon())
    assert play.refuses(PlaceBets(1, placed, coupons)) == "bad_coupon"
    refused = play.ask(PlaceBets(1, placed, coupons))
    assert isinstance(refused, Refusal)
    assert refused.message == f"seat 1: {words}"


# It is bet once.


def test_one_coupon_cannot_be_bet_in_two_seats() -> None:
    play = play_with(coupon(), seats=(1,))
    play.happens("T1", PlayerSat(2, "P1"))  # no shipped book allows coupons and two positions
    play.does(by_coupon())
    assert play.refuses(by_coupon(seat=2)) == "coupon_on_felt"
    play.does(WithdrawBets(1), by_coupon(seat=2))
    assert play.refuses(by_coupon(seat=1)) == "coupon_on_felt"


def test_one_coupon_cannot_be_bet_at_two_tables() -> None:
    play = play_with(coupon())
    play.id = "T2"
    play.does(opening("new-york", coupons=True), Sit(1, "P1"), BuyIn(1, CHIPS), OpenRound())
    assert play.refuses(by_coupon()) == "no_such_coupon"


def test_bets_that_are_placed_again_may_keep_their_coupon() -> None:
    play = play_with(coupon())
    play.does(by_coupon(), by_coupon(trips_plus=500), PlaceBets(1, stakes()), by_coupon())
    assert play.chips(1) == CHIPS - 1_000
    assert play.floor.ledger.total() == 0


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.SETTLED])
def test_a_settled_wager_has_spent_its_coupon(phase: Phase) -> None:
    play = play_with(coupon())
    play.does(by_coupon(), WithdrawBets(1), by_coupon())
    _settle(play, phase)
    assert not play.table.coupons.unspent
    if phase is Phase.CLOSED:
        play.does(OpenRound())
        assert play.refuses(by_coupon()) == "no_such_coupon"
        play.does(coupon())
        assert play.refuses(by_coupon()) == "no_such_coupon"  # numbers are not used again
        play.does(by_coupon(number=2))


def _settle(play: Play, phase: Phase) -> None:
    play.bets_close()
    play.deals()
    play.reaches(phase)


def test_a_void_round_gives_the_coupon_back_once() -> None:
    play = play_with(coupon())
    play.does(by_coupon())
    play.bets_close()
    play.deals()
    play.does(irregularity_report("foul_deck"))
    play.reaches(Phase.CLOSED)
    play.does(OpenRound(), by_coupon())
    play.bets_close()
    play.deals()
    play.reaches(Phase.CLOSED)
    play.does(OpenRound())
    assert play.refuses(by_coupon()) == "no_such_coupon"


def test_a_void_hand_spends_only_the_coupon_of_a_wager_that_is_still_settled() -> None:
    """NY (j)(2): a void hand's Trips Plus is settled on the board."""
    play = play_with(coupon(), coupon(wager=TRIPS, cents=500))
    play.does(PlaceBets(1, stakes(trips_plus=500), {ANTE: 1, TRIPS: 2}), PlaceBets(2, stakes()))
    play.bets_close()
    play.deals()
    play.does(irregularity_report("player_card_count", 1))
    play.reaches(Phase.CLOSED)
    results = {wager: line.result.value for wager, line in play.lines(1).items()}
    kept = {1} if results[TRIPS] != "void" else {1, 2}
    assert set(play.table.coupons.unspent) == kept
    assert play.floor.ledger.total() == 0


def test_the_raise_after_a_coupon_takes_chips() -> None:
    play = play_with(coupon())
    play.does(by_coupon())
    play.bets_close()
    play.deals()
    play.does(Raise(1, 3))
    assert play.chips(1) == CHIPS - 1_000 - 3_000


# It belongs to a person.


def test_a_coupon_stays_with_the_person_who_leaves_and_sits_elsewhere() -> None:
    play = opened("new-york", (1, 2), chips=CHIPS, coupons=True)
    play.does(coupon(), Leave(1), Sit(1, "Bob"), BuyIn(1, CHIPS), Sit(5, "P1"), BuyIn(5, CHIPS))
    play.does(OpenRound())
    assert play.refuses(by_coupon(seat=1)) == "no_such_coupon"
    play.does(by_coupon(seat=5))


def test_a_coupon_is_never_cashed() -> None:
    play = opened("new-york", (1,), chips=1_000, coupons=True)
    play.does(coupon())
    events = play.does(Leave(1))
    assert getattr(events[0], "amount", None) == 1_000
    assert play.table.coupons.unspent


def test_a_floor_read_from_its_snapshot_knows_its_coupons() -> None:
    play = play_with(coupon(), coupon())
    play.does(by_coupon())
    again = read_floor(floor_text(play.floor))
    assert floor_text(again) == floor_text(play.floor)
    assert again.tables["T1"].coupons == play.table.coupons
    play.floor = again
    assert play.refuses(by_coupon(seat=2)) == "no_such_coupon"
    play.does(WithdrawBets(1), by_coupon(number=2))


# Issuing and cancelling.


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (coupon(approvals=("Dee", " dee")), "needs_two_people"),
        (coupon(approvals=("", "")), "needs_two_people"),
        (coupon(player=""), "bad_name"),
        (coupon(player="a/b"), "bad_name"),
        (coupon(player="Ann\n"), "bad_name"),
        (coupon(wager=PROGRESSIVE, cents=100), "no_coupons"),
        (coupon(wager=RAISE), "wager_not_offered"),
        (coupon(cents=0), "stake_not_positive"),
        (coupon(cents=-1_000), "stake_not_positive"),
        (coupon(cents=2**62), "amount_too_large"),
        (coupon(cents=250), "below_minimum"),
        (coupon(cents=600_000), "above_maximum"),
        (coupon(expires="soon"), "bad_coupon"),
        (coupon(expires="2026-02-30"), "bad_coupon"),
        (coupon(expires="9999-1-1"), "bad_coupon"),
    ],
)
def test_a_coupon_that_could_not_be_staked_is_not_issued(command: IssueCoupon, code: str) -> None:
    play = play_with(limits={"ante": {"min": "5", "max": "5000"}})
    assert play.refuses(command) == code
    assert play.table.coupons.issued == 0


def test_only_staff_issue_coupons_and_only_where_they_are_taken() -> None:
    play = play_with()
    assert play.refuses(coupon(), PlayerAt(1)) == "staff_only"
    assert play.refuses(CancelCoupon(1, "why", TWO), PlayerAt(1)) == "staff_only"
    assert opened("new-york", (1,)).refuses(coupon()) == "no_coupons"


def test_a_coupon_that_is_cancelled_is_gone() -> None:
    play = play_with(coupon(), coupon())
    play.does(by_coupon())
    assert play.refuses(CancelCoupon(1, "wrong player", TWO)) == "coupon_on_felt"
    play.does(WithdrawBets(1))
    assert play.refuses(CancelCoupon(1, " ", TWO)) == "needs_reason"
    assert play.refuses(CancelCoupon(1, "wrong player", ("Dee", "dee"))) == "needs_two_people"
    play.does(CancelCoupon(1, "wrong player", TWO))
    assert play.refuses(CancelCoupon(1, "wrong player", TWO)) == "no_such_coupon"
    assert play.refuses(by_coupon()) == "no_such_coupon"
    play.does(by_coupon(number=2))
    assert play.floor.ledger.total() == 0


def test_coupons_of_a_closed_table_can_be_cancelled_but_not_issued() -> None:
    play = opened("new-york", (1,), coupons=True)
    play.does(coupon(), Leave(1), *POOL_LEAVES, CloseTable("the season is over", "Sue"))
    assert play.refuses(coupon()) == "table_closed"
    play.does(CancelCoupon(1, "the table is closed", TWO))


# Expiry: the day comes from the record.


class Record:
    """A journal and its lines."""

    def __init__(self) -> None:
        self.journal, self.lines = Journal(), list[str]()

    def ask(self, day: str, command: Command, by: Actor | None = None) -> str:
        """Send a command at noon; returns the code of its refusal."""
        by, time = by or default_actor(command), f"{day}T12:00:00Z"
        self.journal, answer = record_command(self.journal, time, "T1", by, command)
        if isinstance(answer, Refusal):
            return answer.code
        self.lines += map(format_link, answer)
        return ""


def recorded(day: str = "2026-01-31") -> Record:
    record = Record()
    for command in (
        opening("new-york", coupons=True),
        *(Sit(1, "P1"), BuyIn(1, CHIPS), coupon(expires="2026-02-01"), OpenRound()),
    ):
        assert not record.ask(day, command)
    return record


def test_a_coupon_can_be_staked_until_the_end_of_its_last_day() -> None:
    assert not recorded().ask("2026-02-01", by_coupon())
    late = recorded()
    assert late.ask("2026-02-02", by_coupon()) == "coupon_expired"
    assert not late.ask("2026-02-02", PlaceBets(1, stakes()))


def test_a_clock_that_is_set_back_does_not_revive_a_coupon() -> None:
    record = recorded()
    assert not record.ask("2026-02-02", PlaceBets(1, stakes()))
    assert record.ask("2026-01-31", by_coupon()) == "coupon_expired"


def test_a_coupon_that_has_expired_is_not_issued() -> None:
    record = recorded()
    assert record.ask("2026-02-02", coupon(expires="2026-02-01")) == "coupon_expired"
    assert not record.ask("2026-02-02", coupon(expires="2026-02-02"))


def test_an_audit_finds_a_coupon_that_was_not_issued_or_had_expired() -> None:
    honest = recorded()
    assert not honest.ask("2026-02-01", by_coupon())
    assert audit(honest.lines).is_valid
    late = recorded()
    forged = BetsPlaced(1, stakes(), {ANTE: 1})
    bets, after = PlaceBets(1, stakes(), {ANTE: 1}), "2026-02-02T12:00:00Z"
    _, links = record_decision(late.journal, after, "T1", PlayerAt(1), bets, [forged])
    report = audit([*late.lines, *map(format_link, links)])
    assert report.finding is not None
    assert "could be used until 2026-02-01" in report.finding.expected


# Who sees it.


def test_players_see_their_own_coupons_and_the_staff_see_all() -> None:
    play = play_with(coupon("P1"), coupon("P2", TRIPS, 500))
    own = {
        "coupon": 2, "player": "P2", "wager": "trips_plus", "amount": "5.00",
        "expires": "2026-12-31",
    }  # fmt: skip
    assert write_view(player_view(play.floor, "T1", 2))["coupons"] == [own]
    assert write_view(player_view(play.floor, "T1", 3))["coupons"] == []
    seen = write_view(dealer_view(play.floor, "T1"))["coupons"]
    assert [(item["coupon"], item["player"]) for item in seen] == [(1, "P1"), (2, "P2")]
    for view in (rail_view(play.floor, "T1"), tablevision_view(play.floor, "T1")):
        assert "coupons" not in write_view(view)


def test_a_table_that_takes_no_coupons_shows_none() -> None:
    play = opened("new-york", (1,))
    assert "coupons" not in write_view(player_view(play.floor, "T1", 1))
    assert "coupons" not in write_view(dealer_view(play.floor, "T1"))


def test_everybody_sees_that_a_wager_lies_there_as_a_coupon() -> None:
    play = play_with(coupon())
    play.does(by_coupon())
    seats = write_view(rail_view(play.floor, "T1"))["round"]["seats"]
    assert seats["1"]["coupons"] == {"ante": 1}
