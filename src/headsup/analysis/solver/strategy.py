"""A solved game, compressed to two bits for each decision, in memory or mapped from a file."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from math import comb

import numpy as np
from numpy.typing import NDArray

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

HEADER_LENGTH_BYTES = 4  # bytes at the start that hold the length of the header
SECTION_SHAPES = {
    "flop": (FLOPS, HOLES),
    "river_ranks": (RANK_BOARDS, PAIRS),
    "river_suited": (SUITED_BOARDS, TYPES),
}


class Strategy:
    """Looks up decisions by cards: a multiple of the Ante, or 0 to check or fold."""

    def __init__(self, solution: Solution, sections: dict[str, NDArray[np.uint8]]) -> None:
        self.solution, self.payoffs_key = solution, solution.payoffs.key
        self._sections = sections

    @classmethod
    def of(cls, solution: Solution) -> "Strategy":
        """The strategy of a new solution."""
        return cls(replace(solution, actions=None), _pack_sections(solution))

    def pocket(self, hole: Sequence[int]) -> Pocket:
        return self.solution.starting_hand(pocket_class(hole[0], hole[1]))

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
        """All decisions, as the solver returned them. Where flop and hole share a card, it is 3."""
        flop, ranks, suited = (
            _unpack(self._sections[name]).reshape(-1)[: rows * columns].reshape(rows, columns)
            for name, (rows, columns) in SECTION_SHAPES.items()
        )
        return StrategyActions(self.solution.pocket_values, flop, RiverActions(ranks, suited))

    @property
    def packed(self) -> list[NDArray[np.uint8]]:
        """The actions on flop, river by ranks and river by suits, four to a byte."""
        return [self._sections[name] for name in SECTION_SHAPES]

    @cached_property
    def decisions_key(self) -> str:
        """Equal for strategies that decide everything alike against the same qualifier."""
        digest = sha256(str(self.solution.payoffs.qualifier).encode())
        digest.update(np.asarray(self.solution.pocket_values.actions, np.uint8).tobytes())
        for section in self.packed:
            digest.update(np.ascontiguousarray(section).tobytes())
        return digest.hexdigest()[:16]

    def _action(self, section: str, row: int, column: int) -> int:
        position = int(row) * SECTION_SHAPES[section][1] + int(column)
        return int(self._sections[section][position >> 2]) >> (2 * (position & 3)) & 3


def _multiple(action: int, multiples: tuple[int, ...]) -> int:
    return 0 if action == PASSIVE else min(multiples) if action == MIN_RAISE else max(multiples)


def canonical_flop(flop: Sequence[int]) -> tuple[int, list[int]]:
    """The number of the canonical flop, and the new name of each suit on it."""
    low, middle, high = sorted(flop, key=lambda card: (card >> 2, card & 3))
    suits = [card & 3 for card in (low, middle, high)]
    ranks = [card >> 2 for card in (low, middle, high)]
    if len(set(suits)) == 3:
        return multiset3_number(*ranks), _rename_suits(suits)
    if len(set(suits)) == 1:
        return FIRST_MONOTONE + set3_number(*ranks), _rename_suits(suits[:1])
    pair_suit = max(suits, key=suits.count)
    pair = [rank for rank, suit in zip(ranks, suits, strict=True) if suit == pair_suit]
    off = next(index for index in range(3) if suits[index] != pair_suit)
    number = FIRST_TWO_TONE + set2_number(*pair) * RANKS + ranks[off]
    return number, _rename_suits([pair_suit, suits[off]])


def _rename_suits(suits: list[int]) -> list[int]:
    """[suit]: its new name. The given suits become 0, 1, 2; the others follow."""
    order = suits + [suit for suit in range(4) if suit not in suits]
    return [order.index(suit) for suit in range(4)]


def _flush_suit(board: Sequence[int]) -> int | None:
    suits = [card & 3 for card in board]
    return next((suit for suit in range(4) if suits.count(suit) >= 3), None)


def _suited_board(board: Sequence[int], suit: int) -> int:
    suited = sorted(card >> 2 for card in board if card & 3 == suit)
    off = sorted(card >> 2 for card in board if card & 3 != suit)
    number = sum(comb(rank, index + 1) for index, rank in enumerate(suited))
    if len(suited) == 3:
        return number * PAIRS + pair_number(*off)
    return FIRST_FOUR_SUITED + number * RANKS + off[0] if off else FIRST_FIVE_SUITED + number


def encode_strategy(strategy: Strategy) -> bytes:
    """The length of the header, the header as JSON, and the packed actions."""
    values = strategy.solution.pocket_values
    header = json.dumps(
        {
            "joint": strategy.solution.result_counts.tolist(),
            "pocket": [values.actions, values.raise_values, values.check_values],
        }
    ).encode()
    length = len(header).to_bytes(HEADER_LENGTH_BYTES, "little")
    return b"".join([length, header, *(section.tobytes() for section in strategy.packed)])


def _pack_sections(solution: Solution) -> dict[str, NDArray[np.uint8]]:
    actions = solution.actions
    if actions is None or solution.deck != Deck():
        raise ValueError("only a solution of the full deck with its actions can be packed")
    sections = actions.flop, actions.river.ranks, actions.river.suited
    return dict(zip(SECTION_SHAPES, map(_pack, sections), strict=True))


def _pack(actions: NDArray[np.uint8]) -> NDArray[np.uint8]:
    flat = actions.ravel() & 3  # where flop and hole share a card, 255 becomes 3
    flat = np.concatenate([flat, np.zeros(-len(flat) % 4, np.uint8)]).reshape(-1, 4)
    packed = flat[:, 0] | flat[:, 1] << 2 | flat[:, 2] << 4 | flat[:, 3] << 6
    return packed.astype(np.uint8)


def _unpack(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], 1)


def decode_strategy(content: bytes | memoryview, payoffs: Payoffs) -> Strategy:
    """Read what `encode_strategy` wrote. The seal has been checked, so the content is trusted."""
    view = memoryview(content)
    offset = HEADER_LENGTH_BYTES + int.from_bytes(view[:HEADER_LENGTH_BYTES], "little")
    header = json.loads(bytes(view[HEADER_LENGTH_BYTES:offset]))
    sections = {}
    for name, (rows, columns) in SECTION_SHAPES.items():
        length = -(-rows * columns // 4)
        sections[name] = np.frombuffer(view[offset : offset + length], np.uint8)
        offset += length
    result_counts = np.array(header["joint"], np.int64)
    solution = Solution(payoffs, Deck(), PocketValues(*header["pocket"]), result_counts)
    return Strategy(solution, sections)
