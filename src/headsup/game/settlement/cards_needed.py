"""Says which cards a hand's wagers rest on, so that settlement never guesses at a card.

A real deck is turned over one place at a time. A hand whose wagers rest on a card that is not known
yet cannot be settled; a folded hand that no wager survives needs no card at all.
"""

from typing import assert_never

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement.model import Deal, SeatPlay

_HOLE, _BOARD, _DEALER, _ALL_6 = "hole", "board", "dealer", "all_6"
# How many cards lie at each place that a wager may rest on.
_COUNTS = {_HOLE: 2, _BOARD: 5, _DEALER: 2, _ALL_6: 4}


def needs_hole(rules: TableRules, play: SeatPlay) -> bool:
    """Whether the hand must be turned over to settle it."""
    return _HOLE in _places_needed(rules, play)


def needs_board(rules: TableRules, play: SeatPlay) -> bool:
    return _BOARD in _places_needed(rules, play)


def needs_all_6(rules: TableRules, play: SeatPlay) -> bool:
    return _ALL_6 in _places_needed(rules, play)


def refuse_unknown_cards(rules: TableRules, deal: Deal, play: SeatPlay) -> Refusal | None:
    """Why the hand cannot be settled: a card that it needs is not known."""
    hole, board, dealer, all_6 = play.hole, deal.board, deal.dealer, deal.all_6
    known = (len(hole), len(board), len(dealer), len(all_6))
    if known[:3] == (2, 5, 2) and (known[3] == 4 or Wager.ALL_6 not in play.stakes):
        return None  # the usual case, checked first because every hand is
    counts = dict(zip(_COUNTS, known, strict=True))
    for place in _places_needed(rules, play):
        if counts[place] != _COUNTS[place]:
            named = f"seat {play.seat}" if place == _HOLE else place
            return refusal(Code.MISSING_CARDS, "unknown", where=f"seat {play.seat}", place=named)
    return None


def _places_needed(rules: TableRules, play: SeatPlay) -> tuple[str, ...]:
    """In the order in which they are turned over."""
    needed = {
        place
        for wager in play.stakes
        if is_played(rules, play, wager)
        for place in _rests_on(wager, play)
    }
    return tuple(place for place in _COUNTS if place in needed)


def is_played(rules: TableRules, play: SeatPlay, wager: Wager) -> bool:
    """Whether the wager is settled by the cards: not returned, and not forfeited with a fold."""
    if play.void is not None:
        return wager in play.void.settles
    return not play.folded or rules.after_fold.get(wager, True)


def _rests_on(wager: Wager, play: SeatPlay) -> tuple[str, ...]:
    match wager:
        case Wager.ANTE | Wager.ODDS | Wager.RAISE:
            return () if play.folded and play.void is None else (_HOLE, _BOARD, _DEALER)
        case Wager.POCKET_BONUS:
            return (_HOLE,)
        case Wager.TRIPS_PLUS | Wager.PROGRESSIVE:
            return (_HOLE, _BOARD)
        case Wager.ALL_6:
            return (_HOLE, _ALL_6)
        case _:
            assert_never(wager)
