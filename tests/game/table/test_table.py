"""Tables over many rounds: permissions, seats and chips, opening, corrections, the meter."""

from dataclasses import replace
from typing import Any

import pytest

from headsup.game.bank.ledger import (
    Account,
    AccountKind,
    bank_account,
    breakage_account,
    cage_account,
)
from headsup.game.bank.meter import AdjustmentKind, Closing, Discontinued, Transferred
from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.events import RoundSettled
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Result
from headsup.game.table.commands import Command, PlayerAt, Staff
from headsup.game.table.equipment import CountByHand, ReportEquipmentDown, RestoreEquipment
from headsup.game.table.evolve import evolve
from headsup.game.table.meter_control import (
    CorrectMeter,
    EndBonus,
    FreezeMeter,
    PlanMeterClosing,
    SetBonusPrize,
    TransferPool,
)
from headsup.game.table.opening import OpenTable, TableOpened
from headsup.game.table.payout_corrections import CorrectPayout, PayoutCorrected
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, CashedOut, CashOut, Leave, PlayerLeft, PlayerSat, Sit
from headsup.game.table.state import Floor
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.values.money import MICROS_PER_CENT
from tests.support.tables import (
    ANTE,
    BOOKS,
    CARD_ROOM,
    PROGRESSIVE,
    RAISE,
    STAFF,
    Play,
    irregularity_report,
    on_felt,
    opened,
    opening,
    stakes,
    table_at,
)

DOLLAR = 100 * MICROS_PER_CENT
PROGRESSIVE_BOOKS = ("galaxy", "new-york", "washington", "washington-no-qualifier")
PHASES = tuple(Phase)
# JP7: the operator sets every prize, and the posted figure is for the royal (WA note 5).
BONUS_JACKPOT: dict[str, Any] = {
    "paytables": {"progressive": "HH/JP-7"},
    "bonus": {
        "progressive": {
            "flopped_royal_flush_in_spades": "100%",
            "flopped_royal_flush": "10%",
            "royal_flush": "10%",
            "community_royal_flush": "10%",
            "straight_flush": "200",
            "four_of_a_kind": "50",
            "full_house": "10",
            "flush": "5",
        }
    },
    "meter_seed": "5000.00",
    "meter_contribution": "0.00",
}
# A royal flush with the river: 10 % of the pool under tables 1, A and HH/JP-1.
ROYAL: dict[str, Any] = {"board": "QsJs2c4dTs", "dealer": "9h9c"}
ROYAL_HOLE = "AsKs"


def pool(play: Play) -> int:
    """The meter in micros, after checking that its account has the same balance."""
    meter = play.meter
    account = meter.account
    if account.kind is not AccountKind.BONUS:
        assert play.floor.ledger.balance(account) == meter.pool
    assert play.floor.ledger.balance(meter.reserve_account) == meter.reserve
    return meter.pool


# Who may send which command.

OF_PLAYERS: tuple[Command, ...] = (
    PlaceBets(1, stakes()),
    WithdrawBets(1),
    Check(1),
    Raise(1, 3),
    Fold(1),
)
OF_BOTH: tuple[Command, ...] = (Sit(4, "New"), Leave(1), BuyIn(1, 100), CashOut(1, 100))
OF_STAFF: tuple[Command, ...] = (
    opening(),
    CloseBets(),
    DealCards(tuple(range(52))),
    Proceed(),
    TimeOut(1, 120),
    irregularity_report("foul_deck"),
    OpenRound(),
    CorrectPayout(1, 100, "miscount", "Dee", "Sue"),
    CorrectMeter(100, "miscount", ("Sue", "Tom")),
    FreezeMeter("down"),
    PlanMeterClosing("2026-12-31", "A-1", "T2 meter"),
    TransferPool("T2 meter"),
    SetBonusPrize(1, "event", "Sue"),
    EndBonus("event", "Sue"),
)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", OF_STAFF, ids=lambda command: type(command).__name__)
def test_players_may_not_send_staff_commands(phase: Phase, command: Command) -> None:
    play = table_at(phase)
    for seat in (1, 2, 6):
        assert play.refuses(command, by=PlayerAt(seat)) == "staff_only"


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", OF_PLAYERS, ids=lambda command: type(command).__name__)
def test_staff_may_not_decide_for_players(phase: Phase, command: Command) -> None:
    assert table_at(phase).refuses(command, by=STAFF) == "player_only"


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(
    "command", [*OF_PLAYERS, *OF_BOTH], ids=lambda command: type(command).__name__
)
def test_no_player_acts_for_anothers_seat(phase: Phase, command: Command) -> None:
    play = table_at(phase)
    for seat in (2, 3, 6):
        assert play.refuses(command, by=PlayerAt(seat)) == "not_your_seat"


def test_there_is_no_such_table() -> None:
    play = opened()
    play.id = "T9"
    for command in (*OF_PLAYERS, *OF_BOTH, *OF_STAFF[1:]):
        assert play.refuses(command) == "no_such_table"


# Seats and chips.


