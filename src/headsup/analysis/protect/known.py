"""Describes cards that are known before a decision, and what remains of the deck.

As in `numbering`, each suit views the deck as its own ranks and those of the other three suits.
Suits with the same view share one `SuitView`. Two situations are equivalent if a permutation of
suits that leaves the known cards unchanged turns one into the other.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import DeckTerms, ExposedFlops
from headsup.analysis.kernels.base.board_tables import board_tables, suited_flop_number
from headsup.analysis.kernels.base.numbering import HOLES, RANKS, hole_number, multiset3_number
from headsup.analysis.solver.deck import Deck

CARDS = 52
SuitPermutation = tuple[int, ...]  # [suit]: the suit it becomes


@dataclass(frozen=True)
class SuitView:
    """The deck and the dealer's known cards, as kinds, from the point of view of some suits."""

    suits: tuple[int, ...]
    off: tuple[int, ...]
    suited: tuple[int, ...]
    dealer: tuple[int, ...]

    def terms(self, qualifier: int) -> DeckTerms:
        return DeckTerms(np.array(self.off), np.array(self.suited), qualifier)


@dataclass(frozen=True)
class KnownCards:
    dealer: tuple[int, ...] = ()
    dead_cards: tuple[
        int, ...
    ] = ()  # known and out of play: in other hands, or exposed and removed
    deck: Deck = Deck()  # noqa: RUF009 (frozen, so safe to share)

    @property
    def remaining(self) -> int:
        """How many cards the player's hole, the board and the dealer's other cards come from."""
        return self.deck.cards - len(self.dealer) - len(self.dead_cards)

    @property
    def taken_mask(self) -> int:
        """A mask of the cards that can no longer be dealt."""
        known = {*self.dealer, *self.dead_cards}
        return sum(
            1 << card for card in range(CARDS) if card in known or card >> 2 not in self.deck.ranks
        )

    @property
    def suit_permutations(self) -> tuple[SuitPermutation, ...]:
        return tuple(
            permutation
            for permutation in permutations(range(4))
            if all(
                {_permute_suit(card, permutation) for card in cards} == {*cards}
                for cards in (self.dealer, self.dead_cards)
            )
        )

    @property
    def suit_views(self) -> list[SuitView]:
        taken_mask, suits_by_view = self.taken_mask, dict[tuple[tuple[int, ...], ...], list[int]]()
        for suit in range(4):
            remaining = [
                [1 - (taken_mask >> 4 * rank + s & 1) for s in range(4)] for rank in range(RANKS)
            ]
            suited = tuple(cards[suit] for cards in remaining)
            off = tuple(sum(cards) - cards[suit] for cards in remaining)
            dealer_kinds = tuple(
                sorted((card >> 2) + (RANKS if card & 3 == suit else 0) for card in self.dealer)
            )
            suits_by_view.setdefault((off, suited, dealer_kinds), []).append(suit)
        return [SuitView(tuple(suits), *view) for view, suits in suits_by_view.items()]


def _permute_suit(card: int, permutation: SuitPermutation) -> int:
    return card >> 2 << 2 | permutation[card & 3]


def exposed_flops(known: KnownCards) -> ExposedFlops:
    """One flop for each set of equivalent flops, without those that known cards exclude."""
    flops = _flops(known.suit_permutations)
    flop_masks = np.bitwise_or.reduce(np.int64(1) << flops.cards.astype(np.int64), axis=1)
    dealt = flop_masks & known.taken_mask == 0
    return ExposedFlops(*(column[dealt] for column in flops))


@cache
def _flops(suit_permutations: tuple[SuitPermutation, ...]) -> ExposedFlops:
    flops = np.array(list(combinations(range(CARDS), 3)))
    keys = np.min([_numbers(flops, permutation) for permutation in suit_permutations], axis=0)
    _, first, weight = np.unique(keys, return_index=True, return_counts=True)
    representatives: list[list[int]] = flops[first].tolist()
    return ExposedFlops(
        cards=np.array(representatives, np.uint8),
        weight=weight.astype(np.int64),
        ranks=np.array(
            [multiset3_number(*sorted(card >> 2 for card in flop)) for flop in representatives],
            np.int16,
        ),
        suited_flops=np.array(
            [[suited_flop_number(flop, suit) for suit in range(4)] for flop in representatives],
            np.int16,
        ),
    )


