"""Deals and plays whole simulated tables of one to six seats.

The random numbers are counter-based: each draw is a SplitMix64 hash of seed, round and draw. So a
round comes out the same in any chunk, order or worker. Each half of a hash draws a card, and a card
that is already dealt is drawn again. No card is favoured by more than one part in 2²⁶.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"
from typing import Any, NamedTuple

import numpy as np

from headsup.analysis.kernels.base.arrays import (
    PASSIVE,
    Int64s,
    StrengthTables,
    Uint8s,
    allocate_padded,
)
from headsup.analysis.kernels.base.compiled import bare_kernel, entry_kernel
from headsup.analysis.kernels.base.evaluator import SUIT_SHIFT, strength_on_board
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

DRAWS_PER_ROUND = 256  # counters reserved for each round, far more than it needs
WEYL = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
MAIN, TRIPS_PLUS, POCKET_BONUS, ALL_6, PROGRESSIVE, EVERYTHING, WAGER_COLUMNS = 0, 1, 2, 3, 4, 5, 6
UNKNOWN = -2
# What a cap limits: nothing, each seat's payouts, or those of all seats together.
NO_CAP, SEAT_CAP, TABLE_CAP = 0, 1, 2
CUT_FIELDS = 2 + WAGER_COLUMNS  # numbers per seat in a record of a capped round


class TablePays(NamedTuple):
    """What each result nets a seat, in units, by its style."""

    main: Int64s  # [style, multiple, category, lose | tie | win, dealer qualifies]
    multiples: Int64s  # [style, street, action]: the second index of `main`; 0 is a fold
    raised: Int64s  # [style, multiple]: size of the Raise, in Antes
    trips_plus: Int64s  # [style, folded, category]
    pocket_bonus: Int64s  # [style, folded, pocket class]
    all_6: Int64s  # [style, folded, case]
    progressive: Int64s  # [style, folded, case]: without shares of the pool
    claims: Uint8s  # [style, folded, case]: 1 if it wins a share of the pool
    qualifier: Int64s  # [style]
    both_hole_cards: Uint8s  # [style]: 1 if Trips Plus uses both hole cards
    cap: Int64s  # [style]: the most a round may pay; the next five say how much counts towards it
    main_counts: Int64s
    trips_plus_counts: Int64s
    pocket_bonus_counts: Int64s
    all_6_counts: Int64s
    progressive_counts: Int64s


class Seating(NamedTuple):
    hole: Int64s  # [seat]: the seat whose cards it plays, usually itself
    style: Int64s  # [seat]
    packet: int  # 1 if the All 6 packet is dealt
    progressive: int  # 1 if anyone plays it
    session: int  # rounds per session; 0 for none
    skip_shared: int  # 1 if sums over several seats are not needed
    capped: int  # NO_CAP, SEAT_CAP or TABLE_CAP


class TableSums(NamedTuple):
    """Sums over rounds, in units."""

    totals: Int64s  # [seat, wager]
    squares: Int64s  # [seat, wager]: of the net of a round
    table_squares: Int64s  # [wager]: of the table's net
    products: Int64s  # [seat, seat]: of their total nets
    raised: Int64s  # [seat]: in Antes
    sessions: Int64s  # [session, seat]: total nets
    # [claim]: round, each seat's case with bits for folded and claims, each seat's total net
    claims: Int64s
    claim_count: Int64s  # [0]: number of claims
    # [capped round]: its number, then for each seat the codes of main game and side wagers, and the
    # net of each wager before the cap
    cuts: Int64s
    cut_count: Int64s  # [0]: number of capped rounds


class TableScratch(NamedTuple):
    """Scratch memory for one round."""

    cards: Int64s  # dealer, board, holes, then the All 6 packet
    masks: Int64s  # [suit]: the board's ranks in it
    hand: Int64s  # [6]
    cases: Int64s  # [seat]: as in `TableSums.claims`
    nets: Int64s  # [seat, wager]: of this round
    codes: Int64s  # [seat, 2]: as in `TableSums.cuts`


def table_scratch(seating: Seating) -> TableScratch:
    seats, holes = len(seating.hole), int(seating.hole.max()) + 1
    cards = 7 + 2 * holes + 4 * seating.packet
    shapes = ((cards,), (4,), (6,), (seats,), (seats, WAGER_COLUMNS), (seats, 2))
    return TableScratch(*allocate_padded(*((shape, np.int64) for shape in shapes)))


def empty_sums(seats: int, sessions: int, claims: int, cuts: int) -> TableSums:
    """Empty sums for one chunk, with room for this many claims and capped rounds."""
    shapes = (
        (seats, WAGER_COLUMNS),
        (seats, WAGER_COLUMNS),
        (WAGER_COLUMNS,),
        (seats, seats),
        (seats,),
        (1,),
        (1,),
    )
    totals, squares, table_squares, products, raised, claim_count, cut_count = allocate_padded(
        *((shape, np.int64) for shape in shapes)
    )
    return TableSums(
        totals=totals,
        squares=squares,
        table_squares=table_squares,
        products=products,
        raised=raised,
        sessions=np.zeros((sessions, seats), np.int64),
        claims=np.empty((claims, 1 + 2 * seats), np.int64),
        claim_count=claim_count,
        cuts=np.empty((cuts, 1 + CUT_FIELDS * seats), np.int64),
        cut_count=cut_count,
    )


@bare_kernel
def _splitmix64(seed: Any, counter: Any) -> Any:
    value = seed + (counter + np.uint64(1)) * WEYL
    value = (value ^ (value >> np.uint64(30))) * MIX_1
    value = (value ^ (value >> np.uint64(27))) * MIX_2
    return value ^ (value >> np.uint64(31))


@bare_kernel
def _deal(seed: Any, number: int, cards: Any) -> None:
    """Fill `cards` with distinct random cards."""
    counter = np.uint64(number) * np.uint64(DRAWS_PER_ROUND)
    dealt_mask, dealt, count = np.int64(0), 0, len(cards)
    while dealt < count:
        value = _splitmix64(seed, counter)
        counter += np.uint64(1)
        card = np.int64(((value >> HALF) * np.uint64(52)) >> HALF)
        if not dealt_mask >> card & 1:
            dealt_mask |= np.int64(1) << card
            cards[dealt] = card
            dealt += 1
        card = np.int64(((value & LOW_HALF) * np.uint64(52)) >> HALF)
        if dealt < count and not dealt_mask >> card & 1:
            dealt_mask |= np.int64(1) << card
            cards[dealt] = card
            dealt += 1


@bare_kernel
def _add(nets: Any, sums: TableSums) -> None:
    for seat in range(nets.shape[0]):
        for column in range(WAGER_COLUMNS):
            sums.totals[seat, column] += nets[seat, column]
            sums.squares[seat, column] += nets[seat, column] * nets[seat, column]


@bare_kernel
def _add_shared(nets: Any, sums: TableSums) -> None:
    """Add the sums over several seats."""
    for column in range(WAGER_COLUMNS):
        total = np.int64(0)
        for seat in range(nets.shape[0]):
            total += nets[seat, column]
        sums.table_squares[column] += total * total
    for seat in range(nets.shape[0]):
        for other in range(seat):
            sums.products[seat, other] += nets[seat, EVERYTHING] * nets[other, EVERYTHING]


@bare_kernel
def _add_claims(number: int, scratch: TableScratch, sums: TableSums) -> None:
    row, seats = sums.claim_count[0], len(scratch.cases)
    sums.claim_count[0] += 1
    sums.claims[row, 0] = number
    for seat in range(seats):
        sums.claims[row, 1 + seat] = scratch.cases[seat]
        sums.claims[row, 1 + seats + seat] = scratch.nets[seat, EVERYTHING]


@bare_kernel
def _add_cut(number: int, scratch: TableScratch, sums: TableSums) -> None:
    row = sums.cut_count[0]
    sums.cut_count[0] += 1
    sums.cuts[row, 0] = number
    for seat in range(len(scratch.cases)):
        first = 1 + CUT_FIELDS * seat
        sums.cuts[row, first] = scratch.codes[seat, 0]
        sums.cuts[row, first + 1] = scratch.codes[seat, 1]
        for column in range(WAGER_COLUMNS):
            sums.cuts[row, first + 2 + column] = scratch.nets[seat, column]


@entry_kernel
def play_rounds(
    first: int, last: int, seed: int, seating: Seating, index: DecisionIndex, books: Playbooks,
    pays: TablePays, tables: StrengthTables, scratch: TableScratch, sums: TableSums,
) -> None:  # fmt: skip
    """Deal and play rounds `first` to `last` (not included) of this seed."""
    cards, masks, nets = scratch.cards, scratch.masks, scratch.nets
    board, packet = cards[2:7], cards[len(cards) - 4 :]
    session = seating.session
    for number in range(first, last):
        _deal(np.uint64(seed), number, cards)
        masks[:] = 0
        code = np.int64(0x3333) << SUIT_SHIFT
        for i in range(5):
            code += tables.card_codes[board[i]]
            masks[board[i] & 3] |= 1 << (board[i] >> 2)
        dealer = strength_on_board(code, masks, cards[0], cards[1], tables)
        has_claim, is_capped, table_amount = False, False, np.int64(0)
        suit, row = UNKNOWN, np.int64(0)  # of the board, set when the first seat reaches the river
        hole, a, b, player, category, pocket, all_6, progressive = -1, 0, 0, 0, 0, 0, 0, 0
        flop = river = np.int64(UNKNOWN)  # indices of the hole, set when needed
        for seat in range(len(seating.hole)):
            style = seating.style[seat]
            if seating.hole[seat] != hole:
                hole = seating.hole[seat]
                a, b = cards[7 + 2 * hole], cards[8 + 2 * hole]
                player = strength_on_board(code, masks, a, b, tables)
                category, pocket = player >> 20, pocket_class(a, b)
                flop = river = np.int64(UNKNOWN)
                if seating.packet:
                    all_6 = all_6_case(a, b, packet, scratch.hand)
                if seating.progressive:
                    progressive = progressive_case(a, b, board, category, scratch.hand)
            street, action = 0, np.int64(books.pocket[style, pocket])
            if action == PASSIVE:
                if flop == UNKNOWN:
                    flop = flop_index(a, b, board, index)
                street, action = 1, unpack_action(books.flop, style, flop)
            if action == PASSIVE:
                if suit == UNKNOWN:
                    suit = flush_suit(code >> SUIT_SHIFT)
                    if suit < 0:
                        row = rank_board_number(board)
                    else:
                        row = suited_board_number(board, suit, masks[suit], index.sets)
                if river == UNKNOWN:
                    river = river_index(a, b, suit, row)
                if suit < 0:
                    street, action = 2, unpack_action(books.river_ranks, style, river)
                else:
                    street, action = 2, unpack_action(books.river_suited, style, river)
            folded = 1 if street == 2 and action == PASSIVE else 0
            multiple = pays.multiples[style, street, action]
            sums.raised[seat] += pays.raised[style, multiple]
            result = 1 + (player > dealer) - (player < dealer)
            qualifies = 1 if dealer >= pays.qualifier[style] else 0
            trips_category = (
                both_hole_cards_category(a, b, board, scratch.hand)
                if pays.both_hole_cards[style]
                else category
            )
            nets[seat, MAIN] = pays.main[style, multiple, category, result, qualifies]
            nets[seat, TRIPS_PLUS] = pays.trips_plus[style, folded, trips_category]
            nets[seat, POCKET_BONUS] = pays.pocket_bonus[style, folded, pocket]
            net = nets[seat, MAIN] + nets[seat, TRIPS_PLUS] + nets[seat, POCKET_BONUS]
            if seating.packet:
                nets[seat, ALL_6] = pays.all_6[style, folded, all_6]
                net += nets[seat, ALL_6]
            if seating.progressive:
                nets[seat, PROGRESSIVE] = pays.progressive[style, folded, progressive]
                net += nets[seat, PROGRESSIVE]
                share = pays.claims[style, folded, progressive] == 1
                scratch.cases[seat] = progressive << 2 | folded << 1 | share
                has_claim |= share
            nets[seat, EVERYTHING] = net
            if seating.capped:
                seat_amount = pays.main_counts[style, multiple, category, result, qualifies]
                seat_amount += pays.trips_plus_counts[style, folded, trips_category]
                seat_amount += pays.pocket_bonus_counts[style, folded, pocket]
                seat_amount += pays.all_6_counts[style, folded, all_6]
                seat_amount += pays.progressive_counts[style, folded, progressive]
                table_amount += seat_amount
                amount = seat_amount if seating.capped == SEAT_CAP else table_amount
                is_capped |= amount > pays.cap[style]
                scratch.codes[seat, 0] = ((multiple * 10 + category) * 3 + result) * 2 + qualifies
                scratch.codes[seat, 1] = (
                    ((folded * 32 + progressive) * 16 + all_6) * 256 + pocket
                ) * 16 + trips_category
        _add(nets, sums)
        if not seating.skip_shared:
            _add_shared(nets, sums)
        if session:
            session_row = number // session - first // session
            for seat in range(len(seating.hole)):
                sums.sessions[session_row, seat] += nets[seat, EVERYTHING]
        if has_claim:
            _add_claims(number, scratch, sums)
        if is_capped:
            _add_cut(number, scratch, sums)
