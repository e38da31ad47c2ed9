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
from headsup.analysis.advice.lessons import Lessons, cached_lessons
from headsup.analysis.joint.combined_bets import CombinedBets, PlayedBets, load_or_combine
from headsup.analysis.joint.counting import count_by_class
from headsup.analysis.joint.covariances import combine_bets
from headsup.analysis.joint.joint import cached_joint_counts
from headsup.analysis.joint.one_deck import ExtraAxes, cached_one_deck_counts
from headsup.analysis.joint.one_deck_counting import count_one_deck
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Pocket, RoundResult, Solution
from headsup.analysis.solver.solver import solve as solve_payoffs
from headsup.analysis.solver.strategy import Strategy, load_or_solve
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.draws import draws
from headsup.library.cards import Card, CardsLike, read_decision_cards
from headsup.library.rules import RulesLike, rules
from headsup.report.json.main_game import main_json


def get_strategy(payoffs: Payoffs) -> Strategy:
    """Solved once for each machine: the next time it is read from the user's cache folder."""
    return load_or_solve(payoffs, solve_payoffs)


def get_round_counts(strategy: Strategy) -> Int64s:
    """Its rounds by pocket class, kept in the same folder."""
    return cached_joint_counts(strategy, count_by_class)


def get_combined_bets(played: PlayedBets) -> CombinedBets:
    """How bets vary together, kept there too."""
    return load_or_combine(played, _combine_bets)


def _combine_bets(played: PlayedBets) -> CombinedBets:
    asked = ExtraAxes.of(played.rules, played.bets)
    strategy = played.strategy
    return combine_bets(
        played, get_one_deck_counts(strategy, asked) if asked else get_round_counts(strategy)
    )


def get_one_deck_counts(strategy: Strategy, beside: ExtraAxes) -> Int64s:
    """Its rounds by what lies beside them too, as All 6 asks; kept there as well."""
    return cached_one_deck_counts(strategy, beside, count_one_deck)


def get_lessons(payoffs: Payoffs) -> Lessons:
    """What is to be learnt of the game, counted once."""
    return cached_lessons(payoffs, lambda asked: count_lessons(get_strategy(asked)))


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
        return get_lessons(self.solution.payoffs)

    def best(self, hole: CardsLike, board: CardsLike = ()) -> str:
        """What to do: `raise 3`, `check` or `fold`. Looked up, so thousands a second."""
        held, shown, _ = read_decision_cards(hole, board, ())
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


def solve(name: RulesLike = "galaxy", **chosen: Any) -> SolvedGame:
    """`solve("galaxy", bad_beat="4")`: the whole game, exactly. The first solve on a machine
    compiles the solver, up to a minute; after that it takes about a second, and then none."""
    table = rules(name, **chosen)
    strategy = get_strategy(compile_payoffs(table))
    return SolvedGame(table, strategy.solution, strategy)


@dataclass(frozen=True)
class ActionOption:
    """One thing to do, and what the whole round is then worth, in Antes."""

    action: str  # raise, check or fold
    multiple: int  # 0 unless raising
    ev: Fraction

    def __str__(self) -> str:
        return _action(self.multiple, self.action)

    def __repr__(self) -> str:
        return f"<{self}: {float(self.ev):+.4f}>"


@dataclass(frozen=True)
class AdviceResult:
    """`options` in the order of the table; `win`, `tie` and `lose` are of the showdown."""

    street: str
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    options: tuple[ActionOption, ...]
    best: ActionOption
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
    hole: CardsLike,
    board: CardsLike = (),
    seen: CardsLike = (),
    name: RulesLike = "galaxy",
    **chosen: Any,
) -> AdviceResult:
    """`advise("QhJh", "Th9c2d")`: the exact value of each option, given every card named.

    `seen` are other cards known to be out.
    """
    held, shown, out = read_decision_cards(hole, board, seen)
    payoffs = compile_payoffs(rules(name, **chosen))
    if shown or out:
        advice = ask_advisor(payoffs, held, shown, out)
    else:
        advice = pocket_advice(get_strategy(payoffs), held)
    return _make_advice(advice, held, shown)


def _make_advice(advice: Advice, hole: tuple[Card, ...], board: tuple[Card, ...]) -> AdviceResult:
    found = draws(hole, board)
    return AdviceResult(
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


def _choice(value: ActionValue) -> ActionOption:
    return ActionOption(value.action, value.multiple, value.ev)
