"""What the solver process answers about hands and games.

Rules come as a choice, not compiled: that is small to send, and equal questions are recognised.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from headsup.analysis.advice.advice import Advice, pocket_advice
from headsup.analysis.kernels.base.numbering import RANKS, pocket_class
from headsup.analysis.par.wager_edges import WagerEdges, wager_edges
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solution import chart_names
from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.questions import new_question
from headsup.analysis.training.valuer import Valuer
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.table_rules import RulesChoice, rules_from_choice, table_rules
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import RANKS as RANK_NAMES
from headsup.game.values.cards import Cards
from headsup.game.values.frozen_json import NO_OPTIONS


class NoAnswer(RuntimeError):
    """The solver has no answer: the rules cannot be solved, or its process has died."""


@dataclass(frozen=True, slots=True)
class GameAdvice:
    """Advice, with the key of the game it is for."""

    advice: Advice
    game: str


@dataclass(frozen=True, slots=True)
class PracticeHand:
    hole: Cards
    board: Cards
    game_advice: GameAdvice


@dataclass(frozen=True, slots=True)
class ChartCell:
    name: str
    hands: int
    advice: Advice


@cache
def _valuer() -> Valuer:
    return Valuer(Workbench().strategy)


def advise_hand(
    rules: RulesChoice,
    hole: Cards,
    board: Cards,
    seen: Cards = (),
    riding: Fraction = Fraction(0),
) -> GameAdvice:
    """The value of each option; `riding` is the Trips Plus stake per Ante."""
    table = rules_from_choice(rules)
    advice = _valuer().advice(table, hole, board, seen, riding)
    return GameAdvice(advice, _valuer().game(table, riding).key)


def find_question(
    rules: RulesChoice, seed: int, street: Street | None, kind: Kind | None
) -> PracticeHand:
    """A close decision, the same for the same seed."""
    game = _valuer().game(rules_from_choice(rules))
    question = new_question(game, seed, street, kind)
    if question is None:
        raise NoAnswer("no such decision was found")
    return PracticeHand(question.hole, question.board, GameAdvice(question.advice, game.key))


def pocket_chart(rules: RulesChoice) -> list[ChartCell]:
    """The 169 pocket hands, row by row, aces first and suited hands above the diagonal."""
    strategy = _valuer().game(rules_from_choice(rules)).strategy
    return [
        ChartCell(
            name, strategy.pocket(_cards_of(name)).hands, pocket_advice(strategy, _cards_of(name))
        )
        for row in chart_names()
        for name in row
    ]


def _cards_of(name: str) -> tuple[int, int]:
    """Two cards of a pocket hand such as AKs."""
    high, low = (RANK_NAMES.index(rank) for rank in name[:2])
    hole = (high << 2, (low << 2) + (not name.endswith("s")))
    if pocket_class(*hole) >= RANKS * RANKS:
        raise ValueError(name)
    return hole


def wager_theory(rules: RulesChoice) -> WagerEdges:
    table = rules_from_choice(rules)
    return wager_edges(table, _valuer().game(table).strategy.solution)


def store_strategy(book: str) -> None:
    """Solve a shipped rule book, so that the cache has its strategy."""
    Workbench().strategy(compile_payoffs(table_rules(book)))


def shipped_rules(book: str) -> RulesChoice:
    """The choice of a shipped rule book as printed."""
    return RulesChoice(book, (), NO_OPTIONS)
