"""Builds a par sheet's files: web page, PDF and CSV."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headsup.analysis.par.par_sheet import ParSheet
    from headsup.report.words.printout import Printout

PAR_COLUMNS = (
    "wager", "paytable", "decision", "outcome", "result", "dealer_qualifies", "pays", "basis",
    "ways", "probability_exact", "probability", "net",
)  # fmt: skip
NEVER_FOLDED = "as if never folded"  # instead of a decision: the figures ignore forfeits by folds


def par_files(
    sheet: "ParSheet", printout: "Printout", wanted: Mapping[str, Path]
) -> dict[Path, bytes]:
    """The contents of each file wanted, by format."""
    rows = [PAR_COLUMNS, *_main_rows(sheet), *_side_rows(sheet)]
    return report_files(printout, rows, wanted, sheet)


def report_files(
    printout: "Printout",
    rows: Iterable[Iterable[object]],
    wanted: Mapping[str, Path],
    charted: "ParSheet | None" = None,
) -> dict[Path, bytes]:
    """A printout as page and PDF, with the charts of a sheet if there is one, and rows as CSV."""
    from headsup.report.plots.par_sheet import par_charts

    contents: dict[Path, bytes] = {}
    charts = {} if charted is None or not wanted else par_charts(charted)
    if "html" in wanted:
        from headsup.report.files.html import par_page

        contents[wanted["html"]] = par_page(printout, charts).encode()
    if "pdf" in wanted:
        from headsup.report.files.pdf import par_pdf

        contents[wanted["pdf"]] = par_pdf(printout, charts)
    if "csv" in wanted:
        contents[wanted["csv"]] = _csv_bytes(rows)
    return contents


def _csv_bytes(rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _main_rows(sheet: "ParSheet") -> list[tuple[object, ...]]:
    from fractions import Fraction

    from headsup.analysis.exact_numbers import decimal_text
    from headsup.game.values.hands import Category

    tables = sheet.rules.paytables
    paytable = " + ".join(tables[key].id for key in ("odds", "bad_beat") if key in tables)
    rows: list[tuple[object, ...]] = []
    for ending in sheet.solution.results:
        share = Fraction(ending.deals, sheet.solution.deals)
        decision = f"raise {ending.multiple}x {ending.street}" if ending.multiple else "fold"
        needed = sheet.rules.qualifier_strength > 0
        qualifies = str(ending.dealer_qualifies).lower() if needed else ""
        result = ("lose", "push", "win")[ending.result + 1]
        rows.append(
            (
                *("main", paytable, decision, Category(ending.category).key, result),
                *(qualifies, "", "", ending.deals),
                *(share, decimal_text(share, 16), ending.net),
            )
        )
    return rows


def _side_rows(sheet: "ParSheet") -> list[tuple[object, ...]]:
    from headsup.analysis.exact_numbers import decimal_text
    from headsup.report.json.par_sheet import pay_text

    return [
        (
            *(side.wager.value, side.paytable, NEVER_FOLDED if side.as_if_never_folded else ""),
            *(row.outcome, "", "", pay_text(row.pay)),
            *(
                side.basis.value,
                row.ways,
                row.probability,
                decimal_text(row.probability, 16),
                row.net,
            ),
        )
        for side in sheet.sides
        for row in side.outcomes
    ]
