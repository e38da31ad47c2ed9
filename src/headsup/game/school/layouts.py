"""Lays out the cards and wagers of an exercise, so that it is a case of its kind.

The case itself is constructed: a board on which the hands are possible, then hands that meet the
kind's conditions. Everything else is dealt. What comes out depends on the bits alone.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias, TypeVar, assert_never

from headsup.game.bank.awards import WHOLE_POOL
from headsup.game.rulebook.outcomes import (
    Outcome,
    all_6_outcome,
    both_hole_cards_outcome,
    hand_outcome,
    pocket_outcome,
    progressive_outcome,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, SideWager, Wager
from headsup.game.school.kinds import (
    ExerciseKind,
    ante_above_cap,
    fractional_rows,
    offered_sides,
    paying_rows,
    pool_rows,
    share_rows,
    uneven_antes,
)
from headsup.game.table.shuffle import Bits, draw_below
from headsup.game.values.cards import DECK, Cards
from headsup.game.values.hands import Category, category_of, strength
from headsup.game.values.money import Cents

HoleCondition: TypeAlias = Callable[[Cards, int], bool]  # of two hole cards and their strength
T = TypeVar("T")


class PlayerLayout(NamedTuple):
    hole: Cards
    sides: tuple[SideWager, ...] = ()
    folds: bool = False


class Layout(NamedTuple):
    board: Cards
    dealer: Cards
    players: tuple[PlayerLayout, ...]
    all_6: Cards = ()
    ante: Cents = 0  # of the first player; 0 leaves it open


def draw_one(choices: Sequence[T], bits: Bits) -> T:
    return choices[draw_below(len(choices), bits)]


def shuffle_cards(cards: Sequence[T], bits: Bits) -> list[T]:
    shuffled = list(cards)
    for last in range(len(shuffled) - 1, 0, -1):
        other = draw_below(last + 1, bits)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


class _Holes:
    """All pairs of hole cards on a board in a random order, and what each makes with it."""

    def __init__(self, board: Cards, bits: Bits, dead: Cards = ()) -> None:
        self.board, self._taken = board, {*board, *dead}
        rest = [card for card in DECK if card not in self._taken]
        self._holes = shuffle_cards(list(combinations(rest, 2)), bits)

    def take(self, condition: HoleCondition | None = None) -> Cards | None:
        """The next two cards that nobody has and that meet the condition."""
        for hole in self._holes:
            if self._taken.isdisjoint(hole) and (
                condition is None or condition(hole, self.strength(hole))
            ):
                self._taken.update(hole)
                return hole
        return None

    def strength(self, hole: Cards) -> int:
        return strength((*hole, *self.board))


def draw_layout(rules: TableRules, kind: ExerciseKind, bits: Bits) -> Layout | None:
    """One attempt at a layout of this kind; None if the cards did not allow it."""
    match kind:
        case ExerciseKind.HANDS:
            category = draw_one(_READ, bits)
            return _deal(draw_board(category, bits), bits, _makes(category), None, None)
        case ExerciseKind.QUALIFIED | ExerciseKind.NO_QUALIFIER:
            return _deal_win_and_loss(rules, kind, bits)
        case ExerciseKind.BELOW_QUALIFIER:
            return _deal_win_and_loss(rules, kind, bits)
        case ExerciseKind.COPY:
            return _deal_copy(bits)
        case ExerciseKind.ODDS:
            return _deal_odds(draw_one(tuple(paying_rows(rules, "odds")), bits), bits)
        case ExerciseKind.BREAKAGE:
            row = draw_one(fractional_rows(rules), bits)
            layout = _deal_odds(row, bits)
            ante = draw_one(uneven_antes(rules), bits)
            return layout._replace(ante=ante) if layout is not None else None
        case ExerciseKind.CAP:
            layout = _deal_odds(Outcome.ROYAL_FLUSH, bits)
            return layout._replace(ante=ante_above_cap(rules)) if layout is not None else None
        case ExerciseKind.BAD_BEAT:
            return _deal_bad_beat(draw_one(tuple(paying_rows(rules, "bad_beat")), bits), bits)
        case (
            ExerciseKind.TRIPS_PLUS
            | ExerciseKind.POCKET_BONUS
            | ExerciseKind.ALL_6
            | ExerciseKind.PROGRESSIVE
        ):
            wager = next(side for side in SIDE_WAGERS if side.value == kind.value)
            return _deal_side(rules, wager, draw_one(tuple(paying_rows(rules, wager)), bits), bits)
        case ExerciseKind.FOLDED:
            return _deal_folded(rules, draw_one(tuple(offered_sides(rules)), bits), bits)
        case ExerciseKind.ORDER:
            return _deal_order(rules, bits)
        case ExerciseKind.POOL_SHARE:
            return _deal_claims(rules, draw_one(share_rows(rules), bits), bits)
        case ExerciseKind.WHOLE_POOL:
            rows = [row for row, pay in pool_rows(rules).items() if pay.amount == WHOLE_POOL]
            return _deal_claims(rules, draw_one(rows, bits), bits)
        case ExerciseKind.COMMUNITY_ROYAL:
            return _deal_claims(rules, Outcome.COMMUNITY_ROYAL_FLUSH, bits, winners=2)
        case ExerciseKind.POOL_SPLIT:
            return _deal_claims(rules, Outcome.FLOPPED_STRAIGHT_FLUSH, bits, winners=2)
        case (
            ExerciseKind.DEALER_CARD_EXPOSED
            | ExerciseKind.CARD_FOUND_FACE_UP
            | ExerciseKind.PLAYER_CARD_COUNT
            | ExerciseKind.DEALER_CARD_COUNT
            | ExerciseKind.PLAYER_CARD_EXPOSED
            | ExerciseKind.EARLY_BOARD_CARD
            | ExerciseKind.BOARD_CARD_COUNT
            | ExerciseKind.FOUL_DECK
            | ExerciseKind.MISSED_RAISE
            | ExerciseKind.FOLDED_CARD_EXPOSED
        ):
            return _deal_irregular(rules, bits)
        case _:
            assert_never(kind)


# Boards.

_READ = tuple(category for category in Category if category > Category.HIGH_CARD)


def draw_board(category: Category, bits: Bits, size: int = 5) -> Cards:
    """A board on which two hole cards may well make this category. What makes it comes first."""
    first = _first_cards(category, bits)[:size]
    rest = shuffle_cards([card for card in DECK if card not in first], bits)
    return (*first, *rest[: size - len(first)])


def _first_cards(category: Category, bits: Bits) -> list[int]:
    suits = shuffle_cards(range(4), bits)
    match category:
        case Category.ROYAL_FLUSH:
            ranks = shuffle_cards(range(8, 13), bits)[:3]
            return [rank * 4 + suits[0] for rank in ranks]
        case Category.STRAIGHT_FLUSH:
            low = 2 + draw_below(7, bits)  # so that a lower and a higher one are possible
            return [rank * 4 + suits[0] for rank in range(low, low + 3)]
        case Category.STRAIGHT:
            low = 2 + draw_below(7, bits)
            return [(low + place) * 4 + suits[place] for place in range(3)]
        case Category.FLUSH:
            return [rank * 4 + suits[0] for rank in shuffle_cards(range(13), bits)[:3]]
        case Category.FOUR_OF_A_KIND:
            one, other = shuffle_cards(range(13), bits)[:2]
            return [rank * 4 + suit for rank in (one, other) for suit in suits[:2]]
        case Category.FULL_HOUSE | Category.THREE_OF_A_KIND:
            rank = draw_below(13, bits)
            return [rank * 4 + suit for suit in suits[:2]]
        case Category.TWO_PAIR | Category.ONE_PAIR | Category.HIGH_CARD:
            return []
        case _:
            assert_never(category)


def _category_for(outcome: Outcome) -> Category:
    """The board to look for this row on."""
    if outcome is Outcome.FLOPPED_STRAIGHT_FLUSH:
        return Category.STRAIGHT_FLUSH
    hands = {hand_outcome(category): category for category in Category}
    return hands.get(outcome, Category.ROYAL_FLUSH)


# Layouts.


def _makes(category: Category) -> HoleCondition:
    return lambda _, made: category_of(made) is category


def _deal(board: Cards, bits: Bits, *conditions: HoleCondition | None) -> Layout | None:
    """A layout with a player for each condition, and any dealer's hand."""
    holes = _Holes(board, bits)
    players = []
    for condition in conditions:
        hole = holes.take(condition)
        if hole is None:
            return None
        players.append(PlayerLayout(hole))
    dealer = holes.take()
    return None if dealer is None else Layout(board, dealer, tuple(players))