def test_players_sit_buy_in_cash_out_and_leave() -> None:
    play = opened(seats=())
    assert play.does(Sit(3, "Ann")) == (PlayerSat(3, "Ann"),)
    play.does(BuyIn(3, 5_000), BuyIn(3, 250), CashOut(3, 1_250))
    assert play.chips(3) == 4_000
    assert play.does(Leave(3)) == (CashedOut(3, 4_000), PlayerLeft(3))
    assert play.table.players == {}
    assert play.floor.ledger.balance(cage_account()) == 0
    play.does(Sit(3, "Ann"))
    assert play.chips(3) == 0
    assert play.does(Leave(3)) == (PlayerLeft(3),)


@pytest.mark.clause("NY (a)(1) positions")
@pytest.mark.parametrize("seat", [0, -1, 7, 16])
def test_ny_a_1_there_are_six_seats(seat: int) -> None:
    assert opened("new-york", seats=()).refuses(Sit(seat, "Ann")) == "no_such_seat"


def test_a_seat_holds_one_player_with_a_name() -> None:
    play = opened(seats=(1,))
    assert play.refuses(Sit(1, "Bob")) == "seat_taken"
    for name in ("", " ", "a/b", " P1", "P1 "):
        assert play.refuses(Sit(2, name)) == "bad_name"


@pytest.mark.clause("NY (c)(6)")
@pytest.mark.parametrize("book", BOOKS)
def test_ny_c_6_r11_one_position_per_player(book: str) -> None:
    play = opened(book, seats=(1,))
    assert play.refuses(Sit(2, "P1")) == "one_position"
    play.does(Leave(1), Sit(2, "P1"))


def test_r11_where_the_document_is_silent_two_positions_share_one_players_chips() -> None:
    play = opened("galaxy", seats=(1,), chips=4_000, positions_per_player=2)
    play.does(Sit(2, "P1"))
    assert play.refuses(Sit(3, "P1")) == "one_position"
    play.does(OpenRound(), PlaceBets(1, stakes(1_500)))
    assert play.refuses(PlaceBets(2, stakes(501))) == "not_enough_chips"
    play.does(PlaceBets(2, stakes(500)), WithdrawBets(1))
    assert play.does(Leave(1)) == (PlayerLeft(1),), "the chips go with the last position"
    assert play.chips(2) == 3_000
    assert Play().refuses(opening("new-york", positions_per_player=2)) == "option_not_open"


@pytest.mark.parametrize("amount", [0, -1, 1_000_000_001, 2**62])
def test_chips_are_bought_and_cashed_in_positive_amounts(amount: int) -> None:
    play = opened(seats=(1,))
    assert play.refuses(BuyIn(1, amount)) == "bad_amount"
    beyond = amount > 10**9
    assert play.refuses(CashOut(1, amount)) == ("not_enough_chips" if beyond else "bad_amount")


def test_winnings_of_any_size_can_be_cashed_out_and_pass_an_audit() -> None:
    play = opened(seats=(1,), chips=10**9)
    play.does(BuyIn(1, 10**9))
    left = opened(seats=(1,), chips=10**9)
    left.does(BuyIn(1, 10**9))
    first, _ = left.does(Leave(1))
    assert first == CashedOut(1, 2 * 10**9)
    assert play.does(CashOut(1, 2 * 10**9)) == (first,)


def test_no_cash_out_beyond_the_chips_and_none_of_an_empty_seat() -> None:
    play = opened(seats=(1,), chips=1_000)
    assert play.refuses(CashOut(1, 1_001)) == "not_enough_chips"
    for command in (CashOut(2, 1), BuyIn(2, 1), Leave(2)):
        assert play.refuses(command) == "no_such_seat"
    play.does(CashOut(1, 1_000))
    assert play.refuses(CashOut(1, 1)) == "not_enough_chips"


@pytest.mark.clause("NY (c)(5) remain")
@pytest.mark.parametrize("phase", PHASES)
def test_ny_c_5_a_player_who_has_wagered_stays_until_the_round_ends(phase: Phase) -> None:
    play = opened("new-york", seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes()))
    if phase is not Phase.BETTING:
        play.does(CloseBets())
        play.reaches(phase)
    if phase is Phase.CLOSED:
        play.does(CashOut(1, 100), Leave(1))
    else:
        assert play.refuses(Leave(1)) == "in_round"
        assert play.refuses(CashOut(1, 100)) == "in_round"
        answer = play.ask(Leave(1))
        assert isinstance(answer, Refusal)
        # The clause is about a player who has "received cards"; before the deal it is R13.
        cites = "R13" if phase in (Phase.BETTING, Phase.NO_MORE_BETS) else "NY (c)(5)"
        assert answer.message.endswith(f"({cites})")
    play.does(BuyIn(2, 100), CashOut(2, 100), Leave(2))


def test_a_player_who_withdraws_before_the_deal_may_leave() -> None:
    play = opened("new-york", seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes()), WithdrawBets(1), Leave(1))
    assert play.table.players == {2: "P2"}


