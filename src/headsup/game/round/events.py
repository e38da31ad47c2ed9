"""What happened in a round. Its state follows from these events alone.

Nothing is refused here: it has happened.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from headsup.game.round.audience import (
    AT_THE_TABLE,
    Audience,
    DecisionOf,
    HeadlineOnly,
    Nobody,
    StaffOnly,
    TableAndDisplay,
)
from headsup.game.round.dealing import deal_cards, seat_place
from headsup.game.round.decision import HAS_CHECKED, HAS_FOLDED, UNDECIDED, Decision, raise_decision
from headsup.game.round.state import Phase, Round, Seat
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import (
    SeatSettlement,
    Settlement,
    dealer_hand,
    needs_hole,
    void_hand,
)
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents, Micros


@dataclass(frozen=True, slots=True)
class BetsPlaced:
    seat: int
    stakes: Mapping[Wager, Cents]
    coupons: Mapping[Wager, int] = field(default_factory=dict)  # the coupons' numbers (R12)

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        seat = Seat(self.stakes, coupons=self.coupons)
        return round.with_seats({**round.seats, self.seat: seat}, round.phase)


@dataclass(frozen=True, slots=True)
class BetsWithdrawn:
    seat: int

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        seats = {number: seat for number, seat in round.seats.items() if number != self.seat}
        return round._replace(seats=seats)


@dataclass(frozen=True, slots=True)
class BetsClosed:
    audience = TableAndDisplay()

    def apply_to(self, round: Round) -> Round:
        return round.with_seats(round.seats, Phase.NO_MORE_BETS)


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The whole deck in order, and the place of each dealt card."""

    deck: Cards
    places: tuple[str, ...]

    def apply_to(self, round: Round) -> Round:
        deck, places = self.deck, self.places
        deal, holes = deal_cards(deck, places)
        seats = {
            number: seat._replace(hole=holes.get(number, ()))
            for number, seat in round.seats.items()
        }
        return round._replace(phase=Phase.POCKET, deck=deck, places=places, deal=deal, seats=seats)


@dataclass(frozen=True, slots=True)
class CardsLaid:
    """A real deck is dealt face down: the place of each card, in the order of the deal."""

    places: tuple[str, ...]

    def apply_to(self, round: Round) -> Round:
        return round._replace(phase=Phase.POCKET, places=self.places)


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """Cards of a real deck are known now. Whether they are face up, other events say."""

    place: str
    cards: Cards

    audience = Nobody()

    def apply_to(self, round: Round) -> Round:
        return round.with_cards_at(self.place, (*round.cards_at(self.place), *self.cards))


@dataclass(frozen=True, slots=True)
class CardsTurned:
    """The All 6 cards are face up, or a hand at a table that deals face up."""

    place: str
    cards: Cards

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        return _with_turned(round, self.place)


@dataclass(frozen=True, slots=True)
class CardsCorrected:
    """Cards that were told wrongly are put right. Both readings stay in the record (R107)."""

    place: str
    was: Cards
    now: Cards
    reason: str

    audience = StaffOnly()

    def apply_to(self, round: Round) -> Round:
        """Hands that are settled and not paid have to be settled again."""
        after = round.with_cards_at(self.place, self.now)
        return _unsettle(after, [seat for seat in after.seats if seat not in after.resolved])


@dataclass(frozen=True, slots=True)
class DecisionCorrected:
    """A decision that was told wrongly is put right; Raise chips move with it (R107)."""

    seat: int
    street: Street
    was: Decision
    now: Decision
    reason: str

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        seat = round.seats[self.seat]._replace(decision=self.now)
        return round.with_seats({**round.seats, self.seat: seat}, round.phase)


@dataclass(frozen=True, slots=True)
class StakesCorrected:
    """Wagers that were told wrongly are put right (R107)."""

    seat: int
    was: Mapping[Wager, Cents]
    now: Mapping[Wager, Cents]
    reason: str

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        seat = round.seats[self.seat]._replace(stakes=self.now)
        return round.with_seats({**round.seats, self.seat: seat}, round.phase)


@dataclass(frozen=True, slots=True)
class Checked:
    """With `auto` a time-out decided, after `waited` seconds; None if the player had left."""

    seat: int
    street: Street
    auto: bool = False
    waited: int | None = None

    @property
    def audience(self) -> Audience:
        return DecisionOf(self.seat)

    def apply_to(self, round: Round) -> Round:
        seat = _with_decision(round.seats[self.seat], HAS_CHECKED, self.auto)
        return _update_seat(round, self.seat, seat)


@dataclass(frozen=True, slots=True)
class Raised:
    seat: int
    street: Street
    multiple: int

    @property
    def audience(self) -> Audience:
        return DecisionOf(self.seat)

    def apply_to(self, round: Round) -> Round:
        decision = raise_decision(self.street, self.multiple)
        return _update_seat(round, self.seat, _with_decision(round.seats[self.seat], decision))


