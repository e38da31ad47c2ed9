"""R109: people without accounts play with real chips, and the dealer acts for them."""

from typing import Any

import pytest

from headsup.game.bank.ledger import (
    bank_account,
    drop_account,
    guests_account,
    player_account,
    tray_account,
    vault_account,
    wager_account,
)
from headsup.game.round.commands import (
    Check,
    CloseBets,
    CorrectStakes,
    Fold,
    PlaceBets,
    Raise,
    WithdrawBets,
)
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import PlayerAt
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, CashOut, GuestSat, Leave, Sit, SitGuest
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.views.builder import dealer_view
from headsup.game.views.viewers import parse_viewer
from headsup.house.people.person import Person, Role, is_valid_name
from headsup.web.live.visibility import may_view
from tests.support.machine import equal_floors
from tests.support.tables import STAFF, Play, opened, replay_events, stakes


def guests(*seats: int, book: str = "galaxy", **choices: Any) -> Play:
    play = opened(book, seats=(2,), **choices)
    play.does(*(SitGuest(seat, "Tom") for seat in seats))
    return play


def cents(play: Play, account: object) -> int:
    amount = play.floor.ledger.balance(account)  # type: ignore[arg-type]
    assert amount % MICROS_PER_CENT == 0
    return amount // MICROS_PER_CENT


def test_a_guest_is_named_by_the_seat_and_the_name_is_a_label() -> None:
    play = opened(seats=())
    assert play.does(SitGuest(3, "Tom")) == (GuestSat(3, "seat 3", "Tom"),)
    assert play.table.players == {3: "seat 3"}
    assert dealer_view(play.floor, "T1").guests == {3: "Tom"}
    assert play.refuses(SitGuest(3, "Ann")) == "seat_taken"
    assert play.refuses(SitGuest(4, " Ann")) == "bad_name"


@pytest.mark.parametrize("name", ["seat 3", "Seat 3", "SEAT  3", "ѕeat 3"])
def test_no_account_can_be_called_like_a_guest(name: str) -> None:
    assert not is_valid_name(name)
    play = opened(seats=())
    if name == "seat 3":
        assert play.refuses(Sit(3, name)) == "bad_name"


def test_a_guest_called_like_an_account_opens_nothing_to_it() -> None:
    play = guests(3)
    play.does(Leave(3), SitGuest(3, "Ann"), OpenRound())
    ann = Person("1", "Ann", Role.PLAYER)
    assert not may_view(ann, parse_viewer("seat 3"), play.floor, "T1")
    assert play.refuses(PlaceBets(3, stakes()), PlayerAt(3)) == "guest_seat"
    assert play.refuses(BuyIn(3, 500), PlayerAt(3)) == "guest_seat"
    assert play.refuses(Leave(3), PlayerAt(3)) == "guest_seat"


def test_the_dealer_acts_for_guests_and_never_for_accounts() -> None:
    play = guests(3)
    play.does(
        OpenRound(), PlaceBets(3, stakes()), WithdrawBets(3), PlaceBets(3, stakes()), by=STAFF
    )
    assert play.refuses(PlaceBets(2, stakes()), STAFF) == "player_only"
    play.does(PlaceBets(2, stakes()), CloseBets())
    play.deals()
    assert play.refuses(Check(2), STAFF) == "player_only"
    play.does(Check(3), by=STAFF)
    play.does(Raise(2, 3))
    play.reaches(Phase.RIVER)
    assert play.refuses(Fold(3), PlayerAt(3)) == "guest_seat"
    play.does(Fold(3), by=STAFF)


def test_one_person_at_two_positions_is_one_holder() -> None:
    play = guests(3, positions_per_player=2)
    assert play.does(SitGuest(5, "", same_as=3)) == (GuestSat(5, "seat 3", "Tom"),)
    assert play.refuses(SitGuest(6, "", same_as=3)) == "one_position"
    assert play.refuses(SitGuest(6, "", same_as=2)) == "guest_seat"
    # Whoever takes seat 3 now is another person than the one who has left it for seat 5.
    play.does(Leave(3))
    assert play.does(SitGuest(3, "Tom")) == (GuestSat(3, "seat 1", "Tom"),)