@pytest.mark.clause("NY (c)(5) seated")
def test_an_empty_seat_takes_no_wager() -> None:
    play = opened(seats=(1,))
    play.does(OpenRound())
    assert play.refuses(PlaceBets(2, stakes())) == "no_such_seat"
    assert play.refuses(PlaceBets(7, stakes())) == "no_such_seat"


@pytest.mark.parametrize("phase", PHASES)
def test_no_second_round_while_one_is_open(phase: Phase) -> None:
    play = table_at(phase)
    if phase is Phase.CLOSED:
        play.does(OpenRound())
        assert (play.table.rounds, play.phase) == (2, Phase.BETTING)
        assert play.round.seats == {}
    else:
        assert play.refuses(OpenRound()) == "round_open"


def test_round_commands_need_an_open_round() -> None:
    play = opened()
    for command in (
        PlaceBets(1, stakes()),
        Check(1),
        CloseBets(),
        Proceed(),
        irregularity_report("foul_deck"),
    ):
        assert play.refuses(command) == "no_round"


# The money of a round.


@pytest.mark.parametrize("book", BOOKS)
def test_chips_change_by_the_net_of_the_lines_and_the_tray_by_the_rest(book: str) -> None:
    play = table_at(Phase.NO_MORE_BETS, book)
    seeded = sum(play.floor.ledger.balance(meter.account) for meter in play.floor.meters.values())
    play.deals({1: "KsKh", 2: "2c2h", 3: "8c4s"}, board="Kd9c9h5s2d", dealer="AcQd")
    play.does(Raise(1, 3), Check(2), Check(3), Proceed(), Check(3), Raise(2, 2), Proceed())
    play.does(Fold(3), Proceed())
    play.settles()
    assert play.round.settlement is not None
    for seat in play.round.settlement.seats:
        assert play.chips(seat.seat) == 100_000 + seat.net
    net = sum(seat.net for seat in play.round.settlement.seats)
    assert play.floor.ledger.balance(bank_account("T1")) == -net * MICROS_PER_CENT
    assert on_felt(play.floor) == 0
    assert play.floor.ledger.total() == 0
    pools = sum(play.floor.ledger.balance(meter.account) for meter in play.floor.meters.values())
    assert pools == seeded, "fixed prizes are the house's (R75)"


def test_r18_a_flush_on_odd_chips_breaks_into_its_own_account() -> None:
    play = opened("galaxy", seats=(1,), chip_unit="1.00", rounding="down")
    play.bets({1: stakes(500)})
    play.deals({1: "AdTd"}, board="Kd9d7d5s2c", dealer="KhQc")
    play.does(Raise(1, 3))
    play.reaches(Phase.SETTLED)
    assert play.chips(1) == 100_000 + 500 + 1_500 + 700
    assert play.floor.ledger.balance(breakage_account("T1")) == DOLLAR // 2


@pytest.mark.parametrize(("rounding", "paid", "breakage"), [("down", 7, 5_000), ("up", 8, -5_000)])
def test_r18_half_a_cent_of_a_flush_is_booked_too(rounding: str, paid: int, breakage: int) -> None:
    """3:2 on five cents is seven and a half cents."""
    play = opened("galaxy", seats=(1,), rounding=rounding)
    play.bets({1: stakes(5)})
    play.deals({1: "AdTd"}, board="Kd9d7d5s2c", dealer="KhQc")
    play.does(Raise(1, 3))
    play.reaches(Phase.CLOSED)
    assert play.chips(1) == 100_000 + 5 + 15 + paid
    ledger = play.floor.ledger
    assert ledger.balance(breakage_account("T1")) == breakage
    assert ledger.balance(bank_account("T1")) == -(20 * MICROS_PER_CENT + 75_000)
    assert ledger.total() == 0


def test_chips_stay_from_round_to_round() -> None:
    play = opened("galaxy", seats=(1,))
    for number in range(1, 6):
        before = play.chips(1)
        play.bets({1: stakes()})
        play.reaches(Phase.CLOSED)
        assert play.round.number == number
        assert play.chips(1) == before + play.lines(1)[RAISE].net + play.lines(1)[ANTE].net


# Opening a table.

