"""The state of one round."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.round.dealing import ALL_6, BOARD, DEALER, seat_place
from headsup.game.round.decision import UNDECIDED, Decision, HasChecked, Undecided
from headsup.game.rulebook.model import Cause, IrregularityRule
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import (
    Deal,
    SeatPlay,
    Settlement,
    dealer_hand,
    sort_for_settlement,
)
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum


class Phase(TextEnum):
    """Where a round stands; the `_due` phases wait for the dealer."""

    BETTING = "betting"
    NO_MORE_BETS = "no_more_bets"
    POCKET = "pocket"
    FLOP_DUE = "flop_due"
    FLOP = "flop"
    RIVER_DUE = "river_due"
    RIVER = "river"
    REVEAL_DUE = "reveal_due"
    SETTLEMENT_DUE = "settlement_due"
    RESOLVING = "resolving"  # hand by hand
    SETTLED = "settled"
    CLOSED = "closed"


# The streets on which players decide.
STREET_BY_PHASE: Mapping[Phase, Street] = {
    Phase.POCKET: Street.POCKET,
    Phase.FLOP: Street.FLOP,
    Phase.RIVER: Street.RIVER,
}


class Seat(NamedTuple):
    """One wagering seat."""

    stakes: Mapping[Wager, Cents]
    hole: Cards = ()
    decision: Decision = UNDECIDED
    auto: bool = False  # whether a time-out ever decided for this seat
    void: IrregularityRule | None = None
    extra_seconds: int = 0  # granted on the open street, beyond the table's grace period
    coupons: Mapping[Wager, int] = MappingProxyType({})  # the numbers of coupons staked (R12)

    @property
    def can_still_decide(self) -> bool:
        """Has a decision left in this round, on the open street or later."""
        return self.void is None and isinstance(self.decision, Undecided | HasChecked)

    @property
    def chip_stakes(self) -> Mapping[Wager, Cents]:
        """The stakes that came out of the player's chips, not from coupons."""
        if not self.coupons:
            return self.stakes
        return {wager: cents for wager, cents in self.stakes.items() if wager not in self.coupons}

    @property
    def owes_decision(self) -> bool:
        """Has a decision to make on the open street."""
        return self.void is None and isinstance(self.decision, Undecided)


EMPTY_DEAL = Deal((), ())


class NotedCards(NamedTuple):
    """Cards that were seen where they should not have been, and what the dealer says about it."""

    place: str
    cards: Cards
    note: str


class FeltRound(NamedTuple):
    """What a round with a real deck has besides: nobody knows a card until it is turned over."""

    turned: tuple[str, ...] = ()  # the hands and the All 6 packet that are face up
    waits: Mapping[int, tuple[Wager, ...]] = MappingProxyType({})  # wagers that wait (R104)
    noted: tuple[NotedCards, ...] = ()


