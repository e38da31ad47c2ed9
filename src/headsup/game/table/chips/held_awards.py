"""Awards of a pool that are held until two people have verified the cards (R108).

An award above the table's lock leaves the pool when the hand is settled, like any other, and the
meter runs again from its seed. The winner's share waits in an account of its own. Two people verify
the cards, or refuse the award with a reason; what was verified is paid by two people. Linked tables
play on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from headsup.game.bank.ledger import (
    Account,
    Reason,
    Transfer,
    Transfers,
    cage_account,
    held_account,
    prize_account,
    tray_account,
    vault_account,
)
from headsup.game.bank.meter import Meter
from headsup.game.bank.meter_changes import refuse_award
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import AT_THE_TABLE, StaffOnly, TableAndDisplay
from headsup.game.round.events import HandResolved, HandSettled, RoundEvent
from headsup.game.round.state import Phase, Round
from headsup.game.settlement import pool_claims
from headsup.game.table.chips.felt import Felt, HeldAward, Reseed, is_guest_name
from headsup.game.table.state import (
    BrokenRecord,
    Floor,
    Table,
    unwrap_change,
    with_meter,
    with_table,
    with_transfers,
)
from headsup.game.values.cards import Cards
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros
from headsup.game.values.str_enum import TextEnum


class PayWay(TextEnum):
    TRAY = "tray"  # a guest, with chips of the table; counts as a credit
    CAGE = "cage"  # a guest, at the cage
    ACCOUNT = "account"  # a player with an account: to the chips, or to the wallet after leaving


@dataclass(frozen=True, slots=True)
class VerifyAward:
    """Two people have compared the winner's cards with the record."""

    award: int
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class RefuseAward:
    """The award is not due: it goes back into the pool, with the reason."""

    award: int
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class PayAward:
    """Pay a verified award. `tax_slip` is the number of a form, or why none is needed; it must be
    given from the amount that the house has set."""

    award: int
    way: PayWay
    approvals: tuple[str, str]
    tax_slip: str = ""


@dataclass(frozen=True, slots=True)
class AwardHeld:
    """`cards` are the winner's two and the board."""

    award: int
    seat: int
    player: str
    round: int
    amount: Cents
    cards: Cards

    audience = TableAndDisplay()


@dataclass(frozen=True, slots=True)
class AwardVerified:
    award: int
    approvals: tuple[str, str]

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class AwardRefused:
    """`reseed_back` is the seed that the house takes back: none if another award has left this
    meter since."""

    award: int
    reason: str
    approvals: tuple[str, str]
    reseed_back: Micros

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class AwardPaid:
    award: int
    seat: int
    player: str
    amount: Cents
    way: PayWay
    slip: int
    tax_slip: str
    approvals: tuple[str, str]

    audience = AT_THE_TABLE


AwardCommand = VerifyAward | RefuseAward | PayAward
AwardEvent = AwardHeld | AwardVerified | AwardRefused | AwardPaid
AwardAnswer = tuple[AwardEvent] | Refusal


def is_held(table: Table, award: Cents) -> bool:
    lock = table.felt.settings.lock_above
    return 0 < lock < award


def held_awards(table: Table, decided: Sequence[RoundEvent]) -> tuple[AwardHeld, ...]:
    """The awards above the lock of hands that these events resolve."""
    round = table.round
    if not table.felt.settings.lock_above or round is None:
        return ()
    held: list[AwardHeld] = []
    for event in decided:
        if isinstance(event, HandResolved):
            award = _award_of(round, decided, event.seat)
            if is_held(table, award):
                number = table.felt.awards + len(held) + 1
                player = table.players[event.seat]
                cards = (*round.seats[event.seat].hole, *round.deal.board)
                held.append(AwardHeld(number, event.seat, player, round.number, award, cards))
    return tuple(held)


def _award_of(round: Round, decided: Sequence[RoundEvent], seat: int) -> Cents:
    settled = () if round.settlement is None else round.settlement.seats
    hands = {hand.seat: hand for hand in settled}
    hands |= {one.settled.seat: one.settled for one in decided if isinstance(one, HandSettled)}
    return sum(line.award for line in hands[seat].lines) if seat in hands else 0


def award_to_verify(table: Table) -> int | None:
    """An award of the settled round that is neither verified nor refused: the round stays open."""
    if table.round is None or table.round.phase is not Phase.SETTLED:
        return None
    for number, held in table.felt.held.items():
        if held.round == table.round.number and not held.verified:
            return number
    return None


def with_reseeds(table: Table, round: Round, before: Meter | None, after: Meter | None) -> Table:
    """Note what the shares that this round takes out of the pool have cost the house in seed."""
    if before is None or after is None or after.awards == before.awards or round.settlement is None:
        return table
    claims = pool_claims(round.settlement.seats)
    winners = [round.settlement.seats[index].seat for index, _ in claims]
    # Winners who share a pool share its reset. It stays if only one of them is refused.
    amount = after.seeded - before.seeded if len(winners) == 1 else 0
    reseeds = {seat: Reseed(after.awards, amount) for seat in winners}
    return table._replace(felt=table.felt._replace(reseeds=reseeds))


# Deciding.


