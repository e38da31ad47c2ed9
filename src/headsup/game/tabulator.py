"""The wager tabulator: sensors under the chips, one button, a count (Washington App. E).

When the dealer presses the button, each sensor with a chip on it registers one flag for the
round. The flag is the wager (R87): the tabulator counts wagers, never dollars, and what happens
to the chips afterwards is only logged. The same button for the next round puts out the lights.

Every function returns a new tabulator and what goes into the log.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from headsup.game.refusal import Code, Refused
from headsup.game.word import Word

MAX_POSITIONS = 16  # of the Andromeda-3
MAX_SENSORS = 6  # per position


class Spot(NamedTuple):
    """One sensor on the layout. Positions and sensors count from 1."""

    position: int
    sensor: int


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the sensors of this number watch, at every position.

    A `removed` wager is fixed and pays "for 1": the dealer takes the chip before play, and the
    light stands for it (notes 3 and 4). A wager that pays "to 1" stays, and needs no light.
    """

    wager: str
    removed: bool


class TabulatorRefused(Refused):
    """The tabulator stays as it was; `code` is a `Code`."""


class Logged(Word):
    REGISTERED = "registered"
    PRESSED_AGAIN = "pressed_again"  # a bounce: the round has its flags
    COLLECTED = "collected"  # the chip of a registered "for 1" wager was taken up
    PLACED_LATE = "placed_late"
    TAKEN_LATE = "taken_late"
    UNSEEN = "unseen"  # a sensor reported while the equipment counts as down
    CORRECTED = "corrected"
    WENT_DOWN = "went_down"
    COUNTED_BY_HAND = "counted_by_hand"
    RESTORED = "restored"  # with the counts that the meter has yet to be corrected by


@dataclass(frozen=True, slots=True)
class LogEntry:
    kind: Logged
    round: int
    spot: Spot | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Tabulator:
    sensors: tuple[Sensor, ...]
    positions: int = MAX_POSITIONS
    chips: frozenset[Spot] = frozenset()  # on the sensors now
    flags: frozenset[Spot] = frozenset()  # registered for the round
    round: int = 0  # the last one registered
    in_play: bool = False  # from the button until the round is over
    totals: Mapping[str, int] = field(default_factory=dict)  # wagers registered in all rounds
    by_hand: Mapping[str, int] = field(default_factory=dict)  # counted while it is down
    down: str = ""  # why the equipment is not counting; empty while it is

    def __post_init__(self) -> None:
        wagers = {sensor.wager for sensor in self.sensors}
        _require(
            1 <= self.positions <= MAX_POSITIONS
            and 1 <= len(self.sensors) <= MAX_SENSORS
            and len(wagers) == len(self.sensors),
            Code.SENSOR_LAYOUT,
            f"up to {MAX_POSITIONS} positions of {MAX_SENSORS} sensors, one sensor for each wager",
        )

    @property
    def lights(self) -> frozenset[Spot]:
        """Lit for each registered wager that is removed, until the button for the next round."""
        if self.down:
            return frozenset()
        return frozenset(spot for spot in self.flags if self.sensor_at(spot).removed)

    @property
    def meter_frozen(self) -> bool:
        """Whether the meters fed from here stand still and are marked so (R88)."""
        return bool(self.down)

    def sensor_at(self, spot: Spot) -> Sensor:
        return self.sensors[spot.sensor - 1]

    def positions_with(self, wager: str) -> frozenset[int]:
        """The positions at which this wager is registered for the round."""
        return frozenset(
            spot.position for spot in self.flags if self.sensor_at(spot).wager == wager
        )

    def counts(self) -> dict[str, int]:
        """How many of each wager are registered for the round."""
        counted = {sensor.wager: 0 for sensor in self.sensors}
        for spot in self.flags:
            counted[self.sensor_at(spot).wager] += 1
        return counted


Step: TypeAlias = tuple[Tabulator, tuple[LogEntry, ...]]


def place_chip(tabulator: Tabulator, spot: Spot) -> Step:
    """A sensor reports a chip; again and again is the same as once."""
    return _chip(tabulator, spot, tabulator.chips | {spot}, Logged.PLACED_LATE)


def remove_chip(tabulator: Tabulator, spot: Spot) -> Step:
    """A sensor reports no chip. Taking up a registered "for 1" wager is the dealer's work."""
    collected = spot in tabulator.lights
    late = Logged.COLLECTED if collected else Logged.TAKEN_LATE
    return _chip(tabulator, spot, tabulator.chips - {spot}, late)


def press_button(tabulator: Tabulator, round_number: int) -> Step:
    """Register every chip as one wager of this round, once; earlier flags and lights go out."""
    _require_running(tabulator)
    if round_number <= tabulator.round:
        return tabulator, (LogEntry(Logged.PRESSED_AGAIN, round_number),)
    registered = replace(tabulator, flags=tabulator.chips, round=round_number, in_play=True)
    counts = registered.counts()
    registered = replace(registered, totals=_added(tabulator.totals, counts))
    return registered, (LogEntry(Logged.REGISTERED, round_number, counts=counts),)


