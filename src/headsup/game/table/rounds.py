"""Opens a table's rounds and decides their commands, with the players' chips and the meter."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from headsup.game.bank.ledger import Transfer, post
from headsup.game.bank.meter import Meter
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round import events
from headsup.game.round.audience import TableAndDisplay
from headsup.game.round.commands import (
    CloseBets,
    CorrectDecision,
    CorrectStakes,
    DealCards,
    DealFaceDown,
    PlaceBets,
    Proceed,
    Raise,
    RoundCommand,
)
from headsup.game.round.decide import decide
from headsup.game.round.events import HandSettled, RoundEvent, RoundSettled
from headsup.game.round.state import FeltRound, Phase, Round, Seat
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import pool_claims
from headsup.game.table.chips.held_awards import (
    AwardHeld,
    award_to_verify,
    held_awards,
    with_reseeds,
)
from headsup.game.table.chips.shifts import refuse_without_shift, with_paid_award
from headsup.game.table.coupon_control import refuse_coupons_not_held, without_spent_coupons
from headsup.game.table.equipment import WagersRegistered, refuse_uncounted, register_wagers
from headsup.game.table.postings import (
    hand_transfers,
    raise_correction,
    return_transfers,
    stake_transfers,
    stakes_correction,
    taken_up_transfers,
)
from headsup.game.table.round_meter import (
    award_hand,
    award_shares,
    count_open_round,
    return_unsettled_awards,
    return_voided_award,
    void_contributions,
)
from headsup.game.table.sealed_shuffles import refuse_unsealed
from headsup.game.table.seating import refuse_empty_seat, refuse_unaffordable
from headsup.game.table.state import BrokenRecord, Floor, SettledRound, Table, with_part, with_table
from headsup.game.table.tabulator import Tabulator, end_round, with_stakes


@dataclass(frozen=True, slots=True)
class OpenRound:
    pass


@dataclass(frozen=True, slots=True)
class RoundOpened:
    number: int

    audience = TableAndDisplay()


# What a command of a round leads to: the dealer's button counts wagers when bets close, and large
# awards are held.
RoundDecision = tuple[RoundEvent | WagersRegistered | AwardHeld, ...] | Refusal


def decide_opening(table: Table) -> tuple[RoundOpened] | Refusal:
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "not_closed", round=table.rounds)
    return refuse_without_shift(table) or refuse_unsealed(table) or (RoundOpened(table.rounds + 1),)


def decide_round(floor: Floor, table: Table, command: RoundCommand) -> RoundDecision:
    if table.round is None:
        return refusal(Code.NO_ROUND)
    if isinstance(command, PlaceBets) and (refused := _refuse_wager(floor, table, command)):
        return refused
    if isinstance(command, DealCards | DealFaceDown) and (
        refused := refuse_uncounted(table, table.round)
    ):
        return refused
    if isinstance(command, CorrectDecision | CorrectStakes) and not table.is_guest(command.seat):
        return refusal(Code.PLAYER_ONLY, seat=command.seat)
    # Any report or correction may settle hands of a real deck.
    if isinstance(command, Proceed) and (award := award_to_verify(table)) is not None:
        return refusal(Code.AWARD_STATE, "first", award=award)
    if isinstance(command, Proceed) or table.round.felt is not None:
        decided = _decide_with_pool(floor, table, table.round, command)
    else:
        decided = decide(table.round, command)
    if isinstance(decided, Refusal):
        return decided
    if isinstance(command, PlaceBets | Raise):
        return (
            _refuse_coupons(table, command)
            or _refuse_underfunded(floor, table, table.round, command)
            or decided
        )
    if isinstance(command, CloseBets):
        return (*decided, *register_wagers(table))
    return (*decided, *held) if (held := held_awards(table, decided)) else decided


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


def _decide_with_pool(
    floor: Floor, table: Table, round: Round, command: RoundCommand
) -> tuple[RoundEvent, ...] | Refusal:
    """Settlement needs the pool and the players' names."""
    meter = floor.meters.get(table.meter)
    decided = decide(round, command, meter.pool if meter else None, table.players)
    return decided if isinstance(decided, Refusal) else _add_meter_after(floor, table, decided)


def _add_meter_after(
    floor: Floor, table: Table, decided: tuple[RoundEvent, ...]
) -> tuple[RoundEvent, ...]:
    """Record what the meter holds after an award.

    It cannot be derived from the award: a reserve may have refilled the meter, and a linked meter
    is reset to its own seed.
    """
    if not any(_claims_pool(event) for event in decided):
        return decided
    recorded = []
    for event in decided:
        floor = evolve_round(floor, floor.tables[table.id], event)
        if isinstance(event, RoundSettled):
            after = floor.meters[table.meter].pool
            event = RoundSettled(replace(event.settlement, meter_after=after))
        elif isinstance(event, HandSettled):
            event = replace(event, meter_after=floor.meters[table.meter].pool)
        recorded.append(event)
    return tuple(recorded)


