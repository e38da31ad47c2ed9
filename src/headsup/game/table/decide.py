"""floor + who + command → events, or a refusal without effect."""

from dataclasses import replace
from typing import assert_never

from headsup.game.meter import Active, Discontinued, MeterRules, Transferred
from headsup.game.money import MAX_STAKE_CENTS, MICROS_PER_CENT, dollars
from headsup.game.refusal import Refusal, Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReportIrregularity,
    RoundCommand,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.decide import decide as decide_round
from headsup.game.round.events import RoundEvent, RoundSettled
from headsup.game.round.state import Round
from headsup.game.rulebook.tablerules import TableRules, recorded_rules
from headsup.game.settlement import pool_claims
from headsup.game.table.commands import (
    BuyIn,
    By,
    CashOut,
    Command,
    CorrectMeter,
    CorrectPayout,
    EndBonus,
    FreezeMeter,
    Leave,
    MeterCommand,
    OpenRound,
    OpenTable,
    PlanMeterClosing,
    PlayerAt,
    SetBonusPrize,
    Sit,
    TransferPool,
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
from headsup.game.table.evolve import evolve, meter_rules
from headsup.game.table.state import Floor, Table, needs_meter
from headsup.game.wagers import Wager

Decision = tuple[Event, ...] | Refusal

_PLAYERS = (PlaceBets, WithdrawBets, Check, Raise, Fold)
_PLAYERS_OWN = (*_PLAYERS, Sit, Leave, BuyIn, CashOut)
_ROUND = (*_PLAYERS, CloseBets, DealCards, Proceed, ReportIrregularity, TimeOut)


def decide(floor: Floor, table_id: str, by: By, command: Command) -> Decision:
    """What follows from the command of this player or of the staff at this table."""
    try:
        return _decide(floor, table_id, by, command)
    except Refused as refused:
        return refused.refusal


def act(floor: Floor, table_id: str, by: By, command: Command) -> tuple[Floor, Decision]:
    """Decide and, where not refused, evolve: the floor after, and the events or the refusal."""
    decision = decide(floor, table_id, by, command)
    if isinstance(decision, Refusal):
        return floor, decision
    for event in decision:
        floor = evolve(floor, table_id, event)
    return floor, decision


def _decide(floor: Floor, table_id: str, by: By, command: Command) -> tuple[Event, ...]:
    if isinstance(command, OpenTable):
        _staff_only(by)
        return _open_table(floor, table_id, command)
    table = floor.tables.get(table_id)
    if table is None:
        raise Refused("no_such_table", f"there is no table '{table_id}'")
    _check_who(by, command)
    if isinstance(command, _ROUND):
        return _round_command(floor, table, command)
    match command:
        case Sit(seat, name):
            return _sit(table, seat, name)
        case Leave(seat):
            return _leave(floor, table, seat)
        case BuyIn(seat, amount):
            _taken(table, seat)
            _amount(amount, f"seat {seat}: buy-in")
            return (BoughtIn(seat, amount),)
        case CashOut(seat, amount):
            return _cash_out(floor, table, seat, amount)
        case OpenRound():
            if table.playing:
                raise Refused("round_open", f"round {table.rounds} is not closed yet")
            return (RoundOpened(table.rounds + 1),)
        case CorrectPayout():
            return _correct_payout(floor, table, command)
        case (
            CorrectMeter()
            | FreezeMeter()
            | PlanMeterClosing()
            | TransferPool()
            | SetBonusPrize()
            | EndBonus()
        ):
            return _meter_command(floor, table, command)
        case _:
            assert_never(command)


# Who may ask what.


def _staff_only(by: By) -> None:
    if isinstance(by, PlayerAt):
        raise Refused("staff_only", "only the dealer or the house may do that")


def _check_who(by: By, command: Command) -> None:
    """A player speaks for the own seat; the rest is for the staff."""
    if isinstance(by, PlayerAt):
        if not isinstance(command, _PLAYERS_OWN):
            raise Refused("staff_only", "only the dealer or the house may do that")
        if command.seat != by.seat:
            raise Refused(
                "not_your_seat",
                f"seat {by.seat} may not act for seat {command.seat}",
            )
    elif isinstance(command, _PLAYERS):
        raise Refused("player_only", f"seat {command.seat} decides for itself")


def _taken(table: Table, seat: int) -> str:
    if seat not in table.players:
        raise Refused("no_such_seat", f"nobody sits in seat {seat}")
    return table.players[seat]


def _amount(cents: int, what: str) -> None:
    if isinstance(cents, bool) or not isinstance(cents, int) or not 0 < cents <= MAX_STAKE_CENTS:
        raise Refused("bad_amount", f"{what}: must be a positive amount in cents")


# Opening and seats.


def _open_table(floor: Floor, table_id: str, command: OpenTable) -> tuple[Event, ...]:
    if not table_id.isprintable():
        raise Refused("bad_name", "a table's name is printable text")
    if not table_id or table_id in floor.tables:
        raise Refused("table_open", f"table '{table_id}' is open already or has no name")
    rules = recorded_rules(command.rules, command.paytables, command.options)
    _check_exposure(rules)
    meter, opens = "", False
    if needs_meter(rules):
        meter = command.meter or f"{table_id} meter"
        opens = meter not in floor.meters
        if opens and command.meter:
            raise Refused("no_such_meter", f"there is no meter '{command.meter}' to link to")
        _check_meter(floor, rules, meter, table_id, opens)
    elif command.meter:
        raise Refused("no_such_meter", f"{rules.id} as chosen has no wager that needs a meter")
    return (
        TableOpened(
            command.rules,
            command.paytables,
            command.options,
            command.clockwise,
            meter,
            opens,
            rules.fingerprint,
        ),
    )


def _check_exposure(rules: TableRules) -> None:
    """R63: a table that pays 200,000 to 1 opens only with a maximum stake or a cap."""
    for key, id in rules.book.needs_limit:
        table = rules.paytables.get(key)
        if table is None or table.id != id:
            continue
        limit = rules.limits.get(Wager(key))
        capped = rules.cap is not None and Wager(key) in rules.cap.wagers
        if not capped and (limit is None or not limit.max):
            raise Refused(
                "needs_limit", f"{key} paytable {id} needs limits.{key}.max or a cap on {key} (R63)"
            )


def _check_meter(floor: Floor, rules: TableRules, meter: str, table_id: str, opens: bool) -> None:
    """R77: seed and contribution are the operator's to set before the first wager."""
    if opens:
        if not rules.meter_seed:
            raise Refused("meter_unset", "a progressive needs the option meter_seed (R77)")
        if not rules.bonus_jackpot and not rules.meter_contribution:
            raise Refused("meter_unset", "a progressive needs the option meter_contribution (R77)")
        _check_contribution(rules, meter_rules(rules, meter, table_id))
        return
    linked = floor.meters[meter]
    if not rules.book.linkable_meter or not linked.rules.linkable:
        raise Refused("meter_table", f"{rules.id} has one meter per table (NY (k)(2))")
    if not isinstance(linked.phase, Active):
        raise Refused("meter_ended", f"{meter} is closing or no longer played for")
    own = meter_rules(rules, meter, table_id)
    chosen = (
        (own.meter_seed, linked.rules.meter_seed),
        (own.contribution, linked.rules.contribution),
    )
    if any(mine and mine != theirs for mine, theirs in chosen):
        raise Refused(
            "meter_rules", f"{meter} has its own seed and contribution; a linked table has no other"
        )
    if (own.regime, own.escrow) != (linked.rules.regime, linked.rules.escrow):
        raise Refused("meter_table", f"{meter} is another kind of prize than {rules.id} plays for")
    _check_contribution(rules, linked.rules)


def _check_contribution(rules: TableRules, meter: MeterRules) -> None:
    stake = rules.progressive_stake * MICROS_PER_CENT
    if meter.contribution_of(stake) > stake:
        raise Refused("meter_amount", f"{meter.name}: a wager cannot add more than its stake")


def _sit(table: Table, seat: int, name: str) -> tuple[Event, ...]:
    if isinstance(seat, bool) or not 1 <= seat <= table.rules.book.seats:
        raise Refused("no_such_seat", f"seats are numbered 1 to {table.rules.book.seats}")
    if seat in table.players:
        raise Refused("seat_taken", f"seat {seat} is taken")
    if not name or name != name.strip() or "/" in name or not name.isprintable():
        raise Refused("bad_name", "a player needs a name, without a slash or spaces around it")
    positions = sum(player == name for player in table.players.values())
    allowed = table.rules.options.get("positions_per_player", 1)
    if positions >= allowed:
        clause = table.rules.book.options["positions_per_player"].clause
        raise Refused(
            "one_position", f"{name} holds a position already; {allowed} allowed ({clause})"
        )
    return (PlayerSat(seat, name),)


def _leave(floor: Floor, table: Table, seat: int) -> tuple[Event, ...]:
    _taken(table, seat)
    _not_in_round(table, seat)
    name = table.players[seat]
    # With several positions, chips leave with the last of them.
    last = sum(player == name for player in table.players.values()) == 1
    chips = floor.chips(table.id, seat) if last else 0
    return (*((CashedOut(seat, chips),) if chips else ()), PlayerLeft(seat))


def _cash_out(floor: Floor, table: Table, seat: int, amount: int) -> tuple[Event, ...]:
    _taken(table, seat)
    _not_in_round(table, seat)
    _amount(amount, f"seat {seat}: cash-out")
    _afford(floor, table, seat, amount)
    return (CashedOut(seat, amount),)


def _not_in_round(table: Table, seat: int) -> None:
    if table.in_round(seat):
        raise Refused(
            "in_round", f"seat {seat} stays to the end of the round it has wagered in (R13)"
        )


def _afford(floor: Floor, table: Table, seat: int, cents: int) -> None:
    chips = floor.chips(table.id, seat)
    if cents > chips:
        raise Refused("not_enough_chips", f"seat {seat} has {dollars(chips)}, not {dollars(cents)}")


# Rounds.


def _round_command(floor: Floor, table: Table, command: RoundCommand) -> tuple[Event, ...]:
    if table.round is None:
        raise Refused("no_round", "no round is open")
    meter = floor.meters.get(table.meter)
    if isinstance(command, PlaceBets):
        _taken(table, command.seat)
        ended = meter is not None and isinstance(meter.phase, Transferred | Discontinued)
        if ended and Wager.PROGRESSIVE in command.stakes:
            raise Refused("meter_ended", f"{table.meter} is no longer played for (R84)")
    events = decide_round(table.round, command, meter.pool if meter else None)
    if isinstance(events, Refusal):
        raise Refused.of(events)
    if isinstance(command, PlaceBets | Raise):
        _check_chips(floor, table, table.round, command)
    return _with_meter_after(floor, table, events) if isinstance(command, Proceed) else events


def _with_meter_after(
    floor: Floor, table: Table, events: tuple[RoundEvent, ...]
) -> tuple[RoundEvent, ...]:
    """After an award the record says what the meter then holds: a reserve may have filled it up,
    and a linked meter is reset to its own seed."""
    last = events[-1]
    if not isinstance(last, RoundSettled):
        return events
    settlement = last.settlement
    if table.round is None or not pool_claims(table.round.plays(), settlement.seats):
        return events
    for event in events:
        floor = evolve(floor, table.id, event)
    after = replace(settlement, meter_after=floor.meters[table.meter].pool)
    return (*events[:-1], RoundSettled(after))


def _check_chips(floor: Floor, table: Table, round: Round, command: PlaceBets | Raise) -> None:
    """A stake comes out of the player's own chips, those already on the felt included."""
    held = round.seats.get(command.seat)
    on_felt = held.stakes if held else {}
    if isinstance(command, PlaceBets):
        cents = sum(command.stakes.values()) - sum(on_felt.values())
    else:
        cents = on_felt[Wager.ANTE] * command.multiple
    _afford(floor, table, command.seat, cents)


# Corrections.


def _correct_payout(floor: Floor, table: Table, command: CorrectPayout) -> tuple[Event, ...]:
    _taken(table, command.seat)
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        raise Refused("needs_two_people", "a correction needs a dealer and another supervisor")
    if not command.reason.strip():
        raise Refused("needs_reason", "a correction needs its reason")
    if not table.paid:
        raise Refused("no_round", "no round has been paid yet")
    if table.paid_players.get(command.seat) != table.players[command.seat]:
        raise Refused(
            "not_in_round",
            f"seat {command.seat}: its player was not in round {table.paid}, the last one paid",
        )
    _amount(abs(command.amount), f"seat {command.seat}: correction")
    if command.amount < 0:
        _afford(floor, table, command.seat, -command.amount)
    return (
        PayoutCorrected(
            command.seat, command.amount, table.paid, command.reason, dealer, supervisor
        ),
    )


def _meter_command(floor: Floor, table: Table, command: MeterCommand) -> tuple[Event, ...]:
    if table.meter not in floor.meters:
        raise Refused("no_such_meter", f"table {table.id} has no meter")
    changed = {table.meter, command.to} if isinstance(command, TransferPool) else {table.meter}
    sharing = (other for other in floor.tables.values() if other.meter in changed)
    playing = [other.id for other in sharing if other.playing]
    if playing and not isinstance(command, FreezeMeter):
        raise Refused("round_open", f"the meter is changed between rounds; {playing[0]} is playing")
    event = _meter_event(floor, command)
    evolve(floor, table.id, event)  # refuses, without effect, what the meter does not allow
    return (event,)


def _meter_event(floor: Floor, command: MeterCommand) -> MeterEvent:
    match command:
        case CorrectMeter(amount, reason, approvals):
            return MeterCorrected(amount, reason, approvals)
        case FreezeMeter(reason):
            return MeterFrozen(reason) if reason.strip() else MeterUnfrozen()
        case PlanMeterClosing(date, approval):
            return MeterClosingPlanned(date, approval)
        case TransferPool(to):
            if to not in floor.meters:
                raise Refused("no_such_meter", f"there is no meter '{to}'")
            return PoolTransferred(to)
        case SetBonusPrize(prize, reason, by):
            return BonusPrizeSet(prize, reason, by)
        case EndBonus(reason, by):
            return BonusEnded(reason, by)
        case _:
            assert_never(command)
