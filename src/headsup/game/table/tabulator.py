"""The wager tabulator: sensors under the chips, one button, a count (Washington App. E).

When the dealer presses the button, each sensor with a chip on it registers one flag for the
round. The flag is the wager (R87): the tabulator counts wagers, never dollars, and what happens
to the chips afterwards is only logged. The same button for the next round puts out the lights.

Where wagers are placed on a screen, they are the chips; at a table of felt the sensors report.
"""

from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import Basis
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.str_enum import TextEnum

MAX_POSITIONS = 16  # of the Andromeda-3
MAX_SENSORS = 6  # per position

# For each wager that is watched, the seats, ascending.
Spots: TypeAlias = Mapping[Wager, tuple[int, ...]]
WagerCounts: TypeAlias = Mapping[Wager, int]
NO_SPOTS: Spots = MappingProxyType({})


class Sensor(NamedTuple):
    """What one sensor watches, at every position.

    A `removed` wager is fixed and pays "for 1": the dealer takes the chip before play, and the
    light stands for it (notes 3 and 4). A wager that pays "to 1" stays, and needs no light.
    """

    wager: Wager
    removed: bool


class Reading(TextEnum):
    """What a sensor's report means."""

    BET = "bet"  # before the button: a chip is placed or taken back
    COLLECTED = "collected"  # the chip of a lit wager was taken up, the dealer's work
    PLACED_LATE = "placed_late"
    TAKEN_LATE = "taken_late"
    UNSEEN = "unseen"  # reported while the equipment counts as down


class Tabulator(NamedTuple):
    sensors: tuple[Sensor, ...]
    positions: int
    chips: Spots = NO_SPOTS  # on the sensors now
    flags: Spots = NO_SPOTS  # registered for the round
    round: int = 0  # the last one that was counted
    in_play: bool = False  # from the button until the round is over
    by_hand: bool = False  # the round was counted by the dealer, and has no flags
    totals: WagerCounts = MappingProxyType({})  # wagers counted in all rounds
    owed: WagerCounts = MappingProxyType(
        {}
    )  # by hand while it is down: the meter has yet to get them
    down: str = ""  # why the equipment is not counting; empty while it is

    @property
    def lights(self) -> Spots:
        """Lit for each registered wager that is removed, until the button for the next round."""
        removed = () if self.down else [sensor.wager for sensor in self.sensors if sensor.removed]
        return {wager: self.flags[wager] for wager in removed if wager in self.flags}

    @property
    def counts(self) -> WagerCounts:
        """How many of each wager are registered for the round."""
        return {sensor.wager: len(self.flags.get(sensor.wager, ())) for sensor in self.sensors}


def is_taken_up(rules: TableRules, wager: Wager) -> bool:
    """Whether a stake goes into the tray before play: of fixed amount, and paid "for 1"."""
    if wager is not Wager.PROGRESSIVE or not rules.offers(wager):
        return False
    return rules.paytables[wager].basis is Basis.FOR


def tabulator_for(rules: TableRules) -> Tabulator | None:
    """A table counts the wager that is played for a jackpot (New York (k)(2), App. E)."""
    wager = Wager.PROGRESSIVE
    if not rules.offers(wager):
        return None
    return Tabulator((Sensor(wager, is_taken_up(rules, wager)),), rules.book.seats)


def refuse_sensor_layout(tabulator: Tabulator) -> Refusal | None:
    """R14: what the equipment can watch."""
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
    """A seat's wagers as they are placed on a screen."""
    chips = tabulator.chips
    for sensor in tabulator.sensors:
        chips = _with_spot(chips, seat, sensor.wager, sensor.wager in stakes)
    if chips is tabulator.chips:
        return tabulator
    # By its values, at every bet: `_replace` costs four times as much.
    return tuple.__new__(Tabulator, (*tabulator[:2], chips, *tabulator[3:]))


