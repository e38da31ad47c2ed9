"""Rounds with a real deck whose cards nobody knows until the dealer turns them over.

The dealer deals face down, and then tells each place when it is face up: the flop, turn and river,
the dealer's hand, and each player's hand in the order of settlement. A hand is settled when it is
turned over, and resolved when the dealer has paid and collected it (New York (e)(9)–(10)). A hand
that no wager needs is never turned over: it is settled and resolved in its turn.

A card reader may tell cards earlier. They are then known, but still face down.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round import events
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, deal_order, seat_place
from headsup.game.round.events import RoundEvent
from headsup.game.round.state import FeltRound, Phase, Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import (
    HandResult,
    HandsSoFar,
    SeatPlay,
    needs_all_6,
    needs_board,
    needs_hole,
    pool_claims,
    settle_hand,
)
from headsup.game.values.cards import Cards, card_name
from headsup.game.values.money import MICROS_PER_CENT, Micros

RoundAnswer = tuple[RoundEvent, ...] | Refusal

_SETTLING = (Phase.SETTLEMENT_DUE, Phase.RESOLVING)
_CARDS_AT = {BOARD: 5, DEALER: 2, ALL_6: 4}


class CardsDue(NamedTuple):
    """The place that the dealer turns over next, and how many cards."""

    place: str
    cards: int


class Pool(NamedTuple):
    """What settlement needs to know besides the round: the pool, and who sits where."""

    meter: Micros | None
    players: Mapping[int, str]


# What is due.


def cards_due(round: Round) -> CardsDue | None:
    """The place to be turned over next; None if another step is due.

    A hand that is settled is paid before the next is turned over, unless a wager of it waits.
    """
    if round.felt is None or not round.dealt:
        return None
    match round.phase:
        case Phase.FLOP_DUE:
            return CardsDue(BOARD, 3)
        case Phase.RIVER_DUE:
            return CardsDue(BOARD, 2)
        case Phase.REVEAL_DUE:
            return CardsDue(DEALER, 2)
        case Phase.SETTLEMENT_DUE | Phase.RESOLVING:
            if hand_to_pay(round) is not None:
                return None
            return _shared_cards_due(round, round.felt) or _hand_due(round, round.felt)
        case _:
            return None


def hand_to_pay(round: Round) -> int | None:
    """The seat whose hand is settled and has to be paid and collected now."""
    if round.felt is None or round.settlement is None:
        return None
    settled = {seat.seat for seat in round.settlement.seats}
    ready = (
        seat
        for seat in round.unresolved_seats()
        if seat in settled and seat not in round.felt.waits
    )
    return next(ready, None)


def hands_to_settle(round: Round) -> tuple[SeatPlay, ...]:
    """The hands that are not settled yet, in the order of settlement."""
    settled = set(round.resolved)
    if round.settlement is not None:
        settled |= {seat.seat for seat in round.settlement.seats}
    return tuple(play for play in round.plays_in_order({}) if play.seat not in settled)


def _shared_cards_due(round: Round, felt: FeltRound) -> CardsDue | None:
    """The rest of the board after a void, and the All 6 cards, if a wager rests on them."""
    plays = hands_to_settle(round)
    if round.board_shown < 5 and any(needs_board(round.rules, play) for play in plays):
        return CardsDue(BOARD, 5 - round.board_shown)
    if ALL_6 not in felt.turned and any(needs_all_6(round.rules, play) for play in plays):
        return CardsDue(ALL_6, 4)
    return None


def _hand_due(round: Round, felt: FeltRound) -> CardsDue | None:
    for play in hands_to_settle(round)[:1]:
        place = seat_place(play.seat)
        if needs_hole(round.rules, play) and place not in felt.turned:
            return CardsDue(place, 2)
    return None


# Commands.


def deal_face_down(round: Round) -> RoundAnswer:
    """All hole cards are out, and the All 6 packet if the layout has one."""
    if round.felt is None:
        return refusal(Code.CARDS_KNOWN, "when_dealt")
    if round.phase is not Phase.NO_MORE_BETS:
        return refusal(Code.WRONG_PHASE, "before_the_deal", phase=round.phase)
    offers_all_6 = round.rules.offers(Wager.ALL_6)
    return (events.CardsLaid(deal_order(round.rules.dealing, round.dealt_seats(), offers_all_6)),)


def turn_over(round: Round, place: str, cards: Cards, pool: Pool) -> RoundAnswer:
    """The dealer turns over the cards of a place and tells them."""
    if round.felt is None:
        return refusal(Code.CARDS_KNOWN, "when_dealt")
    due = cards_due(round)
    if due is None or due.place != place:
        if _may_turn_early(round, place):
            return _turn_early(round, place, cards)
        return _refuse_place(round, due, place)
    known = known_cards_due(round, due)
    if refused := _refuse_cards(round, due, cards, known):
        return refused
    if known:
        return _reveal(round, due, pool)
    seen = events.CardsSeen(place, cards)
    revealed = _reveal(seen.apply_to(round), due, pool)
    return revealed if isinstance(revealed, Refusal) else (seen, *revealed)


def read_cards(round: Round, place: str, cards: Cards) -> RoundAnswer:
    """A reader tells cards that still lie face down."""
    if round.felt is None:
        return refusal(Code.CARDS_KNOWN, "when_dealt")
    if place not in round.places or round.phase in (Phase.SETTLED, Phase.CLOSED):
        return refusal(Code.BAD_PLACE, "not_dealt", place=place)
    known = round.cards_at(place)
    count = _CARDS_AT.get(place, 2)
    counts = {0: (3, 5), 3: (2,)}.get(len(known), ()) if place == BOARD else (count,)
    if len(known) == count:
        return refusal(Code.CARDS_KNOWN, place=place)
    if len(cards) not in counts:
        return refusal(Code.WRONG_CARD_COUNT, "read", where=place, count=counts[0])
    return refuse_duplicate(round, place, cards) or (events.CardsSeen(place, cards),)


def proceed(round: Round, pool: Pool) -> RoundAnswer:
    """The dealer's next step, where no cards have to be told for it."""
    if (seat := hand_to_pay(round)) is not None and round.phase in _SETTLING:
        return (events.HandResolved(seat),)
    if (due := cards_due(round)) is not None:
        if known_cards_due(round, due):
            return _reveal(round, due, pool)
        return refusal(Code.CARDS_DUE, place=due.place, count=due.cards)
    if round.phase is Phase.SETTLED:
        return (events.RoundClosed(round.pick_up_order()),)
    if round.phase is Phase.BETTING and not round.seats:
        return (events.RoundClosed(),)
    return refusal(Code.NOTHING_DUE, phase=round.phase)


