"""What each viewer is told about an event."""

from typing import Any

import pytest
from rich.console import Console

from headsup.cli.screens import felt
from headsup.cli.screens.replay import draw_tablevision, step_sentence
from headsup.game.record.message_codec import write_event
from headsup.game.record.replay import AppliedEvent, replay_steps
from headsup.game.round.commands import Check, CloseBets, Fold, PlaceBets, Proceed, Raise
from headsup.game.round.state import Phase
from headsup.game.rulebook.loader import load_book
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.meter_control import CorrectMeter, EndBonus, FreezeMeter, SetBonusPrize
from headsup.game.table.payout_corrections import CorrectPayout
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.state import Floor
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.views import builder
from headsup.game.views.announcements import (
    announced_event_name,
    announcement_for,
    linked_meter_announcement,
)
from headsup.game.views.model import Prize
from headsup.game.views.viewers import parse_viewer
from headsup.game.words.english import ENGLISH
from tests.support.tables import (
    BOOKS,
    PROGRESSIVE,
    Play,
    irregularity_report,
    opened,
    opening,
    stakes,
    table_at,
)
from tests.support.wire import announcement_json

VIEWERS = ("seat 1", "seat 2", "dealer", "rail", "tablevision")
NOTICE = "Bonus Jackpot prizes are paid by the casino"


def announced_to(play: Play, viewer: str, event: Event) -> dict[str, Any] | None:
    news = announcement_for(parse_viewer(viewer), play.floor, "T1", event)
    return None if news is None else announcement_json(news)


def announced_to_all(play: Play, event: Event) -> dict[str, dict[str, Any] | None]:
    return {viewer: announced_to(play, viewer, event) for viewer in VIEWERS}


def test_a_correction_is_announced_to_its_player_and_not_to_the_seats_new_player() -> None:
    play = table_at(Phase.CLOSED, seats=(1,))
    play.does(Leave(1), Sit(1, "Zoe"), Sit(2, "P1"))
    (event,) = play.does(CorrectPayout(1, 100, "short-paid", "Dee", "Sue", player="P1"))
    announcements = announced_to_all(play, event)
    assert announcements["seat 1"] is None
    assert announcements["seat 2"] == announcements["dealer"] == write_event(event)


def test_a_supervisors_names_and_notes_stay_with_the_staff() -> None:
    play = table_at(Phase.POCKET)
    (report, *_) = play.does(irregularity_report("player_card_exposed", 1, "play_on"))
    public = {
        "event": "IrregularityReported",
        "cause": "player_card_exposed",
        "seat": 1,
        "resolution": "play_on",
    }
    announcements = announced_to_all(play, report)
    assert announcements.pop("dealer") == {
        **public,
        "dealer": "Dee",
        "supervisor": "Sue",
        "note": "",
    }
    assert announcements == {
        "seat 1": public,
        "seat 2": public,
        "rail": public,
        "tablevision": None,
    }


def test_r34_hidden_decisions_are_announced_with_the_cards_after_their_street() -> None:
    play = table_at(Phase.POCKET, "galaxy", seats=(1, 2, 3), clockwise=False)
    first = play.does(Raise(1, 3)) + play.does(Check(2))
    for event, own in zip(first, ("seat 1", "seat 2"), strict=True):
        announcements = announced_to_all(play, event)
        assert announcements.pop(own) == write_event(event)
        assert set(announcements.values()) == {None}, "nobody else is told yet"
    (last,) = play.does(Check(3))
    assert set(announced_to_all(play, last).values()) == {None}, (
        "not even the decision that closes the street"
    )
    (flop,) = play.does(Proceed())
    chosen = {"1": "raise 3 pocket", "2": "check", "3": "check"}
    announcements = announced_to_all(play, flop)
    assert announcements.pop("tablevision") is None
    for announcement in announcements.values():
        assert announcement == {**write_event(flop), "chosen": chosen}
    play.does(Check(3), Raise(2, 2))
    (river,) = play.does(Proceed())
    announcement = announced_to(play, "rail", river)
    assert announcement is not None
    assert announcement["chosen"] == {"2": "raise 2 flop", "3": "check"}
    play.does(Fold(3))
    (reveal,) = play.does(Proceed())
    announcement = announced_to(play, "rail", reveal)
    assert announcement is not None
    assert announcement["chosen"] == {"3": "fold"}


