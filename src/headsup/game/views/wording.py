"""Which sentence says an announcement, and the data in it.

The data comes from the announcement, or from what the viewer's view shows at the same moment:
names, the viewer's own cards, and results of hands that are turned up.
"""

from dataclasses import fields
from typing import Any, assert_never

from headsup.game.round.dealing import ALL_6
from headsup.game.round.decision import Decision, HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    BoardCompleted,
    CardsCorrected,
    CardsDealt,
    CardsLaid,
    CardsSeen,
    CardsTurned,
    Checked,
    DealerRevealed,
    DecisionCorrected,
    DecisionReopened,
    FlopRevealed,
    Folded,
    HandResolved,
    HandSettled,
    HandVoided,
    IrregularityReported,
    Raised,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    StakesCorrected,
    TimeExtended,
    TurnAndRiverRevealed,
)
from headsup.game.round.state import Round
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.table.chips.felt import seat_name
from headsup.game.table.chips.held_awards import (
    AwardHeld,
    AwardPaid,
    AwardRefused,
    AwardVerified,
)
from headsup.game.table.chips.shifts import (
    BoxCounted,
    BoxPulled,
    FeltSet,
    ShiftClosed,
    ShiftOpened,
    TrayCredited,
    TrayFilled,
)
from headsup.game.table.coupon_control import CouponCancelled, CouponIssued
from headsup.game.table.dealing import DealingSet
from headsup.game.table.equipment import (
    EquipmentRestored,
    EquipmentWentDown,
    FlagCorrected,
    SensorRead,
    WagersCountedByHand,
    WagersRegistered,
)
from headsup.game.table.events import Event
from headsup.game.table.meter_control import (
    BonusEnded,
    BonusPrizeSet,
    MeterClosingDue,
    MeterClosingPlanned,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PoolReceived,
    PoolTransferred,
)
from headsup.game.table.opening import BonusCellSet, TableClosed, TableOpened
from headsup.game.table.pacing import PaceSet
from headsup.game.table.payout_corrections import PayoutCorrected
from headsup.game.table.reporting import ThresholdsSet
from headsup.game.table.rounds import RoundOpened
from headsup.game.table.sealed_shuffles import SealLost, SeedAdded, ShuffleOpened, ShuffleSealed
from headsup.game.table.seating import BoughtIn, CashedOut, GuestSat, PlayerLeft, PlayerSat
from headsup.game.table.state import Floor, Table
from headsup.game.values.hands import strength
from headsup.game.views.announcements import (
    Announcement,
    BonusPrizeAnnouncement,
    BonusPrizeDetails,
    ChipsAnnouncement,
    DealAnnouncement,
    FullEvent,
    IrregularityAnnouncement,
    MeterMoved,
    NameOnly,
    RevealAnnouncement,
)
from headsup.game.views.model import ResultView
from headsup.game.views.round_view import build_round_view, results_of, seat_view
from headsup.game.views.viewers import SeatViewer, Viewer
from headsup.game.words.catalogue import Choice, Count, Holding, Stake, Who, Words


def words_for(
    announcement: Announcement, viewer: Viewer, floor: Floor, table_id: str, by_name: bool = True
) -> Words:
    """What the announcement says to the viewer. `floor` is the floor after the event.

    Without `by_name`, players are named by their seats.
    """
    return _Wording(viewer, floor.tables[table_id], by_name).words(announcement)


