"""Solves the main game and advises on single decisions, exactly, with cards as text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.advice import ActionValue, Advice
from headsup.analysis.advice.lessons import Lessons
from headsup.analysis.exact_numbers import percent
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solution import Pocket, RoundResult, Solution
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.draws import draws
from headsup.library.cards import Card, CardsLike, read_decision_cards
from headsup.library.rules import RulesLike, rules
from headsup.report.advice import advice_json, explain
from headsup.report.sheets.main_game import solve_sheet

WORKBENCH = Workbench()  # results are computed once per machine, and then cached


@dataclass(frozen=True)
class SolvedGame:
    """Ante, Odds and Raise with best play. Values are exact fractions, in Antes."""

    rules: TableRules
    solution: Solution = field(repr=False)
    strategy: Strategy = field(repr=False, compare=False)

    @property
    def house_edge(self) -> Fraction:
        """The house's expected gain per Ante."""
        return self.solution.house_edge

    @property
    def element_of_risk(self) -> Fraction:
        """The house's expected gain per dollar wagered."""
        return self.solution.element_of_risk

    @property
    def average_wager(self) -> Fraction:
        """The mean of Ante, Odds and Raise together, in Antes."""
        return self.solution.average_wager

    @property
    def variance(self) -> Fraction:
        return self.solution.variance

    @property
    def standard_deviation(self) -> Decimal:
        return self.solution.standard_deviation

    @property
    def frequencies(self) -> Mapping[str, Fraction]:
        """How often best play raises on each street, and folds."""
        return self.solution.frequencies

    @property
    def pocket(self) -> Mapping[str, Pocket]:
        """The 169 starting hands by name: `pocket["AKs"].raises[3]`, `.check`, `.best`."""
        return self.solution.pocket

    @property
    def results(self) -> Sequence[RoundResult]:
        """Every way a round can end, and in how many deals."""
        return self.solution.results

    @property
    def lessons(self) -> Lessons:
        """Best play on flop and river by kind of hand, and a short strategy with its exact cost."""
        return WORKBENCH.lessons(self.solution.payoffs)

    def best(self, hole: CardsLike, board: CardsLike = ()) -> str:
        """The best action: `raise 3`, `check` or `fold`. A lookup, so thousands per second."""
        held, shown, _ = read_decision_cards(hole, board, ())
        if not shown:
            return _action_text(self.strategy.pocket(held).best, "check")
        if len(shown) == 3:
            return _action_text(self.strategy.on_flop(held, shown), "check")
        return _action_text(self.strategy.on_river(held, shown), "fold")

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup solve --json`."""
        return solve_sheet(self.rules, self.solution, self.lessons).json()

    def __repr__(self) -> str:
        return f"<{self.rules.id} solved: house edge {percent(self.house_edge)} of the Ante>"


def _action_text(multiple: int, passive: str) -> str:
    return f"raise {multiple}" if multiple else passive


def solve(name: RulesLike = "galaxy", **choices: Any) -> SolvedGame:
    """Solve the whole main game exactly: `solve("galaxy", bad_beat="4")`.

    The first solve on a machine compiles the solver, which takes up to a minute. After that a game
    takes about a second, once; then it comes from the cache.
    """
    table = rules(name, **choices)
    strategy = WORKBENCH.strategy(compile_payoffs(table))
    return SolvedGame(table, strategy.solution, strategy)


@dataclass(frozen=True)
class ActionOption:
    """An action, and the expected net result of the whole round with it, in Antes."""

    action: str  # raise, check or fold
    multiple: int  # 0 unless raising
    ev: Fraction

    def __str__(self) -> str:
        return _action_text(self.multiple, self.action)

    def __repr__(self) -> str:
        return f"<{self}: {float(self.ev):+.4f}>"


@dataclass(frozen=True)
class AdviceResult:
    """The value of each option. `win`, `tie` and `lose` are showdown probabilities."""

    street: str
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    options: tuple[ActionOption, ...]
    best: ActionOption
    win: Fraction | None
    tie: Fraction | None
    lose: Fraction | None
    explanation: str
    _json: Mapping[str, Any] = field(compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup advise --json`."""
        return dict(self._json)

    def __repr__(self) -> str:
        values = ", ".join(f"{option} {float(option.ev):+.4f}" for option in self.options)
        return f"<{self.street}: {self.best} ({values})>"


def advise(
    hole: CardsLike,
    board: CardsLike = (),
    seen: CardsLike = (),
    name: RulesLike = "galaxy",
    **choices: Any,
) -> AdviceResult:
    """The exact value of each option, given the known cards: `advise("QhJh", "Th9c2d")`.

    `seen` are other cards known to be out of play.
    """
    held, shown, others = read_decision_cards(hole, board, seen)
    advice = WORKBENCH.advice(compile_payoffs(rules(name, **choices)), held, shown, others)
    return _make_advice(advice, held, shown)


def _make_advice(advice: Advice, hole: tuple[Card, ...], board: tuple[Card, ...]) -> AdviceResult:
    hand_draws = draws(hole, board)
    return AdviceResult(
        street=advice.street,
        hole=hole,
        board=board,
        options=tuple(map(_make_option, advice.values)),
        best=_make_option(advice.best),
        win=advice.win,
        tie=advice.tie,
        lose=advice.lose,
        explanation=explain(advice, draws=hand_draws),
        _json=advice_json(advice, draws=hand_draws),
    )


def _make_option(value: ActionValue) -> ActionOption:
    return ActionOption(value.action, value.multiple, value.ev)
