"""One moment of one round."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from headsup.game.round.dealing import ALL_6, BOARD, DEALER, seat_place
from headsup.game.round.decision import UNDECIDED, Decision, HasChecked, Undecided
from headsup.game.rulebook.model import IrregularityRule
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import Deal, SeatPlay, Settlement
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
    auto: bool = False  # a time-out decided for it at least once
    void: IrregularityRule | None = None
    extra_seconds: int = 0  # to decide on the street now open, beyond the table's grace
    coupons: tuple[Wager, ...] = ()  # stakes that are promotional coupons (R12)

    @property
    def deciding(self) -> bool:
        """Still has a decision to make in this round."""
        return self.void is None and isinstance(self.decision, Undecided | HasChecked)

    @property
    def in_chips(self) -> Mapping[Wager, Cents]:
        """The stakes that came out of the player's chips."""
        if not self.coupons:
            return self.stakes
        return {wager: cents for wager, cents in self.stakes.items() if wager not in self.coupons}

    @property
    def owes(self) -> bool:
        """Has a decision to make on the street now open."""
        return self.void is None and isinstance(self.decision, Undecided)


EMPTY_DEAL = Deal((), ())


class Round(NamedTuple):
    """A named tuple, not a dataclass: it is made anew at every event, thirty times a round."""

    rules: TableRules
    number: int
    clockwise: bool = False  # act in turn; otherwise all at once, hidden until the street closes
    phase: Phase = Phase.BETTING
    seats: Mapping[int, Seat] = MappingProxyType({})
    deck: Cards = ()
    places: tuple[str, ...] = ()
    deal: Deal = EMPTY_DEAL
    board_shown: int = 0
    board_seen: bool = False  # a card of the street to come was seen early and stands (R95)
    dealer_shown: bool = False
    void: IrregularityRule | None = None
    settlement: Settlement | None = None
    resolved: tuple[int, ...] = ()  # seats whose hands are settled and picked up, in order

    def moved(self, seats: Mapping[int, Seat], phase: Phase) -> "Round":
        """This round with other seats and phase: what nearly every event changes, and so made by
        its values: `_replace` costs four times as much."""
        return tuple.__new__(Round, (*self[:3], phase, seats, *self[5:]))

    def with_resolved(self, resolved: tuple[int, ...], phase: Phase) -> "Round":
        """The same of the hands that are settled, one by one."""
        return tuple.__new__(Round, (*self[:3], phase, *self[4:13], resolved))

    def owing(self) -> list[int]:
        """Seats that have yet to act on the open street, in the order they act."""
        return [number for number in sorted(self.seats) if self.seats[number].owes]

    def unresolved(self) -> tuple[int, ...]:
        """Seats that are still to be settled, in the order of settlement."""
        if self.settlement is None:
            return ()
        resolved = self.resolved
        return tuple([seat for seat, _, _ in self.settlement.seats if seat not in resolved])

    def pick_up(self) -> tuple[str, ...]:
        """Whose cards are picked up at the end, in order: the hands as they were resolved, then
        the dealer's, the board and All 6's (New York (e)(11))."""
        if not self.deck:
            return ()
        hands = (seat_place(seat) for seat in self.resolved)
        shared = (DEALER, BOARD, ALL_6) if ALL_6 in self.places else (DEALER, BOARD)
        return (*hands, *shared)

    def plays(self, players: Mapping[int, str]) -> tuple[SeatPlay, ...]:
        """The seats as settlement wants them, with who holds them where that is known."""
        return tuple(
            SeatPlay(number, hole, stakes, decision, void, players.get(number, ""), coupons)
            for number, (stakes, hole, decision, _, void, _, coupons) in sorted(self.seats.items())
        )
