"""The cards of one place in the arrays of a street, for a person."""

from collections.abc import Iterable

from headsup.analysis.kernels.base.board_tables import board_tables
from headsup.analysis.kernels.base.numbering import RANKS
from headsup.analysis.solver.solution import pocket_class_name
from headsup.analysis.strategies.vocabulary import FLOP, POCKET
from headsup.game.values.cards import card_name

SUITS = 4
FLUSH_SUIT = SUITS - 1


def situation_cards(street: str, at: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """Of a pocket its class; of a flop its own cards; of a river one deal of all that are alike."""
    if street == POCKET:
        return pocket_class_name(at[0])
    known, (board, held) = board_tables(), at
    if street == FLOP:
        return _format_cards(known.holes.cards[held].tolist(), known.flops.cards[board].tolist())
    if shape[1] != len(known.types.ranks):  # with a flush in reach
        ranks = known.rank_boards.ranks[known.suited_boards.ranks[board]].tolist()
        suited = int(known.suited_boards.suited[board])
        kinds = [RANKS + rank for rank in range(RANKS) if suited >> rank & 1]
        for kind in kinds:
            ranks.remove(kind - RANKS)
        return _river([*kinds, *ranks], known.types.kinds[held].tolist(), SUITS - 1)
    return _river(known.rank_boards.ranks[board].tolist(), known.types.ranks[held].tolist(), SUITS)


def _river(board: Iterable[int], hole: Iterable[int], off_suits: int) -> str:
    """Kinds from 13 on are of the flush suit. Others are spread, so that no other suit is near."""
    dealt: list[int] = []
    for kind in (*board, *hole):
        if kind >= RANKS:
            dealt.append((kind - RANKS) * SUITS + FLUSH_SUIT)
            continue
        cards = [kind * SUITS + suit for suit in range(off_suits)]
        free = [card for card in cards if card not in dealt]
        dealt.append(min(free, key=lambda card: sum(one % SUITS == card % SUITS for one in dealt)))
    return _format_cards(dealt[5:], sorted(dealt[:5]))


def _format_cards(hole: Iterable[int], board: Iterable[int]) -> str:
    first, second = ("".join(map(card_name, cards)) for cards in (hole, board))
    return f"{first} on {second}"