def classify_reading(
    tabulator: Tabulator, seat: int, wager: Wager, chip: bool
) -> Reading | Refusal:
    """What it means that this sensor has or has no chip now; a bounce is no news."""
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
    lit = seat in tabulator.lights.get(wager, ())
    return Reading.COLLECTED if lit else Reading.TAKEN_LATE


def record_reading(tabulator: Tabulator, seat: int, wager: Wager, chip: bool) -> Tabulator:
    if tabulator.down:
        return tabulator
    return tabulator._replace(chips=_with_spot(tabulator.chips, seat, wager, chip))


# Counting.


def press_button(tabulator: Tabulator, round_number: int) -> Tabulator:
    """Register every chip as one wager of this round; earlier flags and lights go out."""
    pressed = tabulator._replace(
        flags=tabulator.chips, round=round_number, in_play=True, by_hand=False
    )
    return pressed._replace(totals=_add_counts(tabulator.totals, pressed.counts))


def end_round(tabulator: Tabulator) -> Tabulator:
    """The felt is clear; chips that come now are bets on the next round. Lights stay lit."""
    return tabulator._replace(in_play=False, chips=NO_SPOTS)


def mismatches(tabulator: Tabulator, stakes: Mapping[int, Container[Wager]]) -> Spots:
    """Where flags and the wagers placed differ: a supervisor settles it before play (R87)."""
    differ: dict[Wager, tuple[int, ...]] = {}
    for sensor in () if tabulator.by_hand else tabulator.sensors:
        flagged = set(tabulator.flags.get(sensor.wager, ()))
        placed = {seat for seat, wagers in stakes.items() if sensor.wager in wagers}
        if flagged != placed:
            differ[sensor.wager] = tuple(sorted(flagged ^ placed))
    return differ


def correct_flag(tabulator: Tabulator, seat: int, wager: Wager, wagered: bool) -> Tabulator:
    flags = _with_spot(tabulator.flags, seat, wager, wagered)
    change = {wager: 1 if wagered else -1}
    return tabulator._replace(flags=flags, totals=_add_counts(tabulator.totals, change))


# While it is down.


def stop_counting(tabulator: Tabulator, reason: str) -> Tabulator:
    """Stop counting: wagers are counted by hand and meters stand still until it is restored.

    What was registered before stays registered.
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
        owed=_add_counts(tabulator.owed, counts),
    )


def void_by_hand(tabulator: Tabulator, counts: WagerCounts) -> Tabulator:
    """Wagers of a round counted by hand that were void (R94)."""
    less = {wager: -count for wager, count in counts.items()}
    return tabulator._replace(owed=_add_counts(tabulator.owed, less))


def resume_counting(tabulator: Tabulator) -> Tabulator:
    """Count again from the chips the sensors see; what was counted by hand is the meter's."""
    return tabulator._replace(down="", owed={}, chips=NO_SPOTS)


def count_stakes(tabulator: Tabulator, stakes: Mapping[int, Container[Wager]]) -> WagerCounts:
    """How many of each wager lie on the felt, for who counts by hand."""
    return {
        sensor.wager: sum(sensor.wager in wagers for wagers in stakes.values())
        for sensor in tabulator.sensors
    }


def _with_spot(spots: Spots, seat: int, wager: Wager, there: bool) -> Spots:
    seats = spots.get(wager, ())
    if (seat in seats) == there:
        return spots
    changed = tuple(sorted((*seats, seat))) if there else tuple(s for s in seats if s != seat)
    others = {other: held for other, held in spots.items() if other is not wager}
    return {**others, wager: changed} if changed else others


def _add_counts(totals: WagerCounts, counts: WagerCounts) -> WagerCounts:
    wagers = {**totals, **counts}
    return {wager: totals.get(wager, 0) + counts.get(wager, 0) for wager in wagers}


def _refuse_unknown_sensor(tabulator: Tabulator, seat: int, wager: Wager) -> Refusal | None:
    watches = any(sensor.wager is wager for sensor in tabulator.sensors)
    if watches and 1 <= seat <= tabulator.positions:
        return None
    return refusal(Code.NO_SUCH_SENSOR, seat=seat, wager=wager)
