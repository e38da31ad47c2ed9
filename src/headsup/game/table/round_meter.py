"""What a round does to its table's meter: voided contributions and shares of the pool."""

from collections.abc import Mapping
from dataclasses import replace

from headsup.game.bank.awards import WHOLE_POOL
from headsup.game.bank.ledger import Transfers, prize_account
from headsup.game.bank.meter import Meter
from headsup.game.bank.meter_changes import award, return_award, reverse_contribution
from headsup.game.round.state import Phase, Round, Seat
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Line, SeatSettlement, pool_claims
from headsup.game.table.postings import posting_reference
from headsup.game.table.state import Floor, Table, unwrap_change, with_part
from headsup.game.table.tabulator import Tabulator
from headsup.game.values.money import MICROS_PER_CENT

Meters = Mapping[str, Meter]
MetersChange = tuple[Meters, Transfers]


def count_open_round(floor: Floor, table: Table, rounds: int) -> Meters:
    """The meters after a table has opened (1) or closed (-1) a round."""
    meter = floor.meters.get(table.meter)
    if meter is None:
        return floor.meters
    return _with_meter(floor.meters, replace(meter, playing=meter.playing + rounds))


def void_contributions(
    meters: Meters, table: Table, before: Round, after: Round
) -> tuple[Meters, Tabulator | None, Transfers]:
    """R94: a compensating entry takes the contribution of a void Progressive wager off the meter.

    This happens at once, so that a share of the pool won in the same round is a share of the new
    figure. Only counted wagers are reversed.
    """
    tabulator, meter = table.tabulator, meters.get(table.meter)
    if tabulator is None or tabulator.round != after.number:
        return meters, tabulator, ()
    voided = [
        number
        for number, seat in after.seats.items()
        if before.seats[number].void is None and _is_progressive_returned(after, seat)
    ]
    flags = tabulator.flags.get(Wager.PROGRESSIVE, ())
    # A flag without a wager was counted too. It is taken back if the round ends before the deal,
    # until which a supervisor would have corrected it.
    ended = after.void is not None or (after.phase is Phase.SETTLEMENT_DUE and not after.dealt)
    unbacked = [seat for seat in flags if ended and not _has_wagered(after, seat)]
    counted = sum(tabulator.by_hand or seat in flags for seat in voided) + len(unbacked)
    if meter is None or not meter.takes_contributions:
        return meters, tabulator, ()
    change = reverse_contribution(meter, counted, _stake(table), posting_reference(table))
    meter, transfers = unwrap_change(change, table.id)
    return _with_meter(meters, meter), tabulator, transfers


def _has_wagered(round: Round, seat: int) -> bool:
    return seat in round.seats and Wager.PROGRESSIVE in round.seats[seat].stakes


def _is_progressive_returned(round: Round, seat: Seat) -> bool:
    if seat.void is None or Wager.PROGRESSIVE not in seat.stakes:
        return False
    return Wager.PROGRESSIVE not in seat.void.settles or not round.dealt


def award_shares(meters: Meters, table: Table, round: Round) -> MetersChange:
    """Award the shares of the pool that the settlement lists, in its order.

    They leave the meter now and reach the player when the hand is resolved.
    """
    meter = meters.get(table.meter)
    if meter is None or round.settlement is None:
        return meters, ()
    seats = round.settlement.seats
    claims = pool_claims(seats)
    if not claims:
        return meters, ()
    winners = [
        (prize_account(table.id, seats[i].seat), line.award * MICROS_PER_CENT) for i, line in claims
    ]
    resets = any(line.pay is not None and line.pay.amount == WHOLE_POOL for _, line in claims)
    change = award(meter, winners, resets, posting_reference(table))
    meter, transfers = unwrap_change(change, table.id)
    return _with_meter(meters, meter), transfers


def award_hand(
    meters: Meters, table: Table, before: Round, round: Round, settled: SeatSettlement
) -> MetersChange:
    """Award the share of the pool that one hand of a real deck wins.

    If the hand was settled before, its earlier share goes back first. The whole pool is reset when
    no other hand waits for its part of it (R73, R104).
    """
    claims = pool_claims([settled])
    if claims and claims == _claims_of(before, settled.seat):
        return meters, ()  # it was settled before, and only another wager waited
    meters, returned = return_voided_award(meters, table, before, settled.seat)
    meter = meters.get(table.meter)
    if meter is None or not claims or round.felt is None:
        return meters, returned
    ((_, line),) = claims
    is_shared = any(Wager.PROGRESSIVE in waits for waits in round.felt.waits.values())
    resets = line.pay is not None and line.pay.amount == WHOLE_POOL and not is_shared
    winners = [(prize_account(table.id, settled.seat), line.award * MICROS_PER_CENT)]
    change = award(meter, winners, resets, posting_reference(table))
    meter, transfers = unwrap_change(change, table.id)
    return _with_meter(meters, meter), (*returned, *transfers)


def _claims_of(round: Round, seat: int) -> list[tuple[int, Line]]:
    settled = () if round.settlement is None else round.settlement.seats
    return pool_claims([hand for hand in settled if hand.seat == seat])


def return_unsettled_awards(
    meters: Meters, table: Table, before: Round, after: Round
) -> MetersChange:
    """The shares of hands that were settled before and are not any more."""
    transfers: Transfers = ()
    settled = () if after.settlement is None else {hand.seat for hand in after.settlement.seats}
    for number in before.seats:
        if number not in settled:
            meters, returned = return_voided_award(meters, table, before, number)
            transfers = (*transfers, *returned)
    return meters, transfers


def return_voided_award(meters: Meters, table: Table, before: Round, seat: int) -> MetersChange:
    """The share of the pool that a hand had won before it turned out to be void goes back."""
    meter = meters.get(table.meter)
    if meter is None or before.settlement is None:
        return meters, ()
    lines = (line for hand in before.settlement.seats if hand.seat == seat for line in hand.lines)
    award = sum(line.award for line in lines) * MICROS_PER_CENT
    if not award:
        return meters, ()
    winner = prize_account(table.id, seat)
    change = return_award(meter, winner, award, posting_reference(table))
    meter, transfers = unwrap_change(change, table.id)
    return _with_meter(meters, meter), transfers


def _stake(table: Table) -> int:
    return table.rules.progressive_stake * MICROS_PER_CENT


def _with_meter(meters: Meters, meter: Meter) -> Meters:
    return with_part(meters, meter.rules.name, meter)
