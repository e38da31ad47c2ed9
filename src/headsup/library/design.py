"""Paytables for a target edge, every one confirmed exactly."""

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
from headsup.analysis.design.solving import solve_on_workers
from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.solver.solver import solve_many
from headsup.analysis.workers.executor import Threads
from headsup.analysis.workers.pool import open_workers
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.cells import MAX_PAY
from headsup.game.rulebook.model import PAYTABLE_KEYS
from headsup.game.values.amounts import parse_micros
from headsup.library.rules import CountLike, RulesLike, require_text, rules
from headsup.report.json.design import design_json
from headsup.report.words.design import design_page

NumberLike = int | float | str | Decimal | Fraction  # a float as it is written


@dataclass(frozen=True)
class DesignedPaytables:
    """`best` changes least of all that meet the target; `found` has others with their merits."""

    answer: DesignAnswer = field(repr=False)
    _said: tuple[Mapping[str, Any], Mapping[str, Any]] = field(repr=False, compare=False)

    @property
    def present(self) -> DesignedTable:
        return self.answer.found.present

    @property
    def best(self) -> DesignedTable:
        return self.answer.best

    @property
    def found(self) -> tuple[DesignedTable, ...]:
        return self.answer.found.found

    @property
    def meter(self) -> MeterPlan | None:
        """Of a progressive: seed, contribution, average and break-even."""
        return self.answer.meter

    def to_json(self) -> dict[str, Any]:
        """As `headsup design --json` answers."""
        return design_json(self.answer)

    def to_toml(self) -> str:
        """The best table as a rule book of one's own."""
        paytables, options = self._said
        what, edge = self.answer.found.what, percent(self.best.house_edge)
        about = f"{what}: house edge {edge}, by headsup design"
        options = {**options, **self.answer.options}
        return write_design_book(self.best.rules, what, paytables, options, about)

    def to_html(self) -> str:
        return design_page(self.answer)

    def __repr__(self) -> str:
        what, count = self.answer.found.what, self.answer.found.meeting
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
    **chosen: Any,
) -> DesignedPaytables:
    """`design("trips_plus", edge="3.5%", pays={"royal_flush": 100, "flush": range(5, 8)})`.

    `what` is a paytable (`odds`, `trips_plus`, …) or `main` for Odds and Bad Beat together.
    Candidates of the main game are solved here, or by `workers` or a Dask `scheduler`.
    """
    table = rules(name, **chosen)
    goal = Goal(
        _share(edge, "edge"),
        _share(within, "within"),
        None if hits is None else _share(hits, "hits"),
        deviation=None if deviation is None else _deviation(deviation),
    )
    if goal.within <= 0:
        raise Refused(Code.BAD_DESIGN, "share_of", where="within", text=str(within)[:40], meant="")
    rows: dict[RowName, list[Fraction]] = {}
    for row, amount in _check_rows(pays).items():
        if _row(row, what) in rows:  # flush and odds.flush
            raise Refused(Code.BAD_DESIGN, "twice", where="pays", row=row[:40])
        rows[_row(row, what)] = _amounts(amount, row)
    asked = DesignRequest(
        table,
        what,
        goal,
        rows,
        seed=None if seed is None else parse_micros(seed, "seed"),
        contribution=None if contribution is None else parse_micros(contribution, "contribution"),
    )
    paytables = {key: value for key, value in chosen.items() if key in PAYTABLE_KEYS}
    options = {key: value for key, value in chosen.items() if key not in PAYTABLE_KEYS}
    with open_workers(workers=workers, scheduler=scheduler) as workforce:
        here = isinstance(workforce, Threads)
        solve = solve_many if here else partial(solve_on_workers, workforce)
        return DesignedPaytables(find_tables(asked, solve), (paytables, options))


def _check_rows(pays: object) -> Mapping[str, Any]:
    said = pays or {}
    if not isinstance(said, Mapping):
        raise Refused(Code.BAD_DESIGN, "pays", where="pays", text=str(said)[:60])
    return {require_text(row, "pays"): amount for row, amount in said.items()}


def _row(name: str, what: str) -> RowName:
    key, _, outcome = name.rpartition(".")
    return key or what, outcome


def _amounts(said: NumberLike | Iterable[NumberLike], row: str) -> list[Fraction]:
    several = [said] if isinstance(said, str) or not isinstance(said, Iterable) else [*said]
    amounts = []
    for one in several:
        amount = _number(one)
        text = f"{row}={one}"[:60]
        if amount is None or amount < 0:
            raise Refused(Code.BAD_DESIGN, "pays", where="pays", text=text)
        if amount > MAX_PAY:
            raise Refused(Code.BAD_DESIGN, "largest", where="pays", text=text, most=MAX_PAY)
        amounts.append(amount)
    if not amounts:
        raise Refused(Code.BAD_DESIGN, "pays", where="pays", text=f"{row}="[:60])
    return amounts


def _share(said: NumberLike, where: str) -> Fraction:
    """`"3.5%"`, `"0.035"`, `0.035` or `Fraction(7, 200)`."""
    if isinstance(said, str) and said.strip().endswith("%"):
        number = _number(said.strip()[:-1])
        return check_share(None if number is None else number / 100, said, where)
    return check_share(_number(said), str(said), where)


def _deviation(said: NumberLike) -> Fraction:
    number = _number(said)
    if number is None or number <= 0:
        raise Refused(Code.BAD_DESIGN, "deviation", where="deviation", text=str(said)[:40])
    return number


def _number(said: object) -> Fraction | None:
    """A float is taken as it is written: 0.035 is seven two-hundredths."""
    if isinstance(said, bool) or not isinstance(said, int | float | str | Decimal | Fraction):
        return None
    try:
        return Fraction(repr(said) if isinstance(said, float) else said)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