def _claims_pool(event: RoundEvent) -> bool:
    if isinstance(event, RoundSettled):
        return bool(pool_claims(event.settlement.seats))
    return isinstance(event, HandSettled) and bool(pool_claims([event.settled]))


# Applying events.


def evolve_opening(floor: Floor, table: Table, event: RoundOpened) -> Floor:
    felt = None if table.shuffle.known_at_once else FeltRound()
    opened = Round(table.rules, event.number, table.clockwise, felt=felt)
    floor = Floor(floor.ledger, count_open_round(floor, table, 1), floor.tables)
    return with_table(floor, table._replace(rounds=event.number, round=opened))


def evolve_round(floor: Floor, table: Table, event: RoundEvent) -> Floor:
    if table.round is None:
        raise BrokenRecord(f"table {table.id}: {type(event).__name__} outside a round")
    before, round = table.round, event.apply_to(table.round)
    meters, tabulator = floor.meters, table.tabulator
    transfers: tuple[Transfer, ...] = ()
    match event:
        case events.Raised(seat, _, multiple):
            amount = before.seats[seat].stakes[Wager.ANTE] * multiple
            transfers = stake_transfers(table, seat, {Wager.RAISE: amount})
        case events.BetsPlaced(seat, stakes, coupons):
            replaced = before.seats.get(seat)
            returns = return_transfers(table, seat, replaced) if replaced else ()
            transfers = (*returns, *stake_transfers(table, seat, stakes, coupons))
            tabulator = _with_chips(tabulator, seat, stakes)
        case events.BetsWithdrawn(seat):
            transfers = return_transfers(table, seat, before.seats[seat])
            tabulator = _with_chips(tabulator, seat, ())
        case events.BetsClosed():
            transfers = taken_up_transfers(table, round)
        case events.HandVoided(seat):
            meters, returned = return_voided_award(meters, table, before, seat)
            meters, tabulator, transfers = void_contributions(meters, table, before, round)
            transfers = (*returned, *transfers)
        case events.RoundVoided():
            meters, returned = return_unsettled_awards(meters, table, before, round)
            meters, tabulator, transfers = void_contributions(meters, table, before, round)
            transfers = (*returned, *transfers)
        case events.RoundSettled():
            meters, transfers = award_shares(meters, table, round)
            table = _with_reseeds(table, round, floor.meters, meters)
        case events.HandSettled(settled):
            meters, transfers = award_hand(meters, table, before, round, settled)
            table = _with_reseeds(table, round, floor.meters, meters)
        case events.HandResolved(seat):
            transfers = hand_transfers(table, round, seat)
            table = with_paid_award(without_spent_coupons(table, round, seat), round, seat)
            if round.phase is Phase.SETTLED:
                table = _with_settled_round(table, round)
        case events.RoundClosed():
            meters = count_open_round(floor, table, -1)
            tabulator = tabulator and end_round(tabulator)
        case events.Checked() | events.Folded() | events.TimeExtended() | events.CardsDealt():
            pass
        case events.DecisionCorrected(seat, _, was, now):
            transfers = raise_correction(table, before, seat, was, now)
        case events.StakesCorrected(seat, were_staked, now_staked):
            transfers = stakes_correction(table, seat, were_staked, now_staked)
        case events.CardsCorrected():
            meters, transfers = return_unsettled_awards(meters, table, before, round)
        case events.CardsLaid() | events.CardsSeen() | events.CardsTurned():
            pass
        case events.FlopRevealed() | events.TurnAndRiverRevealed() | events.DealerRevealed():
            pass
        case events.IrregularityReported() | events.DecisionReopened() | events.BoardCompleted():
            pass
        case _:
            assert_never(event)
    ledger = post(floor.ledger, transfers) if transfers else floor.ledger
    table = table.with_round(round, tabulator)
    return Floor(ledger, meters, with_part(floor.tables, table.id, table))


def _with_reseeds(
    table: Table, round: Round, before: Mapping[str, Meter], after: Mapping[str, Meter]
) -> Table:
    if before is after:  # nobody has won a share
        return table
    return with_reseeds(table, round, before.get(table.meter), after.get(table.meter))


def _with_chips(
    tabulator: Tabulator | None, seat: int, stakes: Container[Wager]
) -> Tabulator | None:
    """Where wagers are placed on a screen, they are the chips that the tabulator sees."""
    return tabulator and with_stakes(tabulator, seat, stakes)


def _with_settled_round(table: Table, round: Round) -> Table:
    players = tuple((number, table.players[number]) for number in sorted(round.seats))
    return table._replace(last_settled=SettledRound(round.number, players))
