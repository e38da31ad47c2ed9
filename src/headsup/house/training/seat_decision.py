"""A player's decisions for the coach and trainer, with only what the seat could know.

Everything is taken from the seat's own view, so hidden cards cannot leak into a decision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from headsup.game.round.decision import HasRaised
from headsup.game.round.events import Checked, Folded, Raised
from headsup.game.round.state import STREET_BY_PHASE
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.table.events import Event
from headsup.game.table.state import Floor
from headsup.game.values.cards import Cards
from headsup.game.values.money import Cents
from headsup.game.values.str_enum import TextEnum
from headsup.game.views.builder import player_view
from headsup.game.views.model import PlayerView


class CoachMode(TextEnum):
    """When the coach speaks: never, or before or after each decision."""

    OFF = "off"
    BEFORE = "before"
    AFTER = "after"

    @property
    def next(self) -> "CoachMode":
        """The mode that the key switches to."""
        return _NEXT[self]


_NEXT = {
    CoachMode.OFF: CoachMode.AFTER,
    CoachMode.AFTER: CoachMode.BEFORE,
    CoachMode.BEFORE: CoachMode.OFF,
}


BOARD_CARDS = {Street.POCKET: 0, Street.FLOP: 3, Street.RIVER: 5}
Option = tuple[str, int]  # an action and its multiple, 0 unless it is a Raise


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """What a seat knows when it has to decide, and its options."""

    table: str
    round: int
    seat: int
    rules: TableRules
    street: Street
    hole: Cards
    board: Cards
    seen: Cards  # other seats' cards that are face up
    ante: Cents
    riding: Fraction  # Trips Plus per Ante, if a fold forfeits it (R54)
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class SeatDecision:
    """A decision that a player made, not the clock."""

    hand: DecisionPoint
    player: str
    chosen: Option


def pending_decision(floor: Floor, table: str, seat: int) -> DecisionPoint | None:
    """What the seat has to decide now; None if it is not its turn."""
    view = player_view(floor, table, seat)
    if view.round is None or not view.legal:
        return None
    options = tuple((choice.action.value, choice.multiple or 0) for choice in view.legal)
    street = STREET_BY_PHASE[view.round.phase]
    return _decision_point(view, floor.tables[table].rules, street, options)


def decision_from_event(floor: Floor, table: str, event: Event) -> SeatDecision | None:
    """The decision in this event, or None. `floor` is the state after the event."""
    if isinstance(event, Raised):
        seat, street, chosen = event.seat, event.street, ("raise", event.multiple)
    elif isinstance(event, Checked) and not event.auto:
        seat, street, chosen = event.seat, event.street, ("check", 0)
    elif isinstance(event, Folded) and not event.auto:
        seat, street, chosen = event.seat, Street.RIVER, ("fold", 0)
    else:
        return None
    state = floor.tables[table]
    view = player_view(floor, table, seat)
    if view.round is None or seat not in view.round.seats:
        return None
    hand = _decision_point(view, state.rules, street, _options(view, state.rules, street))
    if hand is None or chosen not in hand.options or len(hand.options) < 2:
        return None
    return SeatDecision(hand, state.players.get(seat, ""), chosen)


def _options(view: PlayerView, rules: TableRules, street: Street) -> tuple[Option, ...]:
    """The options before the decision; the stake of a Raise is no longer among the chips."""
    if view.round is None:
        return ()
    seat = view.round.seats[view.you]
    ante, chips = seat.stakes[Wager.ANTE], view.chips or 0
    if isinstance(seat.decision, HasRaised):
        chips += seat.decision.multiple * ante
    raises = [("raise", times) for times in rules.raises[street] if times * ante <= chips]
    passive = ("fold", 0) if street is Street.RIVER else ("check", 0)
    return (*raises, passive)


def _decision_point(
    view: PlayerView, rules: TableRules, street: Street, options: Sequence[Option]
) -> DecisionPoint | None:
    if view.round is None:
        return None
    own_seat = view.round.seats[view.you]
    if len(own_seat.hole) != 2 or len(view.round.board) < BOARD_CARDS[street]:
        return None
    ante = own_seat.stakes[Wager.ANTE]
    stays = rules.after_fold[Wager.TRIPS_PLUS]
    trips = 0 if stays else own_seat.stakes.get(Wager.TRIPS_PLUS, 0)
    return DecisionPoint(
        view.table,
        view.round.number,
        view.you,
        rules,
        street,
        own_seat.hole,
        view.round.board[: BOARD_CARDS[street]],
        tuple(
            card
            for number, seat in sorted(view.round.seats.items())
            if number != view.you
            for card in seat.hole
        ),
        ante,
        Fraction(trips, ante),
        tuple(options),
    )
