"""Win, hold and variance of tables with real chips, by shift, gaming day, month and year to date.

The win by count is drop + closing + credits - opening - fills. The recorded win is what the
rounds say. They differ by the variance: what counts found missing (below zero) or too much.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from headsup.game.values.money import Cents, format_cents
from headsup.game.values.str_enum import TextEnum
from headsup.house.cash.gaming_days import GamingDay
from headsup.house.history.exports import csv_row
from headsup.house.store.projection_rows import Slip, SlipKind


class Span(TextEnum):
    """What one line of a report covers."""

    SHIFT = "shift"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"  # the year to date


@dataclass(frozen=True, slots=True)
class ShiftLine:
    """The figures of one shift, or of all shifts of a table in a day, a month or a year."""

    floor: str
    table: str
    span: str  # the day with the shift's number, the day, the month or the year
    shifts: int
    opening: Cents
    fills: Cents
    credits: Cents
    drop: Cents
    closing: Cents
    expected: Cents  # what the book said at the closings
    box_variance: Cents = 0  # what the count room found, against the book
    opening_variance: Cents = 0  # found at openings: between shifts
    open: bool = False  # the shift is not over, and counts in no sum

    @property
    def win(self) -> Cents:
        """By count."""
        taken = self.drop + self.box_variance + self.closing + self.credits
        return taken - self.opening - self.fills

    @property
    def variance(self) -> Cents:
        return self.closing - self.expected + self.box_variance

    @property
    def recorded(self) -> Cents:
        """By the rounds."""
        return self.win - self.variance

    @property
    def hold(self) -> Fraction | None:
        """Win divided by drop. Chips that guests bring along are no drop."""
        drop = self.drop + self.box_variance
        return Fraction(self.win, drop) if drop else None


def shift_lines(
    slips: Iterable[tuple[str, Slip]],
    span: Span,
    day: GamingDay,
    since: str = "",
    until: str = "",
) -> list[ShiftLine]:
    """The report's lines. A shift belongs to the gaming day in which it opened.

    `since` and `until` are gaming days like 2026-01-31; the last is not included.
    """
    lines: dict[tuple[str, str, str], ShiftLine] = {}
    for opened, line in _shifts(slips):
        on = day.day_of(opened)
        if on < since or (until and on >= until):
            continue
        if line.open and span is not Span.SHIFT:
            continue
        match span:
            case Span.SHIFT:
                name = f"{on} shift {line.span}"
            case Span.DAY:
                name = on
            case Span.MONTH:
                name = on[:7]
            case Span.YEAR:
                name = on[:4]
        key = line.floor, line.table, name
        named = replace(line, span=name)
        lines[key] = _add(lines[key], named) if key in lines else named
    return [lines[key] for key in sorted(lines)]


def _shifts(slips: Iterable[tuple[str, Slip]]) -> Iterator[tuple[str, ShiftLine]]:
    """When each shift was opened, and its line, by its own number."""
    found: dict[tuple[str, str, int], tuple[str, ShiftLine]] = {}
    for floor, slip in slips:
        if slip.kind is SlipKind.AWARD:
            continue  # the closing slip has it among the credits
        key = floor, slip.table, slip.shift
        opened, line = found.get(key, ("", None))
        if line is None:
            # The first slip of a shift is its opening count.
            gap = 0 if slip.issued else slip.amount - slip.expected
            count = slip.amount
            empty = ShiftLine(floor, slip.table, str(slip.shift), 1, count, 0, 0, 0, 0, 0)
            found[key] = slip.at, replace(empty, opening_variance=gap, open=True)
            continue
        match slip.kind:
            case SlipKind.OPENING | SlipKind.BOX | SlipKind.AWARD:
                pass
            case SlipKind.FILL:
                line = replace(line, fills=line.fills + slip.amount)
            case SlipKind.CREDIT:
                line = replace(line, credits=line.credits + slip.amount)
            case SlipKind.BOX_COUNT:
                difference = slip.amount - slip.expected
                line = replace(line, box_variance=line.box_variance + difference)
            case SlipKind.CLOSING:
                line = replace(
                    line,
                    fills=slip.fills,
                    credits=slip.credits,  # with the awards that were paid from the tray
                    drop=slip.drop,
                    closing=slip.amount,
                    expected=slip.expected,
                    open=False,
                )
        found[key] = opened, line
    yield from found.values()


def _add(one: ShiftLine, two: ShiftLine) -> ShiftLine:
    return replace(
        one,
        shifts=one.shifts + two.shifts,
        opening=one.opening + two.opening,
        fills=one.fills + two.fills,
        credits=one.credits + two.credits,
        drop=one.drop + two.drop,
        closing=one.closing + two.closing,
        expected=one.expected + two.expected,
        box_variance=one.box_variance + two.box_variance,
        opening_variance=one.opening_variance + two.opening_variance,
    )


# As text for spreadsheets and programs.

COLUMNS = (
    *("floor", "table", "span", "shifts", "open", "opening", "fills", "credits", "drop"),
    *("closing", "win", "recorded", "variance", "hold", "box_variance", "opening_variance"),
)
_MONEY = frozenset(COLUMNS) - {"floor", "table", "span", "shifts", "open", "hold"}


def line_values(line: ShiftLine) -> dict[str, str | int | bool | None]:
    """The figures by name: dollars as text, the hold as a decimal fraction. An open shift has not
    won or lost anything yet."""
    values: dict[str, str | int | bool | None] = {}
    for name in COLUMNS:
        value = getattr(line, name)
        if line.open and name in _UNKNOWN_WHILE_OPEN:
            values[name] = None
        elif name in _MONEY:
            values[name] = format_cents(value)
        elif name == "hold":
            values[name] = None if value is None else f"{float(value):.4f}"
        else:
            values[name] = value
    return values


_UNKNOWN_WHILE_OPEN = frozenset({"closing", "win", "recorded", "variance", "hold", "drop"})


def report_lines(lines: Iterable[ShiftLine], as_csv: bool) -> Iterator[str]:
    """The report as CSV, or as one JSON object per line."""
    if as_csv:
        yield csv_row(COLUMNS)
    for line in lines:
        values = line_values(line)
        if as_csv:
            yield csv_row(tuple("" if one is None else one for one in values.values()))
        else:
            yield json.dumps(values) + "\n"
