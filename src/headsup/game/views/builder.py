"""Builds each viewer's view of a table.

A view never contains other players' hole cards, the dealer's cards, undealt cards or the All 6
cards before they are shown (New York (e)(2), Galaxy 4, R22, R26).
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from headsup.game.bank.awards import floor_to_cent
from headsup.game.bank.meter import Closing, Meter
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.decide import legal_actions
from headsup.game.round.state import STREET_BY_PHASE
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.coupons import Coupon
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import Tabulator
from headsup.game.values.identity_cache import IdentityCache
from headsup.game.values.money import MAX_METER_MICROS, Cents, show_dollars, show_micro_dollars
from headsup.game.views.model import (
    ActionName,
    CouponView,
    DealerView,
    FairView,
    LegalAction,
    MeterView,
    PlayerView,
    Prize,
    RoundStatus,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
    TabulatorView,
    View,
)
from headsup.game.views.posted import (
    PostedView,
    bonus_notices,
    offered_wagers,
    posted_view,
    prize_rows,
)
from headsup.game.views.round_view import last_round, own_seat_view, round_view, with_own_seat
from headsup.game.views.viewers import SeatViewer, Viewer, Watcher


def view_for(viewer: Viewer, floor: Floor, table_id: str) -> View:
    """The viewer's view of a table."""
    match viewer:
        case SeatViewer(seat):
            return player_view(floor, table_id, seat)
        case Watcher.DEALER:
            return dealer_view(floor, table_id)
        case Watcher.TABLEVISION:
            return tablevision_view(floor, table_id)
        case Watcher.RAIL:
            return rail_view(floor, table_id)
        case _:
            assert_never(viewer)


def player_view(floor: Floor, table_id: str, seat: int) -> PlayerView:
    """A player's view: their own cards, chips and legal decisions, and what everybody sees."""
    table = floor.tables[table_id]
    private = private_view(table, seat, visible_chips(floor, table, seat))
    view = PlayerView(
        *_shared_fields(floor, table),
        you=seat,
        chips=private.chips,
        legal=private.legal,
        coupons=private.coupons,
    )
    if view.round is None or private.hand is None:
        return view
    return replace(view, round=with_own_seat(view.round, seat, private.hand))


class PrivateView(NamedTuple):
    """What only this seat sees."""

    hand: SeatView | None
    chips: Cents | None
    legal: tuple[LegalAction, ...] | None
    coupons: tuple[CouponView, ...] | None


def visible_chips(floor: Floor, table: Table, seat: int) -> Cents | None:
    """The chips of the seat's player; None if the seat is empty, or a guest's."""
    known = seat in table.players and not table.is_guest(seat)
    return floor.chips_of_seat(table, seat) if known else None