@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize("viewer", ["rail", "dealer", "seat 4"])
def test_r34_every_decision_of_others_is_announced_once(viewer: str, clockwise: bool) -> None:
    play = table_at(Phase.POCKET, "galaxy", seats=(1, 2, 3), clockwise=clockwise)
    steps = (Raise(1, 3), Check(2), Check(3), Proceed(), Check(2), Check(3), Proceed())
    decided_seats: list[str] = []
    for step in (*steps, Raise(2, 1), Fold(3), Proceed()):
        for event in play.does(step):
            news = announced_to(play, viewer, event) or {"event": ""}
            is_decision = news["event"] in ("Raised", "Checked", "Folded")
            decided_seats += [str(news["seat"])] if is_decision else news.get("chosen", {})
    assert sorted(decided_seats) == ["1", "2", "2", "2", "3", "3", "3"]


def test_r34_hidden_decisions_are_announced_after_a_void_hand_closes_the_street() -> None:
    play = table_at(Phase.POCKET, "galaxy", seats=(1, 2))
    (checked,) = play.does(Check(1))
    assert announced_to(play, "rail", checked) is None
    play.does(irregularity_report("player_card_count", 2))
    (flop,) = play.does(Proceed())
    announcement = announced_to(play, "rail", flop)
    assert announcement is not None
    assert announcement["chosen"] == {"1": "check"}


def test_r34_where_players_act_in_turn_nothing_is_hidden() -> None:
    play = table_at(Phase.POCKET, "galaxy", seats=(1, 2), clockwise=True)
    (raised,) = play.does(Raise(1, 3))
    assert announced_to(play, "seat 2", raised) == write_event(raised)
    play.does(Check(2))
    (flop,) = play.does(Proceed())
    assert announced_to(play, "rail", flop) == write_event(flop)


def test_only_the_player_and_the_dealer_see_the_amount_of_a_buy_in() -> None:
    play = opened()
    event = next(event for _, event in play.log if type(event).__name__ == "BoughtIn")
    announcements = announced_to_all(play, event)
    assert (
        announcements["seat 1"]
        == announcements["dealer"]
        == {"event": "BoughtIn", "seat": 1, "amount": 100_000}
    )
    assert announcements["seat 2"] == announcements["rail"] == {"event": "BoughtIn", "seat": 1}
    assert announcements["tablevision"] is None


def test_only_the_player_and_the_dealer_see_a_corrected_payout() -> None:
    play = table_at(Phase.CLOSED)
    (event,) = play.does(CorrectPayout(1, 500, "miscounted", "Dee", "Sue"))
    viewers = {viewer for viewer, news in announced_to_all(play, event).items() if news}
    assert viewers == {"seat 1", "dealer"}


def test_only_staff_see_why_a_meter_was_corrected() -> None:
    play = opened()
    (event,) = play.does(CorrectMeter(MICROS_PER_CENT, "counted by hand", ("Dee", "Sue")))
    announcements = announced_to_all(play, event)
    assert announcements.pop("dealer") == {
        "event": "MeterCorrected",
        "amount": MICROS_PER_CENT,
        "reason": "counted by hand",
        "approvals": ["Dee", "Sue"],
    }
    assert all(news == {"event": "MeterCorrected"} for news in announcements.values())


def test_a_deal_is_announced_by_its_places() -> None:
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.deals()
    _, event = play.log[-1]
    for viewer, holes in (("seat 1", {"1": "AsTh"}), ("dealer", None), ("rail", None)):
        announcement = announced_to(play, viewer, event)
        assert announcement is not None
        assert announcement.get("holes") == holes
        assert announcement.keys() <= {"event", "places", "holes"}
    assert announced_to(play, "tablevision", event) is None


