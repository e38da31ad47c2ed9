"""Hypothesis strategies for the game: decks, table rules and finished rounds.

Random cards rarely make a royal flush, so half the decks have six consecutive cards of one suit in
places where they matter. Straight flushes, royals, Bad Beats and shared boards then come up every
few rounds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st

from headsup.game.round.decision import HAS_FOLDED, Decision, HasRaised
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.settlement import Deal, SeatPlay
from headsup.game.values.cards import DECK

# Places in a deck as `rounds` deals it: dealer 0–1, board 2–6, All 6 7–10, then hole cards.
# Six consecutive cards of one suit, the highest first, go to these places.
PLANTED = (
    (11, 12, 2, 3, 4, 0),  # flopped
    (2, 11, 3, 12, 4, 13),  # flopped; the next seat could have had it
    (11, 12, 2, 3, 5, 6),  # on the turn
    (11, 2, 3, 4, 5, 0),  # with one hole card; the dealer may have the lower end
    (2, 3, 4, 5, 6, 11),  # on the board
    *[(11, 12, 7, 8, 9, 10)] * 3,  # All 6; more often, as few books offer it
    (0, 1, 2, 3, 4, 11),  # the dealer's; the first seat may have the lower end
)


@dataclass(frozen=True)
class Round:
    """A finished round that the rules allow."""

    rules: TableRules
    deal: Deal
    plays: tuple[SeatPlay, ...]
    meter: int


def plant(deck: list[int], places: Sequence[int], top: int, suit: int) -> None:
    """Swap six consecutive cards of a suit, the highest first, into these places of the deck."""
    for place, rank in zip(places, range(top, top - 6, -1), strict=True):
        index = deck.index(rank << 2 | suit)
        deck[place], deck[index] = deck[index], deck[place]


@st.composite
def decks(draw: st.DrawFn) -> list[int]:
    deck = draw(st.permutations(DECK))
    if draw(st.booleans()):
        top = draw(st.sampled_from([12, 12, 12, 11, 9, 6, 5]))
        plant(deck, draw(st.sampled_from(PLANTED)), top, suit=draw(st.integers(0, 3)))
    return deck


def bonus_cells(book_id: str, key: str, table_id: str) -> dict[str, str]:
    """A pay for each Bonus cell, which an operator must fill in."""
    unfilled = load_book(book_id).paytables[key][table_id].unfilled_cells()
    return {str(outcome): "6" for outcome in unfilled}


@cache
def filled_rules(
    book_id: str, chosen: tuple[tuple[str, str], ...], more: tuple[tuple[str, str], ...]
) -> TableRules:
    """Table rules with all Bonus cells filled; cached, because reading them is slow."""
    bonus = {key: cells for key, id in chosen if (cells := bonus_cells(book_id, key, id))}
    return table_rules(book_id, dict(chosen), {**dict(more), "bonus": bonus})


@st.composite
def tables(draw: st.DrawFn) -> TableRules:
    """Any shipped book with any allowed paytables and a few options."""
    book_id = draw(st.sampled_from(("galaxy", *SHIPPED_BOOKS)))  # it has the most wagers
    book = load_book(book_id)
    chosen = {}
    for key, printed in book.paytables.items():
        ids = list(printed)
        if book_id == "washington":
            ids = [id for id in ids if id != "HH/OW-1"]
        if book_id == "washington-no-qualifier":
            ids = [id for id in ids if id != "HH/OW-2"]
            if key == "bad_beat":
                continue
        chosen[key] = draw(st.sampled_from(ids))
    options = {}
    if book.offers.get(Wager.PROGRESSIVE):
        options["meter_seed"] = draw(st.sampled_from(["0", "2500.00"]))
        options["percentage_awards"] = draw(st.sampled_from(["snapshot", "sequential"]))
    return filled_rules(book_id, tuple(chosen.items()), tuple(options.items()))


def stakes(rules: TableRules, draw: st.DrawFn) -> Mapping[Wager, int]:
    ante = draw(st.integers(1, 40)) * 100
    placed = {Wager.ANTE: ante, Wager.ODDS: ante}
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)]
    most = min(rules.max_side_wagers, len(offered))
    least = draw(st.sampled_from([0, most]))
    sides = st.lists(st.sampled_from(offered), unique=True, min_size=least, max_size=most)
    for wager in draw(sides):
        fixed = wager is Wager.PROGRESSIVE
        placed[wager] = rules.progressive_stake if fixed else draw(st.integers(1, 25)) * 100
    return placed


def decisions(rules: TableRules, draw: st.DrawFn) -> Decision:
    """An allowed raise, or a fold."""
    possible: list[Decision] = [HAS_FOLDED]
    possible += [HasRaised(street, times) for street in Street for times in rules.raises[street]]
    return draw(st.sampled_from(possible))


@st.composite
def rounds(draw: st.DrawFn, max_seats: int = 6) -> Round:
    rules, deck = draw(tables()), draw(decks())
    seats = draw(st.lists(st.integers(1, 6), unique=True, min_size=1, max_size=max_seats))
    packet = tuple(deck[7:11]) if rules.offers(Wager.ALL_6) else ()
    plays = tuple(
        SeatPlay(
            seat=seat,
            hole=tuple(deck[11 + 2 * i : 13 + 2 * i]),
            stakes=stakes(rules, draw),
            decision=decisions(rules, draw),
        )
        for i, seat in enumerate(seats)
    )
    deal = Deal(dealer=tuple(deck[:2]), board=tuple(deck[2:7]), all_6=packet)
    return Round(rules, deal, plays, meter=draw(st.integers(0, 10**12)))