def end_round(tabulator: Tabulator) -> Tabulator:
    """Chips that come now are bets on the next round. Lights stay as they are."""
    return replace(tabulator, in_play=False)


def correct_flag(tabulator: Tabulator, spot: Spot, wagered: bool, reason: str, by: str) -> Step:
    """A supervisor settles a mismatch of flag and chip in the registered round (R87)."""
    _require_running(tabulator)
    _require_spot(tabulator, spot)
    _require_record(reason, by)
    _require(tabulator.round > 0, Code.NO_ROUND_REGISTERED, "no wagers are registered yet")
    already = (spot in tabulator.flags) == wagered
    _require(not already, Code.NO_MISMATCH, f"{spot} already counts so")
    flags = tabulator.flags | {spot} if wagered else tabulator.flags - {spot}
    change = {tabulator.sensor_at(spot).wager: 1 if wagered else -1}
    corrected = replace(tabulator, flags=flags, totals=_added(tabulator.totals, change))
    entry = LogEntry(Logged.CORRECTED, tabulator.round, spot, change, reason, by)
    return corrected, (entry,)


def go_down(tabulator: Tabulator, reason: str, by: str) -> Step:
    """Stop counting: wagers are counted by hand and meters stand still until it is restored.

    What was registered before stays registered.
    """
    _require_running(tabulator)
    _require_record(reason, by)
    entry = LogEntry(Logged.WENT_DOWN, tabulator.round, reason=reason, by=by)
    return replace(tabulator, down=reason), (entry,)


def count_by_hand(
    tabulator: Tabulator, round_number: int, counts: Mapping[str, int], by: str
) -> Step:
    """The dealer's count of one round, in place of the button."""
    _require_down(tabulator)
    _require_record("counted by hand", by)
    _require_counts(tabulator, counts)
    if round_number <= tabulator.round:
        return tabulator, (LogEntry(Logged.PRESSED_AGAIN, round_number, by=by),)
    by_hand = _added(tabulator.by_hand, counts)
    counted = replace(tabulator, flags=frozenset(), round=round_number, by_hand=by_hand)
    entry = LogEntry(Logged.COUNTED_BY_HAND, round_number, counts=dict(counts), by=by)
    return counted, (entry,)


def restore(tabulator: Tabulator, chips: Iterable[Spot], by: str) -> Step:
    """Count again from the chips the sensors see now.

    The entry carries the wagers counted by hand: a correction of the meter makes them good.
    """
    _require_down(tabulator)
    _require_record("restored", by)
    seen = frozenset(chips)
    for spot in seen:
        _require_spot(tabulator, spot)
    entry = LogEntry(
        Logged.RESTORED, tabulator.round, counts=tabulator.by_hand, reason=tabulator.down, by=by
    )
    return replace(tabulator, chips=seen, by_hand={}, down=""), (entry,)


def _chip(tabulator: Tabulator, spot: Spot, chips: frozenset[Spot], late: Logged) -> Step:
    _require_spot(tabulator, spot)
    if tabulator.down:
        return tabulator, (LogEntry(Logged.UNSEEN, tabulator.round, spot),)
    if chips == tabulator.chips:
        return tabulator, ()
    changed = replace(tabulator, chips=chips)
    return changed, (LogEntry(late, tabulator.round, spot),) if tabulator.in_play else ()


def _added(totals: Mapping[str, int], counts: Mapping[str, int]) -> Mapping[str, int]:
    wagers = {**totals, **counts}
    return {wager: totals.get(wager, 0) + counts.get(wager, 0) for wager in wagers}


def _require(condition: bool, code: Code, message: str) -> None:
    if not condition:
        raise TabulatorRefused(code, message)


def _require_running(tabulator: Tabulator) -> None:
    down = f"the equipment is down ({tabulator.down}): count by hand"
    _require(not tabulator.down, Code.EQUIPMENT_DOWN, down)


def _require_down(tabulator: Tabulator) -> None:
    _require(bool(tabulator.down), Code.EQUIPMENT_RUNS, "the equipment is running")


def _require_spot(tabulator: Tabulator, spot: Spot) -> None:
    on_table = 1 <= spot.position <= tabulator.positions
    _require(
        on_table and 1 <= spot.sensor <= len(tabulator.sensors),
        Code.NO_SUCH_SENSOR,
        f"there is no sensor {spot.sensor} at position {spot.position}",
    )


def _require_record(reason: str, by: str) -> None:
    named = bool(reason.strip()) and bool(by.strip())
    _require(named, Code.TABULATOR_RECORD, "the log needs a reason and a name")


def _require_counts(tabulator: Tabulator, counts: Mapping[str, int]) -> None:
    watched = {sensor.wager for sensor in tabulator.sensors}
    fits = all(
        wager in watched and 0 <= count <= tabulator.positions for wager, count in counts.items()
    )
    _require(fits, Code.HAND_COUNT, "a count is of a watched wager, one at each position")
