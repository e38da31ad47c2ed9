"""Opens a table's rounds and decides their commands, with the players' chips and the meter."""

from dataclasses import replace

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import (
    CloseBets,
    DealCards,
    PlaceBets,
    Proceed,
    Raise,
    RoundCommand,
)
from headsup.game.round.decide import decide_unchecked
from headsup.game.round.events import RoundEvent, RoundSettled
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import pool_claims
from headsup.game.table.coupon_control import refuse_coupons_not_held
from headsup.game.table.equipment import refuse_uncounted, register_wagers
from headsup.game.table.events import Answer, RoundOpened
from headsup.game.table.evolve import evolve
from headsup.game.table.sealed_shuffles import refuse_unsealed
from headsup.game.table.seating import refuse_empty_seat, refuse_unaffordable
from headsup.game.table.state import Floor, Table


def open_round(table: Table) -> Answer:
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "not_closed", round=table.rounds)
    return refuse_unsealed(table) or (RoundOpened(table.rounds + 1),)


def decide_round(floor: Floor, table: Table, command: RoundCommand) -> Answer:
    if table.round is None:
        return refusal(Code.NO_ROUND)
    if isinstance(command, PlaceBets) and (refused := _refuse_wager(floor, table, command)):
        return refused
    if isinstance(command, DealCards) and (refused := refuse_uncounted(table, table.round)):
        return refused
    if isinstance(command, Proceed):
        return _proceed(floor, table, table.round, command)
    events = decide_unchecked(table.round, command)
    if isinstance(events, Refusal):
        return events
    if isinstance(command, PlaceBets | Raise):
        return (
            _refuse_coupons(table, command)
            or _refuse_underfunded(floor, table, table.round, command)
            or events
        )
    return (*events, *register_wagers(table)) if isinstance(command, CloseBets) else events


def _refuse_wager(floor: Floor, table: Table, command: PlaceBets) -> Refusal | None:
    if refused := refuse_empty_seat(table, command.seat):
        return refused
    if Wager.PROGRESSIVE in command.stakes and floor.jackpot_ended(table.id):
        jackpot = table.meter or f"the Bonus Jackpot of {table.id}"
        return refusal(Code.METER_ENDED, "stake", meter=jackpot)
    return None


def _refuse_coupons(table: Table, command: PlaceBets | Raise) -> Refusal | None:
    return refuse_coupons_not_held(table, command) if isinstance(command, PlaceBets) else None


def _refuse_underfunded(
    floor: Floor, table: Table, round: Round, command: PlaceBets | Raise
) -> Refusal | None:
    """The player's chips must cover the stake; chips already on the felt count."""
    seat = round.seats.get(command.seat)
    if isinstance(command, PlaceBets):
        on_felt = sum(seat.chip_stakes.values()) if seat else 0
        placed = Seat(command.stakes, coupons=command.coupons)
        cents = sum(placed.chip_stakes.values()) - on_felt
    else:
        cents = seat.stakes[Wager.ANTE] * command.multiple if seat else 0
    return refuse_unaffordable(floor, table, command.seat, cents)


def _proceed(floor: Floor, table: Table, round: Round, command: Proceed) -> Answer:
    """The dealer's next step; settlement needs the pool and the players' names."""
    meter = floor.meters.get(table.meter)
    events = decide_unchecked(round, command, meter.pool if meter else None, table.players)
    return events if isinstance(events, Refusal) else _add_meter_after(floor, table, events)


def _add_meter_after(
    floor: Floor, table: Table, events: tuple[RoundEvent, ...]
) -> tuple[RoundEvent, ...]:
    """Record what the meter holds after an award.

    It cannot be derived from the award: a reserve may have refilled the meter, and a linked meter
    is reset to its own seed.
    """
    last = events[-1]
    if not isinstance(last, RoundSettled):
        return events
    settlement = last.settlement
    if not pool_claims(settlement.seats):
        return events
    for event in events:
        floor = evolve(floor, table.id, event)
    after = replace(settlement, meter_after=floor.meters[table.meter].pool)
    return (*events[:-1], RoundSettled(after))
