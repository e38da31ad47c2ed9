"""What a hand on the flop is one card short of, as people call it.

A straight or flush that is made leaves nothing to draw to of its own kind or a lower one. Four to
a flush or straight have a hole card among them, since the flop alone has three.
"""

from collections.abc import Sequence

from headsup.game.values.cards import ACE
from headsup.game.values.hands import RANK_NAMES, Category, category_of, strength

FLOP_CARDS, RANK_COUNT = 3, 13
_BELOW = -1  # where an ace stands in a five-high straight


def draws(hole: Sequence[int], board: Sequence[int]) -> tuple[str, ...]:
    """`("flush draw, four to the king", "open-ended straight draw")`; none off the flop."""
    if len(board) != FLOP_CARDS or len(hole) != 2:
        return ()
    cards = (*hole, *board)
    made = category_of(strength(cards))
    found = (
        _flush_draw(cards) if made < Category.FLUSH else "",
        _straight_draw(cards) if made < Category.STRAIGHT else "",
    )
    return tuple(filter(None, found))


def describe_draws(found: Sequence[str]) -> str:
    """Draws in a sentence: `a flush draw, four to the king, and an open-ended straight draw`."""
    return ", and ".join(f"{'an' if one[0] in 'aeiou' else 'a'} {one}" for one in found)


def _flush_draw(cards: Sequence[int]) -> str:
    for suit in range(4):
        ranks = [card >> 2 for card in cards if card & 3 == suit]
        if len(ranks) == 4:
            return f"flush draw, four to the {RANK_NAMES[max(ranks)]}"
    return ""


def _straight_draw(cards: Sequence[int]) -> str:
    ranks = {card >> 2 for card in cards}
    if ACE in ranks:
        ranks.add(_BELOW)
    helpful = {
        rank % RANK_COUNT
        for low in range(_BELOW, ACE - 3)
        for rank in set(range(low, low + 5)) - ranks
        if len(ranks.intersection(range(low, low + 5))) == 4
    }
    if not helpful:
        return ""
    in_a_row = any(ranks.issuperset(range(low, low + 4)) for low in range(_BELOW, ACE - 2))
    kinds = ("one-ended", "open-ended") if in_a_row else ("inside", "double inside")
    return f"{kinds[len(helpful) - 1]} straight draw"
