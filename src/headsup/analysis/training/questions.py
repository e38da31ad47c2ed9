"""New questions for a drill: decisions that a good player comes to, and that are close."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.advisor import advise
from headsup.analysis.advice.explanation import FAIRLY_CLOSE
from headsup.analysis.training.kinds import Kind, kind_of
from headsup.analysis.training.valuer import KnownGame
from headsup.game.rulebook.wagers import Street
from headsup.game.values.cards import DECK, Cards

CLOSE_MARGIN = FAIRLY_CLOSE  # of an Ante between the best action and the next
MAX_DEALS_TRIED = 4_000  # deals that are looked at; then the closest of them is asked
_BOARD_SIZE = {Street.POCKET: 0, Street.FLOP: 3, Street.RIVER: 5}


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    hole: Cards
    board: Cards
    advice: Advice


def margin(advice: Advice) -> Fraction:
    """How much better the best action is than the best of another kind."""
    best = advice.best
    return best.ev - max(one.ev for one in advice.values if one.action != best.action)


def new_question(
    game: KnownGame, seed: int, street: Street | None = None, kind: Kind | None = None
) -> DrillQuestion | None:
    """A close decision of this street and kind; the same one for the same seed. None where no
    such hand comes up."""
    closest: DrillQuestion | None = None
    for hole, board in _deals(Random(seed), street, kind):
        if not _is_reached(game, hole, board):
            continue
        advice = advise(game.payoffs, hole, board, strategy=game.strategy)
        found = DrillQuestion(hole, board, advice)
        if margin(advice) <= CLOSE_MARGIN:
            return found
        if closest is None or margin(advice) < margin(closest.advice):
            closest = found
    return closest


def _deals(
    random: Random, street: Street | None, kind: Kind | None
) -> Iterator[tuple[Cards, Cards]]:
    streets = [
        one for one in Street if street in (None, one) and (kind is None or one in kind.streets)
    ]
    for _ in range(MAX_DEALS_TRIED if streets else 0):
        shown = _BOARD_SIZE[random.choice(streets)]
        cards = random.sample(DECK, 2 + shown)
        hole, board = tuple(sorted(cards[:2], reverse=True)), tuple(cards[2:])
        if kind in (None, kind_of(hole, board)):
            yield hole, board


def _is_reached(game: KnownGame, hole: Sequence[int], board: Sequence[int]) -> bool:
    """Whether who played well so far still has the decision to make."""
    strategy = game.strategy
    if board and strategy.pocket(hole).best:
        return False
    return len(board) < 5 or not strategy.on_flop(hole, board[:3])