# TableVision.


def table_with_meter(floor: Floor) -> Any:
    view = builder.tablevision_view(floor, "T1")
    return view.meter, view.prize, view.paytable, view.offered, view.notices


METERED = tuple(book for book in BOOKS if PROGRESSIVE in load_book(book).offers)


@pytest.mark.clause("NY (k)(2) display", "WA App. E TableVision")
@pytest.mark.clause("NY (k)(2) display")
@pytest.mark.parametrize("book", METERED)
def test_r89_the_display_gets_every_event_that_changes_it(book: str) -> None:
    """NY (k)(2): the meter is accurate at all times, not only between rounds."""
    play = opened(book, seats=(1, 2))
    play.does(FreezeMeter("sensor down"), FreezeMeter(""))
    play.does(CorrectMeter(7 * MICROS_PER_CENT, "counted by hand", ("Dee", "Sue")))
    play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
    play.deals({1: "AsKs", 2: "8c4c"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(irregularity_report("player_card_count", 2), Raise(1, 3))
    play.reaches(Phase.CLOSED)
    floor, changes = Floor(), []
    for table, event in play.log:
        after = evolve(floor, table, event)
        if "T1" in floor.tables and table_with_meter(floor) != table_with_meter(after):
            assert announcement_for(parse_viewer("tablevision"), after, table, event), event
            changes.append(type(event).__name__)
        floor = after
    assert changes == [
        *("MeterFrozen", "MeterUnfrozen", "MeterCorrected"),
        *("WagersRegistered", "HandVoided", "RoundSettled"),
    ]


@pytest.mark.clause("NY (k)(2) display")
def test_r78_a_linked_display_is_updated_when_another_table_changes_the_meter() -> None:
    play = opened("galaxy", seats=(1,))
    play.id = "T2"
    play.does(opening("galaxy", meter="T1 meter"), Sit(1, "Q1"), BuyIn(1, 100_000))
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)))
    before = play.floor
    play.does(CloseBets())
    news = linked_meter_announcement(before, play.floor, "T1")
    assert news is not None
    assert announcement_json(news)["meter"]["shows"] == "10000.25"
    assert linked_meter_announcement(play.floor, play.floor, "T1") is None


def test_a_replay_of_one_table_follows_its_linked_meter() -> None:
    play = opened("galaxy", seats=(1,))
    play.id = "T2"
    play.does(opening("galaxy", meter="T1 meter"), Sit(1, "Q1"), BuyIn(1, 100_000))
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)), CloseBets())
    floor, happened = Floor(), []
    for table, event in play.log:
        floor = evolve(floor, table, event)
        happened.append(AppliedEvent(table, event, floor))
    shown = list(replay_steps(iter(happened), parse_viewer("tablevision"), table="T1"))
    assert [announced_event_name(item.announcement) for item in shown] == [
        "TableOpened",
        "MeterMoved",
    ]
    last = shown[-1].view.meter
    assert last is not None
    assert last.shows == 10_000_250_000


# Washington App. D note 5.


def bonus() -> Play:
    return opened("washington", seats=(1, 2), jackpot_regime="bonus", meter_contribution="0")


@pytest.mark.clause("WA App. D note 5 language")
def test_wa_app_d_note_5_the_notice_stands_with_the_figure_in_every_view() -> None:
    play = bonus()
    for viewer in VIEWERS:
        meter = builder.view_for(parse_viewer(viewer), play.floor, "T1").meter
        assert meter is not None
        assert meter.prize is Prize.BONUS_JACKPOT
        assert [notice[:43] for notice in meter.notices] == [NOTICE]
    progressive = builder.rail_view(opened("washington").floor, "T1").meter
    assert progressive is not None
    assert progressive.notices == ()


