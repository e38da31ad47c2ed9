"""`headsup par --all`: every paytable of every document, in one table."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from headsup.cli.options.output_files import print_file_names, write_files
from headsup.cli.screens.progress import progress_bar

if TYPE_CHECKING:
    from headsup.analysis.par.comparison import PaytableFigures

COMPARISON_COLUMNS = (
    "rules", "wager", "paytable", "house_edge", "hit_frequency", "standard_deviation",
    "fixed_return", "meter_coefficient", "break_even_meter", "pays", "favours_player",
)  # fmt: skip


def compare_all(meter: int | None, as_json: bool, wanted: Mapping[str, Path]) -> None:
    from headsup.analysis.par.comparison import compare_paytables
    from headsup.cli.options.solutions import warn_first_run
    from headsup.game.bank.meter import HOME_SEED_MICROS
    from headsup.house.clock import now
    from headsup.report.words.comparison import comparison_printout

    meter_micros = HOME_SEED_MICROS if meter is None else meter
    warn_first_run()
    with progress_bar("Solving every main game") as progress:
        every = compare_paytables(progress, meter_micros)
    printout = comparison_printout(every, meter_micros, now()[:10])
    contents: dict[Path, bytes] = {}
    if "html" in wanted:
        from headsup.report.files.html import par_page

        contents[wanted["html"]] = par_page(printout, {}).encode()
    if "pdf" in wanted:
        from headsup.report.files.pdf import par_pdf

        contents[wanted["pdf"]] = par_pdf(printout, {})
    if "csv" in wanted:
        from headsup.report.files.par_files import csv_bytes

        contents[wanted["csv"]] = csv_bytes([COMPARISON_COLUMNS, *map(_csv_row, every)])
    write_files(contents)
    if as_json:
        typer.echo(json.dumps({"paytables": [figures_json(figures) for figures in every]}))
        return
    from headsup.cli.screens.par_sheet import print_par_sheet
    from headsup.cli.screens.style import console

    screen = console()
    print_par_sheet(screen, printout)
    print_file_names(screen, contents)


def figures_json(figures: "PaytableFigures") -> dict[str, Any]:
    from headsup.analysis.par.exact_numbers import exact_json, root_text
    from headsup.report.json.par_sheet import pool_json
    from headsup.report.words.comparison import summarize_pays

    answer: dict[str, Any] = {
        "rules": figures.book,
        "wager": figures.wager,
        "paytable": figures.paytable,
        "operators": figures.variance is None,
    }
    if figures.house_edge is None or figures.hit_frequency is None or figures.variance is None:
        return answer
    answer |= {
        "house_edge": exact_json(figures.house_edge),
        "hit_frequency": exact_json(figures.hit_frequency),
        "standard_deviation": root_text(figures.variance),
        "variance": exact_json(figures.variance),
        "pays": summarize_pays(figures),
        "favours_player": figures.house_edge < 0,
    }
    if figures.side is not None and figures.side.pool is not None:
        answer |= pool_json(figures.side.pool)
    return answer


def _csv_row(figures: "PaytableFigures") -> list[str]:
    from headsup.report.words.comparison import OPERATORS_CHOICE

    answer = figures_json(figures)
    if answer["operators"]:
        return [*(answer[key] for key in COMPARISON_COLUMNS[:3]), OPERATORS_CHOICE]
    row = []
    for key in COMPARISON_COLUMNS:
        value = answer.get(key, "")
        value = value["decimal"] if isinstance(value, dict) else value
        row.append(str(value).lower() if isinstance(value, bool) else value or "")
    return row
