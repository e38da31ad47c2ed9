"""Cards that are known before a decision, and what they leave of the deck.

A suit sees the deck as `numbering` has it: ranks of the other three, and its own. Suits that see
the same share one **sight**; renamings of the suits that leave the known cards as they are make
situations alike.
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
    """The deck as some suits see it, and what the dealer is known to hold, in kinds."""

    suits: tuple[int, ...]
    off: tuple[int, ...]
    suited: tuple[int, ...]
    dealer: tuple[int, ...]

    def terms(self, qualifier: int) -> DeckTerms:
        return DeckTerms(np.array(self.off), np.array(self.suited), qualifier)


@dataclass(frozen=True)
class KnownCards:
    dealer: tuple[int, ...] = ()
    out: tuple[int, ...] = ()  # in other hands, or shown and taken away
    deck: Deck = Deck()  # noqa: RUF009 (frozen, and the same for all)

    @property
    def left(self) -> int:
        """Cards that the player's hole, the board and the dealer's other cards come from."""
        return self.deck.cards - len(self.dealer) - len(self.out)

    @property
    def taken(self) -> int:
        """A mask of the cards that can no longer come."""
        gone = {*self.dealer, *self.out}
        return sum(
            1 << card for card in range(CARDS) if card in gone or card >> 2 not in self.deck.ranks
        )

    @property
    def renamings(self) -> tuple[SuitPermutation, ...]:
        return tuple(
            renaming
            for renaming in permutations(range(4))
            if all(
                {_permute_suit(card, renaming) for card in cards} == {*cards}
                for cards in (self.dealer, self.out)
            )
        )

    @property
    def sights(self) -> list[SuitView]:
        taken, sights = self.taken, dict[tuple[tuple[int, ...], ...], list[int]]()
        for suit in range(4):
            left = [[1 - (taken >> 4 * rank + s & 1) for s in range(4)] for rank in range(RANKS)]
            suited = tuple(cards[suit] for cards in left)
            off = tuple(sum(cards) - cards[suit] for cards in left)
            kinds = tuple(
                sorted((card >> 2) + (RANKS if card & 3 == suit else 0) for card in self.dealer)
            )
            sights.setdefault((off, suited, kinds), []).append(suit)
        return [SuitView(tuple(suits), *seen) for seen, suits in sights.items()]


def _permute_suit(card: int, renaming: SuitPermutation) -> int:
    return card >> 2 << 2 | renaming[card & 3]


def exposed_flops(known: KnownCards) -> ExposedFlops:
    """One flop for all that a renaming makes alike, without those that known cards exclude."""
    flops = _flops(known.renamings)
    used = np.bitwise_or.reduce(np.int64(1) << flops.cards.astype(np.int64), axis=1)
    dealt = used & known.taken == 0
    return ExposedFlops(*(column[dealt] for column in flops))


@cache
def _flops(renamings: tuple[SuitPermutation, ...]) -> ExposedFlops:
    flops = np.array(list(combinations(range(CARDS), 3)))
    keys = np.min([_numbers(flops, renaming) for renaming in renamings], axis=0)
    _, first, weight = np.unique(keys, return_index=True, return_counts=True)
    kept: list[list[int]] = flops[first].tolist()
    return ExposedFlops(
        cards=np.array(kept, np.uint8),
        weight=weight.astype(np.int64),
        ranks=np.array(
            [multiset3_number(*sorted(card >> 2 for card in flop)) for flop in kept], np.int16
        ),
        views=np.array(
            [[suited_flop_number(flop, suit) for suit in range(4)] for flop in kept], np.int16
        ),
    )


def _numbers(rows: NDArray[np.int64], renaming: SuitPermutation) -> NDArray[np.int64]:
    """A number for each set of cards once its suits are renamed."""
    renamed = np.sort(rows >> 2 << 2 | np.array(renaming)[rows & 3], 1)
    return np.asarray((renamed * CARDS ** np.arange(rows.shape[1])).sum(1))


@dataclass(frozen=True)
class Situations:
    """What a player may know before deciding, up to suits: hole and some cards of the flop."""

    of: NDArray[np.int32]  # [hole, seen flop cards]: its number
    deals: NDArray[np.int64]  # [situation]: how many real ones it stands for


def situations(known: KnownCards, seen: int) -> Situations:
    """For none, one or two cards seen of the flop; two are numbered as a hole is."""
    of, size = _number_situations(known.renamings, seen)
    holes = _masks(2)
    shown = (np.zeros(1, np.int64), _masks(1), holes)[seen]
    dealt = (holes[:, None] & shown) == 0
    dealt &= (holes & known.taken == 0)[:, None] & (shown & known.taken == 0)
    return Situations(of, np.bincount(of[dealt], minlength=size))


def _masks(cards: int) -> NDArray[np.int64]:
    if cards == 1:
        return np.int64(1) << np.arange(CARDS)
    return np.asarray((np.int64(1) << board_tables().holes.cards.astype(np.int64)).sum(1))


@cache
def _number_situations(
    renamings: tuple[SuitPermutation, ...], seen: int
) -> tuple[NDArray[np.int32], int]:
    shown = (1, CARDS, HOLES)[seen]
    least: NDArray[np.int64] | None = None
    for renaming in renamings:
        cards = np.array([_permute_suit(card, renaming) for card in range(CARDS)])
        holes = np.array([hole_number(cards[a], cards[b]) for a, b in board_tables().holes.cards])
        other = (np.zeros(1, np.int64), cards, holes)[seen]
        keys = holes[:, None] * shown + other
        least = keys if least is None else np.minimum(least, keys)
    assert least is not None  # to change nothing is a renaming too
    names, of = np.unique(least, return_inverse=True)
    return of.reshape(HOLES, shown).astype(np.int32), len(names)


def count_hole_flops(known: KnownCards) -> int:
    """Holes with whole flops, up to suits: the average of those that each renaming leaves alone."""
    flops = np.array(list(combinations(range(CARDS), 3)))
    holes = board_tables().holes.cards.astype(np.int64)
    fixed = 0
    for renaming in known.renamings:
        still = [
            masks[masks & known.taken == 0]
            for cards in (flops, holes)
            for masks in [_fixed_masks(cards, renaming)]
        ]
        fixed += sum(int((still[1] & flop == 0).sum()) for flop in still[0])
    return fixed // len(known.renamings)


def _fixed_masks(rows: NDArray[np.int64], renaming: SuitPermutation) -> NDArray[np.int64]:
    """Masks of the sets of cards that a renaming leaves as they are."""
    same = _numbers(rows, renaming) == _numbers(rows, tuple(range(4)))
    return np.asarray((np.int64(1) << rows[same]).sum(1))