def known_cards_due(round: Round, due: CardsDue) -> Cards:
    """The cards that are due, if a reader has told them already."""
    known = round.cards_at(due.place)
    if due.place == BOARD:
        known = known[round.board_shown : round.board_shown + due.cards]
    return known if len(known) == due.cards else ()


def _refuse_place(round: Round, due: CardsDue | None, place: str) -> Refusal:
    if due is not None:
        return refusal(Code.WRONG_PLACE, place=place, due=due.place)
    if (seat := hand_to_pay(round)) is not None:
        return refusal(Code.WRONG_PLACE, "unpaid", seat=seat)
    return refusal(Code.NOTHING_DUE, phase=round.phase)


def _refuse_cards(round: Round, due: CardsDue, cards: Cards, known: Cards) -> Refusal | None:
    place, count, given = due.place, due.cards, len(cards)
    if given != count:
        return refusal(Code.WRONG_CARD_COUNT, "turned", where=place, count=count, given=given)
    if known:
        same = sorted(known) == sorted(cards)
        return None if same else refusal(Code.CARDS_KNOWN, "others", place=place)
    return refuse_duplicate(round, place, cards)


def refuse_duplicate(round: Round, place: str, cards: Cards) -> Refusal | None:
    """Why these cards cannot lie there: one of them lies elsewhere. A noted card counts too, except
    on the board, where an early card belongs."""
    seen = {card: other for other in dict.fromkeys(round.places) for card in round.cards_at(other)}
    noted = () if round.felt is None else round.felt.noted
    seen |= {card: note.place for note in noted if note.place != place for card in note.cards}
    for index, card in enumerate(cards):
        if card in cards[:index]:
            name = card_name(card)
            return refusal(Code.DUPLICATE_CARD, "in_one_place", card=name, place=place)
        if card in seen:
            name, first = card_name(card), seen[card]
            return refusal(Code.DUPLICATE_CARD, "lies_there", card=name, first=first, second=place)
    return None


def _may_turn_early(round: Round, place: str) -> bool:
    """Hands of a table that deals face up may be told from the deal on (Washington's letter)."""
    if not round.rules.face_up or round.felt is None or place in round.felt.turned:
        return False
    number = next((seat for seat in round.seats if seat_place(seat) == place), None)
    return number is not None and place in round.places and number not in round.resolved


