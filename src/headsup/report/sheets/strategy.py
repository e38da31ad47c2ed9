"""An evaluated strategy: its edge, its cost, and where it departs from best play."""

from headsup.analysis.exact_numbers import decimal_text, square_root
from headsup.analysis.strategies.evaluation import Evaluation
from headsup.analysis.strategies.written_strategy import card_toml
from headsup.game.rulebook.table_rules import TableRules
from headsup.report.formats import ROOT, SHARE, WORDS, Format
from headsup.report.sheet import Column, Figure, Section, Sheet, Table
from headsup.report.sheets.main_game import rules_json

MAX_DEPARTURES_SHOWN = 12
_SHARE = SHARE._replace(is_exact=False)
_DEPARTURE_COLUMNS = (
    Column("street", "Where", lambda departure: departure.street, WORDS),
    Column("what", "Hand", lambda departure: departure.what, WORDS),
    Column("taken", "Plays", lambda departure: departure.taken, WORDS),
    Column("better", "Better", lambda departure: departure.better, WORDS),
    Column("cost", "Costs", lambda departure: departure.cost, SHARE),
)


def strategy_sheet(rules: TableRules, evaluation: Evaluation) -> Sheet:
    solution, departures = evaluation.solution, evaluation.departures
    costly = departures[:MAX_DEPARTURES_SHOWN]
    decimal = Format(decimal_text, decimal_text)
    section = Section(
        "",
        "What it costs",
        figures=(
            Figure("strategy", "", evaluation.written.name),
            Figure("lines", "", evaluation.written.size),
            Figure("house_edge", "House edge", evaluation.house_edge, _SHARE, "per Ante"),
            Figure("best", "With best play", evaluation.best_edge, _SHARE),
            Figure("cost", "Cost of this strategy", evaluation.cost, _SHARE),
            *(
                Figure(f"streets/{street}", f"  {street}", cost, _SHARE)
                for street, cost in evaluation.streets.items()
            ),
            Figure("standard_deviation", "", square_root(solution.variance), ROOT),
            *(
                Figure(f"frequencies/{name}", "", share, decimal)
                for name, share in solution.frequencies.items()
            ),
            Figure("toml", "", card_toml(evaluation.written)),
        ),
        tables=(
            Table("departures", "", _DEPARTURE_COLUMNS, departures),
            Table("", "Costliest departures" if costly else "", _DEPARTURE_COLUMNS, costly),
        ),
        data=lambda: rules_json(rules),
    )
    return Sheet(evaluation.written.name, rules.book.title, (section,))