REFUSED_OPENINGS: dict[str, tuple[OpenTable, str]] = {
    "R77 no seed": (opening("galaxy", meter_seed="0"), "meter_unset"),
    "R77 no contribution": (opening("new-york", meter_contribution="0"), "meter_unset"),
    "R77 nothing": (OpenTable("galaxy"), "meter_unset"),
    "no approval": (OpenTable("washington"), "needs_approval"),
    "R63 All 6 table 5": (opening("galaxy", paytables={"all_6": "5"}), "needs_limit"),
    "R63 a limit without a maximum": (
        opening("galaxy", paytables={"all_6": "5"}, limits={"all_6": {"min": "1"}}),
        "needs_limit",
    ),
    "R63 a cap on something else": (
        opening("galaxy", paytables={"all_6": "5"}, cap={"amount": "50000", "wagers": ["odds"]}),
        "needs_limit",
    ),
    "a contribution above the stake": (
        opening("galaxy", meter_contribution="1.01"),
        "meter_amount",
    ),
    "a maximum below the seed": (opening("galaxy", meter_max="9999.99"), "meter_rules"),
    "R38 Bonus cells left blank": (
        opening("washington", paytables={"trips_plus": "HH/TP-6"}),
        "bonus_unfilled",
    ),
    "no such book": (OpenTable("atlantis"), "unknown_rules"),
    "no such paytable": (opening("galaxy", paytables={"trips_plus": "9"}), "unknown_paytable"),
    "no such option": (opening("galaxy", burn_cards=True), "unknown_option"),
    "R25 face up in New York": (opening("new-york", face_up=True), "option_not_open"),
    "options as text": (OpenTable("galaxy", options="{}"), "bad_command"),  # type: ignore[arg-type]
    "a book by its path": (OpenTable("docs/examples/my-house.toml"), "unknown_rules"),
    "no such meter": (opening("galaxy", meter="T9 meter"), "no_such_meter"),
    "a meter for nothing": (opening("sugarhouse", meter="T9 meter"), "no_such_meter"),
}


@pytest.mark.parametrize("case", REFUSED_OPENINGS)
def test_tables_that_may_not_be_opened(case: str) -> None:
    command, code = REFUSED_OPENINGS[case]
    assert Play().refuses(command) == code


def test_r63_a_maximum_stake_or_a_cap_opens_all_6_table_5() -> None:
    Play().does(opening("galaxy", paytables={"all_6": "5"}, limits={"all_6": {"max": "5"}}))
    cap = {"amount": "50000", "wagers": ["all_6"]}
    Play().does(opening("galaxy", paytables={"all_6": "5"}, cap=cap))


def test_a_table_opens_once_and_has_a_name() -> None:
    play = opened()
    assert play.refuses(opening()) == "table_open"
    play.id = ""
    assert play.refuses(opening()) == "table_open"


@pytest.mark.clause("WA App. D note 6 escrow", "NY (k)(2) pool")
@pytest.mark.parametrize("book", BOOKS)
def test_a_table_with_a_progressive_opens_its_meter_at_the_seed(book: str) -> None:
    play = opened(book)
    if book not in PROGRESSIVE_BOOKS:
        assert play.floor.meters == {}
        assert play.table.meter == ""
        return
    assert pool(play) == 10_000 * DOLLAR
    seed = Account(AccountKind.SEED, "T1 meter")
    assert play.floor.ledger.balance(seed) == -10_000 * DOLLAR
    # R82: in Washington the operator only holds the players' money.
    escrow = book.startswith("washington")
    assert play.meter.account.kind is (AccountKind.ESCROW if escrow else AccountKind.METER)


def test_without_a_progressive_no_meter_is_needed() -> None:
    play = opened("galaxy", paytables={"progressive": "none"})
    assert play.floor.meters == {}
    play.does(OpenRound())
    assert play.refuses(PlaceBets(1, stakes(progressive=100))) == "wager_not_offered"
    for command in OF_STAFF[-6:]:
        assert play.refuses(command) == "no_such_meter"


def test_the_record_names_the_rules_and_others_are_rejected() -> None:
    play = opened("new-york")
    event = play.log[0][1]
    assert isinstance(event, TableOpened)
    assert event.fingerprint == play.table.rules.fingerprint
    other = replace(event, options=FrozenJson({**event.options, "rounding": "up"}))
    with pytest.raises(ValueError, match="not the rule book"):
        evolve(Floor(), "T1", other)


@pytest.mark.clause("NY (k)(2) facility")
def test_ny_k_2_an_explicit_initial_seed_may_be_zero() -> None:
    play = opened("new-york", meter_seed="0.00")
    assert pool(play) == 0
    play.bets({1: stakes(progressive=100)})
    assert pool(play) == DOLLAR // 4
    unsaid = OpenTable("new-york", options=FrozenJson({"meter_contribution": "0.25"}))
    assert Play().refuses(unsaid) == "meter_unset"
    for book in ("galaxy", "washington"):
        assert Play().refuses(opening(book, meter_seed="0.00")) == "meter_unset"


# JP7 with fixed prizes only: there is no figure to display.
FIXED = dict.fromkeys(BONUS_JACKPOT["bonus"]["progressive"], "100")


@pytest.mark.clause("WA App. D note 5 operator")
def test_r82_a_bonus_jackpot_of_fixed_prizes_needs_no_meter() -> None:
    choice = FrozenJson({**CARD_ROOM, "bonus": {"progressive": FIXED}})
    play = Play()
    play.does(OpenTable("washington", (("progressive", "HH/JP-7"),), choice))
    assert (play.table.meter, dict(play.floor.meters)) == ("", {})
    play.does(Sit(1, "Ann"), BuyIn(1, 100_000))
    play.bets({1: stakes(progressive=100)})
    play.deals({1: ROYAL_HOLE}, **ROYAL)
    play.reaches(Phase.CLOSED)
    line = play.lines(1)[PROGRESSIVE]
    assert (line.award, line.net) == (0, 9_900), "100 for 1, out of the tray"
    for command in (SetBonusPrize(1, "why", "Sue"), FreezeMeter("why")):
        assert play.refuses(command) == "no_such_meter"


