"""floor + event → floor: seats, rounds, meters and the ledger, folded from what happened."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from headsup.game.ledger import Transfer, post
from headsup.game.meter import (
    Meter,
    MeterRules,
    Regime,
    award,
    contribute,
    correct,
    discontinue,
    freeze,
    open_meter,
    plan_closing,
    reverse_contribution,
    set_prize,
    transfer_pool,
    unfreeze,
)
from headsup.game.money import MICROS_PER_CENT
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    HandVoided,
    Raised,
    RoundEvent,
    RoundSettled,
    RoundVoided,
)
from headsup.game.round.evolve import evolve as evolve_round
from headsup.game.round.state import Round, Seat
from headsup.game.rulebook.tablerules import TableRules, recorded_rules
from headsup.game.settlement import pool_claims
from headsup.game.table.books import (
    buy_in,
    cash_out,
    payout_correction,
    reference,
    return_transfers,
    settlement_transfers,
    stake_transfers,
)
from headsup.game.table.events import (
    BonusEnded,
    BonusPrizeSet,
    BoughtIn,
    CashedOut,
    Event,
    MeterClosingPlanned,
    MeterCorrected,
    MeterEvent,
    MeterFrozen,
    MeterUnfrozen,
    PayoutCorrected,
    PlayerLeft,
    PlayerSat,
    PoolTransferred,
    RoundOpened,
    TableOpened,
)
from headsup.game.table.state import Floor, Table
from headsup.game.wagers import Wager

_METER = (
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    MeterClosingPlanned,
    PoolTransferred,
    BonusPrizeSet,
    BonusEnded,
)
_TABLE = (PlayerSat, PlayerLeft, BoughtIn, CashedOut, RoundOpened, PayoutCorrected, *_METER)


def evolve(floor: Floor, table_id: str, event: Event) -> Floor:
    """Apply one event of one table. What cannot be folded is a broken record and raises."""
    if isinstance(event, TableOpened):
        return _opened(floor, table_id, event)
    table = floor.tables[table_id]
    if not isinstance(event, _TABLE):
        return _round_event(floor, table, event)
    match event:
        case PlayerSat(seat, name):
            players = {**table.players, seat: name}
            since = {**table.since, seat: table.rounds + (not table.playing)}
            return _with_table(floor, table._replace(players=players, since=since))
        case PlayerLeft(seat):
            players = {number: name for number, name in table.players.items() if number != seat}
            return _with_table(floor, table._replace(players=players))
        case BoughtIn(seat, amount):
            return _posted(floor, (buy_in(table, seat, amount),))
        case CashedOut(seat, amount):
            return _posted(floor, (cash_out(table, seat, amount),))
        case RoundOpened(number):
            opened = Round(table.rules, number, table.clockwise)
            return _with_table(floor, table._replace(rounds=number, round=opened, counted=False))
        case PayoutCorrected(seat, amount, number, reason):
            return _posted(floor, (payout_correction(table, seat, amount, f"{number} {reason}"),))
        case (
            MeterCorrected()
            | MeterFrozen()
            | MeterUnfrozen()
            | MeterClosingPlanned()
            | PoolTransferred()
            | BonusPrizeSet()
            | BonusEnded()
        ):
            return _meter_event(floor, table, event)
        case _:
            assert_never(event)


def _with_table(floor: Floor, table: Table) -> Floor:
    return Floor(floor.ledger, floor.meters, MappingProxyType({**floor.tables, table.id: table}))


def _with_meter(floor: Floor, meter: Meter) -> Floor:
    meters = MappingProxyType({**floor.meters, meter.rules.name: meter})
    return Floor(floor.ledger, meters, floor.tables)


def _posted(floor: Floor, transfers: Iterable[Transfer]) -> Floor:
    return Floor(post(floor.ledger, transfers), floor.meters, floor.tables)


# Opening.


def opened_rules(event: TableOpened) -> TableRules:
    return recorded_rules(event.rules, event.paytables, event.options)


def _opened(floor: Floor, table_id: str, event: TableOpened) -> Floor:
    rules = opened_rules(event)
    if rules.fingerprint != event.fingerprint:
        raise ValueError(f"table {table_id}: {event.rules} is not the book it was opened with")
    table = Table(table_id, rules, event.clockwise, event.meter)
    floor = _with_table(floor, table)
    if event.opens_meter:
        meter, transfers = open_meter(meter_rules(rules, event.meter, table_id), table_id)
        return _with_meter(_posted(floor, transfers), meter)
    if event.meter:
        meter = floor.meters[event.meter]
        linked = replace(meter.rules, tables=(*meter.rules.tables, table_id))
        return _with_meter(floor, replace(meter, rules=linked))
    return floor


def meter_rules(rules: TableRules, name: str, table_id: str) -> MeterRules:
    bonus = rules.bonus_jackpot
    return MeterRules(
        name=name,
        tables=(table_id,),
        meter_seed=rules.meter_seed,
        contribution=0 if bonus else rules.meter_contribution,
        maximum=rules.meter_max or None if not bonus else None,
        regime=Regime.BONUS if bonus else Regime.PROGRESSIVE,
        # Washington's operator only keeps the players' money (App. D note 6).
        escrow=rules.book.cites == "WA" and not bonus,
        linkable=rules.book.linkable_meter,
    )


# Rounds.


def _round_event(floor: Floor, table: Table, event: RoundEvent) -> Floor:
    if table.round is None:
        raise ValueError(f"table {table.id}: {type(event).__name__} outside a round")
    before, round = table.round, evolve_round(table.round, event)
    table = table._replace(round=round)
    meters = floor.meters
    transfers: tuple[Transfer, ...] = ()
    match event:
        case Raised(seat, _, multiple):
            amount = before.seats[seat].stakes[Wager.ANTE] * multiple
            transfers = stake_transfers(table, seat, {Wager.RAISE: amount})
        case BetsPlaced(seat, stakes):
            held = before.seats.get(seat)
            back = return_transfers(table, seat, held.stakes) if held else ()
            transfers = (*back, *stake_transfers(table, seat, stakes))
        case BetsWithdrawn(seat):
            transfers = return_transfers(table, seat, before.seats[seat].stakes)
        case BetsClosed():
            meters, transfers = _contributed(meters, table, round)
            table = table._replace(counted=bool(transfers))
        case HandVoided() | RoundVoided():
            meters, transfers = _void_contributions(meters, table, before, round)
        case RoundSettled():
            meters, transfers = _settled(meters, table, round)
            in_it = {seat: table.players[seat] for seat in round.seats}
            table = table._replace(paid=round.number, paid_players=in_it)
        case _:
            pass
    ledger = post(floor.ledger, transfers) if transfers else floor.ledger
    return Floor(ledger, meters, MappingProxyType({**floor.tables, table.id: table}))


Meters = Mapping[str, Meter]


def _contributed(meters: Meters, table: Table, round: Round) -> tuple[Meters, tuple[Transfer, ...]]:
    """R72: contributions post at the close of bets, before the first card."""
    meter = meters.get(table.meter)
    wagers = sum(Wager.PROGRESSIVE in seat.stakes for seat in round.seats.values())
    if meter is None or not wagers or meter.rules.regime is Regime.BONUS or meter.frozen:
        return meters, ()
    stake = table.rules.progressive_stake * MICROS_PER_CENT
    meter, transfers = contribute(meter, table.id, wagers, stake, reference(table))
    return MappingProxyType({**meters, table.meter: meter}), transfers


def _settled(meters: Meters, table: Table, round: Round) -> tuple[Meters, tuple[Transfer, ...]]:
    transfers = settlement_transfers(table, round)
    meter = meters.get(table.meter)
    if meter is None:
        return meters, transfers
    meter, awards = _awarded(meter, table, round)
    return MappingProxyType({**meters, table.meter: meter}), (*transfers, *awards)


def _void_contributions(
    meters: Meters, table: Table, before: Round, after: Round
) -> tuple[Meters, tuple[Transfer, ...]]:
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
    stake = table.rules.progressive_stake * MICROS_PER_CENT
    meter, transfers = reverse_contribution(
        meters[table.meter], table.id, voided, stake, reference(table)
    )
    return MappingProxyType({**meters, table.meter: meter}), transfers


def _returns_progressive(round: Round, seat: Seat) -> bool:
    if seat.void is None or Wager.PROGRESSIVE not in seat.stakes:
        return False
    return Wager.PROGRESSIVE not in seat.void.settles or not round.deck


def _awarded(meter: Meter, table: Table, round: Round) -> tuple[Meter, tuple[Transfer, ...]]:
    """Shares of the pool in the order of settlement, the same arithmetic as the lines show."""
    if round.settlement is None:
        return meter, ()
    seats = round.settlement.seats
    winners = [
        (table.chips_account(seats[i].seat), line.pay.amount)
        for i, line in pool_claims(round.plays(), seats)
        if line.pay is not None
    ]
    if not winners:
        return meter, ()
    return award(meter, winners, reference(table), table.rules.sequential_awards)


# Meters.


def _meter_event(floor: Floor, table: Table, event: MeterEvent) -> Floor:
    meter = floor.meters[table.meter]
    match event:
        case MeterCorrected(amount, reason, approvals):
            meter, transfers = correct(meter, amount, reason, approvals, reference(table))
            return _with_meter(_posted(floor, transfers), meter)
        case MeterFrozen(reason):
            return _with_meter(floor, freeze(meter, reason))
        case MeterUnfrozen():
            return _with_meter(floor, unfreeze(meter))
        case MeterClosingPlanned(date, approval):
            return _with_meter(floor, plan_closing(meter, date, approval))
        case PoolTransferred(to):
            old, new, transfers = transfer_pool(meter, floor.meters[to])
            return _with_meter(_with_meter(_posted(floor, transfers), old), new)
        case BonusPrizeSet(prize, reason, by):
            return _with_meter(floor, set_prize(meter, prize, reason, by))
        case BonusEnded(reason, by):
            return _with_meter(floor, discontinue(meter, reason, by))
        case _:
            assert_never(event)
