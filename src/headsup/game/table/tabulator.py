"""The wager tabulator: sensors under the chips, one button, a count (Washington App. E).

When the dealer presses the button, each sensor with a chip on it registers one flag for the
round. The flag is the wager (R87): the tabulator counts wagers, never dollars, and only logs what
happens to the chips afterwards. The next round's button turns off the lights.

Wagers placed on a screen count as chips; at a real table the sensors report chips.
"""

from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import Basis
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.str_enum import TextEnum

MAX_POSITIONS = 16  # the Andromeda-3's limit
MAX_SENSORS = 6  # per position

# Seats in ascending order for each wager that has a sensor.
Spots: TypeAlias = Mapping[Wager, tuple[int, ...]]
WagerCounts: TypeAlias = Mapping[Wager, int]
NO_SPOTS: Spots = MappingProxyType({})


class Sensor(NamedTuple):
    """The wager that one sensor at every position watches.

    A `removed` wager is fixed and pays "for 1": the dealer takes the chip before play, and a light
    replaces it (notes 3 and 4). A wager that pays "to 1" stays on the felt and needs no light.
    """

    wager: Wager
    removed: bool


class Reading(TextEnum):
    """What a change at a sensor means."""

    BET = "bet"  # placed or taken back before the button
    COLLECTED = "collected"  # the dealer took up the chip of a lit wager
    PLACED_LATE = "placed_late"
    TAKEN_LATE = "taken_late"
    UNSEEN = "unseen"  # reported while the equipment is down


class Tabulator(NamedTuple):
    sensors: tuple[Sensor, ...]
    positions: int
    chips: Spots = NO_SPOTS  # on the sensors now
    flags: Spots = NO_SPOTS  # registered for the round
    round: int = 0  # the last round counted
    in_play: bool = False  # from the button until the round is over
    by_hand: bool = False  # the dealer counted the round, so it has no flags
    totals: WagerCounts = MappingProxyType({})  # counted in all rounds
    down: str = ""  # why the equipment is not counting; empty while it is

    @property
    def lights(self) -> Spots:
        """The lit seats of each wager that is removed; they stay lit until the next button."""
        removed = () if self.down else [sensor.wager for sensor in self.sensors if sensor.removed]
        return {wager: self.flags[wager] for wager in removed if wager in self.flags}

    @property
    def counts(self) -> WagerCounts:
        """How many wagers of each kind are registered for the round."""
        return {sensor.wager: len(self.flags.get(sensor.wager, ())) for sensor in self.sensors}


def is_taken_up(rules: TableRules, wager: Wager) -> bool:
    """Whether the stake goes into the tray before play, as a fixed amount paid "for 1" does."""
    if wager is not Wager.PROGRESSIVE or not rules.offers(wager):
        return False
    return rules.paytables[wager].basis is Basis.FOR


def tabulator_for(rules: TableRules) -> Tabulator | None:
    """The tabulator of a table with a Progressive wager (New York (k)(2), App. E)."""
    wager = Wager.PROGRESSIVE
    if not rules.offers(wager):
        return None
    return Tabulator((Sensor(wager, is_taken_up(rules, wager)),), rules.book.seats)


def refuse_sensor_layout(tabulator: Tabulator) -> Refusal | None:
    """R14: the limits of the equipment."""
    wagers = {sensor.wager for sensor in tabulator.sensors}
    fits = (
        1 <= tabulator.positions <= MAX_POSITIONS
        and 1 <= len(tabulator.sensors) <= MAX_SENSORS
        and len(wagers) == len(tabulator.sensors)
    )
    if fits:
        return None
    return refusal(Code.SENSOR_LAYOUT, positions=MAX_POSITIONS, sensors=MAX_SENSORS)


# Chips.


def with_stakes(tabulator: Tabulator, seat: int, stakes: Container[Wager]) -> Tabulator:
    """Set the chips of a seat whose wagers are placed on a screen."""
    chips = tabulator.chips
    for sensor in tabulator.sensors:
        chips = _with_spot(chips, seat, sensor.wager, sensor.wager in stakes)
    if chips is tabulator.chips:
        return tabulator
    # Needed for every bet; `_replace` takes four times as long.
    return tuple.__new__(Tabulator, (*tabulator[:2], chips, *tabulator[3:]))


