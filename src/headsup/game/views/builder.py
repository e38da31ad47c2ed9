"""What each viewer may see at each moment: the only way from state to a screen or a wire.

Hole cards of others, the dealer's cards, undealt cards and All 6's packet are in no view before
their time (New York (e)(2), Galaxy 4, R22, R26).
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from headsup.game.bank.meter import Meter
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.decide import legal
from headsup.game.round.state import STREETS
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.shuffle import Shuffle
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import Tabulator
from headsup.game.values.identity_cache import Remembered
from headsup.game.values.money import Cents
from headsup.game.views.model import (
    ActionWord,
    DealerView,
    FairView,
    LegalAction,
    MeterView,
    PlayerView,
    Prize,
    RoundNumber,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
    TabulatorView,
    View,
)
from headsup.game.views.posted import PostedView, bonus_notices, offers, posted, prize_rows
from headsup.game.views.round_view import last_round, own_hand, round_view, with_own
from headsup.game.views.viewers import AtSeat, Viewer, Watcher


def seen(viewer: Viewer, floor: Floor, table_id: str) -> View:
    """The viewer's view of a table."""
    match viewer:
        case AtSeat(seat):
            return for_seat(floor, table_id, seat)
        case Watcher.DEALER:
            return for_dealer(floor, table_id)
        case Watcher.TABLEVISION:
            return for_tablevision(floor, table_id)
        case Watcher.RAIL:
            return for_rail(floor, table_id)
        case _:
            assert_never(viewer)


def for_seat(floor: Floor, table_id: str, seat: int) -> PlayerView:
    """A player's view: the own cards, chips and legal decisions; of others what lies open."""
    table = floor.tables[table_id]
    common, own = _common(floor, table), own_part(table, seat, chips_seen(floor, table, seat))
    view = PlayerView(*common, you=seat, chips=own.chips, legal=own.legal)
    if view.round is None or own.hand is None:
        return view
    return replace(view, round=with_own(view.round, seat, own.hand))


class OwnPart(NamedTuple):
    """What a seat sees besides what everyone does."""

    hand: SeatView | None
    chips: Cents | None
    legal: tuple[LegalAction, ...] | None


def chips_seen(floor: Floor, table: Table, seat: int) -> Cents | None:
    """The chips of who sits there."""
    return floor.chips_at(table, seat) if seat in table.players else None


def own_part(table: Table, seat: int, chips: Cents | None) -> OwnPart:
    round = table.round
    if round is None or chips is None or seat not in round.seats:
        return OwnPart(None, chips, None if round is None else ())
    hand = own_hand(round, seat) if is_own(table, seat) else None
    decisions = legal(round, seat)
    if not decisions:
        return OwnPart(hand, chips, ())
    ante = round.seats[seat].stakes[Wager.ANTE]
    return OwnPart(hand, chips, _affordable(decisions, ante, chips // ante))


def is_own(table: Table, seat: int) -> bool:
    """Whether the hand of the last round there is that of who sits there now: who sits down after
    a round was closed has no part in the hand that was held there before."""
    number = table.round.number if table.round else 0
    return seat in table.players and number >= table.since[seat]


def _affordable(
    decisions: tuple[Check | Raise | Fold, ...], ante: Cents, antes: int
) -> tuple[LegalAction, ...]:
    """What the seat may decide with the chips it has, which are so many times its Ante."""
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
                    actions.append(LegalAction(ActionWord.RAISE, multiple, multiple * ante))
            case Check():
                actions.append(LegalAction(ActionWord.CHECK))
            case Fold():
                actions.append(LegalAction(ActionWord.FOLD))
            case _:
                assert_never(decision)
    return tuple(actions)


def for_dealer(floor: Floor, table_id: str) -> DealerView:
    """The dealer's console: who still owes a decision; no card that is face down."""
    table = floor.tables[table_id]
    return DealerView(*_common(floor, table), owing=owing(table))


def owing(table: Table) -> tuple[int, ...] | None:
    """The seats that the dealer waits for; None where there is no round."""
    if table.round is None:
        return None
    return tuple(table.round.owing()) if table.round.phase in STREETS else ()


def for_rail(floor: Floor, table_id: str) -> TableView:
    """A spectator's view."""
    return TableView(*_common(floor, floor.tables[table_id]))


def for_tablevision(floor: Floor, table_id: str) -> TableVisionView:
    """The display at the table."""
    table = floor.tables[table_id]
    rules, round = table.rules, table.round
    jackpot = not floor.jackpot_ended(table_id)
    shown, offered = posted(rules, jackpot), offers(rules, jackpot)
    played_for = Wager.PROGRESSIVE in offered
    return TableVisionView(
        table=table.id,
        rules=rules.id,
        meter=meter_view(floor, table),
        prize=prize_of(table) if played_for else None,
        paytable=prize_rows(rules) if played_for else None,
        notices=tuple(notice.text for notice in shown.notices),
        round=None if round is None else RoundNumber(round.number, round.phase),
        offered=offered,
        posted=shown,
        fair=fair_view(table),
        last=last_round(round),
    )


# The fields of a `TableView`, in their order.
_Common: TypeAlias = tuple[
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
]


def _common(floor: Floor, table: Table) -> _Common:
    return _with_round(floor, table, None if table.round is None else round_view(table.round))


def around(floor: Floor, table: Table) -> TableView:
    """All that everyone sees of a table but its round."""
    return TableView(*_with_round(floor, table, None))


def _with_round(floor: Floor, table: Table, round: RoundView | None) -> _Common:
    jackpot = not floor.jackpot_ended(table.id)
    return (
        table.id,
        table.rules.id,
        _by_seat(table.players),
        meter_view(floor, table),
        round,
        offers(table.rules, jackpot),
        posted(table.rules, jackpot),
        tabulator_view(table),
        fair_view(table),
        table.closed or None,
    )


@Remembered
def _by_seat(players: Mapping[int, str]) -> dict[int, str]:
    return dict(sorted(players.items()))


def prize_of(table: Table) -> Prize:
    return Prize.BONUS_JACKPOT if table.rules.bonus_jackpot else Prize.PROGRESSIVE


def meter_view(floor: Floor, table: Table) -> MeterView | None:
    """What is played for; nothing where it has ended or gone to another meter (R84)."""
    meter = floor.meter_of(table.id)
    if meter is None or meter.ended:
        return None
    known, rules = _METERS(meter), table.rules.fingerprint
    if (view := known.get(rules)) is None:
        notices = bonus_notices(table.rules)
        view = known[rules] = MeterView(meter.shown, meter.frozen, prize_of(table), notices)
    return view


# By the fingerprint of the table's rules: several may play for one meter.
_METERS: Remembered[Meter, dict[str, MeterView]] = Remembered(lambda _: {})


def fair_view(table: Table) -> FairView | None:
    """The same for everyone: the commitment before the bets, the seeds after the round."""
    if table.shuffle is not Shuffle.SEALED:
        return None
    return FairView(table.sealed, table.opened)


def tabulator_view(table: Table) -> TabulatorView | None:
    """What the lights at the seats and the dealer's panel show (Washington App. E)."""
    return None if table.tabulator is None else _tabulated(table.tabulator)


@Remembered
def _tabulated(tabulator: Tabulator) -> TabulatorView:
    return TabulatorView(tabulator.lights, tabulator.counts, tabulator.down)
