"""Applies events to a floor: floor + event → floor, with its seats, rounds, meters and ledger."""

from typing import assert_never

from headsup.game.round.events import RoundEvent
from headsup.game.table import opening, rounds
from headsup.game.table.chips.held_awards import AwardEvent, evolve_award
from headsup.game.table.chips.shifts import ShiftEvent, evolve_shift
from headsup.game.table.coupon_control import CouponEvent, evolve_coupon
from headsup.game.table.dealing import DealingSet, evolve_dealing
from headsup.game.table.equipment import EquipmentEvent, evolve_equipment
from headsup.game.table.events import Event
from headsup.game.table.meter_control import MeterEvent, evolve_meter
from headsup.game.table.pacing import PaceSet, evolve_pace
from headsup.game.table.payout_corrections import PayoutCorrected, evolve_correction
from headsup.game.table.reporting import ThresholdsSet, evolve_thresholds
from headsup.game.table.sealed_shuffles import SealEvent, evolve_seal
from headsup.game.table.seating import SeatingEvent, evolve_seating
from headsup.game.table.state import BrokenRecord, Floor


def evolve(floor: Floor, table_id: str, event: Event) -> Floor:
    """The floor after the event at this table; raises `BrokenRecord` if it cannot have happened."""
    if isinstance(event, opening.TableOpened):
        return opening.evolve_opening(floor, table_id, event)
    table = floor.tables.get(table_id)
    if table is None:
        raise BrokenRecord(f"table {table_id} was never opened")
    # Round events first: nearly all events are of this kind.
    if isinstance(event, RoundEvent):
        return rounds.evolve_round(floor, table, event)
    if isinstance(event, rounds.RoundOpened):
        return rounds.evolve_opening(floor, table, event)
    if isinstance(event, SeatingEvent):
        return evolve_seating(floor, table, event)
    if isinstance(event, SealEvent):
        return evolve_seal(floor, table, event)
    if isinstance(event, EquipmentEvent):
        return evolve_equipment(floor, table, event)
    if isinstance(event, MeterEvent):
        return evolve_meter(floor, table, event)
    if isinstance(event, AwardEvent):
        return evolve_award(floor, table, event)
    if isinstance(event, ShiftEvent):
        return evolve_shift(floor, table, event)
    if isinstance(event, CouponEvent):
        return evolve_coupon(floor, table, event)
    if isinstance(event, PayoutCorrected):
        return evolve_correction(floor, table, event)
    if isinstance(event, opening.BonusCellSet):
        return opening.evolve_bonus_cell(floor, table, event)
    if isinstance(event, opening.TableClosed):
        return opening.evolve_closing(floor, table, event)
    if isinstance(event, DealingSet):
        return evolve_dealing(floor, table, event)
    if isinstance(event, PaceSet):
        return evolve_pace(floor, table, event)
    if isinstance(event, ThresholdsSet):
        return evolve_thresholds(floor, table, event)
    assert_never(event)
