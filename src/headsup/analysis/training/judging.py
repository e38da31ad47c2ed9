"""One decision valued, and made a note of."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.advice.advice import Advice
from headsup.analysis.training.note import Note, NoteSource
from headsup.analysis.training.valuer import Valuer, limit_options
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents


@dataclass(frozen=True, slots=True)
class ValuedDecision:
    """A hand to decide, with what each option of it is worth."""

    rules: str
    game: str
    hole: Cards
    board: Cards
    advice: Advice

    def note(
        self, chosen: tuple[str, int], at: str, source: NoteSource, ante: Cents, place: str = ""
    ) -> Note:
        values = self.advice.values
        one = next(value for value in values if (value.action, value.multiple) == chosen)
        return Note(
            *(at, source, self.rules, self.game, self.hole, self.board, ante, values, one, place)
        )


def value_decision(
    valuer: Valuer,
    rules: TableRules,
    hole: Cards,
    board: Cards,
    seen: Cards,
    riding: Fraction,
    options: Sequence[tuple[str, int]],
) -> ValuedDecision:
    """`options` are those that the chips allowed."""
    advice = limit_options(valuer.advice(rules, hole, board, seen, riding), options)
    return ValuedDecision(rules.id, valuer.game(rules, riding).key, hole, board, advice)
