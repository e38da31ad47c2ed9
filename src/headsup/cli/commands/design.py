"""`headsup design`: finds paytables with a target house edge, each confirmed exactly."""

import re
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.common import (
    json_option,
    open_executor,
    parse_sets,
    rules_option,
    scheduler_option,
    sets_option,
    workers_option,
)
from headsup.cli.options.output_files import check_files
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headsup.analysis.design.designer import DesignAnswer, DesignRequest
    from headsup.analysis.solver.payoffs import Payoffs
    from headsup.analysis.solver.solution import Solution
    from headsup.analysis.workers.executor import Executor, Progress
    from headsup.game.rulebook.table_rules import TableRules

MAX_TABLES_SHOWN = 12
MAX_PAYS_IN_RANGE = 5_000  # in one `--pay ROW=LOW..HIGH`


@click.command(cls=Command)
@click.argument(
    "table",
    metavar="TABLE",
    help="odds, bad_beat, main (both), trips_plus, pocket_bonus, all_6 or progressive.",
)
@option("--edge", metavar="SHARE", required=True, help="Target house edge: 2.5% or 0.025.")
@option("--within", metavar="SHARE", default="0.05%", help="Tolerance for the house edge.")
@option("--hits", metavar="SHARE", help="Target hit frequency, within 0.5%.")
@option("--sd", metavar="NUMBER", help="Target standard deviation, within 2%.")
@option(
    "--pay",
    "pays",
    metavar="ROW=PAY",
    multiple=True,
    help="Fix a row (flush=5), or list what it may pay (flush=4..8, flush=4,5,7:2).",
)
@option("--any-order", is_flag=True, help="Let a hand pay less than a lower one.")
@option("--seed", metavar="AMOUNT", help="Progressive: the meter's seed.")
@option("--contribution", metavar="AMOUNT", help="Progressive: what each wager adds to the meter.")
@option(
    "--most",
    metavar="N",
    type=WholeNumber(MAX_TABLES_SHOWN),
    default=5,
    help="Maximum number of tables to show.",
)
@rules_option
@sets_option
@option("--out", metavar="FILE", type=Path, help="Write the first table as a rule book (TOML).")
@option("--html", metavar="FILE", type=Path, help="Write a page with plots.")
@option("--svg", metavar="FILE", type=Path, help="Write a plot of the Pareto front.")
@workers_option
@scheduler_option
@json_option
def design(
    table: str,
    edge: str,
    within: str,
    hits: str | None,
    sd: str | None,
    pays: tuple[str, ...],
    any_order: bool,
    seed: str | None,
    contribution: str | None,
    most: int,
    rules: str,
    sets: tuple[str, ...],
    out: Path | None,
    html: Path | None,
    svg: Path | None,
    workers: str | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Find paytables with a target house edge: whole-number pays, better hands never pay less."""
    from headsup.cli.screens.sheet import show_sheet
    from headsup.game.rulebook.table_rules import table_rules
    from headsup.report.sheets.design import design_sheet

    wanted = check_files(out=out, html=html, svg=svg)
    paytables, options = parse_sets(sets)
    chosen = table_rules(rules, paytables, options)
    request = _build_request(
        chosen, table, _goal(edge, within, hits, sd), pays, most, not any_order, seed, contribution
    )
    answer = _run_design(request, workers, scheduler)
    book = {} if out is None else {out: _book(answer, paytables, options)}
    show_sheet(design_sheet(answer), as_json, wanted, book)


# The request.


def _goal(edge: str, within: str, hits: str | None, sd: str | None) -> Any:
    from headsup.analysis.design.search import Goal

    near = _share(within, "--within")
    if near <= 0:
        raise Refused(Code.BAD_DESIGN, "share_of", where="--within", text=within[:40], meant="")
    return Goal(
        _share(edge, "--edge"),
        near,
        None if hits is None else _share(hits, "--hits"),
        deviation=None if sd is None else _number(sd, "--sd"),
    )


def _share(text: str, where: str) -> Fraction:
    from headsup.analysis.design.search import check_share

    number = re.fullmatch(r"\s*(-?\d{1,9}(?:\.\d{1,18})?)\s*(%?)\s*", text, re.ASCII)
    share = Fraction(number[1]) / (100 if number[2] else 1) if number else None
    return check_share(share, text, where)


def _number(text: str, where: str) -> Fraction:
    if not re.fullmatch(r"\d{1,9}(?:\.\d{1,18})?", text, re.ASCII) or not Fraction(text):
        raise Refused(Code.BAD_DESIGN, "deviation", where=where, text=text[:40])
    return Fraction(text)


def _build_request(
    rules: "TableRules", table: str, goal: Any, pays: tuple[str, ...], most: int, ordered: bool,
    seed: str | None, contribution: str | None,
) -> "DesignRequest":  # fmt: skip
    from headsup.analysis.design.designer import DesignRequest
    from headsup.cli.options.amounts import normalize_amount
    from headsup.game.values.amounts import parse_micros

    def micros(text: str | None, where: str) -> int | None:
        if text is None:
            return None
        amount = parse_micros(normalize_amount(text), where)
        if amount < 0:
            raise Refused(Code.BAD_DESIGN, "amount", where=where, text=text[:40])
        return amount

    table_key = table.replace("-", "_")
    rows: dict[tuple[str, str], tuple[Fraction, ...]] = {}
    for text in pays:
        name, amounts = _row(text, table_key)
        if name in rows:
            raise Refused(Code.BAD_DESIGN, "twice", where="--pay", row=name[1][:40])
        rows[name] = amounts
    return DesignRequest(
        rules,
        table_key,
        goal,
        rows,
        most,
        ordered,
        micros(seed, "--seed"),
        micros(contribution, "--contribution"),
    )


def _row(text: str, table: str) -> tuple[tuple[str, str], tuple[Fraction, ...]]:
    """Parse `flush=5`, `flush=4..8`, `flush=4,5,7:2` or, with two tables, `odds.flush=2`."""
    name, _, pays = text.partition("=")
    key, _, outcome = name.strip().rpartition(".")
    amounts = _pays(pays.strip(), text)
    if not outcome or not amounts:
        raise Refused(Code.BAD_DESIGN, "pays", where="--pay", text=text[:60])
    return (key or table, outcome), amounts


def _pays(text: str, option_text: str) -> tuple[Fraction, ...]:
    from headsup.game.rulebook.cells import MAX_PAY

    def bad_range(case: str, **data: int) -> Refused:
        return Refused(Code.BAD_DESIGN, case, where="--pay", text=option_text[:60], **data)

    if between := re.fullmatch(r"(\d{1,30})\s*\.\.\s*(\d{1,30})", text, re.ASCII):
        low, high = int(between[1]), int(between[2])
        if low > high:
            raise bad_range("falling")
        if high > MAX_PAY:
            raise bad_range("largest", most=MAX_PAY)
        if high - low >= MAX_PAYS_IN_RANGE:
            raise bad_range("range", count=high - low + 1, most=MAX_PAYS_IN_RANGE)
        return tuple(Fraction(pay) for pay in range(low, high + 1))
    pays = []
    for part in text.split(","):
        number = re.fullmatch(
            r"\s*(\d{1,30}(?:\.\d{1,3})?)(?:\s*:\s*(\d{1,3}))?\s*", part, re.ASCII
        )
        if not number or (number[2] and not int(number[2])):
            return ()
        pays.append(Fraction(number[1]) / int(number[2] or 1))
    if max(pays) > MAX_PAY:
        raise bad_range("largest", most=MAX_PAY)
    return tuple(pays)


# The answer.


def _run_design(
    request: "DesignRequest", workers: str | None, scheduler: str | None
) -> "DesignAnswer":
    from headsup.analysis.design.designer import design_tables
    from headsup.cli.screens.progress import progress_bar

    with open_executor(None, workers, scheduler) as executor:
        remote = executor if workers is not None or scheduler is not None else None
        with progress_bar("Solving candidates") as progress:
            return design_tables(request, partial(_solve, remote), progress)


def _solve(
    remote: "Executor | None", payoffs: "Sequence[Payoffs]", progress: "Progress | None"
) -> "Sequence[Solution]":
    """Solve in this process all at once, sharing work; on remote workers one by one."""
    from headsup.analysis.solver.solver import solve_many, solve_on_workers
    from headsup.cli.options.workbench import print_notices

    if remote is not None:
        return solve_on_workers(remote, payoffs, progress)
    print_notices()
    return solve_many(payoffs, progress)


def _book(answer: "DesignAnswer", paytables: dict[str, Any], options: dict[str, Any]) -> bytes:
    """The best table as a rule book."""
    from headsup.analysis.design.rule_book_file import write_design_book
    from headsup.analysis.exact_numbers import percent

    table, key = answer.best, answer.result.table
    about = f"{key}: house edge {percent(table.house_edge)}, by headsup design"
    every = {**options, **answer.options}
    return write_design_book(table.rules, key, paytables, every, about).encode()
