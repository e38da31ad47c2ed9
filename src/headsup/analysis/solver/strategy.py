"""A solved game in a file: every decision, two bits each, mapped into memory.

The file is found by a hash of payoffs and sources, so a stale one is never looked for. It is
sealed (`cache`): one that is damaged, or not ours, is told of and built again.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headsup.analysis import kernels
from headsup.analysis.cache import STRATEGY_FILES, cache_folder, load_or_compute, source_hash
from headsup.analysis.kernels.base.arrays import MIN_RAISE, PASSIVE
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    FIRST_MONOTONE,
    FIRST_TWO_TONE,
    FLOPS,
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    SUITED_BOARDS,
    TYPES,
    hole_number,
    multiset3_number,
    multiset5_number,
    pair_number,
    pocket_class,
    set2_number,
    set3_number,
    type_number,
)
from headsup.analysis.solver.actions import PocketValues, RiverActions, StrategyActions
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Pocket, Solution

MAX_CACHED_FILES = 24  # files of 4 MB
HEADER_LENGTH_BYTES = 4  # bytes that say how long the head is
SECTION_SHAPES = {
    "flop": (FLOPS, HOLES),
    "river_ranks": (RANK_BOARDS, PAIRS),
    "river_suited": (SUITED_BOARDS, TYPES),
}


class Strategy:
    """Decisions by cards. Multiples of the Ante; 0 checks or folds."""

    def __init__(self, solution: Solution, sections: dict[str, NDArray[np.uint8]]) -> None:
        self.solution, self.payoffs_key = solution, solution.payoffs.key
        self._sections = sections

    def pocket(self, hole: Sequence[int]) -> Pocket:
        return self.solution.class_values(pocket_class(hole[0], hole[1]))

    def on_flop(self, hole: Sequence[int], flop: Sequence[int]) -> int:
        number, suits = canonical_flop(flop)
        first, second = (card >> 2 << 2 | suits[card & 3] for card in hole)
        action = self._action("flop", number, hole_number(first, second))
        return _multiple(action, self.solution.payoffs.flop_multiples)

    def on_river(self, hole: Sequence[int], board: Sequence[int]) -> int:
        suit = _flush_suit(board)
        if suit is None:
            ranks = multiset5_number(*sorted(card >> 2 for card in board))
            pair = pair_number(*sorted(card >> 2 for card in hole))
            action = self._action("river_ranks", ranks, pair)
        else:
            kinds = ((card >> 2) + (RANKS if card & 3 == suit else 0) for card in hole)
            action = self._action("river_suited", _suited_board(board, suit), type_number(*kinds))
        return _multiple(action, self.solution.payoffs.river_multiples)

    @property
    def actions(self) -> StrategyActions:
        """Every decision, as the solver had them; a hole that a flop excludes has none of them."""
        flop, ranks, suited = (
            _unpack(self._sections[name]).reshape(-1)[: rows * columns].reshape(rows, columns)
            for name, (rows, columns) in SECTION_SHAPES.items()
        )
        return StrategyActions(self.solution.pocket_values, flop, RiverActions(ranks, suited))

    @property
    def packed(self) -> list[NDArray[np.uint8]]:
        """Flop, river by ranks and river by suits, four actions to a byte."""
        return [self._sections[name] for name in SECTION_SHAPES]

    def _action(self, section: str, row: int, column: int) -> int:
        at = int(row) * SECTION_SHAPES[section][1] + int(column)
        return int(self._sections[section][at >> 2]) >> (2 * (at & 3)) & 3


def _multiple(action: int, multiples: tuple[int, ...]) -> int:
    return 0 if action == PASSIVE else min(multiples) if action == MIN_RAISE else max(multiples)


def canonical_flop(flop: Sequence[int]) -> tuple[int, list[int]]:
    """The number of the canonical flop, and what each suit is called on it."""
    low, middle, high = sorted(flop, key=lambda card: (card >> 2, card & 3))
    suits = [card & 3 for card in (low, middle, high)]
    ranks = [card >> 2 for card in (low, middle, high)]
    if len(set(suits)) == 3:
        return multiset3_number(*ranks), _rename_suits(suits)
    if len(set(suits)) == 1:
        return FIRST_MONOTONE + set3_number(*ranks), _rename_suits(suits[:1])
    twice = max(suits, key=suits.count)
    pair = [rank for rank, suit in zip(ranks, suits, strict=True) if suit == twice]
    off = next(place for place in range(3) if suits[place] != twice)
    number = FIRST_TWO_TONE + set2_number(*pair) * RANKS + ranks[off]
    return number, _rename_suits([twice, suits[off]])


def _rename_suits(suits: list[int]) -> list[int]:
    """These suits become 0, 1, 2 in turn; the others follow."""
    order = suits + [suit for suit in range(4) if suit not in suits]
    return [order.index(suit) for suit in range(4)]


def _flush_suit(board: Sequence[int]) -> int | None:
    suits = [card & 3 for card in board]
    return next((suit for suit in range(4) if suits.count(suit) >= 3), None)


def _suited_board(board: Sequence[int], suit: int) -> int:
    suited = sorted(card >> 2 for card in board if card & 3 == suit)
    off = sorted(card >> 2 for card in board if card & 3 != suit)
    number = sum(comb(rank, place + 1) for place, rank in enumerate(suited))
    if len(suited) == 3:
        return number * PAIRS + pair_number(*off)
    return FIRST_FOUR_SUITED + number * RANKS + off[0] if off else FIRST_FIVE_SUITED + number


def strategy_file(payoffs: Payoffs, folder: Path) -> Path:
    """Named by payoffs and by the sources of everything a solution comes from."""
    sources = (source_hash(Path(__file__).parents[1]), source_hash(Path(kernels.__file__).parent))
    return folder / f"{payoffs.key[:16]}-{'-'.join(sources)}{STRATEGY_FILES[1:]}"


def load_or_solve(
    payoffs: Payoffs, solve: Callable[[Payoffs], Solution], folder: Path | None = None
) -> Strategy:
    """The saved strategy, or a new one, kept for the next run.

    `solve` is handed in, so that whoever finds it saved need not load the solver.
    """
    named = partial(strategy_file, payoffs)
    built = load_or_compute(
        named, lambda: encode_strategy(solve(payoffs)), MAX_CACHED_FILES, folder or cache_folder()
    )
    return decode_strategy(built, payoffs)


def encode_strategy(solution: Solution) -> bytes:
    """The length of the head, the head, and the packed actions."""
    actions = solution.actions
    if actions is None or solution.deck != Deck():
        raise ValueError("only a whole solution of the whole deck can be saved")
    values = solution.pocket_values
    head = json.dumps(
        {
            "joint": solution.joint.tolist(),
            "pocket": [values.actions, values.raised, values.checked],
        }
    ).encode()
    sections = [actions.flop, actions.river.ranks, actions.river.suited]
    return len(head).to_bytes(HEADER_LENGTH_BYTES, "little") + head + b"".join(map(_pack, sections))


def _pack(actions: NDArray[np.uint8]) -> bytes:
    flat = actions.ravel() & 3  # holes that a flop excludes come out as 3
    flat = np.concatenate([flat, np.zeros(-len(flat) % 4, np.uint8)]).reshape(-1, 4)
    packed = flat[:, 0] | flat[:, 1] << 2 | flat[:, 2] << 4 | flat[:, 3] << 6
    return packed.astype(np.uint8).tobytes()


def _unpack(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], 1)


def decode_strategy(content: bytes | memoryview, payoffs: Payoffs) -> Strategy:
    """What `encode_strategy` wrote; a file's seal has shown that nothing else is in it."""
    view = memoryview(content)
    at = HEADER_LENGTH_BYTES + int.from_bytes(view[:HEADER_LENGTH_BYTES], "little")
    head = json.loads(bytes(view[HEADER_LENGTH_BYTES:at]))
    sections = {}
    for name, (rows, columns) in SECTION_SHAPES.items():
        length = -(-rows * columns // 4)
        sections[name] = np.frombuffer(view[at : at + length], np.uint8)
        at += length
    joint = np.array(head["joint"], np.int64)
    solution = Solution(payoffs, Deck(), PocketValues(*head["pocket"]), joint)
    return Strategy(solution, sections)