@pytest.mark.clause("WA App. D note 5 language")
def test_wa_app_d_note_5_the_notice_goes_with_every_announcement_of_a_figure() -> None:
    play = bonus()
    (event,) = play.does(SetBonusPrize(5_000_000_000, "weekend", "Sue"))
    for viewer, announcement in announced_to_all(play, event).items():
        assert announcement is not None
        assert [notice[:43] for notice in announcement["notices"]] == [NOTICE]
        assert ("prize" in announcement) == (viewer == "dealer")


@pytest.mark.clause("WA App. D note 5 language")
def test_wa_app_d_note_5_the_notice_stands_where_a_replay_prints_the_figure() -> None:
    play = bonus()
    (event,) = play.does(SetBonusPrize(5_000_000_000, "weekend", "Sue"))
    applied = AppliedEvent("T1", event, play.floor)
    (step,) = replay_steps(iter([applied]), parse_viewer("dealer"))
    sentence = step_sentence(step, ENGLISH).plain
    assert "$5,000.00" in sentence
    assert NOTICE in sentence
    screen = Console(width=80)
    for whole in (True, False):
        with screen.capture() as capture:
            screen.print(draw_tablevision(builder.tablevision_view(play.floor, "T1"), whole))
        assert "$5,000.00" in capture.get()
        assert NOTICE in capture.get()


@pytest.mark.clause("WA App. D note 5 language")
def test_wa_app_d_note_5_the_notice_stands_under_the_figure_in_a_game() -> None:
    play = bonus()
    view = builder.player_view(play.floor, "T1", 1)
    assert "$10,000.00" in felt.title(view, play.table.rules.book)[0].plain
    words = " ".join(line.plain.strip() for line in felt.bonus_notice_lines(view))
    assert words.startswith(NOTICE)
    assert words.endswith("without prior notice.")
    assert all(len(line.plain) <= felt.WIDTH for line in felt.bonus_notice_lines(view))
    other = builder.player_view(opened("washington").floor, "T1", 1)
    assert felt.bonus_notice_lines(other) == []


# A jackpot that has ended.


@pytest.mark.clause("WA App. D note 5 operator")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_r84_a_jackpot_that_has_ended_is_no_longer_offered(viewer: str) -> None:
    play = bonus()
    before = builder.view_for(parse_viewer(viewer), play.floor, "T1")
    assert PROGRESSIVE in before.offered
    play.does(EndBonus("slow season", "Sue"))
    view = builder.view_for(parse_viewer(viewer), play.floor, "T1")
    assert PROGRESSIVE not in view.offered
    assert view.meter is None
    assert "progressive" not in {table.key for table in view.posted.paytables}
    assert PROGRESSIVE not in view.posted.labels
    assert not any(notice.text.startswith("Bonus Jackpot") for notice in view.posted.notices)
    play.does(OpenRound())
    assert play.refuses(PlaceBets(1, stakes(progressive=100))) == "meter_ended"
    play.does(PlaceBets(1, stakes()), CloseBets())


def test_the_display_of_an_ended_jackpot_shows_no_prize() -> None:
    play = bonus()
    play.does(EndBonus("slow season", "Sue"))
    view = builder.tablevision_view(play.floor, "T1")
    assert (view.meter, view.prize, view.paytable) == (None, None, None)


# What is posted.


@pytest.mark.parametrize("book", BOOKS)
def test_all_views_share_one_posted_object(book: str) -> None:
    play = table_at(Phase.RIVER, book)
    posted = builder.rail_view(opened(book).floor, "T1").posted
    for viewer in VIEWERS:
        assert builder.view_for(parse_viewer(viewer), play.floor, "T1").posted is posted
    rules = play.table.rules
    assert {table.key for table in posted.paytables} == set(rules.paytables)
    assert [item.text for item in posted.layout] == [item.text for item in rules.book.layout]
    assert {item.street: item.multiples for item in posted.raises} == dict(rules.raises)


