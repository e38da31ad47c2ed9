"""Whole tables dealt by chance: one to six seats that share dealer and board.

Chance is counted, not carried: what a round draws is a hash of seed, round and draw, so any chunk
of rounds comes out the same whoever deals it, and in whatever order. The hash is SplitMix64's, and
each half of it draws a card. One that is out already is drawn again; no card is favoured by more
than one part in 2²⁶.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import PASSIVE, Int64s, StrengthTables, Uint8s
from headsup.analysis.kernels.base.compiled import bare_kernel
from headsup.analysis.kernels.base.evaluator import FIVE_OF_A_SUIT, HIGH_BITS, LOW_BITS, SUIT_SHIFT
from headsup.analysis.kernels.base.thread_memory import allocate_padded
from headsup.analysis.kernels.simulate.decisions import (
    DecisionIndex,
    Playbooks,
    flop_index,
    flush_suit,
    pocket_class,
    rank_board_number,
    river_index,
    suited_board_number,
    unpack_action,
)
from headsup.analysis.kernels.simulate.side_cases import (
    all_6_case,
    both_hole_cards_category,
    progressive_case,
)

DRAWS_PER_ROUND = 256  # numbers set aside for each round, many more than it takes
WEYL = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
MAIN, TRIPS_PLUS, POCKET_BONUS, ALL_6, PROGRESSIVE, EVERYTHING, WAGER_COLUMNS = 0, 1, 2, 3, 4, 5, 6
UNKNOWN = -2
# Whether a cap may cut what rounds pay: to each seat, or to all seats together.
NO_CAP, SEAT_CAP, TABLE_CAP = 0, 1, 2
CUT_FIELDS = 2 + WAGER_COLUMNS  # numbers of a seat in a round that is cut


class TablePays(NamedTuple):
    """What each result nets a seat, in units, by its style."""

    main: Int64s  # [style, multiple, category, lose | tie | win, dealer qualifies]
    multiples: Int64s  # [style, street, action]: the second index of `main`; 0 folds
    raised: Int64s  # [style, multiple]: what is raised, in Antes
    trips_plus: Int64s  # [style, folded, category]
    pocket_bonus: Int64s  # [style, folded, pocket class]
    all_6: Int64s  # [style, folded, case]
    progressive: Int64s  # [style, folded, case]: without shares of the pool
    claims: Uint8s  # [style, folded, case]: 1 where it wins a share
    qualifier: Int64s  # [style]
    own_hand: Uint8s  # [style]: 1 where Trips Plus takes both hole cards
    cap: Int64s  # [style]: what a round may pay of what counts, which the next five say by result
    main_counts: Int64s
    trips_plus_counts: Int64s
    pocket_bonus_counts: Int64s
    all_6_counts: Int64s
    progressive_counts: Int64s


class Seating(NamedTuple):
    hole: Int64s  # [seat]: whose cards it plays, usually its own
    style: Int64s  # [seat]
    packet: int  # 1 where All 6 has its four cards
    progressive: int  # 1 where it is played
    session: int  # rounds of a session, 0 for none
    apart: int  # 1 where what seats have in common is not asked for
    capped: int  # NEVER_CUT, EACH_CUT or ALL_CUT


class TableSums(NamedTuple):
    """Sums over rounds, in units."""

    totals: Int64s  # [seat, wager]
    squares: Int64s  # [seat, wager]: of what it nets in a round
    together: Int64s  # [wager]: squares of what all seats net
    products: Int64s  # [seat, seat]: of what they net on everything
    raised: Int64s  # [seat]: in Antes
    sessions: Int64s  # [session, seat]: what everything nets
    claims: Int64s  # [claim]: round, each seat's case with folded and claims as bits, each net
    claimed: Int64s  # [0]: how many of these there are
    cuts: Int64s  # [round that a cap cuts]: its number, then of each seat how it ended, as codes of
    # main game and side wagers, and what each wager won before the cut
    cut: Int64s  # [0]: how many of these there are


class TableScratch(NamedTuple):
    """Where one round is worked out."""

    cards: Int64s  # dealer, board, holes, and All 6's packet last
    masks: Int64s  # [suit]: the board's ranks in it
    hand: Int64s  # [6]
    cases: Int64s  # [seat]: as in `TableSums.claims`
    won: Int64s  # [seat, wager]: in this round
    codes: Int64s  # [seat, 2]: as in `TableSums.cuts`


def table_scratch(seating: Seating) -> TableScratch:
    seats, holes = len(seating.hole), int(seating.hole.max()) + 1
    cards = 7 + 2 * holes + 4 * seating.packet
    shapes = ((cards,), (4,), (6,), (seats,), (seats, WAGER_COLUMNS), (seats, 2))
    return TableScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))


def empty_sums(seats: int, sessions: int, claims: int, cuts: int) -> TableSums:
    """Room for so many claims and cuts, which are kept no longer than the chunk."""
    shapes = (
        (seats, WAGER_COLUMNS),
        (seats, WAGER_COLUMNS),
        (WAGER_COLUMNS,),
        (seats, seats),
        (seats,),
        (1,),
        (1,),
    )
    totals, squares, together, products, raised, claimed, cut = allocate_padded(
        *((shape, np.int64) for shape in shapes)
    )
    return TableSums(
        totals=totals,
        squares=squares,
        together=together,
        products=products,
        raised=raised,
        sessions=np.zeros((sessions, seats), np.int64),
        claims=np.empty((claims, 1 + 2 * seats), np.int64),
        claimed=claimed,
        cuts=np.empty((cuts, 1 + CUT_FIELDS * seats), np.int64),
        cut=cut,
    )


@bare_kernel
def _splitmix64(seed: Any, counter: Any) -> Any:
    value = seed + (counter + np.uint64(1)) * WEYL
    value = (value ^ (value >> np.uint64(30))) * MIX_1
    value = (value ^ (value >> np.uint64(27))) * MIX_2
    return value ^ (value >> np.uint64(31))


@bare_kernel
def _deal(seed: Any, number: int, cards: Any) -> None:
    """Different cards, as many as there is room for."""
    counter = np.uint64(number) * np.uint64(DRAWS_PER_ROUND)
    used, dealt, count = np.int64(0), 0, len(cards)
    while dealt < count:
        value = _splitmix64(seed, counter)
        counter += np.uint64(1)
        card = np.int64(((value >> HALF) * np.uint64(52)) >> HALF)
        if not used >> card & 1:
            used |= np.int64(1) << card
            cards[dealt] = card
            dealt += 1
        card = np.int64(((value & LOW_HALF) * np.uint64(52)) >> HALF)
        if dealt < count and not used >> card & 1:
            used |= np.int64(1) << card
            cards[dealt] = card
            dealt += 1


@bare_kernel
def strength_on_board(board: int, masks: Any, a: int, b: int, look: StrengthTables) -> int:
    """`board` sums the codes of its cards, `masks[suit]` has its ranks of a suit."""
    key = board + look.cards[a] + look.cards[b]
    suited = key >> SUIT_SHIFT & FIVE_OF_A_SUIT
    if suited:
        suit = 0
        while suited >> (4 * suit) & 8 == 0:
            suit += 1
        mask = masks[suit]
        if a & 3 == suit:
            mask |= 1 << (a >> 2)
        if b & 3 == suit:
            mask |= 1 << (b >> 2)
        return np.int64(look.flush[mask])
    low = look.low[key & ((1 << LOW_BITS) - 1)]
    return np.int64(look.ranks[low + look.high[key >> LOW_BITS & ((1 << HIGH_BITS) - 1)]])


@bare_kernel
def _add(won: Any, sums: TableSums) -> None:
    for seat in range(won.shape[0]):
        for column in range(WAGER_COLUMNS):
            sums.totals[seat, column] += won[seat, column]
            sums.squares[seat, column] += won[seat, column] * won[seat, column]


@bare_kernel
def _add_shared(won: Any, sums: TableSums) -> None:
    """What seats have in common."""
    for column in range(WAGER_COLUMNS):
        total = np.int64(0)
        for seat in range(won.shape[0]):
            total += won[seat, column]
        sums.together[column] += total * total
    for seat in range(won.shape[0]):
        for other in range(seat):
            sums.products[seat, other] += won[seat, EVERYTHING] * won[other, EVERYTHING]


@bare_kernel
def _add_claims(number: int, room: TableScratch, sums: TableSums) -> None:
    at, seats = sums.claimed[0], len(room.cases)
    sums.claimed[0] += 1
    sums.claims[at, 0] = number
    for seat in range(seats):
        sums.claims[at, 1 + seat] = room.cases[seat]
        sums.claims[at, 1 + seats + seat] = room.won[seat, EVERYTHING]


@bare_kernel
def _add_cut(number: int, room: TableScratch, sums: TableSums) -> None:
    at = sums.cut[0]
    sums.cut[0] += 1
    sums.cuts[at, 0] = number
    for seat in range(len(room.cases)):
        first = 1 + CUT_FIELDS * seat
        sums.cuts[at, first] = room.codes[seat, 0]
        sums.cuts[at, first + 1] = room.codes[seat, 1]
        for column in range(WAGER_COLUMNS):
            sums.cuts[at, first + 2 + column] = room.won[seat, column]


@bare_kernel
def play_rounds(
    first: int, last: int, seed: Any, seating: Seating, places: DecisionIndex, books: Playbooks,
    pays: TablePays, look: StrengthTables, room: TableScratch, sums: TableSums,
) -> None:  # fmt: skip
    """Rounds first to last of this seed."""
    cards, masks, won = room.cards, room.masks, room.won
    board, packet = cards[2:7], cards[len(cards) - 4 :]
    session = seating.session
    for number in range(first, last):
        _deal(seed, number, cards)
        masks[:] = 0
        code = np.int64(0x3333) << SUIT_SHIFT
        for i in range(5):
            code += look.cards[board[i]]
            masks[board[i] & 3] |= 1 << (board[i] >> 2)
        dealer = strength_on_board(code, masks, cards[0], cards[1], look)
        claimed, cut, counted = False, False, np.int64(0)
        suit, row = UNKNOWN, np.int64(0)  # of the board, when a seat first comes to the river
        hole, a, b, own, made, pocket, six, case = -1, 0, 0, 0, 0, 0, 0, 0
        flop, river = np.int64(UNKNOWN), np.int64(UNKNOWN)  # where to look a hole up, when needed
        for seat in range(len(seating.hole)):
            style = seating.style[seat]
            if seating.hole[seat] != hole:
                hole = seating.hole[seat]
                a, b = cards[7 + 2 * hole], cards[8 + 2 * hole]
                own = strength_on_board(code, masks, a, b, look)
                made, pocket = own >> 20, pocket_class(a, b)
                flop = river = np.int64(UNKNOWN)
                if seating.packet:
                    six = all_6_case(a, b, packet, room.hand)
                if seating.progressive:
                    case = progressive_case(a, b, board, made, room.hand)
            street, action = 0, np.int64(books.pocket[style, pocket])
            if action == PASSIVE:
                if flop == UNKNOWN:
                    flop = flop_index(a, b, board, places)
                street, action = 1, unpack_action(books.flop, style, flop)
            if action == PASSIVE:
                if suit == UNKNOWN:
                    suit = flush_suit(code >> SUIT_SHIFT)
                    if suit < 0:
                        row = rank_board_number(board)
                    else:
                        row = suited_board_number(board, suit, masks[suit], places.sets)
                if river == UNKNOWN:
                    river = river_index(a, b, suit, row)
                if suit < 0:
                    street, action = 2, unpack_action(books.river_ranks, style, river)
                else:
                    street, action = 2, unpack_action(books.river_suited, style, river)
            folded = 1 if street == 2 and action == PASSIVE else 0
            multiple = pays.multiples[style, street, action]
            sums.raised[seat] += pays.raised[style, multiple]
            result = 1 + (own > dealer) - (own < dealer)
            qualifies = 1 if dealer >= pays.qualifier[style] else 0
            hand = (
                both_hole_cards_category(a, b, board, room.hand) if pays.own_hand[style] else made
            )
            won[seat, MAIN] = pays.main[style, multiple, made, result, qualifies]
            won[seat, TRIPS_PLUS] = pays.trips_plus[style, folded, hand]
            won[seat, POCKET_BONUS] = pays.pocket_bonus[style, folded, pocket]
            net = won[seat, MAIN] + won[seat, TRIPS_PLUS] + won[seat, POCKET_BONUS]
            if seating.packet:
                won[seat, ALL_6] = pays.all_6[style, folded, six]
                net += won[seat, ALL_6]
            if seating.progressive:
                won[seat, PROGRESSIVE] = pays.progressive[style, folded, case]
                net += won[seat, PROGRESSIVE]
                share = pays.claims[style, folded, case] == 1
                room.cases[seat] = case << 2 | folded << 1 | share
                claimed |= share
            won[seat, EVERYTHING] = net
            if seating.capped:
                counts = pays.main_counts[style, multiple, made, result, qualifies]
                counts += pays.trips_plus_counts[style, folded, hand]
                counts += pays.pocket_bonus_counts[style, folded, pocket]
                counts += pays.all_6_counts[style, folded, six]
                counts += pays.progressive_counts[style, folded, case]
                counted += counts
                alone = counts if seating.capped == SEAT_CAP else counted
                cut |= alone > pays.cap[style]
                room.codes[seat, 0] = ((multiple * 10 + made) * 3 + result) * 2 + qualifies
                room.codes[seat, 1] = (((folded * 32 + case) * 16 + six) * 256 + pocket) * 16 + hand
        _add(won, sums)
        if not seating.apart:
            _add_shared(won, sums)
        if session:
            at = number // session - first // session
            for seat in range(len(seating.hole)):
                sums.sessions[at, seat] += won[seat, EVERYTHING]
        if claimed:
            _add_claims(number, room, sums)
        if cut:
            _add_cut(number, room, sums)