def test_r82_a_bonus_jackpot_of_fixed_prizes_is_ended_too() -> None:
    choice = FrozenJson({**CARD_ROOM, "bonus": {"progressive": FIXED}})
    play = Play()
    play.does(OpenTable("washington", (("progressive", "HH/JP-7"),), choice))
    play.does(Sit(1, "Ann"), BuyIn(1, 100_000), OpenRound(), PlaceBets(1, stakes()))
    assert play.refuses(EndBonus("season over", "Sue")) == "round_open"
    play.does(CloseBets())
    play.reaches(Phase.CLOSED)
    assert play.refuses(EndBonus("season over", " ")) == "meter_record"
    assert play.floor.offers("T1", PROGRESSIVE)
    play.does(EndBonus("season over", "Sue"))
    assert not play.floor.offers("T1", PROGRESSIVE)
    assert play.refuses(EndBonus("again", "Sue")) == "meter_ended"
    play.does(OpenRound())
    assert play.refuses(PlaceBets(1, stakes(progressive=100))) == "meter_ended"


def test_r74_the_house_tops_up_a_meter_below_its_seed_where_it_chose_to() -> None:
    play = opened("galaxy", seats=(1,), reseed_floor=True)
    play.bets({1: stakes(progressive=100)})
    play.deals({1: ROYAL_HOLE}, **ROYAL)
    play.reaches(Phase.SETTLED)
    assert play.lines(1)[PROGRESSIVE].award == 100_002
    assert pool(play) == 10_000 * DOLLAR, "and not 9,000.23"


# Payout corrections (R95).


def test_r95_only_players_of_the_round_are_paid_a_correction() -> None:
    play = table_at(Phase.CLOSED)
    play.does(Leave(1))
    play.does(Sit(1, "Newcomer"), BuyIn(1, 1_000))
    assert play.refuses(CorrectPayout(1, 100, "why", "Dee", "Sue")) == "not_in_round"


def test_r95_an_abandoned_round_was_not_paid() -> None:
    play = opened("galaxy", seats=(1,))
    play.does(OpenRound(), Proceed(), OpenRound())
    assert play.refuses(CorrectPayout(1, 100, "why", "Dee", "Sue")) == "no_round"


def test_r95_two_people_correct_a_wrong_payout_by_a_further_entry() -> None:
    play = table_at(Phase.CLOSED)
    before, tray = play.chips(1), play.floor.ledger.balance(bank_account("T1"))
    events = play.does(CorrectPayout(1, 750, "short-paid flush", " Dee ", "Sue"))
    assert events == (PayoutCorrected(1, 750, 1, "short-paid flush", "Dee", "Sue", "P1"),)
    assert play.chips(1) == before + 750
    play.does(CorrectPayout(1, -1_000, "paid twice", "Dee", "Sue"))
    assert play.chips(1) == before - 250
    assert play.floor.ledger.balance(bank_account("T1")) == tray + 250 * MICROS_PER_CENT


REFUSED_CORRECTIONS = {
    "one person": (CorrectPayout(1, 100, "why", "Dee", "Dee"), "needs_two_people"),
    "one person, spelled twice": (CorrectPayout(1, 100, "why", "Dee", " dee"), "needs_two_people"),
    "no supervisor": (CorrectPayout(1, 100, "why", "Dee", " "), "needs_two_people"),
    "no dealer": (CorrectPayout(1, 100, "why", "", "Sue"), "needs_two_people"),
    "no reason": (CorrectPayout(1, 100, "  ", "Dee", "Sue"), "needs_reason"),
    "nothing": (CorrectPayout(1, 0, "why", "Dee", "Sue"), "bad_amount"),
    "far too much": (CorrectPayout(1, 10**12, "why", "Dee", "Sue"), "bad_amount"),
    "more than the player has": (
        CorrectPayout(1, -(10**8), "why", "Dee", "Sue"),
        "not_enough_chips",
    ),
    "nobody there": (CorrectPayout(6, 100, "why", "Dee", "Sue"), "no_such_seat"),
}


@pytest.mark.parametrize("case", REFUSED_CORRECTIONS)
def test_r95_a_correction_needs_two_people_a_reason_and_the_money(case: str) -> None:
    command, code = REFUSED_CORRECTIONS[case]
    assert table_at(Phase.CLOSED).refuses(command) == code


@pytest.mark.parametrize(
    ("amount", "words"),
    [(2**62, "is above $10,000,000"), (-(2**62), "is above $10,000,000"), (0, "below zero")],
)
def test_r95_the_refusal_of_a_bad_amount_gives_the_right_reason(amount: int, words: str) -> None:
    answer = table_at(Phase.CLOSED).ask(CorrectPayout(1, amount, "why", "Dee", "Sue"))
    assert isinstance(answer, Refusal)
    assert words in answer.message
    assert "positive" not in answer.message


