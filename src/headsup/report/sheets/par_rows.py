"""Every outcome of every wager of a par sheet, as rows for CSV."""

from fractions import Fraction

from headsup.analysis.exact_numbers import decimal_text
from headsup.analysis.par.par_sheet import ParSheet
from headsup.game.rulebook.model import Pay, PayKind
from headsup.game.values.hands import Category

PAR_COLUMNS = (
    "wager", "paytable", "decision", "outcome", "result", "dealer_qualifies", "pays", "basis",
    "ways", "probability_exact", "probability", "net",
)  # fmt: skip
NEVER_FOLDED = "as if never folded"  # instead of a decision: the figures ignore forfeits by folds


def pay_text(pay: Pay) -> str:
    """`3`, `3/2`, `10%`, `push` or `loss`."""
    return str(pay.amount) if pay.kind is PayKind.PAYS else pay.short


def par_rows(sheet: ParSheet) -> list[tuple[object, ...]]:
    """Every outcome of every wager, below the names of the columns."""
    return [PAR_COLUMNS, *_main_rows(sheet), *_side_rows(sheet)]


def _main_rows(sheet: ParSheet) -> list[tuple[object, ...]]:

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


def _side_rows(sheet: ParSheet) -> list[tuple[object, ...]]:

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