class Round(NamedTuple):
    """A named tuple, which is cheaper to build than a dataclass: there are thirty per round."""

    rules: TableRules
    number: int
    clockwise: bool = False  # act in turn; otherwise all at once, hidden until the street closes
    phase: Phase = Phase.BETTING
    seats: Mapping[int, Seat] = MappingProxyType({})
    deck: Cards = ()
    places: tuple[str, ...] = ()
    deal: Deal = EMPTY_DEAL
    board_shown: int = 0
    board_seen: bool = False  # a card of the next street was exposed early and play goes on (R95)
    dealer_shown: bool = False
    void: IrregularityRule | None = None
    settlement: Settlement | None = None
    resolved: tuple[int, ...] = ()  # seats whose hands are settled and picked up, in order
    felt: FeltRound | None = None  # with a real deck that is turned over place by place

    @property
    def dealt(self) -> bool:
        """Whether the cards are out. A real deck may be dealt although no card of it is known."""
        return bool(self.places)

    def with_seats(self, seats: Mapping[int, Seat], phase: Phase) -> "Round":
        """The round with other seats and another phase.

        Nearly every event needs this, and `_replace` takes four times as long.
        """
        return tuple.__new__(Round, (*self[:3], phase, seats, *self[5:]))

    def with_resolved(self, resolved: tuple[int, ...], phase: Phase) -> "Round":
        """The round with these hands resolved; fast, like `with_seats`."""
        return tuple.__new__(Round, (*self[:3], phase, *self[4:13], resolved, self[14]))

    def seats_owing(self) -> list[int]:
        """Seats that still have to act on the open street, in the order in which they act."""
        return [number for number in sorted(self.seats) if self.seats[number].owes_decision]

    def dealt_seats(self) -> tuple[int, ...]:
        """Seats that get cards in the coming deal: not hands that are void already."""
        return tuple([number for number, seat in self.seats.items() if seat.void is None])

    def unresolved_seats(self) -> tuple[int, ...]:
        """Seats whose hands are still to be resolved, in the order of settlement."""
        resolved = self.resolved
        if self.felt is not None and self.phase in (Phase.SETTLEMENT_DUE, Phase.RESOLVING):
            return tuple(
                [play.seat for play in self.plays_in_order({}) if play.seat not in resolved]
            )
        if self.settlement is None:
            return ()
        return tuple([seat for seat, _, _ in self.settlement.seats if seat not in resolved])

    def plays_in_order(self, players: Mapping[int, str]) -> tuple[SeatPlay, ...]:
        """All hands in the order of settlement, which may depend on the dealer's hand (R97)."""
        qualifies = dealer_hand(self.rules, self.open_deal()).qualifies
        return tuple(sort_for_settlement(self.rules, self.seat_plays(players), qualifies))

    def open_deal(self) -> Deal:
        """The shared cards that are face up."""
        deal, felt = self.deal, self.felt
        return Deal(
            deal.dealer if self.dealer_shown else (),
            deal.board[: self.board_shown],
            deal.all_6 if felt is None or ALL_6 in felt.turned else (),
        )

    def cards_at(self, place: str) -> Cards:
        """The cards of this place that are known, face up or not."""
        if place == BOARD:
            return self.deal.board
        if place == DEALER:
            return self.deal.dealer
        if place == ALL_6:
            return self.deal.all_6
        return next(
            (seat.hole for number, seat in self.seats.items() if seat_place(number) == place), ()
        )

    def with_cards_at(self, place: str, cards: Cards) -> "Round":
        """The round with these cards known at the place, instead of those known before."""
        if place == BOARD:
            return self._replace(deal=replace(self.deal, board=cards))
        if place == DEALER:
            return self._replace(deal=replace(self.deal, dealer=cards))
        if place == ALL_6:
            return self._replace(deal=replace(self.deal, all_6=cards))
        seats = {
            number: seat._replace(hole=cards) if seat_place(number) == place else seat
            for number, seat in self.seats.items()
        }
        return self._replace(seats=seats)

    def irregularity_rule(self, cause: Cause) -> IrregularityRule:
        """The book's rule for this cause at this point of the round.

        Before the deal there is no hand to settle. A card found face up is a misdeal then:
        (j)(2)(ii) applies only once all hole cards are dealt (R91).
        """
        rule = self.rules.book.irregularities[cause]
        if self.dealt:
            return rule
        if cause is Cause.CARD_FOUND_FACE_UP:
            return replace(rule, settles=(), clause="R91", house_rule=True)
        return replace(rule, settles=()) if rule.settles else rule

    def pick_up_order(self) -> tuple[str, ...]:
        """Whose cards are picked up, in order: the hands as resolved, then the dealer's, the
        board and the All 6 cards (New York (e)(11))."""
        if not self.dealt:
            return ()
        hands = (seat_place(seat) for seat in self.resolved)
        shared = (DEALER, BOARD, ALL_6) if ALL_6 in self.places else (DEALER, BOARD)
        return (*hands, *shared)

    def seat_plays(self, players: Mapping[int, str]) -> tuple[SeatPlay, ...]:
        """The seats in the form that settlement takes; `players` may be empty."""
        return tuple(
            SeatPlay(
                *(number, hole, stakes, decision, void, players.get(number, "")),
                coupons=tuple(coupons),
            )
            for number, (stakes, hole, decision, _, void, _, coupons) in sorted(self.seats.items())
        )
