"""The content of a report: facts, tables and notes, the same on screen, web page and paper."""

from dataclasses import dataclass

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text. The first column has the rows' names."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()  # length of a bar in each row, from 0 to 1
    has_total_row: bool = False  # the last row is a total
    groups: tuple[tuple[str, int], ...] = ()  # headings, each with the number of the row below it


@dataclass(frozen=True, slots=True)
class Section:
    key: str  # `main`, a side wager, or `hold`
    title: str
    about: str
    edge: str  # the house edge, or ""
    facts: Facts
    grids: tuple[Grid, ...]
    notes: tuple[str, ...] = ()
    exact: Facts = ()  # figures as fractions


@dataclass(frozen=True, slots=True)
class Printout:
    title: str
    about: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    identity: Facts = ()  # program, date, document, fingerprint
