"""Evaluates a written strategy exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import percent
from headsup.analysis.limits import MAX_STRATEGY_LINES, MIN_STRATEGY_LINES
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.strategies.evaluation import (
    KERNEL_CALLS,
    Departure,
    Evaluation,
    SolvedBaseline,
    evaluate_against,
)
from headsup.analysis.strategies.evaluation import evaluate_strategy as evaluate_written
from headsup.analysis.strategies.simplify import simplify as find_short_strategy
from headsup.analysis.workers.executor import KernelPool
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.amounts import parse_count
from headsup.library.rules import RulesLike, rules
from headsup.library.strategies import read_strategy
from headsup.report.sheets.strategy import strategy_sheet


@dataclass(frozen=True)
class EvaluatedStrategy:
    """A strategy's house edge and its cost against best play, per Ante."""

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
        """How much more it loses than best play."""
        return self.evaluation.cost

    @property
    def streets(self) -> Mapping[str, Fraction]:
        """The cost by street."""
        return self.evaluation.streets

    @property
    def departures(self) -> tuple[Departure, ...]:
        """Every kind of decision that differs from best play, the most expensive first."""
        return self.evaluation.departures

    @property
    def frequencies(self) -> Mapping[str, Fraction]:
        return self.evaluation.solution.frequencies

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup strategy evaluate --json`."""
        return strategy_sheet(self.rules, self.evaluation).json()

    def __repr__(self) -> str:
        return f"<{self.name}: house edge {percent(self.house_edge)}, costs {percent(self.cost)}>"


def evaluate(
    strategy: str = "five-lines", name: RulesLike = "galaxy", **choices: Any
) -> EvaluatedStrategy:
    """Evaluate a shipped strategy, a file or a text: `evaluate("five-lines")`.

    docs/strategies.md describes the format.
    """
    table, written = rules(name, **choices), read_strategy(strategy)
    source = "the strategy" if "\n" in strategy else strategy
    return EvaluatedStrategy(table, evaluate_written(compile_payoffs(table), written, source))


def simplify(
    lines: int = 8, name: RulesLike = "galaxy", *, easy: bool = False, **choices: Any
) -> EvaluatedStrategy:
    """Find a good strategy of at most this many lines, and evaluate it: `simplify(7)`.

    An easy one only uses what a player can count at the table.
    """
    count = parse_count(lines, "lines", MAX_STRATEGY_LINES, minimum=MIN_STRATEGY_LINES)
    table = rules(name, **choices)
    with KernelPool(KERNEL_CALLS) as pool:
        baseline = SolvedBaseline.of(compile_payoffs(table), pool)
        found = find_short_strategy(baseline, count, pool, easy=easy)
        return EvaluatedStrategy(table, evaluate_against(baseline, found, "found", pool))