def test_r95_a_correction_names_the_last_round_that_was_paid() -> None:
    command = CorrectPayout(1, 100, "why", "Dee", "Sue")
    assert opened().refuses(command) == "no_round"
    assert table_at(Phase.RIVER).refuses(command) == "no_round"
    play = table_at(Phase.SETTLED)
    assert play.does(command) == (PayoutCorrected(1, 100, 1, "why", "Dee", "Sue", "P1"),)
    play.does(Proceed(), OpenRound())
    assert play.does(command) == (PayoutCorrected(1, 100, 1, "why", "Dee", "Sue", "P1"),)


# The meter at the table.


@pytest.mark.clause("NY (k)(2) pool", "WA App. D note 6 accounted")
@pytest.mark.parametrize("book", PROGRESSIVE_BOOKS)
def test_r72_contributions_post_when_bets_close_before_the_first_card(book: str) -> None:
    play = opened(book)
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)))
    play.does(PlaceBets(2, stakes(progressive=100)), PlaceBets(3, stakes()))
    assert pool(play) == 10_000 * DOLLAR
    play.does(CloseBets())
    assert pool(play) == 10_000 * DOLLAR + DOLLAR // 2
    play.reaches(Phase.CLOSED)
    assert pool(play) == 10_000 * DOLLAR + DOLLAR // 2


@pytest.mark.parametrize("book", PROGRESSIVE_BOOKS)
def test_r70_r72_ten_percent_of_a_meter_with_the_winners_own_contribution(book: str) -> None:
    play = opened(book, seats=(1, 2))
    play.bets({1: stakes(progressive=100), 2: stakes()})
    play.deals({1: ROYAL_HOLE}, **ROYAL)
    play.does(Raise(1, 3), Raise(2, 3))
    play.reaches(Phase.SETTLED)
    line = play.lines(1)[PROGRESSIVE]
    assert (line.result, line.award) == (Result.WIN, 100_002)  # 10 % of $10,000.25, to the cent
    assert pool(play) == 10_000_250_000 - 1_000_020_000
    assert play.round.settlement is not None
    assert play.chips(1) == 100_000 + play.round.settlement.seat(1).net
    # R15: New York's stake comes back, Galaxy's and Washington's prize is "for 1".
    assert line.net == 100_002 - (0 if book == "new-york" else 100)


@pytest.mark.clause("G Progressive reset")
@pytest.mark.parametrize("book", PROGRESSIVE_BOOKS)
def test_r73_r79_the_whole_pool_and_a_reset_to_the_seed(book: str) -> None:
    play = opened(book, seats=(1,), meter_contribution="0.250005")
    play.bets({1: stakes(progressive=100)})
    play.deals({1: ROYAL_HOLE}, board="QsJsTs2c4d", dealer="9h9c")
    play.does(Raise(1, 3))
    play.reaches(Phase.SETTLEMENT_DUE)
    (event,) = play.does(Proceed())
    assert play.lines(1)[PROGRESSIVE].award == 1_000_025
    assert pool(play) == 10_000 * DOLLAR + 5, "the seed, and the fraction of a cent"
    assert isinstance(event, RoundSettled)
    assert event.settlement.meter_after == pool(play)


def test_r85_what_is_above_the_maximum_waits_in_the_reserve_and_the_record_says_so() -> None:
    play = opened("galaxy", seats=(1,), meter_max="10000.00")
    for _ in range(4):
        play.bets({1: stakes(progressive=100)})
        play.reaches(Phase.CLOSED)
    assert (pool(play), play.meter.reserve) == (10_000 * DOLLAR, DOLLAR)
    play.bets({1: stakes(progressive=100)})
    play.deals({1: ROYAL_HOLE}, **ROYAL)
    play.reaches(Phase.SETTLEMENT_DUE)
    (event,) = play.does(Proceed())
    assert pool(play) == 9_000 * DOLLAR + DOLLAR + DOLLAR // 4, "the reserve flows back"
    assert isinstance(event, RoundSettled)
    assert (event.settlement.meter_before, event.settlement.meter_after) == (
        10_000 * DOLLAR,
        pool(play),
    )


def test_a5_a_meter_is_corrected_by_two_people_between_rounds() -> None:
    play = opened("new-york")
    play.does(CorrectMeter(-1_000_001, "counted twice", ("Sue", "Tom")))
    assert pool(play) == 10_000 * DOLLAR - 1_000_001
    last = play.meter.last_adjustment
    assert last is not None
    assert (last.kind, last.reason, last.by) == (
        AdjustmentKind.CORRECTED,
        "counted twice",
        ("Sue", "Tom"),
    )
    for approvals in (("Sue", "Sue"), ("Sue", " sue"), ("", "Tom"), ("Sue", "")):
        assert play.refuses(CorrectMeter(1, "why", approvals)) == "meter_approvals"
    assert play.refuses(CorrectMeter(1, " ", ("Sue", "Tom"))) == "meter_record"
    assert play.refuses(CorrectMeter(0, "why", ("Sue", "Tom"))) == "meter_amount"
    assert play.refuses(CorrectMeter(-(10**12), "why", ("Sue", "Tom"))) == "meter_amount"


