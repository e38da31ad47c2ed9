"""A slow twin of game protection: few cards left, every deal tried, the plain evaluator."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from headsup.game.values import hands
from tests.oracles.solver import Game

Cards = tuple[int, ...]


def exposed_edge(
    game: Game, left: Sequence[int], dealer: Cards = (), seen: int = 0, river: int = 0
) -> tuple[Fraction, Fraction]:
    """The player's edge and how often the first decision raises, over all holes of `left`.

    The dealer holds the cards named and others of `left`; `seen` cards of the flop are known, and
    `river` of the two after it, on the flop as well.
    """
    value, deals, raised, decisions = 0, 0, 0, 0
    for hole in combinations(sorted(left), 2):
        rest = [card for card in sorted(left) if card not in hole]
        on_flop = _flops(game, hole, rest, dealer, river)
        asked: dict[tuple[Cards, Cards], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for (flop, later), worth in on_flop.items():
            for known in combinations(flop, seen):
                options = asked[known, later]
                options[0] += max(worth[0], *(worth[m] for m in game.flop))
                for multiple in game.pocket:
                    options[multiple] += worth[multiple]
                options[-1] += worth[-1]
        for options in asked.values():
            count = options.pop(-1)
            best = max(options.values())
            value += best
            deals += count
            raised += best > options[0]
            decisions += 1
    return Fraction(value, deals * game.unit), Fraction(raised, decisions)


def _flops(
    game: Game, hole: Cards, rest: list[int], dealer: Cards, river: int
) -> dict[tuple[Cards, Cards], dict[int, int]]:
    """For each flop, and what is known after it, the sums of every multiple; 0 waits for the
    river, -1 counts deals."""
    found: dict[tuple[Cards, Cards], dict[int, int]] = defaultdict(lambda: defaultdict(int))
    multiples = {*game.pocket, *game.flop, *game.river}
    for board in combinations(rest, 5):
        own = hands.strength(hole + board)
        others = [card for card in rest if card not in board]
        worth: dict[int, int] = defaultdict(int)
        count = 0
        for more in combinations(others, 2 - len(dealer)):
            strength = hands.strength((*dealer, *more, *board))
            result = (own > strength) - (own < strength)
            for multiple in multiples:
                worth[multiple] += game.net(multiple, own >> 20, result, strength >= game.qualifier)
            count += 1
        fold = count * game.fold(own >> 20)
        best = max(fold, *(worth[multiple] for multiple in game.river))
        for flop in combinations(board, 3):
            for later in combinations(sorted({*board} - {*flop}), river):
                sums = found[flop, later]
                for multiple in multiples:
                    sums[multiple] += worth[multiple]
                sums[0] += best
                sums[-1] += count
    return found