def _against(
    board: Cards, bits: Bits, dealer_condition: HoleCondition, *better: bool | None
) -> Layout | None:
    """A layout with players whose hands beat the dealer's (True), lose or copy it (None)."""
    holes = _Holes(board, bits)
    dealer = holes.take(dealer_condition)
    if dealer is None:
        return None
    beaten = holes.strength(dealer)
    players = []
    for wins in better:
        hole = holes.take(_compares(beaten, wins))
        if hole is None:
            return None
        players.append(PlayerLayout(hole))
    return Layout(board, dealer, tuple(players))


def _compares(dealer: int, wins: bool | None) -> HoleCondition:
    if wins is None:
        return lambda _, made: made == dealer
    return lambda _, made: made > dealer if wins else made < dealer


def _deal_win_and_loss(rules: TableRules, kind: ExerciseKind, bits: Bits) -> Layout | None:
    qualifier = rules.qualifier_strength

    def is_wanted(_: Cards, made: int) -> bool:
        if kind is ExerciseKind.NO_QUALIFIER:
            return category_of(made) is Category.HIGH_CARD
        return (made >= qualifier) == (kind is ExerciseKind.QUALIFIED)

    return _against(draw_board(Category.ONE_PAIR, bits), bits, is_wanted, True, False)


def _deal_copy(bits: Bits) -> Layout | None:
    return _against(
        draw_board(Category.ONE_PAIR, bits), bits, lambda *_: True, None, draw_below(2, bits) == 1
    )