@pytest.mark.clause("SH Raise cap")
def test_limits_and_caps_are_posted() -> None:
    limits = {"ante": {"min": "10.00", "max": "100.00"}, "trips_plus": {"max": "25.00"}}
    posted = builder.rail_view(opened("sugarhouse", limits=limits).floor, "T1").posted
    assert [(limit.wager.value, limit.min, limit.max) for limit in posted.limits] == [
        ("ante", 1_000, 10_000),
        ("trips_plus", None, 2_500),
    ]
    assert posted.cap is not None
    assert posted.cap.amount == 5_000_000


def test_r39_a_row_that_can_never_be_paid_is_not_posted() -> None:
    posted = builder.rail_view(opened("washington").floor, "T1").posted
    (bad_beat,) = (table for table in posted.paytables if table.key == "bad_beat")
    assert "royal_flush" not in {row.outcome for row in bad_beat.rows}


@pytest.mark.clause("NY (a)(2)(vii)")
def test_permitted_raises_are_shown_with_their_value_for_each_ante() -> None:
    play = opened("new-york", seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes(1_000)), PlaceBets(2, stakes(2_500)))
    round = builder.rail_view(play.floor, "T1").round
    assert round is not None
    amounts = {
        seat: [(item.street.value, item.multiple, item.amount) for item in held.raises]
        for seat, held in round.seats.items()
    }
    assert amounts[1][:3] == [("pocket", 1, 1_000), ("pocket", 2, 2_000), ("pocket", 3, 3_000)]
    assert amounts[2][3:] == [("flop", 1, 2_500), ("flop", 2, 5_000), ("river", 1, 2_500)]


# Results.


@pytest.mark.clause("G 11(a) shown")
def test_r50_a_push_is_shown_by_a_gesture() -> None:
    """If the dealer does not qualify, the Ante is pushed back; for a tie the felt is tapped."""
    play = table_at(Phase.SETTLED, seats=(1,))
    round = builder.rail_view(play.floor, "T1").round
    assert round is not None
    assert round.results is not None
    lines = round.results[1].wagers
    gestures = {wager.value: line.gesture for wager, line in lines.items() if line.gesture}
    assert gestures == {"ante": "pushed back", "odds": "tapped"}


@pytest.mark.clause("NY (e)(10) announced")
def test_ny_e_10_the_hand_is_announced_by_name_with_its_best_five() -> None:
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.deals({1: "8h7d", 2: "AcJc"}, board="8c7s5h5sJd", dealer="KhQc")
    play.does(Raise(1, 1))
    play.reaches(Phase.RIVER)
    play.does(Fold(2), Proceed())
    before = builder.rail_view(play.floor, "T1").round
    assert before is not None
    assert [seat.hand for seat in before.seats.values()] == [None, None]
    assert before.dealer_hand is None
    play.settles()
    round = builder.rail_view(play.floor, "T1").round
    assert round is not None
    hand = round.seats[1].hand
    assert hand is not None
    assert hand.name == "two pair, eights and sevens, jack kicker"
    assert round.seats[2].hand is None, "a folded hand without a side wager is not turned up"
    assert round.dealer_hand is not None
    assert round.dealer_hand.name == "pair of fives, king kicker"


def test_hands_that_differ_in_a_lower_kicker_are_named_apart() -> None:
    """Otherwise "pair of fives, ace kicker" would lose against "pair of fives, ace kicker"."""
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.deals({1: "QhTd", 2: "AcJc"}, board="Ah9c5h5s2d", dealer="QdJs")
    play.does(Raise(1, 1))
    play.reaches(Phase.RIVER)
    play.does(Fold(2), Proceed())
    play.settles()
    round = builder.rail_view(play.floor, "T1").round
    assert round is not None
    hand = round.seats[1].hand
    assert hand is not None
    assert round.dealer_hand is not None
    names = (hand.name, round.dealer_hand.name)
    assert names == (
        "pair of fives, ace, queen and ten kickers",
        "pair of fives, ace, queen and jack kickers",
    )