@dataclass(frozen=True, slots=True)
class Folded:
    seat: int
    auto: bool = False
    waited: int | None = None

    @property
    def audience(self) -> Audience:
        return DecisionOf(self.seat)

    def apply_to(self, round: Round) -> Round:
        seat = _with_decision(round.seats[self.seat], HAS_FOLDED, self.auto)
        return _update_seat(round, self.seat, seat)


@dataclass(frozen=True, slots=True)
class TimeExtended:
    seat: int
    seconds: int

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        before = round.seats[self.seat]
        extended = before._replace(extra_seconds=before.extra_seconds + self.seconds)
        return round._replace(seats={**round.seats, self.seat: extended})


@dataclass(frozen=True, slots=True)
class FlopRevealed:
    cards: Cards

    def apply_to(self, round: Round) -> Round:
        return _open_street(round._replace(board_shown=3, board_seen=False), Phase.FLOP)


@dataclass(frozen=True, slots=True)
class TurnAndRiverRevealed:
    cards: Cards

    def apply_to(self, round: Round) -> Round:
        return _open_street(round._replace(board_shown=5, board_seen=False), Phase.RIVER)


@dataclass(frozen=True, slots=True)
class DealerRevealed:
    cards: Cards

    def apply_to(self, round: Round) -> Round:
        return round._replace(dealer_shown=True, phase=Phase.SETTLEMENT_DUE)


@dataclass(frozen=True, slots=True)
class IrregularityReported:
    cause: Cause
    seat: int | None
    resolution: Resolution
    dealer: str
    supervisor: str
    note: str

    def apply_to(self, round: Round) -> Round:
        # What the report leads to follows in further events, except that a card was seen.
        is_seen = self.cause is Cause.EARLY_BOARD_CARD and self.resolution is Resolution.PLAY_ON
        return round._replace(board_seen=True) if is_seen else round


@dataclass(frozen=True, slots=True)
class HandVoided:
    """The clause that voids the hand, and whether it applies as a house rule (R96)."""

    seat: int
    cause: Cause
    clause: str
    house_rule: bool

    audience = TableAndDisplay()

    def apply_to(self, round: Round) -> Round:
        """The hand is settled as void, also after the others have begun to be resolved."""
        seat = round.seats[self.seat]._replace(void=round.irregularity_rule(self.cause))
        after = _update_seat(round, self.seat, seat)
        if after.phase is Phase.NO_MORE_BETS and not after.dealt_seats():
            return after._replace(phase=Phase.SETTLEMENT_DUE)  # nobody is left to deal to
        if after.felt is not None:
            return _unsettle(after, (self.seat,))
        if after.settlement is None:
            return after
        (play,) = (play for play in after.seat_plays({}) if play.seat == self.seat)
        voided = void_hand(after.rules, after.deal, play)
        return after._replace(settlement=after.settlement.with_seat(voided))


@dataclass(frozen=True, slots=True)
class RoundVoided:
    cause: Cause
    clause: str
    house_rule: bool

    audience = TableAndDisplay()

    def apply_to(self, round: Round) -> Round:
        """Void every hand; one that is void already keeps its cause, and a resolved one stands
        (R105)."""
        rule = round.irregularity_rule(self.cause)
        voided = [
            number
            for number, seat in round.seats.items()
            if not seat.void and number not in round.resolved
        ]
        seats = {
            number: seat._replace(void=rule) if number in voided else seat
            for number, seat in round.seats.items()
        }
        after = round._replace(void=rule, seats=seats, phase=Phase.SETTLEMENT_DUE)
        return _unsettle(after, voided)


@dataclass(frozen=True, slots=True)
class DecisionReopened:
    """A Raise was missed: the check or fold recorded for the seat is taken back (R95)."""

    seat: int

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        """The seat decides again, on the street where its decision was recorded."""
        seats = {**round.seats, self.seat: round.seats[self.seat]._replace(decision=UNDECIDED)}
        return round.with_seats(seats, _REOPENED_PHASE.get(round.phase, round.phase))


@dataclass(frozen=True, slots=True)
class BoardCompleted:
    """The rest of the board, shown after a void that still settles a wager (New York (j)(2))."""

    cards: Cards

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        return round._replace(board_shown=5)


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """The results of all wagers are known and the dealer's hand is announced.

    The hands are then resolved one by one (`HandResolved`).
    """

    settlement: Settlement

    audience = HeadlineOnly()

    def apply_to(self, round: Round) -> Round:
        return round._replace(settlement=self.settlement, phase=Phase.RESOLVING)


