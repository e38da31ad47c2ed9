"""The par sheet of a table: exact figures for every wager, as values, web page or PDF."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import percent
from headsup.analysis.par.par_sheet import ParSheet, SideSheet
from headsup.analysis.par.table_par import default_bets
from headsup.analysis.solver.solution import Solution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents
from headsup.house.clock import now
from headsup.library.game import WORKBENCH
from headsup.library.rules import RulesLike, read_meter, read_stakes, rules
from headsup.report.files.html import sheet_page
from headsup.report.files.pdf import sheet_pdf
from headsup.report.sheet import Sheet
from headsup.report.sheets.par_sheet import par_report


@dataclass(frozen=True)
class TableParSheet:
    """The mathematics of a whole table. `sides` by wager: `sides["trips_plus"].house_edge`."""

    sheet: ParSheet = field(repr=False)
    bets: Mapping[Wager, Cents] = field(repr=False)
    date: str  # when it was made, such as `2026-01-31`

    @property
    def rules(self) -> TableRules:
        return self.sheet.rules

    @property
    def main(self) -> Solution:
        return self.sheet.solution

    @property
    def sides(self) -> dict[str, SideSheet]:
        return {side.wager.value: side for side in self.sheet.sides}

    @property
    def house_wins(self) -> Fraction:
        """What the house expects to win per round at these bets, in dollars."""
        return sum((hold.win for hold in self.sheet.holds(self.bets)), Fraction()) / 100

    @property
    def _report(self) -> Sheet:
        return par_report(self.sheet, self.bets, self.date, WORKBENCH.lessons(self.main.payoffs))

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup par --json`."""
        return self._report.json()

    def to_html(self) -> str:
        return sheet_page(self._report)

    def to_pdf(self) -> bytes:
        return sheet_pdf(self._report)

    def __repr__(self) -> str:
        edges = {"main": self.main.house_edge}
        edges |= {key: side.house_edge for key, side in self.sides.items()}
        text = ", ".join(f"{key} {percent(edge)}" for key, edge in edges.items())
        return f"<{self.rules.id} par: {text}>"


def par(
    name: RulesLike = "galaxy",
    meter: object = None,
    bets: Mapping[str, object] | None = None,
    **choices: Any,
) -> TableParSheet:
    """Compute a par sheet: `par("galaxy", meter="50000", bets={"ante": 10, "trips_plus": 5})`.

    Amounts are in dollars.
    """
    table = rules(name, **choices)
    stakes = default_bets(table) if bets is None else read_stakes(table, bets)
    meter_micros = read_meter(table, default_bets(table), meter)  # allowed whatever is bet
    return TableParSheet(WORKBENCH.par_sheet(table, stakes, meter_micros), stakes, now()[:10])
