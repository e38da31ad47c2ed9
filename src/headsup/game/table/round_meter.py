"""What a round does to the meter its table plays for."""

from dataclasses import replace

from headsup.game.bank.awards import WHOLE_POOL
from headsup.game.bank.ledger import Transfers, prize
from headsup.game.bank.meter import Meter
from headsup.game.bank.meter_changes import award, reverse_contribution
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import pool_claims
from headsup.game.table.floor_update import happened
from headsup.game.table.postings import reference
from headsup.game.table.state import Floor, Table
from headsup.game.table.tabulator import Tabulator, void_by_hand
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.values.trie import Trie

Meters = Trie[Meter]
MetersMoved = tuple[Meters, Transfers]


def playing(floor: Floor, table: Table, rounds: int) -> Meters:
    """The meters when a table has opened (1) or closed (-1) a round."""
    meter = floor.meters.get(table.meter)
    if meter is None:
        return floor.meters
    return _with(floor.meters, replace(meter, playing=meter.playing + rounds))


def void_contributions(
    meters: Meters, table: Table, before: Round, after: Round
) -> tuple[Meters, Tabulator | None, Transfers]:
    """R94: a void Progressive wager takes its contribution back by a compensating entry.

    At once, so that a share of the pool won in the same round is a share of what is then shown;
    and only what was counted, whether or not the meter is frozen by now.
    """
    tabulator, meter = table.tabulator, meters.get(table.meter)
    if tabulator is None or tabulator.round != after.number:
        return meters, tabulator, ()
    void = [
        number
        for number, seat in after.seats.items()
        if before.seats[number].void is None and _returns_progressive(after, seat)
    ]
    if tabulator.by_hand:
        return meters, void_by_hand(tabulator, {Wager.PROGRESSIVE: len(void)}), ()
    flags = tabulator.flags.get(Wager.PROGRESSIVE, ())
    # A flag that nobody's wager stands for counted too, and goes with the round.
    nobodys = [seat for seat in flags if after.void and not _wagered(after, seat)]
    counted = sum(seat in flags for seat in void) + len(nobodys)
    if meter is None or not meter.fed:
        return meters, tabulator, ()
    moved = reverse_contribution(meter, counted, _stake(table), reference(table))
    meter, transfers = happened(moved, table.id)
    return _with(meters, meter), tabulator, transfers


def _wagered(round: Round, seat: int) -> bool:
    return seat in round.seats and Wager.PROGRESSIVE in round.seats[seat].stakes


def _returns_progressive(round: Round, seat: Seat) -> bool:
    if seat.void is None or Wager.PROGRESSIVE not in seat.stakes:
        return False
    return Wager.PROGRESSIVE not in seat.void.settles or not round.deck


def awarded(meters: Meters, table: Table, round: Round) -> MetersMoved:
    """Shares of the pool as the lines of the settlement say, in its order.

    They leave the meter when they are won, and are handed over when the hand is resolved.
    """
    meter = meters.get(table.meter)
    if meter is None or round.settlement is None:
        return meters, ()
    seats = round.settlement.seats
    claims = pool_claims(seats)
    if not claims:
        return meters, ()
    winners = [(prize(table.id, seats[i].seat), line.award * MICROS_PER_CENT) for i, line in claims]
    resets = any(line.pay is not None and line.pay.amount == WHOLE_POOL for _, line in claims)
    moved = award(meter, winners, resets, reference(table))
    meter, transfers = happened(moved, table.id)
    return _with(meters, meter), transfers


def _stake(table: Table) -> int:
    return table.rules.progressive_stake * MICROS_PER_CENT


def _with(meters: Meters, meter: Meter) -> Meters:
    return meters.with_entry(meter.rules.name, meter)
