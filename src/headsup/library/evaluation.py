"""What a strategy that somebody wrote is worth, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.strategies.evaluation import Departure, Evaluation
from headsup.analysis.strategies.evaluation import evaluate_strategy as evaluate_written
from headsup.game.rulebook.table_rules import TableRules
from headsup.library.rules import RulesLike, rules
from headsup.library.written import read_strategy
from headsup.report.json.strategy import evaluation_json


@dataclass(frozen=True)
class EvaluatedStrategy:
    """A strategy's own edge, and what it gives away against best play; per Ante."""

    rules: TableRules
    evaluation: Evaluation = field(repr=False)

    @property
    def name(self) -> str:
        return self.evaluation.written.name

    @property
    def house_edge(self) -> Fraction:
        return self.evaluation.house_edge

    @property
    def cost(self) -> Fraction:
        """How much more than best play it gives away."""
        return self.evaluation.cost

    @property
    def streets(self) -> Mapping[str, Fraction]:
        """The cost by street."""
        return self.evaluation.streets

    @property
    def departures(self) -> tuple[Departure, ...]:
        """Every kind of decision that differs from the best, the most expensive first."""
        return self.evaluation.departures

    @property
    def frequencies(self) -> Mapping[str, Fraction]:
        return self.evaluation.solution.frequencies

    def to_json(self) -> dict[str, Any]:
        """As `headsup strategy evaluate --json` answers."""
        return evaluation_json(self.rules, self.evaluation)

    def __repr__(self) -> str:
        return f"<{self.name}: house edge {percent(self.house_edge)}, costs {percent(self.cost)}>"


def evaluate(
    strategy: str = "five-lines", name: RulesLike = "galaxy", **chosen: Any
) -> EvaluatedStrategy:
    """`evaluate("five-lines")`: one that comes along, a file, or its text (docs/strategies.md)."""
    table, written = rules(name, **chosen), read_strategy(strategy)
    where = "the strategy" if "\n" in strategy else strategy
    return EvaluatedStrategy(table, evaluate_written(compile_payoffs(table), written, where))