def _numbers(rows: NDArray[np.int64], permutation: SuitPermutation) -> NDArray[np.int64]:
    """A number for each set of cards after permuting its suits."""
    renamed = np.sort(rows >> 2 << 2 | np.array(permutation)[rows & 3], 1)
    return np.asarray((renamed * CARDS ** np.arange(rows.shape[1])).sum(1))


@dataclass(frozen=True)
class Situations:
    """What a player may know before the flop: the hole and some flop cards, up to suits."""

    numbers: NDArray[np.int32]  # [hole, seen flop cards]: number of the situation
    deals: NDArray[np.int64]  # [situation]: how many real ones it represents


def situations(known: KnownCards, seen: int) -> Situations:
    """The situations with `seen` flop cards known, 0 to 2. Two cards are numbered as a hole is."""
    numbers, size = _number_situations(known.suit_permutations, seen)
    holes = _masks(2)
    seen_masks = (np.zeros(1, np.int64), _masks(1), holes)[seen]
    dealt = (holes[:, None] & seen_masks) == 0
    dealt &= (holes & known.taken_mask == 0)[:, None] & (seen_masks & known.taken_mask == 0)
    return Situations(numbers, np.bincount(numbers[dealt], minlength=size))


def _masks(cards: int) -> NDArray[np.int64]:
    if cards == 1:
        return np.int64(1) << np.arange(CARDS)
    return np.asarray((np.int64(1) << board_tables().holes.cards.astype(np.int64)).sum(1))


@cache
def _number_situations(
    suit_permutations: tuple[SuitPermutation, ...], seen: int
) -> tuple[NDArray[np.int32], int]:
    count = (1, CARDS, HOLES)[seen]
    lowest_keys: NDArray[np.int64] | None = None
    for permutation in suit_permutations:
        cards = np.array([_permute_suit(card, permutation) for card in range(CARDS)])
        holes = permute_holes(permutation)
        seen_numbers = (np.zeros(1, np.int64), cards, holes)[seen]
        keys = holes[:, None] * count + seen_numbers
        lowest_keys = keys if lowest_keys is None else np.minimum(lowest_keys, keys)
    assert lowest_keys is not None  # the identity is among the permutations
    distinct, numbers = np.unique(lowest_keys, return_inverse=True)
    return numbers.reshape(HOLES, count).astype(np.int32), len(distinct)


@cache
def permute_holes(permutation: SuitPermutation) -> NDArray[np.int64]:
    """[hole]: the number of the hole that it becomes."""
    cards = [_permute_suit(card, permutation) for card in range(CARDS)]
    return np.array([hole_number(cards[a], cards[b]) for a, b in board_tables().holes.cards])


def count_hole_flops(known: KnownCards) -> int:
    """How many holes with flops there are, up to suits, by Burnside's lemma."""
    flops = np.array(list(combinations(range(CARDS), 3)))
    holes = board_tables().holes.cards.astype(np.int64)
    total = 0
    for permutation in known.suit_permutations:
        unchanged = [
            masks[masks & known.taken_mask == 0]
            for cards in (flops, holes)
            for masks in [_fixed_masks(cards, permutation)]
        ]
        total += sum(int((unchanged[1] & flop == 0).sum()) for flop in unchanged[0])
    return total // len(known.suit_permutations)


def _fixed_masks(rows: NDArray[np.int64], permutation: SuitPermutation) -> NDArray[np.int64]:
    """Masks of the sets of cards that a permutation of suits leaves unchanged."""
    same = _numbers(rows, permutation) == _numbers(rows, tuple(range(4)))
    return np.asarray((np.int64(1) << rows[same]).sum(1))
