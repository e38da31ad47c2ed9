"""Whole tables dealt by chance: one to six seats that share dealer and board.

Chance is counted, not carried: what a round draws is a hash of seed, round and draw, so any chunk
of rounds comes out the same whoever deals it, and in whatever order. The hash is SplitMix64's, and
each half of it draws a card. One that is out already is drawn again; no card is favoured by more
than one part in 2²⁶.
"""

# mypy: disable-error-code="assignment, no-any-return, return-value"

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels import numbering
from headsup.analysis.kernels.arrays import PASSIVE, Bytes, Int64s, Lookup
from headsup.analysis.kernels.compiled import inlined, kernel
from headsup.analysis.kernels.evaluator import FIVE_OF_A_SUIT, HIGH_BITS, LOW_BITS, SUIT_SHIFT
from headsup.analysis.kernels.numbering import (
    FIRST_FIVE,
    FIRST_FOUR,
    FIRST_OFF_SUITED,
    FIRST_SUITED,
    HOLES,
    PAIRS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.sidehands import own_category, pool_case, six_case

DRAWS = 256  # numbers set aside for each round, many more than it takes
WEYL = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
HALF, LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
MAIN, TRIPS_PLUS, POCKET_BONUS, ALL_6, PROGRESSIVE, EVERYTHING, COLUMNS = 0, 1, 2, 3, 4, 5, 6
TOTAL, SQUARE = 0, 1
UNKNOWN = -2

pair_number, set2 = kernel(numbering.pair_number), kernel(numbering.set2)
set3, multiset3 = kernel(numbering.set3), kernel(numbering.multiset3)


class Places(NamedTuple):
    """Where cards are found in a strategy."""

    flop_rows: NDArray[np.int16]  # [set of three cards]: its canonical flop
    flop_suits: Bytes  # [set of three cards, suit]: what the suit is called on it
    sets: NDArray[np.int16]  # [mask of ranks]: its number among the sets of its size


class Playbooks(NamedTuple):
    """Every decision of every style of play, to be looked up by cards."""

    pocket: Bytes  # [style, pocket class]: action
    flop: Bytes  # [style, canonical flop and hole], packed four to a byte
    river_ranks: Bytes  # [style, rank board and pair], packed
    river_suited: Bytes  # [style, suited board and type], packed


class TablePays(NamedTuple):
    """What each result nets a seat, in units, by its style."""

    main: Int64s  # [style, multiple, category, lose | tie | win, dealer qualifies]
    multiples: Int64s  # [style, street, action]: the second index of `main`; 0 folds
    raised: Int64s  # [style, multiple]: what is raised, in Antes
    trips_plus: Int64s  # [style, folded, category]
    pocket_bonus: Int64s  # [style, folded, pocket class]
    all_6: Int64s  # [style, folded, case]
    progressive: Int64s  # [style, folded, case]: without shares of the pool
    claims: Bytes  # [style, folded, case]: 1 where it wins a share
    qualifier: Int64s  # [style]
    own_hand: Bytes  # [style]: 1 where Trips Plus takes both hole cards


class Seating(NamedTuple):
    hole: Int64s  # [seat]: whose cards it plays, usually its own
    style: Int64s  # [seat]
    packet: int  # 1 where All 6 has its four cards
    progressive: int  # 1 where it is played
    session: int  # rounds of a session, 0 for none


class TableSums(NamedTuple):
    """Sums over rounds, in units."""

    seats: Int64s  # [seat, wager, TOTAL | SQUARE]
    together: Int64s  # [wager]: squares of what all seats net
    products: Int64s  # [seat, seat]: of what they net on everything
    raised: Int64s  # [seat]: in Antes
    sessions: Int64s  # [session, seat]: what everything nets
    claims: (
        Int64s  # [round of a claim]: its number, by seat case, folded and claims as bits, its net
    )
    claimed: Int64s  # [0]: how many of these there are


class Room(NamedTuple):
    """Where one round is worked out."""

    cards: Int64s  # dealer, board, holes, and All 6's packet last
    masks: Int64s  # [suit]: the board's ranks in it
    ranks: Int64s  # [5]: of the board, in order
    river: Int64s  # the flush suit, or -1, and the number of the board; UNKNOWN until asked for
    hand: Int64s  # [6]
    totals: Int64s  # [wager]: of all seats
    nets: Int64s  # [seat]
    cases: Int64s  # [seat]: as in `TableSums.claims`


def room(seating: Seating) -> Room:
    seats, holes = len(seating.hole), int(seating.hole.max()) + 1
    sizes = (7 + 2 * holes + 4 * seating.packet, 4, 5, 2, 6, COLUMNS, seats, seats)
    return Room(*(np.zeros(size, np.int64) for size in sizes))


@kernel
def _hash(seed: Any, counter: Any) -> Any:
    value = seed + (counter + np.uint64(1)) * WEYL
    value = (value ^ (value >> np.uint64(30))) * MIX_1
    value = (value ^ (value >> np.uint64(27))) * MIX_2
    return value ^ (value >> np.uint64(31))


@kernel
def _deal(seed: Any, number: int, cards: Any) -> None:
    """Different cards, as many as there is room for."""
    counter = np.uint64(number) * np.uint64(DRAWS)
    used, dealt, count = np.int64(0), 0, len(cards)
    while dealt < count:
        value = _hash(seed, counter)
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


@kernel
def _packed(actions: Any, style: int, at: int) -> int:
    return actions[style, at >> 2] >> (2 * (at & 3)) & 3


@kernel
def _evaluate(board: int, masks: Any, a: int, b: int, look: Lookup) -> int:
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


@kernel
def _river_row(board: Any, masks: Any, sets: Any, ranks: Any) -> Any:
    """The flush suit, or -1, and the number of the suited or the rank board."""
    suit = -1
    for s in range(4):
        suited = 0
        for i in range(5):
            suited += board[i] & 3 == s
        if suited >= 3:
            suit = s
    count = 0
    for i in range(5):
        if suit < 0 or board[i] & 3 != suit:
            rank, at = board[i] >> 2, count
            while at > 0 and ranks[at - 1] > rank:
                ranks[at] = ranks[at - 1]
                at -= 1
            ranks[at] = rank
            count += 1
    if suit < 0:
        d, e = ranks[3] + 3, ranks[4] + 4
        four = d * (d - 1) * (d - 2) * (d - 3) // 24
        five = e * (e - 1) * (e - 2) * (e - 3) * (e - 4) // 120
        return suit, multiset3(ranks[0], ranks[1], ranks[2]) + four + five
    number = np.int64(sets[masks[suit]])
    if count == 2:
        return suit, number * PAIRS + pair_number(ranks[0], ranks[1])
    return suit, FIRST_FOUR + number * RANKS + ranks[0] if count == 1 else FIRST_FIVE + number


@kernel
def _type_number(a: int, b: int) -> int:
    """The type of two kinds, a <= b."""
    if b < RANKS:
        return pair_number(a, b)
    if a < RANKS:
        return FIRST_OFF_SUITED + a * RANKS + b - RANKS
    return FIRST_SUITED + set2(a - RANKS, b - RANKS)


@kernel
def _pocket_class(a: int, b: int) -> int:
    high, low = max(a, b) >> 2, min(a, b) >> 2
    return high * RANKS + low if a & 3 == b & 3 else low * RANKS + high


@kernel
def _flop_number(board: Any) -> int:
    x, y, z = board[0], board[1], board[2]
    low, high = min(x, y, z), max(x, y, z)
    return set3(low, x + y + z - low - high, high)


@inlined
def _decided(
    style: int, a: int, b: int, pocket: int, board: Any, room: Room, places: Places,
    books: Playbooks,
) -> Any:  # fmt: skip
    """Street and action of a style with these hole cards, when it last had a choice."""
    action = np.int64(books.pocket[style, pocket])
    if action != PASSIVE:
        return 0, action
    flop = _flop_number(board)
    c = (a >> 2 << 2) | np.int64(places.flop_suits[flop, a & 3])
    d = (b >> 2 << 2) | np.int64(places.flop_suits[flop, b & 3])
    at = places.flop_rows[flop] * HOLES + set2(min(c, d), max(c, d))
    action = np.int64(_packed(books.flop, style, at))
    if action != PASSIVE:
        return 1, action
    if room.river[0] == UNKNOWN:
        suit, row = _river_row(board, room.masks, places.sets, room.ranks)
        room.river[0], room.river[1] = suit, row
    suit, row = room.river[0], room.river[1]
    if suit < 0:
        held = pair_number(min(a, b) >> 2, max(a, b) >> 2)
        return 2, np.int64(_packed(books.river_ranks, style, row * PAIRS + held))
    kind = (a >> 2) + (RANKS if a & 3 == suit else 0)
    other = (b >> 2) + (RANKS if b & 3 == suit else 0)
    held = _type_number(min(kind, other), max(kind, other))
    return 2, np.int64(_packed(books.river_suited, style, row * TYPES + held))


@inlined
def _add(sums: TableSums, totals: Any, seat: int, wager: int, net: int) -> int:
    totals[wager] += net
    sums.seats[seat, wager, TOTAL] += net
    sums.seats[seat, wager, SQUARE] += net * net
    return net


@inlined
def _add_round(number: int, claimed: bool, room: Room, sums: TableSums) -> None:
    """What seats have in common, and the claims on the pool."""
    seats = len(room.nets)
    if seats > 1:
        for column in range(COLUMNS):
            sums.together[column] += room.totals[column] * room.totals[column]
        for seat in range(seats):
            for other in range(seat):
                sums.products[seat, other] += room.nets[seat] * room.nets[other]
    if claimed:
        at = sums.claimed[0]
        sums.claimed[0] += 1
        sums.claims[at, 0] = number
        for seat in range(seats):
            sums.claims[at, 1 + seat] = room.cases[seat]
            sums.claims[at, 1 + seats + seat] = room.nets[seat]


@kernel
def play_rounds(
    first: int, last: int, seed: Any, seating: Seating, places: Places, books: Playbooks,
    pays: TablePays, look: Lookup, room: Room, sums: TableSums,
) -> None:  # fmt: skip
    """Rounds first to last of this seed."""
    cards, masks, totals = room.cards, room.masks, room.totals
    board, packet = cards[2:7], cards[len(cards) - 4 :]
    session = seating.session
    for number in range(first, last):
        _deal(seed, number, cards)
        masks[:] = 0
        code = np.int64(0x3333) << SUIT_SHIFT
        for i in range(5):
            code += look.cards[board[i]]
            masks[board[i] & 3] |= 1 << (board[i] >> 2)
        dealer = _evaluate(code, masks, cards[0], cards[1], look)
        room.river[0] = UNKNOWN
        totals[:] = 0
        claimed = False
        at = number // session - first // session if session else 0
        hole, a, b, own, made, pocket, six, case = -1, 0, 0, 0, 0, 0, 0, 0
        for seat in range(len(seating.hole)):
            style = seating.style[seat]
            if seating.hole[seat] != hole:
                hole = seating.hole[seat]
                a, b = cards[7 + 2 * hole], cards[8 + 2 * hole]
                own = _evaluate(code, masks, a, b, look)
                made, pocket = own >> 20, _pocket_class(a, b)
                if seating.packet:
                    six = six_case(a, b, packet, room.hand)
                if seating.progressive:
                    case = pool_case(a, b, board, made, room.hand)
            street, action = _decided(style, a, b, pocket, board, room, places, books)
            folded = 1 if street == 2 and action == PASSIVE else 0
            multiple = pays.multiples[style, street, action]
            sums.raised[seat] += pays.raised[style, multiple]
            result = 1 + (own > dealer) - (own < dealer)
            qualifies = 1 if dealer >= pays.qualifier[style] else 0
            main = pays.main[style, multiple, made, result, qualifies]
            net = _add(sums, totals, seat, MAIN, main)
            hand = own_category(a, b, board, room.hand) if pays.own_hand[style] else made
            net += _add(sums, totals, seat, TRIPS_PLUS, pays.trips_plus[style, folded, hand])
            net += _add(sums, totals, seat, POCKET_BONUS, pays.pocket_bonus[style, folded, pocket])
            if seating.packet:
                net += _add(sums, totals, seat, ALL_6, pays.all_6[style, folded, six])
            if seating.progressive:
                paid = pays.progressive[style, folded, case]
                net += _add(sums, totals, seat, PROGRESSIVE, paid)
                share = pays.claims[style, folded, case] == 1
                room.cases[seat] = case << 2 | folded << 1 | share
                claimed |= share
            room.nets[seat] = _add(sums, totals, seat, EVERYTHING, net)
            if session:
                sums.sessions[at, seat] += net
        _add_round(number, claimed, room, sums)