def decide_award(floor: Floor, table: Table, command: AwardCommand) -> AwardAnswer:
    held = table.felt.held.get(command.award)
    if held is None:
        waiting = tuple(sorted(table.felt.held))
        return refusal(Code.NO_SUCH_AWARD, award=command.award, waiting=waiting)
    names = {name.strip().casefold() for name in command.approvals} - {""}
    if len(names) != 2:
        return refusal(Code.NEEDS_TWO_PEOPLE, "award")
    match command:
        case VerifyAward(award, approvals):
            if held.verified:
                return refusal(Code.AWARD_STATE, "verified", award=award)
            return (AwardVerified(award, approvals),)
        case RefuseAward(award, reason, approvals):
            if not reason.strip():
                return refusal(Code.NEEDS_REASON, "award")
            return (AwardRefused(award, reason, approvals, _reseed_back(floor, table, held)),)
        case PayAward():
            return _pay(table, held, command)
        case _:
            assert_never(command)


def _reseed_back(floor: Floor, table: Table, held: HeldAward) -> Micros:
    meter = floor.meters[table.meter]
    in_pool = meter.pool + meter.reserve + held.amount * MICROS_PER_CENT  # with the award back
    return min(held.reseed, in_pool) if meter.awards == held.awards else 0


def _pay(table: Table, held: HeldAward, command: PayAward) -> AwardAnswer:
    award, way = command.award, command.way
    if not held.verified:
        return refusal(Code.AWARD_STATE, award=award)
    is_guest = is_guest_name(held.player)
    if is_guest is (way is PayWay.ACCOUNT):
        return refusal(Code.AWARD_STATE, "way", player=held.player)
    notice = table.felt.settings.tax_notice
    if 0 < notice <= held.amount and not command.tax_slip.strip():
        return refusal(Code.AWARD_STATE, "tax", award=award, notice=notice)
    slip = table.felt.slips + 1
    paid = AwardPaid(
        award, held.seat, held.player, held.amount, way, slip, command.tax_slip, command.approvals
    )
    return (paid,)


# Applying events.


def evolve_award(floor: Floor, table: Table, event: AwardEvent) -> Floor:
    felt = table.felt
    transfers: Transfers = ()
    match event:
        case AwardHeld(number, seat, player, round, amount, cards):
            reseed = felt.reseeds.get(seat, Reseed())
            held = HeldAward(seat, player, round, amount, cards, reseed.awards, reseed.amount)
            felt = felt._replace(held={**felt.held, number: held}, awards=number)
            source, target = prize_account(table.id, seat), held_account(table.id, number)
            transfers = (_move(source, target, amount, Reason.AWARD_HELD, table, number),)
        case AwardVerified(number):
            held = _held(table, number)._replace(verified=True)
            felt = felt._replace(held={**felt.held, number: held})
        case AwardRefused(number, _, _, reseed_back):
            held, felt = _held(table, number), _without(table, number)
            change = refuse_award(
                floor.meters[table.meter],
                held_account(table.id, number),
                held.amount * MICROS_PER_CENT,
                reseed_back,
                _reference(table, number),
            )
            meter, transfers = unwrap_change(change, table.id)
            floor = with_meter(floor, meter)
        case AwardPaid(number, _, player, amount, way, slip):
            felt = _without(table, number)._replace(slips=slip)
            transfers = _pay_transfers(table, number, player, amount, way)
            if way is PayWay.TRAY and felt.shift is not None:
                credits = felt.shift.credits + amount
                felt = felt._replace(shift=felt.shift._replace(credits=credits))
        case _:
            assert_never(event)
    floor = with_transfers(floor, transfers) if transfers else floor
    table = table._replace(felt=felt)
    return _with_pending(with_table(floor, table), table)


def _with_pending(floor: Floor, table: Table) -> Floor:
    """The meter, which linked tables share, shows what is pending at this table."""
    meter = floor.meters[table.meter]
    others = tuple(one for one in meter.pending if one[0] != table.id)
    own = tuple((table.id, held.amount) for _, held in sorted(table.felt.held.items()))
    return with_meter(floor, replace(meter, pending=tuple(sorted((*others, *own)))))


def _pay_transfers(table: Table, number: int, player: str, amount: Cents, way: PayWay) -> Transfers:
    purse = table.purse_of(player)
    prize = _move(held_account(table.id, number), purse, amount, Reason.PRIZE, table, number)
    match way:
        case PayWay.TRAY:
            tray, vault = tray_account(table.id), vault_account(table.id)
            return (prize, _move(tray, vault, amount, Reason.CREDIT, table, number))
        case PayWay.CAGE:
            return (prize,)
        case PayWay.ACCOUNT:
            if player in table.players.values():
                return (prize,)
            return (prize, _move(purse, cage_account(), amount, Reason.CASH_OUT, table, number))
        case _:
            assert_never(way)


def _move(
    debit: Account, credit: Account, cents: Cents, reason: Reason, table: Table, award: int
) -> Transfer:
    return Transfer(debit, credit, cents * MICROS_PER_CENT, reason, _reference(table, award))


def _reference(table: Table, award: int) -> str:
    return f"{table.id} award {award}"


def _held(table: Table, award: int) -> HeldAward:
    if award not in table.felt.held:
        raise BrokenRecord(f"table {table.id}: award {award} is not held")
    return table.felt.held[award]


def _without(table: Table, award: int) -> Felt:
    _held(table, award)
    others = {number: held for number, held in table.felt.held.items() if number != award}
    return table.felt._replace(held=others)
