"""A par sheet as its readers meet it: facts, tables and notes, the same on screen, page, paper."""

from dataclasses import dataclass

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text; the first column is read as names. `bars` are shares from 0 to 1.

    `groups` are headings in it, each with the number of the first row below it.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()
    total: bool = False  # the last row sums up
    groups: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    key: str  # `main`, a side wager, or `hold`
    title: str
    about: str
    edge: str  # the figure that stands for the section, if it has one
    facts: Facts
    grids: tuple[Grid, ...]
    notes: tuple[str, ...] = ()
    exact: Facts = ()  # figures as fractions, none of whose digits is rounded


@dataclass(frozen=True, slots=True)
class Printout:
    title: str
    about: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    identity: Facts = ()  # what was computed, by what, when, from which document
