"""Values every option of a seat, under any rules. Each game is solved once."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from threading import Lock

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.advisor import advise
from headsup.analysis.solver.compile import compile_payoffs, is_trips_plus_forfeited
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.training.note import Note, NoteSource
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents

TRIPS_PLUS_DENOMINATORS = tuple(10**digits for digits in range(6, 0, -1))
MAX_GAMES = 24  # in memory; a strategy is a few megabytes, mapped from its file


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A solved game."""

    payoffs: Payoffs
    strategy: Strategy

    @property
    def key(self) -> str:
        """Identifies the game in notes."""
        return self.payoffs.key[:16]


class Valuer:
    """Values Ante, Odds and Raise, and Trips Plus if a fold forfeits it (R54).

    In that case the Trips Plus stake affects the decision, so the game is solved with it; `riding`
    is that stake per Ante.
    """

    def __init__(self, solve: Callable[[Payoffs], Strategy]) -> None:
        self._solve_payoffs = solve
        self._games: OrderedDict[tuple[str, Fraction], KnownGame] = OrderedDict()
        self._solving = Lock()

    def game(self, rules: TableRules, trips_plus_ratio: Fraction = Fraction(0)) -> KnownGame:
        """The solved game. Thread-safe; a known game does not wait for another to be solved."""
        key = rules.fingerprint, trips_plus_ratio
        game = self._games.get(key)
        if game is None:
            with self._solving:
                game = self._games.get(key) or self._solve(rules, trips_plus_ratio)
                self._games[key] = game
                while len(self._games) > MAX_GAMES:
                    self._games.popitem(last=False)
        return game

    def _solve(self, rules: TableRules, trips_plus_ratio: Fraction) -> KnownGame:
        forfeited = trips_plus_ratio if is_trips_plus_forfeited(rules) else Fraction(0)
        payoffs = _nearest_payoffs(rules, forfeited)
        return KnownGame(payoffs, self._solve_payoffs(payoffs))

    def advice(
        self,
        rules: TableRules,
        hole: Sequence[int],
        board: Sequence[int],
        seen: Sequence[int] = (),
        trips_plus_ratio: Fraction = Fraction(0),
    ) -> Advice:
        game = self.game(rules, trips_plus_ratio)
        return advise(game.payoffs, hole, board, seen, game.strategy)


def _nearest_payoffs(rules: TableRules, trips_plus_ratio: Fraction) -> Payoffs:
    """The payoffs with a Trips Plus stake as near to this one as the solver's whole numbers allow.

    A stake that is no simple fraction of the Ante needs too many units per Ante.
    """
    for denominator in TRIPS_PLUS_DENOMINATORS:
        with suppress(Refused):
            return compile_payoffs(rules, trips_plus_ratio.limit_denominator(denominator))
    return compile_payoffs(rules, Fraction(round(trips_plus_ratio)))


def limit_options(advice: Advice, options: Sequence[tuple[str, int]]) -> Advice:
    """Advice limited to the options the player can afford."""
    values = (value for value in advice.values if (value.action, value.multiple) in options)
    return replace(advice, values=tuple(values))


@dataclass(frozen=True, slots=True)
class ValuedDecision:
    """A decision, with the value of each option."""

    rules: str
    game: str
    hole: Cards
    board: Cards
    advice: Advice

    def note(
        self, chosen: tuple[str, int], at: str, source: NoteSource, ante: Cents, place: str = ""
    ) -> Note:
        values = self.advice.values
        choice = next(value for value in values if (value.action, value.multiple) == chosen)
        return Note(
            *(at, source, self.rules, self.game, self.hole, self.board, ante, values, choice, place)
        )


def value_decision(
    valuer: Valuer,
    rules: TableRules,
    hole: Cards,
    board: Cards,
    seen: Cards,
    trips_plus_ratio: Fraction,
    options: Sequence[tuple[str, int]],
) -> ValuedDecision:
    """Value a decision. `options` are those the player could afford."""
    advice = limit_options(valuer.advice(rules, hole, board, seen, trips_plus_ratio), options)
    return ValuedDecision(rules.id, valuer.game(rules, trips_plus_ratio).key, hole, board, advice)