class _Wording:
    """Words for one viewer of one table."""

    def __init__(self, viewer: Viewer, table: Table, by_name: bool) -> None:
        self._table, self._by_name = table, by_name
        self._seat = viewer.seat if isinstance(viewer, SeatViewer) else None

    def words(self, announcement: Announcement) -> Words:
        match announcement:
            case FullEvent(event):
                return self._event(event)
            case NameOnly(RoundSettled.__name__):
                return self._dealers_hand()
            case NameOnly(DealingSet.__name__):
                return self._event(DealingSet(*self._table.dealing))
            case NameOnly(name):
                return Words(_HEADLINES.get(name, name), {})
            case ChipsAnnouncement(name, seat):
                return Words(f"{name}/headline", {"who": self._who(seat)})
            case DealAnnouncement(name, _, holes):
                return self._deal(holes or {}) if name == "CardsDealt" else Words(name, {})
            case RevealAnnouncement(event, chosen):
                choices = [
                    self._choice(seat, decision)
                    for seat, decision in chosen.items()
                    if seat != self._seat
                ]
                return Words(type(event).__name__, {"cards": event.cards, "chosen": choices})
            case IrregularityAnnouncement(_, cause, seat, resolution):
                return _irregularity(cause, seat, resolution)
            case BonusPrizeAnnouncement(name):
                return Words(f"{name}/headline", {})
            case BonusPrizeDetails(order):
                return self._event(order)
            case MeterMoved(meter):
                if meter is None:
                    return Words("MeterMoved/ended", {})
                return Words("MeterMoved", {"shows": meter.shows})
            case _:
                assert_never(announcement)

    def _event(self, event: Event) -> Words:
        name, data = type(event).__name__, _fields(event)
        match event:
            case (
                BoughtIn(seat)
                | CashedOut(seat)
                | BetsWithdrawn(seat)
                | SeedAdded(seat)
                | TimeExtended(seat)
                | HandVoided(seat)
            ):
                return self._of_seat(name, seat, data)
            case BetsPlaced(seat, stakes, coupons):
                placed = [
                    Stake(self._label(wager), amount, wager in coupons)
                    for wager, amount in stakes.items()
                ]
                return self._of_seat(name, seat, {"stakes": placed})
            case DecisionCorrected(seat, _, was, now):
                done = {"was": _decided(was), "now": _decided(now)}
                return Words(name, {"seat": seat, "reason": event.reason, **done})
            case StakesCorrected(seat, _, stakes):
                corrected = [Stake(self._label(one), cents, False) for one, cents in stakes.items()]
                return Words(name, {"seat": seat, "reason": event.reason, "stakes": corrected})
            case Raised(seat) | DecisionReopened(seat):
                return self._of_seat(name, seat, {**data, "label": self._label(Wager.RAISE)})
            case Checked(seat, auto=auto) | Folded(seat, auto=auto):
                return self._of_seat(f"{name}/late" if auto else name, seat, data)
            case CardsDealt() | CardsLaid():
                return Words(name, {})
            case CardsTurned(place):
                return Words(f"{name}/all_6" if place == ALL_6 else f"{name}/seat", data)
            case HandSettled(settled):
                return Words(f"{name}/seat", {"seat": settled.seat})
            case FlopRevealed() | TurnAndRiverRevealed() | DealerRevealed():
                return Words(name, {**data, "chosen": ()})
            case RoundSettled():
                return self._dealers_hand()
            case HandResolved(seat):
                return self._result(name, seat)
            case IrregularityReported(cause, seat, resolution):
                return _irregularity(cause, seat, resolution)
            case GuestSat(seat, holder, guest):
                named = "/named" if guest else ""
                again = "" if holder == seat_name(seat) else "/again"
                return Words(f"{name}{named}{again}", data)
            case PayoutCorrected(amount=amount):
                kind = "added" if amount > 0 else "taken"
                return self._of_player(f"{name}/{kind}", {**data, "amount": abs(amount)})
            case CouponIssued(wager=wager):
                return self._of_player(name, {**data, "label": self._label(wager)})
            case CouponCancelled():
                return self._of_player(name, data)
            case SensorRead(wager=wager, chip=chip):
                case_ = "chip" if chip else "no_chip"
                return Words(f"{name}/{case_}", {**data, "label": self._label(wager)})
            case FlagCorrected(wager=wager, wagered=wagered):
                case_ = "counts" if wagered else "no_wager"
                return Words(f"{name}/{case_}", {**data, "label": self._label(wager)})
            case WagersRegistered(flags):
                counts = [Count(self._label(wager), len(seats)) for wager, seats in flags.items()]
                return Words(name, {"counts": counts})
            case WagersCountedByHand(counts_by_wager):
                counts = [Count(self._label(one), count) for one, count in counts_by_wager.items()]
                return Words(name, {"counts": counts})
            case MeterClosingDue():
                return Words(name, {"label": self._label(Wager.PROGRESSIVE)})
            case BonusCellSet(key, outcome):
                book = self._table.rules.book
                words = {"label": book.label_for_key(key), "outcome": outcome.replace("_", " ")}
                return Words(name, {**data, **words})
            case DealingSet(paused, by_hand):
                case_ = "paused" if paused else "by_hand" if by_hand else "automatic"
                return Words(f"{name}/{case_}", data)
            case PaceSet(pace):
                return Words(f"{name}/usual", {}) if pace is None else Words(name, {"by": pace.by})
            case (
                TableOpened()
                | TableClosed()
                | PlayerSat()
                | PlayerLeft()
                | RoundOpened()
                | RoundClosed()
                | RoundVoided()
                | BetsClosed()
                | BoardCompleted()
                | CardsSeen()
                | CardsCorrected()
                | ShuffleSealed()
                | ShuffleOpened()
                | SealLost()
                | EquipmentWentDown()
                | EquipmentRestored()
                | MeterCorrected()
                | MeterFrozen()
                | MeterUnfrozen()
                | MeterClosingPlanned()
                | PoolTransferred()
                | PoolReceived()
                | BonusPrizeSet()
                | BonusEnded()
                | ThresholdsSet()
                | FeltSet()
                | AwardHeld()
                | AwardVerified()
                | AwardRefused()
                | AwardPaid()
                | ShiftOpened()
                | TrayFilled()
                | TrayCredited()
                | BoxPulled()
                | BoxCounted()
                | ShiftClosed()
            ):
                return Words(name, data)
            case _:
                assert_never(event)

    def _of_seat(self, key: str, seat: int, data: dict[str, Any]) -> Words:
        if seat == self._seat:
            return Words(f"{key}/you", data)
        return Words(key, {**data, "who": self._who(seat)})

    def _of_player(self, key: str, data: dict[str, Any]) -> Words:
        """An event that no seat but the player's is told of."""
        return Words(key if self._seat is None else f"{key}/you", data)

    def _deal(self, holes: Any) -> Words:
        name = CardsDealt.__name__
        if own := holes.get(self._seat):
            return Words(f"{name}/you", {"hole": own})
        if not holes:
            return Words(name, {})
        holdings = [Holding(self._who(seat), hole) for seat, hole in holes.items()]
        return Words(f"{name}/face_up", {"holdings": holdings})

    def _dealers_hand(self) -> Words:
        name, round = RoundSettled.__name__, self._table.round
        view = None if round is None else build_round_view(round, {})
        if view is None or view.dealer_hand is None:
            return Words(name, {})
        case_ = "unqualified" if view.dealer_qualifies is False else "hand"
        return Words(f"{name}/{case_}", {"hand": strength(view.dealer_hand.best)})

    def _result(self, name: str, seat: int) -> Words:
        round = self._table.round
        result = None if round is None else (results_of(round) or {}).get(seat)
        if round is None or result is None:
            return Words(name, {"who": self._who(seat)})
        data = {
            "hand": _shown_strength(round, seat),
            "net": result.net,
            "special": special_pay(result),
        }
        return self._of_seat(f"{name}/{result.result}", seat, data)

    def _choice(self, seat: int, decision: Decision) -> Choice:
        who, label = self._who(seat), self._label(Wager.RAISE)
        match decision:
            case HasRaised(_, multiple):
                return Choice(who, "raise", label, multiple)
            case HasFolded():
                return Choice(who, "fold", label, 0)
            case HasChecked() | Undecided():
                return Choice(who, "check", label, 0)
            case _:
                assert_never(decision)

    def _who(self, seat: int) -> Who:
        return self._table.players.get(seat, seat) if self._by_name else seat

    def _label(self, wager: Wager) -> str:
        return self._table.rules.book.label(wager)


