"""Builds the files of a sheet: web page, PDF, and CSV of a par sheet."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headsup.analysis.par.par_sheet import ParSheet
    from headsup.report.sheet import Sheet

PAR_COLUMNS = (
    "wager", "paytable", "decision", "outcome", "result", "dealer_qualifies", "pays", "basis",
    "ways", "probability_exact", "probability", "net",
)  # fmt: skip
NEVER_FOLDED = "as if never folded"  # instead of a decision: the figures ignore forfeits by folds


def sheet_files(
    sheet: "Sheet", wanted: Mapping[str, Path], rows: Callable[[], Iterable[Iterable[object]]]
) -> dict[Path, bytes]:
    """The contents of each file wanted, by format: the sheet as page and PDF, `rows` as CSV."""
    contents: dict[Path, bytes] = {}
    if "html" in wanted:
        from headsup.report.files.html import sheet_page

        contents[wanted["html"]] = sheet_page(sheet).encode()
    if "pdf" in wanted:
        from headsup.report.files.pdf import sheet_pdf

        contents[wanted["pdf"]] = sheet_pdf(sheet)
    if "csv" in wanted:
        contents[wanted["csv"]] = _csv_bytes(rows())
    return contents


def par_rows(sheet: "ParSheet") -> list[tuple[object, ...]]:
    """Every outcome of every wager, below the names of the columns."""
    return [PAR_COLUMNS, *_main_rows(sheet), *_side_rows(sheet)]


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
    from headsup.report.sheets.par_sheet import pay_text

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
