"""The value of every option for one seat, whatever rules it plays by; each game is solved once."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from threading import Lock

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.advisor import advise
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import TableRules

MAX_GAMES = 24  # held at once; a strategy is a few megabytes, mapped from its file


@dataclass(frozen=True, slots=True)
class KnownGame:
    payoffs: Payoffs
    strategy: Strategy

    @property
    def key(self) -> str:
        """Names the game in notes."""
        return self.payoffs.key[:16]


class Valuer:
    """Ante, Odds and Raise are valued, and Trips Plus where a fold forfeits it (R54): there the
    stake rides on the decision, so the game is solved with it. `riding` is that stake per Ante."""

    def __init__(self, solved: Callable[[Payoffs], Strategy]) -> None:
        self._solved = solved
        self._games: OrderedDict[tuple[str, Fraction], KnownGame] = OrderedDict()
        self._solving = Lock()

    def game(self, rules: TableRules, riding: Fraction = Fraction(0)) -> KnownGame:
        """May be asked from several threads: a game that is known need not wait for another."""
        key = rules.fingerprint, riding
        found = self._games.get(key)
        if found is None:
            with self._solving:
                found = self._games.get(key) or self._solve(rules, riding)
                self._games[key] = found
                while len(self._games) > MAX_GAMES:
                    self._games.popitem(last=False)
        return found

    def _solve(self, rules: TableRules, riding: Fraction) -> KnownGame:
        try:
            payoffs = compile_payoffs(rules, riding)
        except Refused:  # with New York's letter Trips Plus does not follow from the hand
            payoffs = compile_payoffs(rules)
        return KnownGame(payoffs, self._solved(payoffs))

    def advice(
        self,
        rules: TableRules,
        hole: Sequence[int],
        board: Sequence[int],
        seen: Sequence[int] = (),
        riding: Fraction = Fraction(0),
    ) -> Advice:
        game = self.game(rules, riding)
        return advise(game.payoffs, hole, board, seen, game.strategy)


def limit_options(advice: Advice, options: Sequence[tuple[str, int]]) -> Advice:
    """The same for who has only these options: chips do not reach for every Raise."""
    values = (one for one in advice.values if (one.action, one.multiple) in options)
    return replace(advice, values=tuple(values))
