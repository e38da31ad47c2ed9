"""What each viewer may see at each moment: the only way from state to a screen or a wire.

Hole cards of others, the dealer's cards, undealt cards and All 6's packet are in no view before
their time (New York (e)(2), Galaxy 4, R22, R26).
"""

from typing import TypeAlias, assert_never

from headsup.game.remembered import Remembered
from headsup.game.round.commands import Check, Fold, Raise
from headsup.game.round.decide import legal
from headsup.game.round.state import STREETS
from headsup.game.shuffle import Shuffle
from headsup.game.table.state import Floor, Table
from headsup.game.viewers import AtSeat, Viewer, Watcher
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
    TableView,
    TableVisionView,
    TabulatorView,
    View,
)
from headsup.game.views.posted import PostedView, bonus_notices, offers, posted, prize_rows
from headsup.game.views.rounds import last_round, round_view
from headsup.game.wagers import Wager


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
    seated = seat in table.players
    return PlayerView(
        *_common(floor, table, seat if is_own(table, seat) else None),
        you=seat,
        chips=floor.chips(table_id, seat) if seated else None,
        legal=None if table.round is None else _affordable(floor, table, seat),
    )


def is_own(table: Table, seat: int) -> bool:
    """Whether the hand of the last round there is that of who sits there now: who sits down after
    a round was closed has no part in the hand that was held there before."""
    number = table.round.number if table.round else 0
    return seat in table.players and number >= table.since[seat]


def _affordable(floor: Floor, table: Table, seat: int) -> tuple[LegalAction, ...]:
    """What the seat may decide with the chips it has."""
    decisions = legal(table.round, seat) if table.round is not None else ()
    if not decisions or table.round is None:
        return ()
    chips, ante = floor.chips(table.id, seat), table.round.seats[seat].stakes[Wager.ANTE]
    actions = []
    for decision in decisions:
        match decision:
            case Raise(_, multiple):
                if multiple * ante <= chips:
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
    owing = None
    if table.round is not None:
        owing = tuple(table.round.owing()) if table.round.phase in STREETS else ()
    return DealerView(*_common(floor, table, None), owing=owing)


def for_rail(floor: Floor, table_id: str) -> TableView:
    """A spectator's view."""
    return TableView(*_common(floor, floor.tables[table_id], None))


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


# Made once for all who look at the same moment, by table: what differs is the round.
_SHARED: Remembered[Floor, dict[str, _Common]] = Remembered(lambda _: {}, 64)


def _common(floor: Floor, table: Table, viewer: int | None) -> _Common:
    known = _SHARED(floor)
    if (shared := known.get(table.id)) is None:
        shared = known[table.id] = _shared(floor, table)
    if viewer is None or table.round is None:
        return shared
    return (*shared[:4], round_view(table.round, viewer), *shared[5:])


def _shared(floor: Floor, table: Table) -> _Common:
    jackpot = not floor.jackpot_ended(table.id)
    return (
        table.id,
        table.rules.id,
        dict(sorted(table.players.items())),
        meter_view(floor, table),
        None if table.round is None else round_view(table.round, None),
        offers(table.rules, jackpot),
        posted(table.rules, jackpot),
        tabulator_view(table),
        fair_view(table),
        table.closed or None,
    )


def prize_of(table: Table) -> Prize:
    return Prize.BONUS_JACKPOT if table.rules.bonus_jackpot else Prize.PROGRESSIVE


def meter_view(floor: Floor, table: Table) -> MeterView | None:
    """What is played for; nothing where it has ended or gone to another meter (R84)."""
    meter = floor.meter_of(table.id)
    if meter is None or meter.ended:
        return None
    return MeterView(meter.shown, meter.frozen, prize_of(table), bonus_notices(table.rules))


def fair_view(table: Table) -> FairView | None:
    """The same for everyone: the commitment before the bets, the seeds after the round."""
    if table.shuffle is not Shuffle.SEALED:
        return None
    return FairView(table.sealed, table.opened)


def tabulator_view(table: Table) -> TabulatorView | None:
    """What the lights at the seats and the dealer's panel show (Washington App. E)."""
    tabulator = table.tabulator
    if tabulator is None:
        return None
    return TabulatorView(tabulator.lights, tabulator.counts, tabulator.down)