def _turn_early(round: Round, place: str, cards: Cards) -> RoundAnswer:
    due, known = CardsDue(place, 2), round.cards_at(place)
    if refused := _refuse_cards(round, due, cards, known):
        return refused
    turned = events.CardsTurned(place, cards)
    return (turned,) if known else (events.CardsSeen(place, cards), turned)


def _reveal(round: Round, due: CardsDue, pool: Pool) -> RoundAnswer:
    """Turn up the cards that are due, which are known by now."""
    board = round.deal.board
    match round.phase:
        case Phase.FLOP_DUE:
            return (events.FlopRevealed(board[:3]),)
        case Phase.RIVER_DUE:
            return (events.TurnAndRiverRevealed(board[3:]),)
        case Phase.REVEAL_DUE:
            return (events.DealerRevealed(round.deal.dealer),)
        case _:
            if due.place == BOARD:
                return (events.BoardCompleted(board[round.board_shown :]),)
            if due.place == ALL_6:
                return (events.CardsTurned(ALL_6, round.deal.all_6),)
            return _settle(round, hands_to_settle(round)[0].seat, pool)


# Settlement.


def follow_up(round: Round, changes: Iterable[RoundEvent], pool: Pool) -> tuple[RoundEvent, ...]:
    """What follows from these events without the dealer: in their turn, hands that no wager needs
    are settled and resolved, and hands that are face up already are settled. Wagers that waited
    are settled when nothing holds them up."""
    follows: list[RoundEvent] = []
    for event in changes:
        round, pool = event.apply_to(round), _after(event, pool)
    while round.phase in _SETTLING and (more := _next_follow_up(round, pool)):
        for event in more:
            round, pool = event.apply_to(round), _after(event, pool)
        follows += more
    return tuple(follows)


def _next_follow_up(round: Round, pool: Pool) -> tuple[RoundEvent, ...]:
    felt = round.felt
    if felt is None:
        return ()
    for seat, waits in felt.waits.items():
        settled = _settled(round, seat, pool)
        if not isinstance(settled, Refusal) and settled.waits != waits:
            return (settled,)
    if hand_to_pay(round) is not None or cards_due(round) is not None:
        return ()
    for play in hands_to_settle(round)[:1]:
        settled = _settled(round, play.seat, pool)
        if isinstance(settled, Refusal):
            return ()
        if not needs_hole(round.rules, play):
            return (settled, events.HandResolved(play.seat))
        if seat_place(play.seat) in felt.turned:  # before its turn, or its cards were corrected
            return (settled,)
    return ()


def _after(event: RoundEvent, pool: Pool) -> Pool:
    """The pool after the shares that the event pays."""
    if not isinstance(event, events.HandSettled) or pool.meter is None:
        return pool
    award = sum(line.award for line in event.settled.lines)
    return pool._replace(meter=pool.meter - award * MICROS_PER_CENT)


def _settle(round: Round, seat: int, pool: Pool) -> RoundAnswer:
    settled = _settled(round, seat, pool)
    return settled if isinstance(settled, Refusal) else (settled,)


def _settled(round: Round, seat: int, pool: Pool) -> "events.HandSettled | Refusal":
    base = _base(round, pool)
    result = _result(round, seat, base, pool)
    if isinstance(result, Refusal):
        return result
    return events.HandSettled(result.settled, result.waits, base, pool.meter)


def _base(round: Round, pool: Pool) -> Micros | None:
    """The pool that shares are taken of: as it was at the first claim in this round (R70)."""
    settlement = round.settlement
    if settlement is None or round.felt is None:
        return pool.meter
    claimed = pool_claims(settlement.seats) or any(
        Wager.PROGRESSIVE in waits for waits in round.felt.waits.values()
    )
    return settlement.meter_before if claimed else pool.meter


def _result(round: Round, seat: int, base: Micros | None, pool: Pool) -> HandResult | Refusal:
    settled = {} if round.settlement is None else {s.seat: s for s in round.settlement.seats}
    noted = () if round.felt is None else round.felt.noted
    hands = HandsSoFar(
        round.rules,
        round.open_deal(),
        round.plays_in_order(pool.players),
        settled,
        round.resolved,
        base,
        pool.meter,
        tuple(card for note in noted for card in note.cards),
    )
    return settle_hand(hands, seat)