@pytest.mark.parametrize("phase", PHASES)
def test_a5_only_a_freeze_changes_the_meter_during_a_round(phase: Phase) -> None:
    play = table_at(phase, "galaxy")
    changes = (
        CorrectMeter(1, "why", ("Sue", "Tom")),
        PlanMeterClosing("2026-12-31", "A-1", "T2 meter"),
        TransferPool("T1 meter"),
    )
    if phase is not Phase.CLOSED:
        for command in changes:
            assert play.refuses(command) == "round_open"
    else:
        play.does(changes[0])
        assert play.refuses(changes[1]) == "no_such_meter"
        assert play.refuses(changes[2]) == "meter_phase"
    play.does(FreezeMeter("sensor down"))
    assert play.meter.frozen_reason == "sensor down"
    play.does(FreezeMeter(""))
    assert play.meter.frozen_reason == ""


@pytest.mark.clause("NY (k)(2) pool")
@pytest.mark.parametrize("why", ["freeze", "equipment down"])
def test_ny_k_2_r88_a_winner_is_paid_what_was_wagered_while_the_display_stood_still(
    why: str,
) -> None:
    play = opened("new-york", seats=(1, 2, 3), meter_contribution="0.50")
    play.does(FreezeMeter("dark") if why == "freeze" else ReportEquipmentDown("power"))

    def bets() -> None:
        play.bets({seat: stakes(progressive=100) for seat in (1, 2, 3)})
        if why == "equipment down":
            play.does(CountByHand({PROGRESSIVE: 3}))

    for _ in range(20):
        bets()
        play.reaches(Phase.CLOSED)
    bets()
    assert (pool(play), play.meter.displayed) == (10_031_500_000, 10_000 * DOLLAR)
    play.deals({1: ROYAL_HOLE, 3: "7s6h"}, board="QsJsTs2c4d", dealer="9h9c")
    play.reaches(Phase.CLOSED)
    assert play.lines(1)[PROGRESSIVE].award == 1_003_150
    assert (pool(play), play.meter.displayed) == (10_000 * DOLLAR, 10_000 * DOLLAR)
    play.does(FreezeMeter("") if why == "freeze" else RestoreEquipment(("Sue", "Tom")))
    assert (pool(play), play.meter.frozen_reason) == (10_000 * DOLLAR, "")


@pytest.mark.clause("NY (k)(5) plan", "NY (k)(5) transfer")
def test_ny_k_5_r84_the_pool_moves_whole_to_another_meter_with_its_approval() -> None:
    play = opened("new-york", seats=(1,), id="T1")
    play.id = "T2"
    play.does(opening("new-york", meter_seed="500.00"))
    play.id = "T1"
    play.bets({1: stakes(progressive=100)})
    play.reaches(Phase.CLOSED)
    assert play.refuses(TransferPool("T2 meter")) == "meter_phase", "no plan yet"
    for date, approval in (("", "A-1"), ("end of 2026", "A-1"), ("2026-12-31", " ")):
        assert play.refuses(PlanMeterClosing(date, approval, "T2 meter")) == "meter_record"
    assert play.refuses(PlanMeterClosing("2026-12-31", "A-1", "T9 meter")) == "no_such_meter"
    assert play.refuses(PlanMeterClosing("2026-12-31", "A-1", "T1 meter")) == "meter_target"
    play.does(PlanMeterClosing("2026-12-31", "A-1", "T2 meter"))
    assert play.meter.standing == Closing("2026-12-31", "A-1", "T2 meter")
    again = PlanMeterClosing("2027-01-31", "A-1", "T2 meter")
    assert play.refuses(again) == "meter_phase", "another date is another plan"
    play.bets({1: stakes(progressive=100)})
    play.reaches(Phase.CLOSED)
    assert play.refuses(TransferPool("T9 meter")) == "no_such_meter"
    assert play.refuses(TransferPool("T1 meter")) == "meter_target"
    play.does(TransferPool("T2 meter"))
    old = play.floor.meters["T1 meter"]
    assert old.standing == Transferred("2026-12-31", "A-1", "T2 meter")
    assert (pool(play), old.reserve) == (0, 0)
    assert play.floor.ledger.balance(old.account) == 0
    assert play.floor.meters["T2 meter"].pool == 10_500 * DOLLAR + DOLLAR // 2
    last = play.floor.meters["T2 meter"].last_adjustment
    assert last is not None
    assert last.by == ("A-1",)


def test_r84_after_the_meter_has_gone_its_wager_is_refused_and_the_game_goes_on() -> None:
    play = opened("new-york", seats=(1,))
    play.id = "T2"
    play.does(opening("new-york"))
    play.id = "T1"
    play.does(
        PlanMeterClosing("2026-12-31", "A-1", "T2 meter"), TransferPool("T2 meter"), OpenRound()
    )
    assert play.refuses(PlaceBets(1, stakes(progressive=100))) == "meter_ended"
    assert not play.floor.offers("T1", PROGRESSIVE)
    assert play.floor.offers("T2", PROGRESSIVE)
    play.does(PlaceBets(1, stakes(trips_plus=500)), CloseBets())
    play.reaches(Phase.CLOSED)
    for command, code in (
        (CorrectMeter(1, "why", ("Sue", "Tom")), "meter_ended"),
        (FreezeMeter("why"), "meter_ended"),
        (PlanMeterClosing("2027-01-31", "A-2", "T2 meter"), "meter_phase"),
        (TransferPool("T2 meter"), "meter_phase"),
    ):
        assert play.refuses(command) == code
    assert pool(play) == 0


