"""The main game solved, and single decisions: exact, by cards as text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.advice import ActionValue, Advice, pocket_advice
from headsup.analysis.advice.advisor import advise as ask_advisor
from headsup.analysis.advice.explanation import advice_json, explain
from headsup.analysis.advice.lesson_counting import count_lessons
from headsup.analysis.advice.lessons import Lessons, lessons
from headsup.analysis.joint.combined_bets import BetsPlayed, Together, kept_together
from headsup.analysis.joint.counting import count_by_class
from headsup.analysis.joint.covariances import taken_together
from headsup.analysis.joint.joint import joint_counts
from headsup.analysis.joint.one_deck import CountedWith, one_deck_counts
from headsup.analysis.joint.one_deck_counting import count_one_deck
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Pocket, RoundResult, Solution
from headsup.analysis.solver.solver import solve as solve_payoffs
from headsup.analysis.solver.strategy import Strategy, load_or_build
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.draws import draws
from headsup.library.cards import Card, CardsText, read_question
from headsup.library.rules import RulesNamed, rules
from headsup.report.json.main_game import main_json


def strategy_of(payoffs: Payoffs) -> Strategy:
    """Solved once for each machine: the next time it is read from the user's cache folder."""
    return load_or_build(payoffs, solve_payoffs)


def counts_of(strategy: Strategy) -> Int64s:
    """Its rounds by pocket class, kept in the same folder."""
    return joint_counts(strategy, count_by_class)


def together_of(played: BetsPlayed) -> Together:
    """How bets vary together, kept there too."""
    return kept_together(played, _take)


def _take(played: BetsPlayed) -> Together:
    asked = CountedWith.of(played.rules, played.bets)
    strategy = played.strategy
    return taken_together(played, beside_of(strategy, asked) if asked else counts_of(strategy))


def beside_of(strategy: Strategy, beside: CountedWith) -> Int64s:
    """Its rounds by what lies beside them too, as All 6 asks; kept there as well."""
    return one_deck_counts(strategy, beside, count_one_deck)


def lessons_of(payoffs: Payoffs) -> Lessons:
    """What is to be learnt of the game, counted once."""
    return lessons(payoffs, lambda asked: count_lessons(strategy_of(asked)))


@dataclass(frozen=True)
class SolvedGame:
    """Ante, Odds and Raise with best play. Values are exact fractions, in Antes."""

    rules: TableRules
    solution: Solution = field(repr=False)
    strategy: Strategy = field(repr=False, compare=False)

    @property
    def house_edge(self) -> Fraction:
        """What the house gains per Ante."""
        return self.solution.house_edge

    @property
    def element_of_risk(self) -> Fraction:
        """What the house gains per unit of everything wagered."""
        return self.solution.element_of_risk

    @property
    def average_wager(self) -> Fraction:
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
        """Every way a round can end, with its number of deals."""
        return self.solution.results

    @property
    def lessons(self) -> Lessons:
        """Flop and river rules: best play by kind of hand, and a short card with its exact cost."""
        return lessons_of(self.solution.payoffs)

    def best(self, hole: CardsText, board: CardsText = ()) -> str:
        """What to do: `raise 3`, `check` or `fold`. Looked up, so thousands a second."""
        held, shown, _ = read_question(hole, board, ())
        if not shown:
            return _action(self.strategy.pocket(held).best, "check")
        if len(shown) == 3:
            return _action(self.strategy.on_flop(held, shown), "check")
        return _action(self.strategy.on_river(held, shown), "fold")

    def to_json(self) -> dict[str, Any]:
        """As `headsup solve --json` answers."""
        return main_json(self.rules, self.solution, self.lessons)

    def __repr__(self) -> str:
        return f"<{self.rules.id} solved: house edge {percent(self.house_edge)} of the Ante>"


def _action(multiple: int, passive: str) -> str:
    return f"raise {multiple}" if multiple else passive


def solve(name: RulesNamed = "galaxy", **chosen: Any) -> SolvedGame:
    """`solve("galaxy", bad_beat="4")`: the whole game, exactly. The first solve on a machine
    compiles the solver, up to a minute; after that it takes about a second, and then none."""
    table = rules(name, **chosen)
    strategy = strategy_of(compile_payoffs(table))
    return SolvedGame(table, strategy.solution, strategy)


@dataclass(frozen=True)
class ActionChoice:
    """One thing to do, and what the whole round is then worth, in Antes."""

    action: str  # raise, check or fold
    multiple: int  # 0 unless raising
    ev: Fraction

    def __str__(self) -> str:
        return _action(self.multiple, self.action)

    def __repr__(self) -> str:
        return f"<{self}: {float(self.ev):+.4f}>"


@dataclass(frozen=True)
class AdviceGiven:
    """`options` in the order of the table; `win`, `tie` and `lose` are of the showdown."""

    street: str
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    options: tuple[ActionChoice, ...]
    best: ActionChoice
    win: Fraction | None
    tie: Fraction | None
    lose: Fraction | None
    explanation: str
    _written: Mapping[str, Any] = field(compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """As `headsup advise --json` answers."""
        return dict(self._written)

    def __repr__(self) -> str:
        values = ", ".join(f"{one} {float(one.ev):+.4f}" for one in self.options)
        return f"<{self.street}: {self.best} ({values})>"


def advise(
    hole: CardsText,
    board: CardsText = (),
    seen: CardsText = (),
    name: RulesNamed = "galaxy",
    **chosen: Any,
) -> AdviceGiven:
    """`advise("QhJh", "Th9c2d")`: the exact value of each option, given every card named.

    `seen` are other cards known to be out.
    """
    held, shown, out = read_question(hole, board, seen)
    payoffs = compile_payoffs(rules(name, **chosen))
    if shown or out:
        advice = ask_advisor(payoffs, held, shown, out)
    else:
        advice = pocket_advice(strategy_of(payoffs), held)
    return _given(advice, held, shown)


def _given(advice: Advice, hole: tuple[Card, ...], board: tuple[Card, ...]) -> AdviceGiven:
    found = draws(hole, board)
    return AdviceGiven(
        street=advice.street,
        hole=hole,
        board=board,
        options=tuple(map(_choice, advice.values)),
        best=_choice(advice.best),
        win=advice.win,
        tie=advice.tie,
        lose=advice.lose,
        explanation=explain(advice, draws=found),
        _written=advice_json(advice, draws=found),
    )


def _choice(value: ActionValue) -> ActionChoice:
    return ActionChoice(value.action, value.multiple, value.ev)
