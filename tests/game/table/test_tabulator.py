"""A34, R14, R86–R88 and Washington App. E: the wager tabulator, alone and at its table."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.bank.ledger import bank_account, wager_account
from headsup.game.refusal import Refusal
from headsup.game.round.commands import CloseBets, DealCards, PlaceBets, WithdrawBets
from headsup.game.round.events import BetsClosed
from headsup.game.round.state import Phase
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.table.commands import Command, PlayerAt
from headsup.game.table.equipment import (
    CorrectFlag,
    CountByHand,
    EquipmentRestored,
    EquipmentWentDown,
    FlagCorrected,
    ReadSensor,
    ReportEquipmentDown,
    RestoreEquipment,
    SensorRead,
    WagersCountedByHand,
    WagersRegistered,
    evolve_equipment,
)
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import BrokenRecord
from headsup.game.table.tabulator import (
    MAX_POSITIONS,
    MAX_SENSORS,
    Reading,
    Sensor,
    Tabulator,
    classify_reading,
    end_round,
    press_button,
    record_reading,
    refuse_sensor_layout,
    resume_counting,
    stop_counting,
    tabulator_for,
)
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.views.builder import dealer_view, player_view, rail_view
from headsup.game.views.model import TabulatorView
from headsup.game.views.wire import write_view
from tests.support.tables import (
    ALL_6,
    ANTE,
    ODDS,
    POCKET,
    PROGRESSIVE,
    TRIPS,
    TRIPS_6,
    Play,
    irregularity_report,
    on_felt,
    opened,
    opening,
    replay_events,
    stakes,
    table_at,
)

DOLLAR = 100 * MICROS_PER_CENT
SEED = 10_000 * DOLLAR
QUARTER = DOLLAR // 4
ALL_SENSORS = (
    Sensor(ANTE, removed=False),
    Sensor(ODDS, removed=False),
    Sensor(TRIPS, removed=False),
    Sensor(POCKET, removed=False),
    Sensor(ALL_6, removed=False),
    Sensor(PROGRESSIVE, removed=True),
)
IDLE = Tabulator(ALL_SENSORS, MAX_POSITIONS)
TWO = ("Sue", "Tom")


def with_chips(**seats: tuple[int, ...]) -> Tabulator:
    tabulator = IDLE
    for name, numbers in seats.items():
        for seat in numbers:
            tabulator = record_reading(tabulator, seat, Wager(name), chip=True)
    return tabulator


# The tabulator by itself.


@pytest.mark.clause("WA App. E counted", "WA App. E no dollars", "WA App. E button")
def test_the_button_registers_each_wager_and_counts_no_dollars() -> None:
    tabulator = press_button(with_chips(ante=(2, 1), progressive=(1,)), 1)
    assert tabulator.flags == {ANTE: (1, 2), PROGRESSIVE: (1,)}
    assert {wager: n for wager, n in tabulator.counts.items() if n} == {ANTE: 2, PROGRESSIVE: 1}
    assert not any("cents" in name or "stake" in name for name in Tabulator._fields)


def test_chips_before_the_button_are_only_chips() -> None:
    tabulator = with_chips(ante=(1,))
    assert (tabulator.chips, tabulator.flags) == ({ANTE: (1,)}, {})
    assert record_reading(tabulator, 1, ANTE, chip=False).chips == {}


def test_a_bouncing_sensor_reports_one_chip() -> None:
    tabulator = with_chips(ante=(1, 1, 1))
    assert tabulator.chips == {ANTE: (1,)}
    bounce = classify_reading(tabulator, 1, ANTE, chip=True)
    assert isinstance(bounce, Refusal)
    assert bounce.code == "same_reading"


@pytest.mark.clause("WA App. E footnote 4", "WA App. E light", "WA App. E Andromeda-3 lights")
def test_note_4_only_wagers_that_are_removed_are_lit() -> None:
    assert press_button(with_chips(ante=(1,), progressive=(1,)), 1).lights == {PROGRESSIVE: (1,)}


@pytest.mark.clause("WA App. E until the next round", "WA App. E footnote 3")
def test_note_3_the_light_stands_for_the_chip_until_the_button_for_the_next_round() -> None:
    tabulator = press_button(with_chips(progressive=(1,)), 1)
    assert classify_reading(tabulator, 1, PROGRESSIVE, chip=False) is Reading.COLLECTED
    tabulator = record_reading(tabulator, 1, PROGRESSIVE, chip=False)
    assert tabulator.lights == {PROGRESSIVE: (1,)}
    tabulator = end_round(tabulator)
    assert classify_reading(tabulator, 2, PROGRESSIVE, chip=True) is Reading.BET
    tabulator = record_reading(tabulator, 2, PROGRESSIVE, chip=True)
    assert tabulator.lights == {PROGRESSIVE: (1,)}
    tabulator = press_button(tabulator, 2)
    assert tabulator.lights == {PROGRESSIVE: (2,)}
    assert tabulator.totals[PROGRESSIVE] == 2


def test_r87_a_chip_added_or_taken_after_the_button_is_only_logged() -> None:
    tabulator = press_button(with_chips(ante=(1,)), 1)
    assert classify_reading(tabulator, 1, TRIPS, chip=True) is Reading.PLACED_LATE
    assert classify_reading(tabulator, 1, ANTE, chip=False) is Reading.TAKEN_LATE
    changed = record_reading(record_reading(tabulator, 1, TRIPS, chip=True), 1, ANTE, chip=False)
    assert (changed.flags, changed.totals) == (tabulator.flags, tabulator.totals)


@pytest.mark.clause("WA App. E malfunction")
def test_r88_while_it_is_down_no_light_is_lit_and_sensors_are_ignored() -> None:
    tabulator = stop_counting(press_button(with_chips(progressive=(1,)), 1), "power")
    assert tabulator.lights == {}
    assert tabulator.flags == {PROGRESSIVE: (1,)}, "what was registered stays registered"
    assert classify_reading(tabulator, 2, PROGRESSIVE, chip=True) is Reading.UNSEEN
    assert record_reading(tabulator, 2, PROGRESSIVE, chip=True) == tabulator
    assert resume_counting(tabulator).down == ""


@pytest.mark.clause("WA App. E one sensor", "WA App. E Andromeda-3 sensors")
@pytest.mark.parametrize(
    "wrong",
    [
        Tabulator((), MAX_POSITIONS),
        Tabulator(ALL_SENSORS, MAX_POSITIONS + 1),
        Tabulator(ALL_SENSORS, 0),
        Tabulator((*ALL_SENSORS, Sensor(Wager.RAISE, removed=False)), 6),
        Tabulator((Sensor(ANTE, removed=False), Sensor(ANTE, removed=True)), 6),
    ],
)
def test_r14_sixteen_positions_of_six_sensors_one_for_each_wager(wrong: Tabulator) -> None:
    assert refuse_sensor_layout(IDLE) is None
    assert len(IDLE.sensors) == MAX_SENSORS
    refused = refuse_sensor_layout(wrong)
    assert refused is not None
    assert refused.code == "sensor_layout"


@pytest.mark.parametrize(("seat", "wager"), [(0, ANTE), (17, ANTE), (-1, ANTE), (1, Wager.RAISE)])
def test_positions_without_a_sensor_cannot_report(seat: int, wager: Wager) -> None:
    refused = classify_reading(IDLE, seat, wager, chip=True)
    assert isinstance(refused, Refusal)
    assert refused.code == "no_such_sensor"


reports = st.lists(
    st.tuples(
        st.integers(1, MAX_POSITIONS),
        st.sampled_from([sensor.wager for sensor in ALL_SENSORS]),
        st.booleans(),
    ),
    max_size=40,
)


@pytest.mark.clause("WA App. E counted", "WA App. E Andromeda-3 sensors")
@given(st.lists(reports, max_size=8))
def test_a34_the_count_of_every_round_is_the_chips_at_its_button(
    rounds: list[list[tuple[int, Wager, bool]]],
) -> None:
    """Compares with a plain count of the chips on the sensors when the button was pressed."""
    tabulator, totals = IDLE, Counter[Wager]()
    for number, moves in enumerate(rounds, 1):
        there: set[tuple[int, Wager]] = set()
        for seat, wager, chip in moves:
            tabulator = record_reading(tabulator, seat, wager, chip)
            (there.add if chip else there.discard)((seat, wager))
        tabulator = press_button(tabulator, number)
        totals.update(wager for _, wager in there)
        flags = {(seat, wager) for wager, seats in tabulator.flags.items() for seat in seats}
        assert flags == there
        assert tabulator.lights.get(PROGRESSIVE, ()) == tuple(
            sorted(seat for seat, wager in there if wager is PROGRESSIVE)
        )
        tabulator = end_round(tabulator)
    assert Counter(tabulator.totals) == totals


# At a table.


@pytest.mark.parametrize(
    ("book", "paytables", "sensors"),
    [
        ("galaxy", {}, (Sensor(PROGRESSIVE, removed=True),)),
        ("new-york", {}, (Sensor(PROGRESSIVE, removed=False),)),
        ("washington", {}, (Sensor(PROGRESSIVE, removed=True),)),
        ("sugarhouse", {}, None),
        ("galaxy", {"progressive": "none"}, None),
    ],
)
@pytest.mark.clause("NY (k)(2) sensor", "WA App. E one sensor", "WA App. E footnote 4")
def test_r86_a_table_watches_the_wager_that_is_counted(
    book: str, paytables: dict[str, str], sensors: tuple[Sensor, ...] | None
) -> None:
    tabulator = tabulator_for(table_rules(book, paytables))
    assert (tabulator and tabulator.sensors) == sensors
    play = opened(book, seats=(1,), paytables=paytables)
    assert play.table.tabulator == tabulator
    if sensors is None:
        for command in EQUIPMENT:
            assert play.refuses(command) == "no_such_sensor"


EQUIPMENT: tuple[Command, ...] = (
    ReadSensor(1, PROGRESSIVE, True),
    CorrectFlag(1, PROGRESSIVE, True, "why", "Dee", "Sue"),
    ReportEquipmentDown("power"),
    CountByHand({PROGRESSIVE: 1}),
    RestoreEquipment(TWO),
)


def tabulator(play: Play) -> Tabulator:
    assert play.table.tabulator is not None
    return play.table.tabulator


@pytest.mark.clause("WA App. E button", "WA App. E counted", "NY (k)(2) sensor", "NY (k)(2) pool")
@pytest.mark.parametrize("book", ["galaxy", "new-york", "washington"])
def test_r86_the_button_at_the_close_of_bets_counts_flags_onto_the_meter(book: str) -> None:
    play = opened(book)
    play.does(OpenRound(), *(PlaceBets(seat, stakes(progressive=100)) for seat in (3, 1, 2)))
    play.does(WithdrawBets(2), PlaceBets(2, stakes()))
    assert play.meter.pool == SEED
    assert play.does(CloseBets()) == (BetsClosed(), WagersRegistered({PROGRESSIVE: (1, 3)}))
    assert tabulator(play).counts == {PROGRESSIVE: 2}
    assert play.meter.pool == SEED + 2 * QUARTER


@pytest.mark.clause("WA App. E light", "WA App. E until the next round")
def test_r86_the_lights_of_a_table_stay_lit_until_the_next_rounds_button() -> None:
    play = opened("washington")
    play.bets({1: stakes(progressive=100), 2: stakes()})
    assert tabulator(play).lights == {PROGRESSIVE: (1,)}
    play.reaches(Phase.CLOSED)
    play.does(OpenRound(), PlaceBets(2, stakes(progressive=100)))
    assert tabulator(play).lights == {PROGRESSIVE: (1,)}
    play.does(CloseBets())
    assert tabulator(play).lights == {PROGRESSIVE: (2,)}
    assert tabulator(play).totals == {PROGRESSIVE: 2}


@pytest.mark.clause("WA App. E light", "WA App. E footnote 3")
def test_r86_every_view_at_the_table_shows_lights_and_counts() -> None:
    play = opened("washington")
    play.bets({1: stakes(progressive=100), 2: stakes(), 3: stakes(progressive=100)})
    for view in (rail_view(play.floor, "T1"), dealer_view(play.floor, "T1")):
        assert view.tabulator == TabulatorView({PROGRESSIVE: (1, 3)}, {PROGRESSIVE: 2}, "")
    written = write_view(player_view(play.floor, "T1", 2))["tabulator"]
    assert written == {"lights": {"progressive": [1, 3]}, "counts": {"progressive": 2}, "down": ""}
    play.does(ReportEquipmentDown("power"))
    view = rail_view(play.floor, "T1")
    assert view.tabulator == TabulatorView({}, {PROGRESSIVE: 2}, "power")
    assert view.meter is not None
    assert view.meter.frozen == "power"
    assert rail_view(opened("sugarhouse").floor, "T1").tabulator is None


def stake_on_felt(play: Play, seat: int = 1) -> int:
    return play.floor.ledger.balance(wager_account("T1", seat, PROGRESSIVE))


@pytest.mark.clause("WA App. E footnote 3", "WA App. E footnote 4", "WA App. E Andromeda-3 lights")
@pytest.mark.parametrize("book", ["galaxy", "washington"])
def test_note_3_a_for_1_stake_is_taken_up_before_play(book: str) -> None:
    play = opened(book, seats=(1,))
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)))
    assert (stake_on_felt(play), play.floor.ledger.balance(bank_account("T1"))) == (DOLLAR, 0)
    play.does(CloseBets())
    assert (stake_on_felt(play), play.floor.ledger.balance(bank_account("T1"))) == (0, DOLLAR)
    play.deals({1: "KsKh"}, board="KdKc7h5s2d", dealer="AcQd")
    play.reaches(Phase.SETTLED)
    line = play.lines(1)[PROGRESSIVE]
    assert (line.result, line.net) == (Result.WIN, 4_900), "50 for 1"
    assert play.chips(1) == 100_000 + sum(line.net for line in play.lines(1).values())
    assert on_felt(play.floor) == 0


@pytest.mark.clause("WA App. E footnote 4")
def test_note_4_a_to_1_stake_stays_on_the_layout() -> None:
    play = table_at(Phase.RIVER, "new-york", seats=(1,))
    assert PROGRESSIVE in play.round.seats[1].stakes
    assert stake_on_felt(play) == DOLLAR


def test_r94_a_stake_that_was_taken_up_comes_back_out_of_the_tray_when_the_round_is_void() -> None:
    play = opened("washington", seats=(1,))
    play.bets({1: stakes(progressive=100)})
    play.does(irregularity_report("foul_deck"))
    assert play.meter.pool == SEED, "and its contribution is reversed"
    play.reaches(Phase.CLOSED)
    assert play.chips(1) == 100_000
    assert play.floor.ledger.balance(bank_account("T1")) == 0


def test_r87_late_chips_are_ignored_and_logged() -> None:
    play = opened("washington", seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)), PlaceBets(2, stakes()))
    play.does(CloseBets())
    (late,) = play.does(ReadSensor(2, PROGRESSIVE, chip=True))
    assert late == SensorRead(2, PROGRESSIVE, True, Reading.PLACED_LATE)
    (taken,) = play.does(ReadSensor(1, PROGRESSIVE, chip=False))
    assert taken == SensorRead(1, PROGRESSIVE, False, Reading.COLLECTED)
    assert tabulator(play).counts == {PROGRESSIVE: 1}
    assert play.meter.pool == SEED + QUARTER
    assert play.refuses(ReadSensor(1, PROGRESSIVE, chip=False)) == "same_reading"
    assert play.refuses(ReadSensor(1, ANTE, chip=True)) == "no_such_sensor"
    assert play.refuses(ReadSensor(7, PROGRESSIVE, chip=True)) == "no_such_sensor"


def table_with_mismatch() -> Play:
    """Before the button, seat 1's chip slips off its sensor and one lies on seat 2's by mistake."""
    play = opened("washington", seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)), PlaceBets(2, stakes()))
    play.does(ReadSensor(1, PROGRESSIVE, chip=False), ReadSensor(2, PROGRESSIVE, chip=True))
    play.does(CloseBets())
    assert play.meter.pool == SEED + QUARTER, "one flag, though at the wrong seat"
    return play


def test_r87_a_mismatch_is_settled_by_a_supervisor_before_the_cards() -> None:
    play = table_with_mismatch()
    deal = DealCards(play.deck())
    assert play.refuses(deal) == "flag_mismatch"
    (event,) = play.does(CorrectFlag(1, PROGRESSIVE, True, "chip rolled off", " Dee ", "Sue"))
    assert event == FlagCorrected(1, PROGRESSIVE, True, "chip rolled off", "Dee", "Sue")
    assert play.meter.pool == SEED + 2 * QUARTER
    assert play.refuses(deal) == "flag_mismatch"
    play.does(CorrectFlag(2, PROGRESSIVE, False, "no wager", "Dee", "Sue"))
    assert play.meter.pool == SEED + QUARTER
    assert tabulator(play).lights == {PROGRESSIVE: (1,)}
    assert tabulator(play).totals == {PROGRESSIVE: 1}
    play.does(deal)
    play.reaches(Phase.CLOSED)
    assert replay_events(play.log) == play.floor


def test_r87_r94_a_round_void_with_a_mismatch_leaves_nothing_on_the_meter() -> None:
    play = table_with_mismatch()
    play.does(irregularity_report("foul_deck"))
    play.reaches(Phase.CLOSED)
    assert play.meter.pool == SEED
    assert [play.chips(seat) for seat in (1, 2)] == [100_000, 100_000]


def test_r87_r94_a_void_hands_wager_without_a_flag_is_not_counted_any_more() -> None:
    """Its stake goes back, so a supervisor may not add its contribution after the void."""
    play = table_with_mismatch()
    play.does(irregularity_report("player_card_count", 1))
    late = CorrectFlag(1, PROGRESSIVE, True, "chip rolled off", "Dee", "Sue")
    assert play.refuses(late) == "no_mismatch"
    assert play.refuses(DealCards(play.deck())) == "flag_mismatch", "seat 2 has a flag, but no chip"
    play.does(CorrectFlag(2, PROGRESSIVE, False, "no wager", "Dee", "Sue"))
    play.reaches(Phase.CLOSED)
    assert play.meter.pool == SEED
    assert play.chips(1) == 100_000


def test_r87_r94_a_void_hands_flag_without_a_wager_is_still_corrected() -> None:
    play = table_with_mismatch()
    play.does(irregularity_report("player_card_count", 2))
    play.does(CorrectFlag(1, PROGRESSIVE, True, "chip rolled off", "Dee", "Sue"))
    assert play.refuses(DealCards(play.deck())) == "flag_mismatch"
    play.does(CorrectFlag(2, PROGRESSIVE, False, "no wager", "Dee", "Sue"))
    play.reaches(Phase.CLOSED)
    assert play.meter.pool == SEED + QUARTER


def test_r94_hands_void_one_by_one_before_the_cards_leave_nothing_on_the_meter() -> None:
    play = table_with_mismatch()
    play.does(
        irregularity_report("player_card_count", 2), irregularity_report("player_card_count", 1)
    )
    assert play.phase is Phase.SETTLEMENT_DUE
    assert play.meter.pool == SEED
    play.reaches(Phase.CLOSED)
    assert play.meter.pool == SEED
    assert [play.chips(seat) for seat in (1, 2)] == [100_000, 100_000]


def test_r87_a_mismatch_is_settled_although_the_equipment_has_gone_down_since() -> None:
    play = table_with_mismatch()
    play.does(ReportEquipmentDown("power"))
    play.does(CorrectFlag(1, PROGRESSIVE, True, "chip rolled off", "Dee", "Sue"))
    play.does(CorrectFlag(2, PROGRESSIVE, False, "no wager", "Dee", "Sue"))
    play.reaches(Phase.CLOSED)
    play.does(RestoreEquipment(TWO))
    assert play.meter.pool == SEED + QUARTER


REFUSED_FLAGS: dict[str, tuple[CorrectFlag, str]] = {
    "one person": (
        CorrectFlag(1, PROGRESSIVE, True, "why", "Dee", "dee "),
        "needs_two_people",
    ),
    "no reason": (CorrectFlag(1, PROGRESSIVE, True, " ", "Dee", "Sue"), "needs_reason"),
    "away from the felt": (CorrectFlag(1, PROGRESSIVE, False, "x", "Dee", "Sue"), "no_mismatch"),
    "what agrees": (CorrectFlag(3, PROGRESSIVE, True, "x", "Dee", "Sue"), "no_mismatch"),
    "what is not watched": (CorrectFlag(1, ANTE, True, "x", "Dee", "Sue"), "no_mismatch"),
}


@pytest.mark.parametrize("case", REFUSED_FLAGS)
def test_r87_a_flag_is_corrected_only_to_what_the_felt_shows(case: str) -> None:
    command, code = REFUSED_FLAGS[case]
    assert table_with_mismatch().refuses(command) == code


def test_equipment_refusals_use_the_books_names_of_wagers() -> None:
    play = opened("washington")
    refusal = play.ask(ReadSensor(99, PROGRESSIVE, True))
    assert isinstance(refusal, Refusal)
    assert refusal.message == "there is no sensor for Progressive Jackpot at position 99"
    refusal = table_with_mismatch().ask(CorrectFlag(3, PROGRESSIVE, True, "x", "Dee", "Sue"))
    assert isinstance(refusal, Refusal)
    assert refusal.message == "the count of seat 3's Progressive Jackpot already matches the felt"


def test_r87_no_flag_is_corrected_before_the_button_or_after_the_cards() -> None:
    command = CorrectFlag(1, PROGRESSIVE, True, "why", "Dee", "Sue")
    for phase in (Phase.BETTING, Phase.POCKET, Phase.CLOSED):
        assert table_at(phase, "washington").refuses(command) == "no_round_registered"


@pytest.mark.clause("WA App. E malfunction")
def test_r88_wagers_counted_by_hand_feed_the_pool_and_the_display_stands_still() -> None:
    play = opened("washington", seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes(progressive=100)), PlaceBets(2, stakes()))
    assert play.does(ReportEquipmentDown("power")) == (EquipmentWentDown("power"),)
    assert play.meter.frozen_reason == "power"
    assert play.does(CloseBets()) == (BetsClosed(),), "the button does nothing"
    assert play.refuses(DealCards(play.deck())) == "equipment_down"
    for wrong in ({PROGRESSIVE: 2}, {PROGRESSIVE: 0}, {}, {PROGRESSIVE: 1, ANTE: 2}):
        assert play.refuses(CountByHand(wrong)) == "hand_count"
    count = CountByHand({PROGRESSIVE: 1})
    assert play.does(count) == (WagersCountedByHand({PROGRESSIVE: 1}),)
    assert play.refuses(count) == "no_round_registered"
    assert (play.meter.pool, play.meter.displayed) == (SEED + QUARTER, SEED)
    assert stake_on_felt(play) == 0, "the stake is taken up"
    assert play.refuses(RestoreEquipment(TWO)) == "round_open"
    play.reaches(Phase.CLOSED)
    assert play.refuses(RestoreEquipment(("Sue", " sue "))) == "meter_approvals"
    assert play.does(RestoreEquipment(TWO)) == (EquipmentRestored(TWO),)
    assert (play.meter.frozen_reason, play.meter.displayed) == ("", SEED + QUARTER)
    assert play.refuses(RestoreEquipment(TWO)) == "equipment_runs"
    assert replay_events(play.log) == play.floor


def test_r88_r94_a_void_round_counted_by_hand_leaves_nothing_on_the_meter() -> None:
    play = opened("washington", seats=(1, 2))
    play.does(ReportEquipmentDown("power"), OpenRound())
    play.does(*(PlaceBets(seat, stakes(progressive=100)) for seat in (1, 2)), CloseBets())
    play.does(CountByHand({PROGRESSIVE: 2}))
    play.deals()
    play.does(irregularity_report("player_card_count", 1))
    assert play.meter.pool == SEED + QUARTER
    play.does(irregularity_report("foul_deck"))
    play.reaches(Phase.CLOSED)
    assert play.does(RestoreEquipment(TWO)) == (EquipmentRestored(TWO),)
    assert play.meter.pool == SEED


def test_r88_other_tables_feed_a_linked_meter_while_its_display_stands_still() -> None:
    play = opened("galaxy", seats=(1,))
    play.id = "T2"
    play.does(opening("galaxy", meter="T1 meter"), Sit(1, "Q1"), BuyIn(1, 100_000))
    play.id = "T1"
    play.does(ReportEquipmentDown("power"))
    play.id = "T2"
    play.bets({1: stakes(progressive=100)})
    assert (play.meter.pool, play.meter.displayed) == (SEED + QUARTER, SEED)
    play.id = "T1"
    play.does(RestoreEquipment(TWO))
    assert (play.meter.pool, play.meter.displayed) == (SEED + QUARTER, SEED + QUARTER)
    play.id = "T2"
    play.does(irregularity_report("foul_deck"))
    assert play.meter.pool == SEED


def test_r88_freezes_by_staff_and_by_the_equipment_are_separate() -> None:
    play = opened("washington", seats=(1,))
    play.does(FreezeMeter("display"), ReportEquipmentDown("power"), RestoreEquipment(TWO))
    assert play.meter.frozen_reason == "display"
    play.does(ReportEquipmentDown("power"), FreezeMeter(""))
    assert play.meter.frozen_reason == "power"
    assert play.refuses(ReportEquipmentDown("again")) == "equipment_down"
    play.does(RestoreEquipment(TWO))
    assert play.refuses(ReportEquipmentDown(" ")) == "tabulator_record"
    assert play.refuses(CountByHand({PROGRESSIVE: 0})) == "equipment_runs"


def test_r88_wagers_registered_before_it_went_down_need_no_count_by_hand() -> None:
    play = opened("washington", seats=(1,))
    play.bets({1: stakes(progressive=100)})
    play.does(ReportEquipmentDown("power"))
    assert tabulator(play).lights == {}
    assert play.refuses(CountByHand({PROGRESSIVE: 1})) == "no_round_registered"
    assert play.refuses(CorrectFlag(1, PROGRESSIVE, True, "x", "Dee", "Sue")) == "no_mismatch"
    play.reaches(Phase.CLOSED)
    assert play.does(RestoreEquipment(TWO)) == (EquipmentRestored(TWO),)
    assert play.meter.pool == SEED + QUARTER


@pytest.mark.parametrize("command", EQUIPMENT, ids=lambda command: type(command).__name__)
def test_players_may_not_send_equipment_commands(command: Command) -> None:
    play = opened("washington", seats=(1,))

    assert play.refuses(command, by=PlayerAt(1)) == "staff_only"


def test_every_equipment_event_replays() -> None:
    play = table_with_mismatch()
    play.does(CorrectFlag(1, PROGRESSIVE, True, "why", "Dee", "Sue"))
    play.does(CorrectFlag(2, PROGRESSIVE, False, "why", "Dee", "Sue"))
    play.reaches(Phase.CLOSED)
    play.does(ReportEquipmentDown("power"), OpenRound(), PlaceBets(1, stakes(progressive=100)))
    play.does(CloseBets(), CountByHand({PROGRESSIVE: 1}))
    play.reaches(Phase.CLOSED)
    play.does(ReadSensor(1, PROGRESSIVE, chip=True), RestoreEquipment(TWO))
    seen = {type(event) for _, event in play.log}
    kinds = {SensorRead, FlagCorrected, EquipmentWentDown, WagersCountedByHand, EquipmentRestored}
    assert kinds <= seen
    assert replay_events(play.log) == play.floor


def test_a_record_of_equipment_that_cannot_be_says_what_is_missing() -> None:
    counted = WagersCountedByHand({Wager.PROGRESSIVE: 1})
    without = opened("sugarhouse").floor
    with pytest.raises(BrokenRecord, match="T1: WagersCountedByHand without a tabulator"):
        evolve_equipment(without, without.tables["T1"], counted)
    too_early = opened("washington", **TRIPS_6).floor
    with pytest.raises(BrokenRecord, match="T1: WagersCountedByHand before the first round"):
        evolve_equipment(too_early, too_early.tables["T1"], counted)
