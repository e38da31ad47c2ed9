"""New drill questions: close decisions that a good player actually faces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from headsup.analysis.advice.advice import FAIRLY_CLOSE, Advice
from headsup.analysis.advice.advisor import advise
from headsup.analysis.training.kinds import Kind, kind_of
from headsup.analysis.training.valuer import KnownGame
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import DECK, Cards

CLOSE_MARGIN = FAIRLY_CLOSE  # Antes between the best action and the next best
MAX_DEALS = 4_000  # then the closest decision so far is used
_BOARD_SIZE = {Street.POCKET: 0, Street.FLOP: 3, Street.RIVER: 5}


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    hole: Cards
    board: Cards
    advice: Advice


def margin(advice: Advice) -> Fraction:
    """How much better the best action is than the next best kind of action, in Antes."""
    best = advice.best
    return best.ev - max(value.ev for value in advice.values if value.action != best.action)


def is_close(advice: Advice) -> bool:
    return margin(advice) <= CLOSE_MARGIN


def new_question(
    game: KnownGame, seed: int, street: Street | None = None, kind: Kind | None = None
) -> DrillQuestion | None:
    """A close decision on this street and of this kind, or None if no such hand comes up.

    The same seed gives the same question.
    """
    closest: DrillQuestion | None = None
    for hole, board in _random_deals(Random(seed), street, kind):
        if not _is_reached(game, hole, board):
            continue
        advice = advise(game.payoffs, hole, board, strategy=game.strategy)
        question = DrillQuestion(hole, board, advice)
        if is_close(advice):
            return question
        if closest is None or margin(advice) < margin(closest.advice):
            closest = question
    return closest


def _random_deals(
    random: Random, street: Street | None, kind: Kind | None
) -> Iterator[tuple[Cards, Cards]]:
    streets = [
        candidate
        for candidate in Street
        if street in (None, candidate) and (kind is None or candidate in kind.streets)
    ]
    for _ in range(MAX_DEALS if streets else 0):
        board_size = _BOARD_SIZE[random.choice(streets)]
        cards = random.sample(DECK, 2 + board_size)
        hole, board = tuple(sorted(cards[:2], reverse=True)), tuple(cards[2:])
        if kind in (None, kind_of(hole, board)):
            yield hole, board


def _is_reached(game: KnownGame, hole: Sequence[int], board: Sequence[int]) -> bool:
    """Whether best play on the earlier streets gets to this decision."""
    strategy = game.strategy
    if board and strategy.pocket(hole).best:
        return False
    return len(board) < 5 or not strategy.on_flop(hole, board[:3])
