"""The vocabulary of reports: a sheet of sections with figures and tables.

Each figure is named once, with its value and format. Terminal, web page and PDF show whatever has
a label; JSON has whatever has a key. A key may name a place within: `hold/theoretical`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from headsup.report.formats import PLAIN, WORDS, Format, format_fraction

if TYPE_CHECKING:
    from headsup.analysis.solver.solution import Solution

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One value. Without a label only programs get it, without a key only people."""

    key: str
    label: str
    value: Any
    format: Format = PLAIN
    unit: str = ""  # follows the label: "per Ante"
    absent: str = "unknown"  # what people read if the value is None; "" leaves the figure out

    @property
    def name(self) -> str:
        return f"{self.label}, {self.unit}" if self.unit else self.label

    @property
    def text(self) -> str:
        return self.absent if self.value is None else self.format.text(self.value)

    def json(self) -> Any:
        return None if self.value is None else self.format.json(self.value)


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of every row of a table; `get` takes it from the row."""

    key: str
    label: str
    get: Callable[[Any], Any]
    format: Format = PLAIN
    absent: str = ""  # what people read if the value is None

    def text(self, row: Any) -> str:
        return self.show(self.get(row))

    def show(self, value: Any) -> str:
        return self.absent if value is None else self.format.text(value)

    def json(self, row: Any) -> Any:
        value = self.get(row)
        return None if value is None else self.format.json(value)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as text. The first column has the rows' names."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()  # length of a bar in each row, from 0 to 1
    has_total_row: bool = False  # the last row is a total
    groups: tuple[tuple[str, int], ...] = ()  # headings, each with the number of the row below it
    words: tuple[int, ...] = (0,)  # the columns that hold words, not figures


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of any kind, read by columns.

    With `row_name`, JSON is an object with a member for each row; where programs get one column
    only, the member is its value.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Any]
    row_name: Callable[[Any], str] | None = None
    total: Mapping[str, Any] | None = None  # values of the last row, by the columns' labels
    bar: Callable[[Any], Any] | None = None  # what a bar beside each row shows, relative to others
    groups: tuple[tuple[str, int], ...] = ()

    def grid(self) -> Grid:
        shown = [column for column in self.columns if column.label]
        rows = [tuple(column.text(row) for column in shown) for row in self.rows]
        if self.total is not None:
            rows.append(tuple(self._total_cell(column, self.total) for column in shown))
        has_total_row = self.total is not None
        head = tuple(column.label.strip() for column in shown)
        words = tuple(i for i, column in enumerate(shown) if not i or column.format is WORDS)
        return Grid(self.title, head, tuple(rows), self._bars(), has_total_row, self.groups, words)

    def _total_cell(self, column: Column, total: Mapping[str, Any]) -> str:
        if column.label not in total:
            return ""
        value = total[column.label]
        return value if isinstance(value, str) else column.show(value)

    def _bars(self) -> tuple[float, ...]:
        if self.bar is None:
            return ()
        lengths = [self.bar(row) for row in self.rows]
        longest = max(lengths, default=0) or 1
        return (*(float(length / longest) for length in lengths), *([0.0] if self.total else []))

    def json(self) -> Any:
        keyed = [column for column in self.columns if column.key]
        if self.row_name is None:
            return [row_json(keyed, row) for row in self.rows]
        if len(keyed) == 1:
            return {self.row_name(row): keyed[0].json(row) for row in self.rows}
        return {self.row_name(row): row_json(keyed, row) for row in self.rows}


def row_json(columns: Sequence[Column], row: Any) -> dict[str, Any]:
    return {column.key: column.json(row) for column in columns if column.key}


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture, drawn as SVG when a page needs it."""

    kind: str  # how the page sets it: `pocket`, `main`, `bars` (left out on phones) or `plot`
    draw: Callable[[], str]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    key: str  # its place in JSON; "" puts its figures at the top
    title: str
    about: str = ""
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    pocket: "Solution | None" = None  # whose pocket chart a terminal shows
    data: Callable[[], Mapping[str, Any]] = dict  # what only programs get

    @property
    def facts(self) -> Facts:
        return tuple((figure.name, figure.text) for figure in self.figures if _is_shown(figure))

    @property
    def exact(self) -> Facts:
        """The exact figures as fractions."""
        return tuple(
            (figure.label, format_fraction(figure.value))
            for figure in self.figures
            if figure.format.is_exact and figure.label and isinstance(figure.value, Fraction)
        )

    @property
    def grids(self) -> tuple[Grid, ...]:
        return tuple(table.grid() for table in self.tables if table.title)

    @property
    def has_text(self) -> bool:
        return bool(self.facts or self.grids or self.notes)

    @property
    def edge(self) -> str:
        """The house edge, if this is a section about one."""
        return next((figure.text for figure in self.figures if figure.key == "house_edge"), "")

    def json(self) -> dict[str, Any]:
        answer = dict(self.data())
        items: tuple[Figure | Table, ...] = (*self.figures, *self.tables)
        for item in items:
            if item.key:
                _put(answer, item.key, item.json())
        return answer


def _is_shown(figure: Figure) -> bool:
    return bool(figure.label and figure.text)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole report."""

    title: str
    about: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    identity: Section | None = None  # program, date, document: what tells it from another sheet
    picture: Chart | None = None  # the chart to have alone
    rows: Callable[[], Iterable[Iterable[object]]] = tuple  # every outcome, as CSV

    @property
    def shown(self) -> list[Section]:
        """The sections for people."""
        return [section for section in self.sections if section.has_text or section.charts]

    def json(self) -> dict[str, Any]:
        """What a command prints with `--json`."""
        answer: dict[str, Any] = {}
        for section in (*self.sections, *([self.identity] if self.identity else [])):
            if content := section.json():
                _put(answer, section.key, content)
        return answer


def _put(into: dict[str, Any], key: str, value: Any) -> None:
    """Put a value at a place such as `hold/theoretical`; "" and "/" merge an object."""
    *path, last = key.strip("/").split("/")
    for name in path:
        into = into.setdefault(name, {})
    if last and isinstance(value, dict) and isinstance(into.get(last), dict):
        into[last] |= value
    elif last:
        into[last] = value
    else:
        into |= value