def private_view(table: Table, seat: int, chips: Cents | None) -> PrivateView:
    round, coupons = table.round, coupons_of_seat(table, seat)
    if round is None or chips is None or seat not in round.seats:
        return PrivateView(None, chips, None if round is None else (), coupons)
    hand = own_seat_view(round, seat) if is_current_players_hand(table, seat) else None
    decisions = legal_actions(round, seat)
    if not decisions:
        return PrivateView(hand, chips, (), coupons)
    ante = round.seats[seat].stakes[Wager.ANTE]
    return PrivateView(hand, chips, _affordable_actions(decisions, ante, chips // ante), coupons)


def coupons_of_seat(table: Table, seat: int) -> tuple[CouponView, ...] | None:
    """The coupons of the seat's player; None if the table takes none."""
    if not table.rules.coupons:
        return None
    player = table.players.get(seat)
    return () if player is None else _coupon_views(table.coupons.of(player))


def all_coupons(table: Table) -> tuple[CouponView, ...] | None:
    """Everybody's coupons, for the staff; None if the table takes none."""
    return _coupon_views(table.coupons.unspent) if table.rules.coupons else None


def _coupon_views(coupons: Mapping[int, Coupon]) -> tuple[CouponView, ...]:
    return tuple(CouponView(number, *coupon) for number, coupon in sorted(coupons.items()))


def is_current_players_hand(table: Table, seat: int) -> bool:
    """Whether the player now in this seat was dealt the last hand there.

    A newcomer must not see the previous player's cards.
    """
    number = table.round.number if table.round else 0
    return seat in table.players and number >= table.since[seat]


def _affordable_actions(
    decisions: tuple[Check | Raise | Fold, ...], ante: Cents, antes: int
) -> tuple[LegalAction, ...]:
    """The decisions that the seat can pay for; `antes` is how many Antes its chips cover."""
    multiples = [decision.multiple for decision in decisions if isinstance(decision, Raise)]
    return _actions(decisions, ante, min(antes, max(multiples, default=0)))


@lru_cache(maxsize=4096)
def _actions(
    decisions: tuple[Check | Raise | Fold, ...], ante: Cents, antes: int
) -> tuple[LegalAction, ...]:
    actions = []
    for decision in decisions:
        match decision:
            case Raise(_, multiple):
                if multiple <= antes:
                    actions.append(LegalAction(ActionName.RAISE, multiple, multiple * ante))
            case Check():
                actions.append(LegalAction(ActionName.CHECK))
            case Fold():
                actions.append(LegalAction(ActionName.FOLD))
            case _:
                assert_never(decision)
    return tuple(actions)


def dealer_view(floor: Floor, table_id: str) -> DealerView:
    """The view of the dealer's console: the seats that still have to act, but no hidden card."""
    table = floor.tables[table_id]
    return DealerView(
        *_shared_fields(floor, table), owing=seats_owing(table), coupons=all_coupons(table)
    )


def seats_owing(table: Table) -> tuple[int, ...] | None:
    """The seats that the dealer is waiting for; None without a round."""
    if table.round is None:
        return None
    return tuple(table.round.seats_owing()) if table.round.phase in STREET_BY_PHASE else ()


def rail_view(floor: Floor, table_id: str) -> TableView:
    """A spectator's view."""
    return TableView(*_shared_fields(floor, floor.tables[table_id]))


def tablevision_view(floor: Floor, table_id: str) -> TableVisionView:
    """The view of the TableVision display."""
    table = floor.tables[table_id]
    rules, round = table.rules, table.round
    jackpot_open = not floor.jackpot_ended(table_id)
    posted, offered = posted_view(rules, jackpot_open), offered_wagers(rules, jackpot_open)
    has_prize = Wager.PROGRESSIVE in offered
    return TableVisionView(
        table=table.id,
        rules=rules.id,
        meter=meter_view(floor, table),
        prize=prize_of(table) if has_prize else None,
        paytable=prize_rows(rules) if has_prize else None,
        notices=tuple(notice.text for notice in posted.notices),
        round=None if round is None else RoundStatus(round.number, round.phase),
        offered=offered,
        posted=posted,
        fair=fair_view(table),
        last=last_round(round),
    )


# The fields of a `TableView`, in their order.
_SharedFields: TypeAlias = tuple[
    str,
    str,
    dict[int, str],
    MeterView | None,
    RoundView | None,
    tuple[Wager, ...],
    PostedView,
    TabulatorView | None,
    FairView | None,
    str | None,
    Mapping[int, str] | None,
]


def _shared_fields(floor: Floor, table: Table) -> _SharedFields:
    return _shared_fields_with(
        floor, table, None if table.round is None else round_view(table.round)
    )


def _shared_fields_with(floor: Floor, table: Table, round: RoundView | None) -> _SharedFields:
    jackpot_open = not floor.jackpot_ended(table.id)
    return (
        table.id,
        table.rules.id,
        _sort_players(table.players),
        meter_view(floor, table),
        round,
        offered_wagers(table.rules, jackpot_open),
        posted_view(table.rules, jackpot_open),
        tabulator_view(table),
        fair_view(table),
        table.closed or None,
        table.felt.guests or None,
    )


@IdentityCache
def _sort_players(players: Mapping[int, str]) -> dict[int, str]:
    return dict(sorted(players.items()))


def prize_of(table: Table) -> Prize:
    return Prize.BONUS_JACKPOT if table.rules.bonus_jackpot else Prize.PROGRESSIVE


def meter_view(floor: Floor, table: Table) -> MeterView | None:
    """The meter on display; None if it has ended or moved to another meter (R84)."""
    meter = floor.meter_of(table.id)
    if meter is None or meter.is_ended:
        return None
    views, rules = _METER_VIEWS(meter), table.rules.fingerprint
    if (view := views.get(rules)) is None:
        notices = (
            *bonus_notices(table.rules),
            *_closing_notices(meter, table.rules.book),
            *_reserve_notices(meter),
            *_pending_notices(meter),
        )
        view = views[rules] = MeterView(
            meter.displayed, meter.frozen_reason, prize_of(table), notices
        )
    return view


# By the fingerprint of the table's rules: tables with different rules may share a meter.
_METER_VIEWS: IdentityCache[Meter, dict[str, MeterView]] = IdentityCache(lambda _: {})


def _closing_notices(meter: Meter, book: RuleBook) -> tuple[str, ...]:
    """R84: players read that the wager ends, or that its day has come, wherever the meter is."""
    plan, name = meter.standing, book.label(Wager.PROGRESSIVE)
    if not isinstance(plan, Closing):
        return ()
    moves = f"its pool goes to {plan.target}"
    if plan.due:
        return (f"The {name} has ended: no new wagers since {plan.date}; {moves}.",)
    return (f"The {name} ends on {plan.date}, by an approved plan; then {moves}.",)


def _reserve_notices(meter: Meter) -> tuple[str, ...]:
    """R85: a meter with a maximum names it, and the players' money above it."""
    if meter.rules.maximum == MAX_METER_MICROS:
        return ()
    maximum, reserve = show_micro_dollars(meter.rules.maximum), floor_to_cent(meter.reserve)
    return (
        f"The meter stops at {maximum}; contributions above it are kept in a reserve, now "
        f"{show_micro_dollars(reserve)}.",
    )


def _pending_notices(meter: Meter) -> tuple[str, ...]:
    """R108: what was won and is not paid yet, at every table that plays for the meter."""
    return tuple(
        f"Pending: {show_dollars(amount)} won at table {table}." for table, amount in meter.pending
    )


def fair_view(table: Table) -> FairView | None:
    """For everyone: the commitment before the bets, the seeds after the round."""
    if table.shuffle is not ShuffleSource.SEALED:
        return None
    return FairView(table.sealed, table.opened)


def tabulator_view(table: Table) -> TabulatorView | None:
    """What the seats' lights and the dealer's panel show (Washington App. E)."""
    return None if table.tabulator is None else _cached_tabulator_view(table.tabulator)


@IdentityCache
def _cached_tabulator_view(tabulator: Tabulator) -> TabulatorView:
    return TabulatorView(tabulator.lights, tabulator.counts, tabulator.down)
