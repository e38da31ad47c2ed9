"""The files of a par sheet: page, PDF and CSV."""

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
NEVER_FOLDED = "as if never folded"  # in place of a decision: folds forfeit it, and are left out


def par_files(
    sheet: "ParSheet", printout: "Printout", wanted: Mapping[str, Path]
) -> dict[Path, bytes]:
    contents: dict[Path, bytes] = {}
    if "html" in wanted:
        from headsup.report.files.html import PAGE_FONT, par_page
        from headsup.report.plots.par_sheet import PAGE_COLOURS, par_charts

        charts = par_charts(sheet, PAGE_COLOURS, PAGE_FONT)
        contents[wanted["html"]] = par_page(printout, charts).encode()
    if "pdf" in wanted:
        from headsup.report.files.pdf import PAPER_FONT, par_pdf
        from headsup.report.plots.par_sheet import PAPER_COLOURS, par_charts

        charts = par_charts(sheet, PAPER_COLOURS, PAPER_FONT)
        contents[wanted["pdf"]] = par_pdf(printout, charts)
    if "csv" in wanted:
        contents[wanted["csv"]] = csv_bytes([PAR_COLUMNS, *_main_rows(sheet), *_side_rows(sheet)])
    return contents


def csv_bytes(rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _main_rows(sheet: "ParSheet") -> list[tuple[object, ...]]:
    from fractions import Fraction

    from headsup.analysis.par.exact_numbers import decimal_text
    from headsup.game.values.hands import Category

    tables = sheet.rules.paytables
    paytable = " + ".join(tables[key].id for key in ("odds", "bad_beat") if key in tables)
    rows: list[tuple[object, ...]] = []
    for one in sheet.solution.results:
        share = Fraction(one.deals, sheet.solution.deals)
        decision = f"raise {one.multiple}x {one.street}" if one.multiple else "fold"
        result = ("lose", "push", "win")[one.result + 1]
        rows.append(
            (
                *("main", paytable, decision, Category(one.category).key, result),
                *(str(one.dealer_qualifies).lower(), "", "", one.deals),
                *(share, decimal_text(share, 16), one.net),
            )
        )
    return rows


def _side_rows(sheet: "ParSheet") -> list[tuple[object, ...]]:
    from headsup.analysis.par.exact_numbers import decimal_text
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
