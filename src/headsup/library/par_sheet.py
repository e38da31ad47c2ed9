"""The par sheet of a table: every wager exactly, as values, page, PDF or plain objects."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.par.par_sheet import ParSheet, SideSheet
from headsup.analysis.par.table_par import default_bets, table_par
from headsup.analysis.solver.solution import Solution
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents
from headsup.house.clock import now
from headsup.library.game import get_combined_bets, get_lessons, get_strategy
from headsup.library.rules import RulesLike, rules
from headsup.library.staking import read_meter, read_stakes
from headsup.report.files.html import PAGE_FONT, par_page
from headsup.report.files.pdf import PAPER_FONT, par_pdf
from headsup.report.json.par_sheet import par_json
from headsup.report.plots.par_sheet import PAGE_COLOURS, PAPER_COLOURS, par_charts
from headsup.report.words.par_sheet import par_printout
from headsup.report.words.printout import Printout


@dataclass(frozen=True)
class TableParSheet:
    """The mathematics of a whole table. `sides` by wager: `sides["trips_plus"].house_edge`."""

    sheet: ParSheet = field(repr=False)
    bets: Mapping[Wager, Cents] = field(repr=False)
    date: str  # on which it was made, as `2026-01-31`

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
        """What the house expects to win each round at these bets, in dollars."""
        return sum((hold.win for hold in self.sheet.holds(self.bets)), Fraction()) / 100

    def to_json(self) -> dict[str, Any]:
        """As `headsup par --json` answers."""
        return par_json(self.sheet, self.bets, self.date, get_lessons(self.main.payoffs))

    @property
    def _printout(self) -> Printout:
        return par_printout(self.sheet, self.bets, self.date, get_lessons(self.main.payoffs))

    def to_html(self) -> str:
        charts = par_charts(self.sheet, PAGE_COLOURS, PAGE_FONT)
        return par_page(self._printout, charts)

    def to_pdf(self) -> bytes:
        charts = par_charts(self.sheet, PAPER_COLOURS, PAPER_FONT)
        return par_pdf(self._printout, charts)

    def __repr__(self) -> str:
        edges = {"main": self.main.house_edge}
        edges |= {key: side.house_edge for key, side in self.sides.items()}
        told = ", ".join(f"{key} {percent(edge)}" for key, edge in edges.items())
        return f"<{self.rules.id} par: {told}>"


def par(
    name: RulesLike = "galaxy",
    meter: object = None,
    bets: Mapping[str, object] | None = None,
    **chosen: Any,
) -> TableParSheet:
    """`par("galaxy", meter="50000", bets={"ante": 10, "trips_plus": 5})`; amounts in dollars."""
    table = rules(name, **chosen)
    stakes = default_bets(table) if bets is None else read_stakes(table, bets)
    stands = read_meter(table, default_bets(table), meter)  # of the sheet, whatever is bet
    return TableParSheet(
        table_par(table, stakes, stands, get_strategy, get_combined_bets), stakes, now()[:10]
    )
