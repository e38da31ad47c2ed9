"""Settles a round one hand at a time, as the dealer turns over a real deck (New York (e)(9)–(10)).

When the last hand is settled, every hand has what `rounds.settle` gives it. Until then a wager may
have to wait for hands that nobody has seen (R104). There are two such cases: the whole pool, where
an unseen hand may win it as well, and a cap over the whole table, where unseen hands may have a
share of it. Everything else is decided as soon as the hand is turned over.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from headsup.game.bank.awards import WHOLE_POOL, floor_to_cent, pool_awards
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.outcomes import progressive_outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement.caps import apply_cap, winnings_under_cap
from headsup.game.settlement.cards_needed import is_played, needs_hole, refuse_unknown_cards
from headsup.game.settlement.model import Deal, Line, SeatPlay, SeatSettlement
from headsup.game.settlement.progressive import pool_claims, with_award
from headsup.game.settlement.rounds import DealerHand, dealer_hand, settle_seat
from headsup.game.values.cards import DECK
from headsup.game.values.hands import category_of, strength
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros


@dataclass(frozen=True, slots=True)
class HandsSoFar:
    """A round in the middle of its settlement.

    `plays` are all hands in the order of settlement. The results of `settled` hands that are also
    `resolved` stand; the others are worked out again. `dead` cards were seen outside the hands.
    """

    rules: TableRules
    deal: Deal
    plays: tuple[SeatPlay, ...]
    settled: Mapping[int, SeatSettlement]
    resolved: Collection[int]
    base: Micros | None  # the pool that the round's shares are shares of (R70)
    pool: Micros | None  # what the meter holds now
    dead: Collection[int] = ()


class HandResult(NamedTuple):
    settled: SeatSettlement  # without the lines of the wagers that wait
    waits: tuple[Wager, ...]


def settle_hand(hands: HandsSoFar, number: int) -> HandResult | Refusal:
    """Settle the hand of this seat, after those settled before it."""
    rules, deal = hands.rules, hands.deal
    play = next(play for play in hands.plays if play.seat == number)
    if refused := refuse_unknown_cards(rules, deal, play):
        return refused
    dealer = dealer_hand(rules, deal)
    seen = [play for play in hands.plays if play.seat in hands.settled or play.seat == number]
    seats = [
        hands.settled[other.seat]
        if other.seat in hands.resolved
        else settle_seat(rules, deal, other, dealer)
        for other in seen
    ]
    place = seen.index(play)
    awarded = _with_own_award(hands, seats, place)
    if isinstance(awarded, Refusal):
        return awarded
    waits = _waiting_wagers(hands, dealer, seats, place, seen)
    capped = apply_cap(rules, seen, [*seats[:place], awarded, *seats[place + 1 :]])[place]
    lines = tuple(line for line in capped.lines if line.wager not in waits)
    return HandResult(capped._replace(lines=lines), waits)


def _with_own_award(
    hands: HandsSoFar, seats: list[SeatSettlement], place: int
) -> SeatSettlement | Refusal:
    """The hand with its share of the pool. Another table of the meter may have won since, so no
    share is above what the pool still holds (R71)."""
    rules, seat = hands.rules, seats[place]
    claims = pool_claims(seats)
    own = [index for index, (i, _) in enumerate(claims) if i == place]
    if not own:
        return seat
    (index,) = own
    line = claims[index][1]
    if (paid := _settled_award(hands, seat.seat, line)) is not None:
        return with_award(seat, line, paid)
    if hands.base is None or hands.pool is None:
        share = line.pay.short if line.pay else ""
        return refusal(Code.MISSING_METER, where="meter", seat=seat.seat, share=share)
    shares = [line.pay.amount for _, line in claims if line.pay]
    shared = pool_awards(hands.base, shares, rules.sequential_awards, rules.bonus_jackpot)
    micros = shared.awards[index]
    if not rules.bonus_jackpot:
        micros = min(micros, floor_to_cent(hands.pool))
    return with_award(seat, line, micros // MICROS_PER_CENT)


def _settled_award(hands: HandsSoFar, number: int, line: Line) -> Cents | None:
    """The share that this hand was given when it was settled before; None if it was not."""
    earlier = hands.settled[number].lines if number in hands.settled else ()
    same = (old for old in earlier if old.wager is line.wager and old.pay == line.pay)
    return next((old.award for old in same), None)


def _waiting_wagers(
    hands: HandsSoFar,
    dealer: DealerHand,
    seats: list[SeatSettlement],
    place: int,
    seen: list[SeatPlay],
) -> tuple[Wager, ...]:
    lines = seats[place].lines
    unseen = [play for play in hands.plays if play not in seen]
    waits = [line.wager for line in lines if _wins_whole_pool(line)]
    if hands.rules.bonus_jackpot or not _may_share_pool(hands, unseen, seen):
        waits = []
    cap = hands.rules.cap
    if cap is not None and cap.scope == "table" and unseen:
        covered = [line.wager for line in lines if winnings_under_cap(hands.rules, [line])]
        if covered and not _fits_under_cap(hands, dealer, seats, unseen, seen):
            waits += covered
    return tuple(waits)


def _wins_whole_pool(line: Line) -> bool:
    pay = line.pay
    return pay is not None and pay.kind is PayKind.POOL and pay.amount == WHOLE_POOL


def _may_share_pool(hands: HandsSoFar, unseen: list[SeatPlay], seen: list[SeatPlay]) -> bool:
    """Whether an unseen hand could win the whole pool as well.

    A flopped royal flush leaves no second one in the deck, so this is only possible where a flopped
    straight flush is enough (Galaxy Progressive 9, R69).
    """
    progressive = Wager.PROGRESSIVE
    playing = [
        play
        for play in unseen
        if progressive in play.stakes and is_played(hands.rules, play, progressive)
    ]
    if not playing:
        return False
    rows, board = hands.rules.paytables[progressive].pays, hands.deal.board
    for hole in _unseen_holes(hands, seen):
        outcome = progressive_outcome(hole, board, category_of(strength(hole + board)), rows)
        pay = rows.get(outcome)
        if pay is not None and pay.kind is PayKind.POOL and pay.amount == WHOLE_POOL:
            return True
    return False


def _fits_under_cap(
    hands: HandsSoFar,
    dealer: DealerHand,
    seats: list[SeatSettlement],
    unseen: list[SeatPlay],
    seen: list[SeatPlay],
) -> bool:
    """Whether the table's cap is high enough for whatever the unseen hands may hold (R102)."""
    rules, cap = hands.rules, hands.rules.cap
    if cap is None:
        return True
    left = cap.amount - sum(winnings_under_cap(rules, seat.lines) for seat in seats)
    for play in unseen:
        if left < 0:
            return False
        holes = _unseen_holes(hands, seen) if needs_hole(rules, play) else iter([play.hole])
        left -= max(
            winnings_under_cap(
                rules, settle_seat(rules, hands.deal, play._replace(hole=hole), dealer).lines
            )
            for hole in holes
        )
    return left >= 0


def _unseen_holes(hands: HandsSoFar, seen: list[SeatPlay]) -> Iterator[tuple[int, int]]:
    """All hole cards that a hand may hold which nobody has seen."""
    deal = hands.deal
    gone = {*deal.board, *deal.dealer, *deal.all_6, *hands.dead}
    gone.update(card for play in seen for card in play.hole)
    return combinations([card for card in DECK if card not in gone], 2)
