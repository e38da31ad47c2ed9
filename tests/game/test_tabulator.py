"""A34, R14, R86–R88 and Washington App. E: the wager tabulator."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.refusal import Code
from headsup.game.tabulator import (
    MAX_POSITIONS,
    MAX_SENSORS,
    LogEntry,
    Logged,
    Sensor,
    Spot,
    Tabulator,
    TabulatorRefused,
    correct_flag,
    count_by_hand,
    end_round,
    go_down,
    place_chip,
    press_button,
    remove_chip,
    restore,
)

WASHINGTON = (
    Sensor("ante", removed=False),
    Sensor("odds", removed=False),
    Sensor("trips_plus", removed=False),
    Sensor("pocket_bonus", removed=False),
    Sensor("progressive", removed=True),
    Sensor("promotion", removed=True),
)
IDLE = Tabulator(WASHINGTON)
ANTE_1, ANTE_2 = Spot(1, 1), Spot(2, 1)
PROGRESSIVE_1, PROGRESSIVE_2 = Spot(1, 5), Spot(2, 5)


def with_chips(*spots: Spot) -> Tabulator:
    tabulator = IDLE
    for spot in spots:
        tabulator, _ = place_chip(tabulator, spot)
    return tabulator


def registered(*spots: Spot) -> Tabulator:
    return press_button(with_chips(*spots), 1)[0]


def kinds(entries: tuple[LogEntry, ...]) -> list[Logged]:
    return [entry.kind for entry in entries]


@pytest.mark.clause("WA App. E counted", "WA App. E no dollars", "WA App. E button")
def test_the_button_registers_each_wager_and_counts_no_dollars() -> None:
    tabulator, entries = press_button(with_chips(ANTE_1, ANTE_2, PROGRESSIVE_1), 1)
    assert tabulator.flags == {ANTE_1, ANTE_2, PROGRESSIVE_1}
    assert tabulator.counts()["ante"] == 2
    assert tabulator.positions_with("progressive") == {1}
    assert kinds(entries) == [Logged.REGISTERED]
    assert {wager: n for wager, n in entries[0].counts.items() if n} == {
        "ante": 2,
        "progressive": 1,
    }


def test_chips_before_the_button_are_only_chips() -> None:
    tabulator, entries = place_chip(IDLE, ANTE_1)
    assert tabulator.chips == {ANTE_1}
    assert not tabulator.flags
    assert entries == ()
    tabulator, entries = remove_chip(tabulator, ANTE_1)
    assert (tabulator, entries) == (IDLE, ())


def test_a_bouncing_sensor_reports_one_chip() -> None:
    tabulator = with_chips(ANTE_1, ANTE_1, ANTE_1)
    assert press_button(tabulator, 1)[0].counts()["ante"] == 1


def test_a_bouncing_button_registers_once() -> None:
    once = registered(ANTE_1)
    twice, entries = press_button(once, 1)
    assert twice == once
    assert kinds(entries) == [Logged.PRESSED_AGAIN]


@pytest.mark.clause("WA App. E footnote 4", "WA App. E light", "WA App. E Andromeda-3 lights")
def test_note_4_only_wagers_that_are_removed_are_lit() -> None:
    assert registered(ANTE_1, PROGRESSIVE_1).lights == {PROGRESSIVE_1}


@pytest.mark.clause("WA App. E until the next round", "WA App. E footnote 3")
def test_note_3_the_light_stands_for_the_chip_until_the_button_for_the_next_round() -> None:
    tabulator, entries = remove_chip(registered(PROGRESSIVE_1), PROGRESSIVE_1)
    assert kinds(entries) == [Logged.COLLECTED]
    assert tabulator.lights == {PROGRESSIVE_1}
    tabulator = end_round(tabulator)
    tabulator, entries = place_chip(tabulator, PROGRESSIVE_2)
    assert tabulator.lights == {PROGRESSIVE_1}
    assert entries == ()
    tabulator, _ = press_button(tabulator, 2)
    assert tabulator.lights == {PROGRESSIVE_2}
    assert tabulator.totals["progressive"] == 2


def test_r87_a_chip_added_after_the_button_is_no_wager() -> None:
    tabulator, entries = place_chip(registered(ANTE_1), PROGRESSIVE_1)
    assert entries == (LogEntry(Logged.PLACED_LATE, 1, PROGRESSIVE_1),)
    assert tabulator.flags == {ANTE_1}
    assert tabulator.totals["progressive"] == 0


def test_r87_a_chip_taken_after_the_button_stays_a_wager() -> None:
    tabulator, entries = remove_chip(registered(ANTE_1), ANTE_1)
    assert entries == (LogEntry(Logged.TAKEN_LATE, 1, ANTE_1),)
    assert tabulator.flags == {ANTE_1}


@pytest.mark.parametrize(
    ("spot", "wagered", "flags", "total"),
    [
        pytest.param(PROGRESSIVE_2, True, {PROGRESSIVE_1, PROGRESSIVE_2}, 2, id="chip, no flag"),
        pytest.param(PROGRESSIVE_1, False, set(), 0, id="flag, no chip"),
    ],
)
def test_r87_a_supervisor_settles_a_mismatch_with_a_reason(
    spot: Spot, wagered: bool, flags: set[Spot], total: int
) -> None:
    tabulator, entries = correct_flag(
        registered(PROGRESSIVE_1), spot, wagered, "seen on camera", "Sue"
    )
    assert tabulator.flags == tabulator.lights == flags
    assert tabulator.totals["progressive"] == total
    change = {"progressive": 1 if wagered else -1}
    assert entries == (LogEntry(Logged.CORRECTED, 1, spot, change, "seen on camera", "Sue"),)


@pytest.mark.clause("WA App. E malfunction")
def test_r88_while_down_wagers_are_counted_by_hand_and_made_good_afterwards() -> None:
    down, entries = go_down(registered(PROGRESSIVE_1), "power", "Sue")
    assert kinds(entries) == [Logged.WENT_DOWN]
    assert down.meter_frozen
    assert not down.lights
    assert down.flags == {PROGRESSIVE_1}
    down, entries = place_chip(down, ANTE_1)
    assert down.chips == {PROGRESSIVE_1}
    assert kinds(entries) == [Logged.UNSEEN]
    down, _ = count_by_hand(down, 2, {"progressive": 3, "ante": 4}, "Dan")
    down, entries = count_by_hand(down, 3, {"progressive": 2}, "Dan")
    assert entries == (LogEntry(Logged.COUNTED_BY_HAND, 3, counts={"progressive": 2}, by="Dan"),)
    up, entries = restore(down, [ANTE_2], "Sue")
    assert entries == (
        LogEntry(
            Logged.RESTORED, 3, counts={"progressive": 5, "ante": 4}, reason="power", by="Sue"
        ),
    )
    assert not up.meter_frozen
    assert not up.flags
    assert up.chips == {ANTE_2}
    assert up.totals["progressive"] == 1


def test_r88_a_round_registered_before_the_failure_is_not_counted_again_by_hand() -> None:
    down, _ = go_down(registered(PROGRESSIVE_1), "power", "Sue")
    again, entries = count_by_hand(down, 1, {"progressive": 1}, "Dan")
    assert (again, kinds(entries)) == (down, [Logged.PRESSED_AGAIN])


def broken() -> Tabulator:
    return go_down(IDLE, "power", "Sue")[0]


@pytest.mark.clause("WA App. E one sensor", "WA App. E Andromeda-3 sensors")
@pytest.mark.parametrize(
    ("attempt", "code"),
    [
        pytest.param(
            lambda: Tabulator(WASHINGTON, 17), "sensor_layout", id="R14 seventeen positions"
        ),
        pytest.param(lambda: Tabulator(WASHINGTON, 0), "sensor_layout", id="no position"),
        pytest.param(lambda: Tabulator(()), "sensor_layout", id="no sensor"),
        pytest.param(
            lambda: Tabulator((*WASHINGTON, Sensor("all_6", False))),
            "sensor_layout",
            id="R14 seven",
        ),
        pytest.param(
            lambda: Tabulator((WASHINGTON[0],) * 2), "sensor_layout", id="one wager twice"
        ),
        pytest.param(lambda: place_chip(IDLE, Spot(17, 1)), "no_such_sensor", id="position 17"),
        pytest.param(lambda: place_chip(IDLE, Spot(0, 1)), "no_such_sensor", id="position 0"),
        pytest.param(lambda: remove_chip(IDLE, Spot(1, 7)), "no_such_sensor", id="sensor 7"),
        pytest.param(lambda: remove_chip(IDLE, Spot(1, 0)), "no_such_sensor", id="sensor 0"),
        pytest.param(
            lambda: restore(broken(), [Spot(1, 7)], "Sue"), "no_such_sensor", id="restore"
        ),
        pytest.param(lambda: press_button(broken(), 1), "equipment_down", id="button"),
        pytest.param(
            lambda: correct_flag(broken(), ANTE_1, True, "x", "Sue"), "equipment_down", id="flag"
        ),
        pytest.param(lambda: go_down(broken(), "x", "Sue"), "equipment_down", id="down twice"),
        pytest.param(lambda: count_by_hand(IDLE, 1, {}, "Sue"), "equipment_runs", id="by hand"),
        pytest.param(lambda: restore(IDLE, [], "Sue"), "equipment_runs", id="restore what runs"),
        pytest.param(
            lambda: correct_flag(IDLE, ANTE_1, True, "x", "Sue"),
            "no_round_registered",
            id="before any round",
        ),
        pytest.param(
            lambda: correct_flag(registered(ANTE_1), ANTE_1, True, "x", "Sue"),
            "no_mismatch",
            id="no mismatch",
        ),
        pytest.param(
            lambda: correct_flag(registered(), ANTE_1, True, " ", "Sue"),
            "tabulator_record",
            id="no reason",
        ),
        pytest.param(
            lambda: correct_flag(registered(), ANTE_1, True, "x", ""),
            "tabulator_record",
            id="no supervisor",
        ),
        pytest.param(
            lambda: go_down(IDLE, "", "Sue"), "tabulator_record", id="down without a reason"
        ),
        pytest.param(
            lambda: count_by_hand(broken(), 1, {"ante": -1}, "Dan"), "hand_count", id="below zero"
        ),
        pytest.param(
            lambda: count_by_hand(broken(), 1, {"ante": 17}, "Dan"), "hand_count", id="too many"
        ),
        pytest.param(
            lambda: count_by_hand(broken(), 1, {"raise": 1}, "Dan"), "hand_count", id="not watched"
        ),
    ],
)
def test_refused(attempt: Callable[[], object], code: str) -> None:
    with pytest.raises(TabulatorRefused) as refused:
        attempt()
    assert refused.value.code == Code(code)


every_spot = [Spot(p, s) for p in range(1, MAX_POSITIONS + 1) for s in range(1, MAX_SENSORS + 1)]


class Night:
    """A table at work beside a twin that knows only chips, presses and a running count."""

    def __init__(self) -> None:
        self.tabulator = IDLE
        self.chips: set[Spot] = set()
        self.flags: set[Spot] = set()
        self.count: Counter[str] = Counter()
        self.rounds = 0
        self.playing = False

    def touch(self, spot: Spot) -> None:
        act = remove_chip if spot in self.chips else place_chip
        self.chips ^= {spot}
        self.tabulator, entries = act(self.tabulator, spot)
        assert len(entries) == self.playing
        self.tabulator, entries = act(self.tabulator, spot)
        assert entries == ()

    def press(self, bounces: int) -> None:
        self.rounds += 1
        self.flags = set(self.chips)
        self.count.update(WASHINGTON[spot.sensor - 1].wager for spot in self.chips)
        for _ in range(1 + bounces):
            self.tabulator, _ = press_button(self.tabulator, self.rounds)
        self.playing = True

    def end(self) -> None:
        self.tabulator = end_round(self.tabulator)
        self.playing = False

    def check(self) -> None:
        assert self.tabulator.chips == self.chips
        assert self.tabulator.flags == self.flags
        assert self.tabulator.lights == {spot for spot in self.flags if spot.sensor >= 5}
        assert {wager: n for wager, n in self.tabulator.totals.items() if n} == self.count


@pytest.mark.clause("WA App. E counted", "WA App. E Andromeda-3 sensors")
@given(
    st.lists(
        st.one_of(st.sampled_from(every_spot), st.integers(0, 2), st.just("end")),
        max_size=80,
    )
)
def test_counts_are_flags_whatever_is_touched_and_pressed(acts: list[Spot | int | str]) -> None:
    night = Night()
    for act in acts:
        if isinstance(act, Spot):
            night.touch(act)
        elif isinstance(act, int):
            night.press(bounces=act)
        else:
            night.end()
        night.check()


@pytest.mark.slow
def test_a34_a_million_presses_over_sixteen_by_six_sensors() -> None:
    random = Random(34)
    night = Night()
    for press in range(500_000):
        night.touch(every_spot[random.randrange(96)])
        night.press(bounces=1)
        if random.random() < 0.5:
            night.touch(every_spot[random.randrange(96)])
        night.end()
        if press % 500 == 0:
            night.check()
    night.check()