def test_guests_and_accounts_play_from_separate_trays() -> None:
    """Seat 1 wins from the rack, seat 2 loses to the electronic bank."""
    play = guests(1)
    play.does(BuyIn(1, 30_000))
    play.does(OpenRound(), PlaceBets(1, stakes(trips_plus=500)), PlaceBets(2, stakes()))
    play.does(CloseBets())
    play.deals({1: "AsKs", 2: "8c4s"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(Raise(1, 3))
    play.reaches(Phase.CLOSED, fold=(2,))
    won = sum(line.net for line in play.lines(1).values())
    lost = -sum(line.net for line in play.lines(2).values())
    assert won > 0
    assert lost == 2_000
    assert cents(play, guests_account("T1")) == won
    assert cents(play, tray_account("T1")) == -won - 30_000
    assert cents(play, drop_account("T1")) == 30_000
    assert cents(play, bank_account("T1")) == lost
    assert cents(play, player_account("T1/P2")) == 100_000 - lost
    assert play.floor.ledger.total() == 0


def test_an_award_paid_with_chips_of_the_tray_is_owed_to_it_by_the_cage() -> None:
    play = guests(1)
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)), CloseBets())
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(Raise(1, 3))
    play.reaches(Phase.CLOSED)
    award = play.lines(1)[Wager.PROGRESSIVE].award
    net = sum(line.net for line in play.lines(1).values())
    assert award > 0
    assert cents(play, guests_account("T1")) == net
    assert cents(play, vault_account("T1")) == award
    assert cents(play, tray_account("T1")) == -net  # all chips that went, the award's too


def test_breakage_of_real_chips_stays_in_the_tray() -> None:
    play = guests(1, chip_unit="1.00")
    play.does(OpenRound(), PlaceBets(1, stakes(ante=500)), CloseBets())
    play.deals({1: "As9s"}, board="QsJs2c4d3s", dealer="9h9c")  # a flush pays 1.5 to 1
    play.does(Raise(1, 3))
    play.reaches(Phase.CLOSED)
    assert any(line.breakage for line in play.lines(1).values())
    net = sum(line.net for line in play.lines(1).values())
    assert cents(play, tray_account("T1")) == -net


def test_guests_need_no_chips_on_the_books_and_carry_theirs_away() -> None:
    play = guests(3)
    assert play.refuses(CashOut(3, 100), STAFF) == "guest_seat"
    play.does(OpenRound(), PlaceBets(3, stakes()))
    assert play.refuses(Leave(3), STAFF) == "in_round"
    play.does(WithdrawBets(3), Leave(3), by=STAFF)
    assert not play.table.felt.guests
    assert 3 not in play.table.players


def test_a_payout_to_a_guest_is_corrected_over_the_tray_even_after_they_left() -> None:
    play = guests(3)
    play.does(OpenRound(), PlaceBets(3, stakes()), CloseBets())
    play.reaches(Phase.CLOSED)
    before = cents(play, tray_account("T1"))
    play.does(CorrectPayout(3, -99_000, "overpaid", "Dee", "Sue"), Leave(3))
    play.does(CorrectPayout(3, 500, "recount", "Dee", "Sue", player="seat 3"))
    assert cents(play, tray_account("T1")) == before + 99_000 - 500


def test_r12_a_guests_coupons_do_not_pass_to_the_seats_next_guest() -> None:
    play = guests(3, book="new-york", coupons=True)
    issue = IssueCoupon("seat 3", Wager.TRIPS_PLUS, 500, "2026-12-31", ("Dee", "Sue"))
    play.does(issue)
    assert play.refuses(Leave(3), STAFF) == "guest_seat"
    play.does(CancelCoupon(1, "unused", ("Dee", "Sue")))
    play.does(Leave(3), by=STAFF)
    assert play.refuses(issue) == "bad_name"


def test_the_record_leads_to_the_same_guests() -> None:
    play = guests(1, 3)
    play.does(BuyIn(1, 5_000), Leave(3))
    assert equal_floors(replay_events(play.log), play.floor)
    assert play.table.felt.guests == {1: "Tom"}


@pytest.mark.parametrize(("book", "progressive_on_felt"), [("galaxy", 0), ("new-york", 100)])
def test_corrected_stakes_move_only_the_wrong_chips(book: str, progressive_on_felt: int) -> None:
    """R107: a Progressive stake paid "for 1" is in the tray by then; its flag stands."""
    play = opened(book, seats=(2,), shuffle=ShuffleSource.TURNED_OVER)
    play.does(SitGuest(3), BuyIn(3, 10_000), OpenRound())
    told, right = stakes(trips_plus=500, progressive=100), stakes(ante=2_500, progressive=100)
    play.does(PlaceBets(3, told), CloseBets())
    chips = play.chips(3)
    play.does(CorrectStakes(3, right, "told wrongly"))
    assert play.round.seats[3].stakes == right
    assert play.chips(3) == chips + sum(told.values()) - sum(right.values())
    on_felt = {wager: cents(play, wager_account("T1", 3, wager)) for wager in told | right}
    assert on_felt == {**right, Wager.TRIPS_PLUS: 0, Wager.PROGRESSIVE: progressive_on_felt}
    assert play.refuses(CorrectStakes(3, stakes(ante=2_500), "told wrongly")) == "wrong_phase"
    assert equal_floors(replay_events(play.log), play.floor)