def classify_reading(
    tabulator: Tabulator, seat: int, wager: Wager, chip: bool
) -> Reading | Refusal:
    """What a sensor's report means; a repeated report is refused, since sensors bounce."""
    if refused := _refuse_unknown_sensor(tabulator, seat, wager):
        return refused
    if tabulator.down:
        return Reading.UNSEEN
    if (seat in tabulator.chips.get(wager, ())) == chip:
        return refusal(Code.SAME_READING, seat=seat, wager=wager)
    if not tabulator.in_play:
        return Reading.BET
    if chip:
        return Reading.PLACED_LATE
    is_lit = seat in tabulator.lights.get(wager, ())
    return Reading.COLLECTED if is_lit else Reading.TAKEN_LATE


def record_reading(tabulator: Tabulator, seat: int, wager: Wager, chip: bool) -> Tabulator:
    if tabulator.down:
        return tabulator
    return tabulator._replace(chips=_with_spot(tabulator.chips, seat, wager, chip))


# Counting.


def press_button(tabulator: Tabulator, round_number: int) -> Tabulator:
    """Register every chip as one wager of this round, in place of the last round's flags."""
    pressed = tabulator._replace(
        flags=tabulator.chips, round=round_number, in_play=True, by_hand=False
    )
    return pressed._replace(totals=_add_counts(tabulator.totals, pressed.counts))


def end_round(tabulator: Tabulator) -> Tabulator:
    """Clear the chips; new ones are bets on the next round. Lights stay lit."""
    return tabulator._replace(in_play=False, chips=NO_SPOTS)


def mismatches(tabulator: Tabulator, stakes: Mapping[int, Container[Wager]]) -> Spots:
    """Seats where flags and wagers differ; a supervisor resolves this before play (R87)."""
    differing: dict[Wager, tuple[int, ...]] = {}
    for sensor in () if tabulator.by_hand else tabulator.sensors:
        flagged = set(tabulator.flags.get(sensor.wager, ()))
        placed = {seat for seat, wagers in stakes.items() if sensor.wager in wagers}
        if flagged != placed:
            differing[sensor.wager] = tuple(sorted(flagged ^ placed))
    return differing


def correct_flag(tabulator: Tabulator, seat: int, wager: Wager, wagered: bool) -> Tabulator:
    flags = _with_spot(tabulator.flags, seat, wager, wagered)
    change = {wager: 1 if wagered else -1}
    return tabulator._replace(flags=flags, totals=_add_counts(tabulator.totals, change))


# While the equipment is down.


def stop_counting(tabulator: Tabulator, reason: str) -> Tabulator:
    """The equipment is down: wagers are counted by hand and the display is frozen.

    Flags that are registered already stay.
    """
    return tabulator._replace(down=reason)


def count_by_hand(tabulator: Tabulator, round_number: int, counts: WagerCounts) -> Tabulator:
    """The dealer's count of one round, in place of the button."""
    return tabulator._replace(
        flags=NO_SPOTS,
        round=round_number,
        in_play=True,
        by_hand=True,
        totals=_add_counts(tabulator.totals, counts),
    )


def resume_counting(tabulator: Tabulator) -> Tabulator:
    """The equipment works again and counts the chips it sees from now on."""
    return tabulator._replace(down="", chips=NO_SPOTS)


def count_stakes(tabulator: Tabulator, stakes: Mapping[int, Container[Wager]]) -> WagerCounts:
    """How many wagers of each kind are on the felt, to check a count by hand."""
    return {
        sensor.wager: sum(sensor.wager in wagers for wagers in stakes.values())
        for sensor in tabulator.sensors
    }


def _with_spot(spots: Spots, seat: int, wager: Wager, present: bool) -> Spots:
    seats = spots.get(wager, ())
    if (seat in seats) == present:
        return spots
    changed = tuple(sorted((*seats, seat))) if present else tuple(s for s in seats if s != seat)
    others = {other: other_seats for other, other_seats in spots.items() if other is not wager}
    return {**others, wager: changed} if changed else others


def _add_counts(totals: WagerCounts, counts: WagerCounts) -> WagerCounts:
    wagers = {**totals, **counts}
    return {wager: totals.get(wager, 0) + counts.get(wager, 0) for wager in wagers}


def _refuse_unknown_sensor(tabulator: Tabulator, seat: int, wager: Wager) -> Refusal | None:
    is_watched = any(sensor.wager is wager for sensor in tabulator.sensors)
    if is_watched and 1 <= seat <= tabulator.positions:
        return None
    return refusal(Code.NO_SUCH_SENSOR, seat=seat, wager=wager)