def test_r84_r94_a_round_is_voided_after_the_meter_has_gone() -> None:
    play = opened("new-york", seats=(1,))
    play.id = "T2"
    play.does(opening("new-york"))
    play.id = "T1"
    play.does(PlanMeterClosing("2026-12-31", "A-1", "T2 meter"), TransferPool("T2 meter"))
    play.bets({1: stakes()})
    play.does(irregularity_report("foul_deck"))
    play.reaches(Phase.CLOSED)
    assert play.chips(1) == 100_000
    assert pool(play) == 0


@pytest.mark.clause("WA App. D note 6 escrow")
def test_r84_escrow_does_not_move_out_of_custody() -> None:
    play = opened("washington", seats=())
    play.id = "T2"
    play.does(opening("galaxy"))
    play.id = "T1"
    assert play.refuses(PlanMeterClosing("2026-12-31", "A-1", "T2 meter")) == "meter_target"


# The Bonus Jackpot (R82).


@pytest.mark.clause("WA App. D note 5 operator", "WA App. D note 5 property")
def test_r82_a_bonus_prize_is_posted_changed_and_ended_by_the_house() -> None:
    play = opened("washington", **BONUS_JACKPOT)
    assert pool(play) == 5_000 * DOLLAR
    assert [account for account, _ in play.floor.ledger] == sorted(
        [cage_account(), *(play.table.purse(seat) for seat in (1, 2, 3))]
    ), "a posted prize is no money"
    play.does(SetBonusPrize(7_500 * DOLLAR, "weekend", "Sue"))
    assert pool(play) == 7_500 * DOLLAR
    assert play.refuses(SetBonusPrize(-1, "weekend", "Sue")) == "meter_amount"
    assert play.refuses(SetBonusPrize(1, "", "Sue")) == "meter_record"
    assert play.refuses(SetBonusPrize(1, "weekend", " ")) == "meter_record"
    for command in (
        CorrectMeter(1, "why", ("Sue", "Tom")),
        PlanMeterClosing("2026-12-31", "A-1", "T1 meter"),
    ):
        assert play.refuses(command) == "meter_regime"
    assert play.refuses(TransferPool("T1 meter")) == "meter_phase"
    assert play.refuses(EndBonus("", "Sue")) == "meter_record"
    play.does(EndBonus("season over", "Sue"))
    assert (play.meter.standing, pool(play)) == (Discontinued(), 0)
    assert play.refuses(SetBonusPrize(1, "again", "Sue")) == "meter_ended"
    assert play.refuses(EndBonus("again", "Sue")) == "meter_ended"
    play.does(OpenRound())
    assert play.refuses(PlaceBets(1, stakes(progressive=100))) == "meter_ended"
    play.does(PlaceBets(1, stakes()), CloseBets())
    play.reaches(Phase.CLOSED)


@pytest.mark.clause("WA App. D note 5 property")
def test_r82_a_bonus_takes_no_contributions_and_pays_out_of_the_house() -> None:
    play = opened("washington", seats=(1, 2), **BONUS_JACKPOT)
    play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
    assert pool(play) == 5_000 * DOLLAR
    play.deals({1: ROYAL_HOLE}, **ROYAL)
    play.reaches(Phase.CLOSED)
    assert play.lines(1)[PROGRESSIVE].award == 50_000
    assert pool(play) == 5_000 * DOLLAR, "the figure stays posted"
    house = Account(AccountKind.BONUS, "T1 meter")
    assert play.floor.ledger.balance(house) == -500 * DOLLAR
    assert play.floor.ledger.total() == 0


def test_r82_the_prize_of_a_progressive_cannot_be_set() -> None:
    play = opened("washington")
    assert play.refuses(SetBonusPrize(1, "why", "Sue")) == "meter_regime"
    assert play.refuses(EndBonus("why", "Sue")) == "meter_regime"


def test_void_bonus_wagers_do_not_change_the_posted_prize() -> None:
    play = opened("washington", seats=(1,), **BONUS_JACKPOT)
    play.bets({1: stakes(progressive=100)})
    play.does(irregularity_report("foul_deck"))
    play.settles()
    assert play.chips(1) == 100_000
    assert pool(play) == 5_000 * DOLLAR


def test_staff_may_seat_players_and_handle_their_chips() -> None:
    play = opened(seats=())
    for command in (Sit(2, "Ann"), BuyIn(2, 500), CashOut(2, 200), Leave(2)):
        play.does(command, by=Staff("Cage"))
    assert play.table.players == {}
