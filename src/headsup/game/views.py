"""What each viewer may see at each moment: the only way from state to a screen or a wire.

Hole cards of others, the dealer's cards, undealt cards and All 6's packet are in no view before
their time (New York (e)(2), Galaxy 4, R22, R26). A view is plain JSON-ready values.
"""

from typing import Any, assert_never

from headsup.game.cards import format_cards
from headsup.game.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.hands import category_of
from headsup.game.meter import Meter
from headsup.game.money import format_cents, format_micros
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.decide import legal
from headsup.game.round.state import STREETS, Phase, Round, Seat
from headsup.game.rulebook.model import Dealing
from headsup.game.settlement import SeatSettlement
from headsup.game.table.state import Floor, Table
from headsup.game.wagers import Result, Wager

View = dict[str, Any]

_SETTLED = (Phase.SETTLED, Phase.CLOSED)


def for_seat(floor: Floor, table_id: str, seat: int) -> View:
    """A player's view: the own cards, chips and legal decisions; of others what lies open."""
    table = floor.tables[table_id]
    # Who sits down after a round was closed has no part in the hand that was held there before.
    number = table.round.number if table.round else 0
    own = seat in table.players and number >= table.since[seat]
    view = _table_view(floor, table, viewer=seat if own else None)
    view["you"] = seat
    if seat in table.players:
        view["chips"] = format_cents(floor.chips(table_id, seat))
    if table.round is not None:
        view["legal"] = [_action(command) for command in _affordable(floor, table, seat)]
    return view


def _affordable(floor: Floor, table: Table, seat: int) -> list[Check | Raise | Fold]:
    """What the seat may decide with the chips it has."""
    if table.round is None:
        return []
    decisions = legal(table.round, seat)
    if not decisions:
        return []
    most = floor.chips(table.id, seat) // table.round.seats[seat].stakes[Wager.ANTE]
    return [item for item in decisions if not isinstance(item, Raise) or item.multiple <= most]


def for_dealer(floor: Floor, table_id: str) -> View:
    """The dealer's console: who still owes a decision; no card that is face down."""
    table = floor.tables[table_id]
    view = _table_view(floor, table, viewer=None)
    if table.round is not None:
        view["owing"] = table.round.owing() if table.round.phase in STREETS else []
    return view


def for_rail(floor: Floor, table_id: str) -> View:
    """A spectator's view."""
    return _table_view(floor, floor.tables[table_id], viewer=None)


def for_tablevision(floor: Floor, table_id: str) -> View:
    """The display at the table: meter, the paytable played for, required notices (R83, R89)."""
    table = floor.tables[table_id]
    meter = floor.meter_of(table_id)
    paytable = table.rules.paytables.get("progressive")
    bonus = table.rules.bonus_jackpot
    return {
        "table": table.id,
        "rules": table.rules.id,
        "meter": _meter_view(meter),
        "prize": ("bonus_jackpot" if bonus else "progressive") if paytable else None,
        "paytable": None
        if paytable is None
        else [{"outcome": row.label, "pays": row.pay.short} for row in paytable.rows],
        "notices": [
            notice.text
            for notice in table.rules.book.notices
            if notice.when == "always" or (notice.when == "bonus_jackpot" and bonus)
        ],
        "round": None
        if table.round is None
        else {"number": table.round.number, "phase": table.round.phase.value},
    }


def _table_view(floor: Floor, table: Table, viewer: int | None) -> View:
    return {
        "table": table.id,
        "rules": table.rules.id,
        "players": {str(seat): name for seat, name in sorted(table.players.items())},
        "meter": _meter_view(floor.meter_of(table.id)),
        "round": None if table.round is None else _round_view(table.round, viewer),
    }


def _meter_view(meter: Meter | None) -> View | None:
    if meter is None:
        return None
    return {"shows": format_micros(meter.shown), "frozen": meter.frozen}


def _action(command: Check | Raise | Fold) -> View:
    if isinstance(command, Raise):
        return {"action": "raise", "multiple": command.multiple}
    return {"action": type(command).__name__.lower()}


# A round.


def _round_view(round: Round, viewer: int | None) -> View:
    settled = round.phase in _SETTLED
    view: View = {
        "number": round.number,
        "phase": round.phase.value,
        "board": format_cards(round.deal.board[: round.board_shown]),
        "board_down": _board_down(round),
        "dealer": format_cards(round.deal.dealer) if round.dealer_shown else "",
        "all_6": format_cards(round.deal.all_6) if settled and not round.void else "",
        "void": round.void.cause if round.void else "",
        "seats": {
            str(number): _seat_view(round, number, seat, viewer)
            for number, seat in sorted(round.seats.items())
        },
    }
    if settled and round.settlement is not None:
        view["results"] = {str(seat.seat): _result_view(seat) for seat in round.settlement.seats}
        if round.dealer_shown:
            view["dealer_category"] = category_of(round.settlement.dealer_strength).key
            view["dealer_qualifies"] = round.settlement.dealer_qualifies
    return view


def _board_down(round: Round) -> int:
    """Board cards that lie face down: all at once but by hand, and then too where the house says
    so; otherwise they are dealt as they are needed (R20)."""
    at_once = round.rules.dealing != Dealing.HAND or round.rules.board == "at_once"
    return 5 - round.board_shown if at_once and round.deck and round.phase not in _SETTLED else 0


def _seat_view(round: Round, number: int, seat: Seat, viewer: int | None) -> View:
    view: View = {
        "stakes": {wager.value: format_cents(cents) for wager, cents in seat.stakes.items()},
        "hole": format_cards(seat.hole) if _sees_hole(round, number, viewer) else "",
        "decision": _decision(round, seat)
        if _sees_decision(round, number, seat, viewer)
        else "hidden",
        "void": seat.void.cause if seat.void else "",
    }
    return view


def _sees_hole(round: Round, number: int, viewer: int | None) -> bool:
    """One's own; everyone's where dealt face up; at settlement what the dealer turns over.

    The dealer turns up a hand that decides a wager: a raised one, a folded or void one only where
    a side wager is settled on it (New York (e)(9)–(10), (j)(2)). Other hands are never shown.
    """
    if viewer == number or round.rules.face_up:
        return True
    if round.phase not in _SETTLED or round.settlement is None:
        return False
    lines = next(item.lines for item in round.settlement.seats if item.seat == number)
    return any(line.result is not Result.VOID and line.outcome != "fold" for line in lines)


def _sees_decision(round: Round, number: int, seat: Seat, viewer: int | None) -> bool:
    """All act at once: what another chose on this street is hidden until it closes (R34)."""
    street = STREETS.get(round.phase)
    earlier = isinstance(seat.decision, HasRaised) and seat.decision.street is not street
    return viewer == number or round.clockwise or street is None or earlier


def _decision(round: Round, seat: Seat) -> str:
    match seat.decision:
        case HasRaised(street, multiple):
            return f"raise {multiple} {street}"
        case HasFolded():
            return "fold"
        case HasChecked():
            return "check"
        case Undecided():
            return "owes" if round.phase in STREETS and seat.owes else ""
        case _:
            assert_never(seat.decision)


def _result_view(seat: SeatSettlement) -> View:
    return {
        "net": format_cents(seat.net),
        "wagers": {
            line.wager.value: {
                "result": line.result.value,
                "net": format_cents(line.net),
                "why": line.why,
                "clause": line.clause,
            }
            for line in seat.lines
        },
    }