@dataclass(frozen=True, slots=True)
class HandSettled:
    """A hand of a real deck is turned over, if a wager needs its cards, and its amounts are known.

    Its wagers that wait for hands still unseen have no lines yet (R104): a second event for the
    same seat adds them. `meter_before` is the pool that shares of this round are taken of.
    """

    settled: SeatSettlement
    waits: tuple[Wager, ...]
    meter_before: Micros | None
    meter_after: Micros | None

    audience = HeadlineOnly()

    def apply_to(self, round: Round) -> Round:
        seat = self.settled.seat
        dealer = dealer_hand(round.rules, round.open_deal())
        seats = () if round.settlement is None else round.settlement.seats
        settlement = Settlement(*dealer, seats, self.meter_before, self.meter_after)
        (play,) = (play for play in round.seat_plays({}) if play.seat == seat)
        if needs_hole(round.rules, play):
            round = _with_turned(round, seat_place(seat))
        waits = {} if round.felt is None else {**round.felt.waits, seat: self.waits}
        return round._replace(
            settlement=settlement.with_seat(self.settled),
            felt=round.felt and round.felt._replace(waits=_without_empty(waits)),
            phase=Phase.RESOLVING,
        )


@dataclass(frozen=True, slots=True)
class HandResolved:
    """One hand is turned up, announced and settled, and its cards are picked up.

    Only then does the dealer go on to the next (New York (e)(9)–(10)).
    """

    seat: int

    audience = AT_THE_TABLE

    def apply_to(self, round: Round) -> Round:
        resolved = (*round.resolved, self.seat)
        phase = round.phase if len(resolved) < len(round.seats) else Phase.SETTLED
        return round.with_resolved(resolved, phase)


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """`picked_up` lists whose cards went to the discard rack, in order (NY (e)(11), R99)."""

    picked_up: tuple[str, ...] = ()

    audience = TableAndDisplay()

    def apply_to(self, round: Round) -> Round:
        return round.with_seats(round.seats, Phase.CLOSED)


RoundEvent = (
    BetsPlaced
    | BetsWithdrawn
    | BetsClosed
    | CardsDealt
    | CardsLaid
    | CardsSeen
    | CardsTurned
    | CardsCorrected
    | DecisionCorrected
    | StakesCorrected
    | Checked
    | Raised
    | Folded
    | TimeExtended
    | FlopRevealed
    | TurnAndRiverRevealed
    | DealerRevealed
    | IrregularityReported
    | HandVoided
    | RoundVoided
    | DecisionReopened
    | BoardCompleted
    | RoundSettled
    | HandSettled
    | HandResolved
    | RoundClosed
)


# Changes of a round.

_NEXT_PHASE = {
    Phase.POCKET: Phase.FLOP_DUE,
    Phase.FLOP: Phase.RIVER_DUE,
    Phase.RIVER: Phase.REVEAL_DUE,
}
_REOPENED_PHASE = {due: street for street, due in _NEXT_PHASE.items()}


def _with_decision(seat: Seat, decision: Decision, auto: bool = False) -> Seat:
    stakes, hole, _, was_auto, void, _, coupons = seat
    return tuple.__new__(Seat, (stakes, hole, decision, was_auto or auto, void, 0, coupons))


def _update_seat(state: Round, number: int, seat: Seat) -> Round:
    """Replace a seat; the street closes when no seat has to act any more."""
    seats = {**state.seats, number: seat}
    phase = state.phase
    if phase in _NEXT_PHASE and not _has_seat_to_act(seats):
        phase = _NEXT_PHASE[phase]
    return state.with_seats(seats, phase)


def _with_turned(round: Round, place: str) -> Round:
    felt = round.felt
    if felt is None or place in felt.turned:
        return round
    return round._replace(felt=felt._replace(turned=(*felt.turned, place)))


def _unsettle(round: Round, seats: Collection[int]) -> Round:
    """These hands of a real deck have to be settled again, if they were."""
    if round.felt is None:
        return round
    waits = {seat: wagers for seat, wagers in round.felt.waits.items() if seat not in seats}
    settlement = round.settlement and round.settlement.without_seats(seats)
    return round._replace(settlement=settlement, felt=round.felt._replace(waits=waits))


def _without_empty(waits: Mapping[int, tuple[Wager, ...]]) -> Mapping[int, tuple[Wager, ...]]:
    return {seat: wagers for seat, wagers in waits.items() if wagers}


def _has_seat_to_act(seats: dict[int, Seat]) -> bool:
    # The last seat is the most likely to owe a decision, so the search starts there.
    for seat in reversed(seats.values()):  # noqa: SIM110 - `any` costs twice as much
        if seat.owes_decision:
            return True
    return False


def _open_street(state: Round, phase: Phase) -> Round:
    """Open a street, or skip it if no seat has a decision left."""
    seats = {
        number: seat._replace(decision=UNDECIDED) if seat.can_still_decide else seat
        for number, seat in state.seats.items()
    }
    if not _has_seat_to_act(seats):
        phase = _NEXT_PHASE[phase]
    return state.with_seats(seats, phase)