def _deal_odds(row: Outcome, bits: Bits) -> Layout | None:
    category = _category_for(row)
    holes = _Holes(draw_board(category, bits), bits)
    winner = holes.take(_makes(category))
    if winner is None:
        return None
    made = holes.strength(winner)
    dealer, other = holes.take(lambda _, hand: hand < made), holes.take()
    if dealer is None or other is None:
        return None
    return Layout(holes.board, dealer, (PlayerLayout(winner), PlayerLayout(other)))


def _deal_bad_beat(row: Outcome, bits: Bits) -> Layout | None:
    category = _category_for(row)
    holes = _Holes(draw_board(category, bits), bits)
    loser = holes.take(_makes(category))
    if loser is None:
        return None
    made = holes.strength(loser)
    dealer, other = holes.take(lambda _, hand: hand > made), holes.take()
    if dealer is None or other is None:
        return None
    return Layout(holes.board, dealer, (PlayerLayout(loser), PlayerLayout(other)))


def _wins_row(
    rules: TableRules, wager: SideWager, row: Outcome, board: Cards, all_6: Cards
) -> HoleCondition:
    """Whether these hole cards make this row of the side wager's paytable."""
    rows = rules.paytables[wager].pays
    match wager:
        case Wager.TRIPS_PLUS:
            if rules.both_hole_cards:
                return lambda hole, _: both_hole_cards_outcome(hole, board) is row
            return lambda _, made: hand_outcome(category_of(made)) is row
        case Wager.POCKET_BONUS:
            return lambda hole, _: pocket_outcome(hole) is row
        case Wager.ALL_6:
            return lambda hole, _: all_6_outcome(hole, all_6) is row
        case Wager.PROGRESSIVE:
            return lambda hole, made: (
                progressive_outcome(hole, board, category_of(made), rows) is row
            )
        case _:
            assert_never(wager)


