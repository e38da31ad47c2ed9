"""Designs paytables for a target house edge, each confirmed exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from headsup.analysis.design.designer import DesignAnswer, DesignRequest
from headsup.analysis.design.designer import design_tables as find_tables
from headsup.analysis.design.meters import MeterPlan
from headsup.analysis.design.paytables import DesignedTable
from headsup.analysis.design.rows import RowName
from headsup.analysis.design.rule_book_file import write_design_book
from headsup.analysis.design.search import Goal, check_share
from headsup.analysis.exact_numbers import percent
from headsup.analysis.solver.solver import solve_many, solve_on_workers
from headsup.analysis.workers.executor import Threads, open_workers
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.cells import MAX_PAY
from headsup.game.rulebook.model import PAYTABLE_KEYS
from headsup.game.values.amounts import parse_micros
from headsup.library.rules import CountLike, RulesLike, require_text, rules
from headsup.report.files.html import sheet_page
from headsup.report.sheets.design import design_sheet

NumberLike = int | float | str | Decimal | Fraction  # floats are read as written


@dataclass(frozen=True)
class DesignedPaytables:
    """Paytables that meet the target. `best` changes the least; `found` lists alternatives."""

    answer: DesignAnswer = field(repr=False)
    _choices: tuple[Mapping[str, Any], Mapping[str, Any]] = field(repr=False, compare=False)

    @property
    def present(self) -> DesignedTable:
        """The paytable as it is now."""
        return self.answer.result.present

    @property
    def best(self) -> DesignedTable:
        return self.answer.best

    @property
    def found(self) -> tuple[DesignedTable, ...]:
        return self.answer.result.tables

    @property
    def meter(self) -> MeterPlan | None:
        """For a Progressive: seed, contribution, average and break-even."""
        return self.answer.meter

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup design --json`."""
        return design_sheet(self.answer).json()

    def to_toml(self) -> str:
        """A rule book with the best table, to save as a file."""
        paytables, options = self._choices
        what, edge = self.answer.result.table, percent(self.best.house_edge)
        description = f"{what}: house edge {edge}, by headsup design"
        options = {**options, **self.answer.options}
        return write_design_book(self.best.rules, what, paytables, options, description)

    def to_html(self) -> str:
        return sheet_page(design_sheet(self.answer))

    def __repr__(self) -> str:
        what, count = self.answer.result.table, self.answer.result.meeting
        return f"<{what}: {count} tables, best {self.best!r}>"


def design(
    what: str,
    edge: NumberLike,
    within: NumberLike = Fraction(1, 2000),
    pays: Mapping[str, NumberLike | Iterable[NumberLike]] | None = None,
    hits: NumberLike | None = None,
    deviation: NumberLike | None = None,
    seed: object = None,
    contribution: object = None,
    name: RulesLike = "galaxy",
    *,
    workers: CountLike | None = None,
    scheduler: str | None = None,
    **choices: Any,
) -> DesignedPaytables:
    """Find paytables with a given house edge.

    `design("trips_plus", edge="3.5%", pays={"royal_flush": 100, "flush": range(5, 8)})`

    `what` is a paytable (`odds`, `trips_plus`, …) or `main` for Odds and Bad Beat together.
    Candidates for the main game are solved on local threads, in `workers` processes or on a Dask
    `scheduler`.
    """
    table = rules(name, **choices)
    goal = Goal(
        _parse_share(edge, "edge"),
        _parse_share(within, "within"),
        None if hits is None else _parse_share(hits, "hits"),
        deviation=None if deviation is None else _parse_deviation(deviation),
    )
    if goal.within <= 0:
        raise Refused(Code.BAD_DESIGN, "share_of", where="within", text=str(within)[:40], meant="")
    rows: dict[RowName, list[Fraction]] = {}
    for row, amount in _check_rows(pays).items():
        if _row_name(row, what) in rows:  # flush and odds.flush
            raise Refused(Code.BAD_DESIGN, "twice", where="pays", row=row[:40])
        rows[_row_name(row, what)] = _parse_amounts(amount, row)
    request = DesignRequest(
        table,
        what,
        goal,
        rows,
        seed=None if seed is None else parse_micros(seed, "seed"),
        contribution=None if contribution is None else parse_micros(contribution, "contribution"),
    )
    paytables = {key: value for key, value in choices.items() if key in PAYTABLE_KEYS}
    options = {key: value for key, value in choices.items() if key not in PAYTABLE_KEYS}
    with open_workers(workers=workers, scheduler=scheduler) as executor:
        is_local = isinstance(executor, Threads)
        solve = solve_many if is_local else partial(solve_on_workers, executor)
        return DesignedPaytables(find_tables(request, solve), (paytables, options))


def _check_rows(pays: object) -> Mapping[str, Any]:
    rows = pays or {}
    if not isinstance(rows, Mapping):
        raise Refused(Code.BAD_DESIGN, "pays", where="pays", text=str(rows)[:60])
    return {require_text(row, "pays"): amount for row, amount in rows.items()}


def _row_name(name: str, what: str) -> RowName:
    key, _, outcome = name.rpartition(".")
    return key or what, outcome


def _parse_amounts(value: NumberLike | Iterable[NumberLike], row: str) -> list[Fraction]:
    values = [value] if isinstance(value, str) or not isinstance(value, Iterable) else [*value]
    amounts = []
    for item in values:
        amount = _parse_number(item)
        text = f"{row}={item}"[:60]
        if amount is None or amount < 0:
            raise Refused(Code.BAD_DESIGN, "pays", where="pays", text=text)
        if amount > MAX_PAY:
            raise Refused(Code.BAD_DESIGN, "largest", where="pays", text=text, most=MAX_PAY)
        amounts.append(amount)
    if not amounts:
        raise Refused(Code.BAD_DESIGN, "pays", where="pays", text=f"{row}="[:60])
    return amounts


def _parse_share(value: NumberLike, where: str) -> Fraction:
    """`"3.5%"`, `"0.035"`, `0.035` or `Fraction(7, 200)`."""
    if isinstance(value, str) and value.strip().endswith("%"):
        number = _parse_number(value.strip()[:-1])
        return check_share(None if number is None else number / 100, value, where)
    return check_share(_parse_number(value), str(value), where)


def _parse_deviation(value: NumberLike) -> Fraction:
    number = _parse_number(value)
    if number is None or number <= 0:
        raise Refused(Code.BAD_DESIGN, "deviation", where="deviation", text=str(value)[:40])
    return number


def _parse_number(value: object) -> Fraction | None:
    """The exact number; a float is read as written, so 0.035 is 7/200. None if it is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal | Fraction):
        return None
    try:
        return Fraction(repr(value) if isinstance(value, float) else value)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
