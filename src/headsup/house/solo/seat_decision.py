"""A decision as the seat that made it knew it: its own cards, what lay open, what it could pay.

Everything comes out of the seat's own view, so nothing that was hidden from it can be in here.
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
from headsup.game.views.builder import player_view
from headsup.game.views.model import PlayerView

BOARD_CARDS = {Street.POCKET: 0, Street.FLOP: 3, Street.RIVER: 5}  # cards of the board
Option = tuple[str, int]  # an action and its multiple, 0 unless it is a Raise


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """What a seat knows when it has to decide, and what is open to it."""

    table: str
    round: int
    seat: int
    rules: TableRules
    street: Street
    hole: Cards
    board: Cards
    seen: Cards  # hands of others that lie face up
    ante: Cents
    riding: Fraction  # Trips Plus per Ante, where a fold would forfeit it (R54)
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class SeatDecision:
    """A decision that a player made; what the clock decided is nobody's mistake."""

    hand: DecisionPoint
    player: str
    chosen: Option


def pending_decision(floor: Floor, table: str, seat: int) -> DecisionPoint | None:
    """What the seat has to decide now; None where it has nothing to."""
    view = player_view(floor, table, seat)
    if view.round is None or not view.legal:
        return None
    options = tuple((one.action.value, one.multiple or 0) for one in view.legal)
    street = STREET_BY_PHASE[view.round.phase]
    return _decision_point(view, floor.tables[table].rules, street, options)


def decision_from_event(floor: Floor, table: str, event: Event) -> SeatDecision | None:
    """The decision that the event is, `floor` being the one after it; None where it is none."""
    match event:
        case Raised(seat, street, multiple):
            chosen = ("raise", multiple)
        case Checked(seat, street, auto=False):
            chosen = ("check", 0)
        case Folded(seat, auto=False):
            street, chosen = Street.RIVER, ("fold", 0)
        case _:
            return None
    at = floor.tables[table]
    view = player_view(floor, table, seat)
    if view.round is None or seat not in view.round.seats:
        return None
    hand = _decision_point(view, at.rules, street, _options(view, at.rules, street))
    if hand is None or chosen not in hand.options or len(hand.options) < 2:
        return None
    return SeatDecision(hand, at.players.get(seat, ""), chosen)


def _options(view: PlayerView, rules: TableRules, street: Street) -> tuple[Option, ...]:
    """What was open before the decision; a Raise that was made has been paid since."""
    if view.round is None:
        return ()
    own = view.round.seats[view.you]
    ante, chips = own.stakes[Wager.ANTE], view.chips or 0
    if isinstance(own.decision, HasRaised):
        chips += own.decision.multiple * ante
    raises = [("raise", one) for one in rules.raises[street] if one * ante <= chips]
    passive = ("fold", 0) if street is Street.RIVER else ("check", 0)
    return (*raises, passive)


def _decision_point(
    view: PlayerView, rules: TableRules, street: Street, options: Sequence[Option]
) -> DecisionPoint | None:
    if view.round is None:
        return None
    own = view.round.seats[view.you]
    if len(own.hole) != 2 or len(view.round.board) < BOARD_CARDS[street]:
        return None
    ante = own.stakes[Wager.ANTE]
    stays = rules.after_fold[Wager.TRIPS_PLUS]
    trips = 0 if stays else own.stakes.get(Wager.TRIPS_PLUS, 0)
    return DecisionPoint(
        view.table,
        view.round.number,
        view.you,
        rules,
        street,
        own.hole,
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
