"""Names the flush and straight draws of a hand on the flop.

A hand that already has a straight or a flush has no draw to that or to anything lower. The flop
has only three cards, so four to a flush or straight always use a hole card.
"""

from collections.abc import Sequence

from headsup.game.values.cards import ACE
from headsup.game.values.hands import RANK_NAMES, Category, category_of, strength

FLOP_CARDS, RANK_COUNT = 3, 13
_LOW_ACE = -1  # the rank of an ace in a five-high straight


def draws(hole: Sequence[int], board: Sequence[int]) -> tuple[str, ...]:
    """`("flush draw, four to the king", "open-ended straight draw")`; empty on other streets."""
    if len(board) != FLOP_CARDS or len(hole) != 2:
        return ()
    cards = (*hole, *board)
    category = category_of(strength(cards))
    names = (
        _flush_draw(cards) if category < Category.FLUSH else "",
        _straight_draw(cards) if category < Category.STRAIGHT else "",
    )
    return tuple(filter(None, names))


def describe_draws(names: Sequence[str]) -> str:
    """For a sentence: `a flush draw, four to the king, and an open-ended straight draw`."""
    return ", and ".join(f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in names)


def _flush_draw(cards: Sequence[int]) -> str:
    for suit in range(4):
        ranks = [card >> 2 for card in cards if card & 3 == suit]
        if len(ranks) == 4:
            return f"flush draw, four to the {RANK_NAMES[max(ranks)]}"
    return ""


def _straight_draw(cards: Sequence[int]) -> str:
    ranks = {card >> 2 for card in cards}
    if ACE in ranks:
        ranks.add(_LOW_ACE)
    helpful = {
        rank % RANK_COUNT
        for low in range(_LOW_ACE, ACE - 3)
        for rank in set(range(low, low + 5)) - ranks
        if len(ranks.intersection(range(low, low + 5))) == 4
    }
    if not helpful:
        return ""
    in_a_row = any(ranks.issuperset(range(low, low + 4)) for low in range(_LOW_ACE, ACE - 2))
    kinds = ("one-ended", "open-ended") if in_a_row else ("inside", "double inside")
    return f"{kinds[len(helpful) - 1]} straight draw"
