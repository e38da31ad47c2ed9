"""What a round does to the meter its table plays for."""

from dataclasses import replace

from headsup.game.ledger import Transfer, prize
from headsup.game.meter import Meter, Regime
from headsup.game.money import MICROS_PER_CENT
from headsup.game.pool import award, contribute, reverse_contribution
from headsup.game.round.state import Round, Seat
from headsup.game.settlement import pool_claims
from headsup.game.table.change import happened
from headsup.game.table.postings import reference
from headsup.game.table.state import Floor, Table
from headsup.game.trie import Trie
from headsup.game.wagers import Wager

Meters = Trie[str, Meter]
Moved = tuple[Meters, tuple[Transfer, ...]]


def playing(floor: Floor, table: Table, rounds: int) -> Meters:
    """The meters when a table has opened (1) or closed (-1) a round."""
    meter = floor.meters.get(table.meter)
    if meter is None:
        return floor.meters
    return _with(floor.meters, replace(meter, playing=meter.playing + rounds))


def contributed(meters: Meters, table: Table, round: Round) -> Moved:
    """R72: contributions post at the close of bets, before the first card."""
    meter = meters.get(table.meter)
    wagers = sum(Wager.PROGRESSIVE in seat.stakes for seat in round.seats.values())
    if meter is None or not wagers or meter.rules.regime is Regime.BONUS or meter.frozen:
        return meters, ()
    moved = contribute(meter, wagers, _stake(table), reference(table))
    meter, transfers = happened(moved, table.id)
    return _with(meters, meter), transfers


def void_contributions(meters: Meters, table: Table, before: Round, after: Round) -> Moved:
    """R94: a void Progressive wager takes its contribution back by a compensating entry.

    At once, so that a share of the pool won in the same round is a share of what is then shown;
    and only what was counted, whether or not the meter is frozen by now.
    """
    if not table.counted:
        return meters, ()
    voided = sum(
        before.seats[number].void is None and _returns_progressive(after, seat)
        for number, seat in after.seats.items()
    )
    meter = meters[table.meter]
    moved = reverse_contribution(meter, voided, _stake(table), reference(table))
    meter, transfers = happened(moved, table.id)
    return _with(meters, meter), transfers


def _returns_progressive(round: Round, seat: Seat) -> bool:
    if seat.void is None or Wager.PROGRESSIVE not in seat.stakes:
        return False
    return Wager.PROGRESSIVE not in seat.void.settles or not round.deck


def awarded(meters: Meters, table: Table, round: Round) -> Moved:
    """Shares of the pool in the order of settlement, the same arithmetic as the lines show.

    They leave the meter when they are won, and are handed over when the hand is resolved.
    """
    meter = meters.get(table.meter)
    if meter is None or round.settlement is None:
        return meters, ()
    seats = round.settlement.seats
    winners = [
        (prize(table.id, seats[i].seat), line.pay.amount)
        for i, line in pool_claims(seats)
        if line.pay is not None
    ]
    if not winners:
        return meters, ()
    moved = award(meter, winners, reference(table), table.rules.sequential_awards)
    meter, transfers = happened(moved, table.id)
    return _with(meters, meter), transfers


def _stake(table: Table) -> int:
    return table.rules.progressive_stake * MICROS_PER_CENT


def _with(meters: Meters, meter: Meter) -> Meters:
    return meters.with_entry(meter.rules.name, meter)
