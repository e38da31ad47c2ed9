"""Applies events to a floor: floor + event → floor, with its seats, rounds, meters and ledger."""

from collections.abc import Container
from typing import assert_never

from headsup.game.bank.ledger import Transfer, post
from headsup.game.bank.meter_changes import open_meter
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    BoardCompleted,
    CardsDealt,
    Checked,
    DealerRevealed,
    DecisionReopened,
    FlopRevealed,
    Folded,
    HandResolved,
    HandVoided,
    IrregularityReported,
    Raised,
    RoundClosed,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    TimeExtended,
    TurnAndRiverRevealed,
)
from headsup.game.round.evolve import evolve as evolve_round
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.table_rules import TableRules, rules_from_record
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.coupon_control import evolve_coupon, without_spent_coupons
from headsup.game.table.equipment import evolve_equipment
from headsup.game.table.events import (
    BonusCellSet,
    BonusEnded,
    BonusPrizeSet,
    BoughtIn,
    CashedOut,
    CouponCancelled,
    CouponIssued,
    EquipmentRestored,
    EquipmentWentDown,
    Event,
    FlagCorrected,
    MeterClosingPlanned,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PayoutCorrected,
    PlayerLeft,
    PlayerSat,
    PoolTransferred,
    RoundOpened,
    SealLost,
    SeedAdded,
    SensorRead,
    ShuffleOpened,
    ShuffleSealed,
    TableClosed,
    TableOpened,
    WagersCountedByHand,
    WagersRegistered,
)
from headsup.game.table.meter_control import evolve_meter
from headsup.game.table.opening import evolve_bonus_cell, meter_rules
from headsup.game.table.postings import (
    buy_in_transfer,
    cash_out_transfer,
    correction_transfers,
    hand_transfers,
    return_transfers,
    stake_transfers,
    taken_up_transfers,
)
from headsup.game.table.round_history import SettledRound
from headsup.game.table.round_meter import award_shares, count_open_round, void_contributions
from headsup.game.table.sealed_shuffles import evolve_seal
from headsup.game.table.state import (
    BrokenRecord,
    Floor,
    Table,
    new_table,
    unwrap_change,
    with_meter,
    with_table,
    with_transfers,
)
from headsup.game.table.tabulator import Tabulator, end_round, with_stakes

# The most frequent first.
_ROUND_EVENTS = (
    *(Checked, Raised, Folded, BetsPlaced, HandResolved, BetsClosed, CardsDealt, FlopRevealed),
    *(TurnAndRiverRevealed, DealerRevealed, RoundSettled, RoundClosed, BetsWithdrawn),
    *(IrregularityReported, HandVoided, RoundVoided, DecisionReopened, BoardCompleted),
    TimeExtended,
)


def evolve(floor: Floor, table_id: str, event: Event) -> Floor:
    """The floor after the event at this table; raises `BrokenRecord` if it cannot have happened."""
    if isinstance(event, TableOpened):
        return _open_table(floor, table_id, event)
    table = floor.tables.get(table_id)
    if table is None:
        raise BrokenRecord(f"table {table_id} was never opened")
    if isinstance(event, _ROUND_EVENTS):
        return _evolve_round_event(floor, table, event)
    match event:
        case TableClosed(reason):
            return with_table(floor, table._replace(closed=reason))
        case PlayerSat(seat, name):
            players = {**table.players, seat: name}
            since = {**table.since, seat: table.rounds + (not table.is_playing)}
            return with_table(floor, table._replace(players=players, since=since))
        case PlayerLeft(seat):
            players = {number: name for number, name in table.players.items() if number != seat}
            return with_table(floor, table._replace(players=players))
        case BoughtIn(seat, amount):
            return with_transfers(floor, (buy_in_transfer(table, seat, amount),))
        case CashedOut(seat, amount):
            return with_transfers(floor, (cash_out_transfer(table, seat, amount),))
        case CouponIssued() | CouponCancelled():
            return evolve_coupon(floor, table, event)
        case RoundOpened(number):
            return _open_round(floor, table, number)
        case ShuffleSealed() | SeedAdded() | ShuffleOpened() | SealLost():
            return with_table(floor, evolve_seal(table, event))
        case BonusCellSet():
            return with_table(floor, evolve_bonus_cell(table, event))
        case PayoutCorrected():
            return with_transfers(floor, correction_transfers(table, event))
        case (
            MeterCorrected()
            | MeterFrozen()
            | MeterUnfrozen()
            | MeterClosingPlanned()
            | PoolTransferred()
            | BonusPrizeSet()
            | BonusEnded()
        ):
            return unwrap_change(evolve_meter(floor, table, event), table_id)
        case (
            SensorRead()
            | WagersRegistered()
            | WagersCountedByHand()
            | FlagCorrected()
            | EquipmentWentDown()
            | EquipmentRestored()
        ):
            return evolve_equipment(floor, table, event)
        case _:
            assert_never(event)


