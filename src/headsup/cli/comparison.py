"""`headsup par --all`: every paytable of every document, in one table."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from headsup.cli.files import write_files
from headsup.cli.progress import progress_bar

if TYPE_CHECKING:
    from headsup.analysis.compare import Entry

HEAD = (
    "rules", "wager", "paytable", "house_edge", "hit_frequency", "standard_deviation",
    "fixed_return", "meter_coefficient", "break_even_meter",
)  # fmt: skip


def compare_all(meter_micros: int, as_json: bool, wanted: Mapping[str, Path]) -> None:
    from headsup.analysis.compare import compare
    from headsup.analysis.report.comparison import comparison_report
    from headsup.cli.solved import say_first_run

    say_first_run()
    with progress_bar("Solving every main game") as progress:
        entries = compare(progress, meter_micros)
    report = comparison_report(entries, meter_micros)
    contents: dict[Path, bytes] = {}
    if "html" in wanted:
        from headsup.analysis.report.webpage import par_page

        contents[wanted["html"]] = par_page(report, {}).encode()
    if "pdf" in wanted:
        from headsup.analysis.report.booklet import par_pdf

        contents[wanted["pdf"]] = par_pdf(report, {})
    if "csv" in wanted:
        from headsup.cli.parfiles import csv_bytes

        contents[wanted["csv"]] = csv_bytes([HEAD, *map(_csv_row, entries)])
    write_files(contents)
    if as_json:
        typer.echo(json.dumps({"paytables": [entry_json(entry) for entry in entries]}))
        return
    from headsup.cli.parsheet import print_report
    from headsup.cli.screen import console

    screen = console()
    print_report(screen, report)
    for path in contents:
        screen.print(f"Written: {path}", markup=False)


def entry_json(entry: "Entry") -> dict[str, Any]:
    from headsup.analysis.numbers import exact, root
    from headsup.analysis.report.sheetjson import pool_json

    answer: dict[str, Any] = {
        "rules": entry.book,
        "wager": entry.wager,
        "paytable": entry.paytable,
        "operators": entry.variance is None,
    }
    if entry.house_edge is None or entry.hit_frequency is None or entry.variance is None:
        return answer
    answer |= {
        "house_edge": exact(entry.house_edge),
        "hit_frequency": exact(entry.hit_frequency),
        "standard_deviation": root(entry.variance),
    }
    if entry.side is not None and entry.side.pool is not None:
        answer |= pool_json(entry.side.pool)
    return answer


def _csv_row(entry: "Entry") -> list[str]:
    from headsup.analysis.report.comparison import OPERATORS

    answer = entry_json(entry)
    if answer["operators"]:
        return [*(answer[key] for key in HEAD[:3]), OPERATORS]
    row = []
    for key in HEAD:
        value = answer.get(key) or ""
        row.append(value["decimal"] if isinstance(value, dict) else value)
    return row