def _deal_side(
    rules: TableRules, wager: SideWager, row: Outcome, bits: Bits, *, folds: bool = False
) -> Layout | None:
    """A hand that wins this row of a side wager, and another one that has the wager too."""
    category = _category_for(row)
    board = draw_board(category, bits)
    packet: Cards = ()
    if wager is Wager.PROGRESSIVE and row is Outcome.ROYAL_FLUSH:
        board = tuple(shuffle_cards(board, bits))  # it must not be flopped
    if wager is Wager.ALL_6:
        packet = _draw_packet(category, bits)
        live = [card for card in DECK if card not in packet]
        board = tuple(shuffle_cards(live, bits)[:5])
    holes = _Holes(board, bits, packet)
    winner = holes.take(_wins_row(rules, wager, row, board, packet))
    dealer, other = holes.take(), holes.take()
    if winner is None or dealer is None or other is None:
        return None
    players = (PlayerLayout(winner, (wager,), folds), PlayerLayout(other, (wager,)))
    return Layout(board, dealer, players, packet)


def _draw_packet(category: Category, bits: Bits) -> Cards:
    """The four All 6 cards; for a royal flush all of them belong to it."""
    if category is Category.ROYAL_FLUSH:
        suit = draw_below(4, bits)
        return tuple(rank * 4 + suit for rank in shuffle_cards(range(8, 13), bits)[:4])
    return draw_board(category, bits, 4)


def _deal_folded(rules: TableRules, wager: SideWager, bits: Bits) -> Layout | None:
    """A folded hand with a side wager that would win, whether or not it survives the fold."""
    rows = tuple(paying_rows(rules, wager)) or tuple(pool_rows(rules))
    return _deal_side(rules, wager, draw_one(rows, bits), bits, folds=True)


def _deal_claims(rules: TableRules, row: Outcome, bits: Bits, winners: int = 1) -> Layout | None:
    """Hands that win this share of the pool, and for one winner another hand with the wager."""
    if row is Outcome.COMMUNITY_ROYAL_FLUSH:
        suit = draw_below(4, bits)
        board: Cards = tuple(rank * 4 + suit for rank in shuffle_cards(range(8, 13), bits))
    else:
        board = draw_board(_category_for(row), bits)
    if row is Outcome.ROYAL_FLUSH:
        board = tuple(shuffle_cards(board, bits))
    holes = _Holes(board, bits)
    condition = _wins_row(rules, Wager.PROGRESSIVE, row, board, ())
    hands = [holes.take(condition) for _ in range(winners)]
    dealer = holes.take()
    if winners == 1:
        hands.append(holes.take())
    players = tuple(PlayerLayout(hole, (Wager.PROGRESSIVE,)) for hole in hands if hole is not None)
    if dealer is None or len(players) < 2:
        return None
    return Layout(board, dealer, players)


def _deal_order(rules: TableRules, bits: Bits) -> Layout | None:
    """Two hands that fold and two that raise, against a dealer below the qualifier if any."""
    qualifier = rules.qualifier_strength

    def is_wanted(_: Cards, made: int) -> bool:
        return not qualifier or made < qualifier

    board = draw_board(Category.ONE_PAIR, bits)
    layout = _against(board, bits, is_wanted, True, False, draw_below(2, bits) == 1, False)
    if layout is None:
        return None
    players = layout.players
    folded = (players[1]._replace(folds=True), players[3]._replace(folds=True))
    return layout._replace(players=(players[0], folded[0], players[2], folded[1]))


def _deal_irregular(rules: TableRules, bits: Bits) -> Layout | None:
    """Three hands with side wagers, of which one folds."""
    offered = tuple(offered_sides(rules))
    layout = _deal(draw_board(Category.ONE_PAIR, bits), bits, None, None, None)
    if layout is None:
        return None
    players = tuple(
        player._replace(
            sides=tuple(shuffle_cards(offered, bits)[: min(2, rules.max_side_wagers)]),
            folds=number == 2,
        )
        for number, player in enumerate(layout.players)
    )
    return layout._replace(players=players)