# Opening.


def _opened_rules(event: TableOpened) -> TableRules:
    return rules_from_record(event.rules, event.paytables, event.options)


def _open_table(floor: Floor, table_id: str, event: TableOpened) -> Floor:
    rules = _opened_rules(event)
    if rules.fingerprint != event.fingerprint:
        raise BrokenRecord(
            f"table {table_id}: {event.rules} is not the rule book that it was opened with"
        )
    table = new_table(table_id, rules, event.clockwise, event.meter, event.shuffle)
    floor = with_table(floor, table)
    if not event.opens_meter:
        return floor
    change = open_meter(meter_rules(rules, event.meter), table_id)
    meter, transfers = unwrap_change(change, table_id)
    return with_meter(with_transfers(floor, transfers), meter)


# Rounds.


def _open_round(floor: Floor, table: Table, number: int) -> Floor:
    opened = Round(table.rules, number, table.clockwise)
    floor = Floor(floor.ledger, count_open_round(floor, table, 1), floor.tables)
    return with_table(floor, table._replace(rounds=number, round=opened))


def _evolve_round_event(floor: Floor, table: Table, event: RoundEvent) -> Floor:
    if table.round is None:
        raise BrokenRecord(f"table {table.id}: {type(event).__name__} outside a round")
    before, round = table.round, evolve_round(table.round, event)
    meters, tabulator = floor.meters, table.tabulator
    transfers: tuple[Transfer, ...] = ()
    match event:
        case Raised(seat, _, multiple):
            amount = before.seats[seat].stakes[Wager.ANTE] * multiple
            transfers = stake_transfers(table, seat, {Wager.RAISE: amount})
        case BetsPlaced(seat, stakes, coupons):
            replaced = before.seats.get(seat)
            returns = return_transfers(table, seat, replaced) if replaced else ()
            transfers = (*returns, *stake_transfers(table, seat, stakes, coupons))
            tabulator = _with_chips(tabulator, seat, stakes)
        case BetsWithdrawn(seat):
            transfers = return_transfers(table, seat, before.seats[seat])
            tabulator = _with_chips(tabulator, seat, ())
        case BetsClosed():
            transfers = taken_up_transfers(table, round)
        case HandVoided() | RoundVoided():
            meters, tabulator, transfers = void_contributions(meters, table, before, round)
        case RoundSettled():
            meters, transfers = award_shares(meters, table, round)
        case HandResolved(seat):
            transfers = hand_transfers(table, round, seat)
            table = without_spent_coupons(table, round, seat)
            if round.phase is Phase.SETTLED:
                table = _with_settled_round(table, round)
        case RoundClosed():
            meters = count_open_round(floor, table, -1)
            tabulator = tabulator and end_round(tabulator)
        case _:
            pass
    ledger = post(floor.ledger, transfers) if transfers else floor.ledger
    table = table.with_round(round, tabulator)
    return Floor(ledger, meters, floor.tables.with_entry(table.id, table))


def _with_chips(
    tabulator: Tabulator | None, seat: int, stakes: Container[Wager]
) -> Tabulator | None:
    """Where wagers are placed on a screen, they are the chips that the tabulator sees."""
    return tabulator and with_stakes(tabulator, seat, stakes)


def _with_settled_round(table: Table, round: Round) -> Table:
    players = tuple((number, table.players[number]) for number in sorted(round.seats))
    return table._replace(past=table.past.with_round(SettledRound(round.number, players)))