# Events of which some viewers learn no more than that they happened, and no details are given away.
_HEADLINES = {
    kind.__name__: f"{kind.__name__}/headline"
    for kind in (
        *(TableOpened, TableClosed, RoundOpened, CardsCorrected, HandVoided, RoundVoided),
        *(ShuffleSealed, ShuffleOpened, SealLost, MeterClosingDue),
        *(
            AwardHeld,
            AwardVerified,
            AwardRefused,
            WagersRegistered,
            FlagCorrected,
            EquipmentWentDown,
        ),
    )
}


def _decided(decision: Decision) -> str:
    match decision:
        case HasRaised(_, multiple):
            return f"{multiple}×"
        case HasFolded():
            return "fold"
        case HasChecked() | Undecided():
            return "check"
        case _:
            assert_never(decision)


def _fields(event: Event) -> dict[str, Any]:
    return {field.name: getattr(event, field.name) for field in fields(event)}


def _irregularity(cause: Cause, seat: int | None, resolution: Resolution) -> Words:
    data = {"cause": cause, "resolution": resolution}
    name = IrregularityReported.__name__
    return Words(f"{name}/seat", {**data, "seat": seat}) if seat else Words(name, data)


def _shown_strength(round: Round, seat: int) -> int:
    """The strength of a hand that is turned up; 0 if it stays face down."""
    hand = seat_view(round, seat).hand
    return strength(hand.best) if hand else 0


def special_pay(result: ResultView) -> str:
    """The special payment that a hand has won: `jackpot`, `bad_beat` or none."""
    progressive, odds = result.wagers.get(Wager.PROGRESSIVE), result.wagers.get(Wager.ODDS)
    if progressive is not None and progressive.result is Result.WIN and progressive.award:
        return "jackpot"
    if odds is not None and odds.table == "bad_beat" and odds.result is Result.WIN:
        return "bad_beat"
    return ""
