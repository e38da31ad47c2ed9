"""Issues and cancels promotional coupons, and checks who may stake them (R12)."""

from dataclasses import dataclass

from headsup.game.bank.ledger import Reason, Transfer, coupon_account, issued_coupon_account
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import Audience, PlayerOnly
from headsup.game.round.commands import PlaceBets
from headsup.game.round.stakes import refuse_coupon
from headsup.game.round.state import Round
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.chips.felt import is_guest_name
from headsup.game.table.coupons import Coupon, is_spent
from headsup.game.table.seating import refuse_bad_player_name
from headsup.game.table.state import BrokenRecord, Floor, Table, with_table, with_transfers
from headsup.game.values.dates import is_iso_date
from headsup.game.values.money import MICROS_PER_CENT, Cents


@dataclass(frozen=True, slots=True)
class IssueCoupon:
    """Give a person a promotional coupon for one wager of exactly this amount (R12).

    `expires` is the last day on which it can be staked. Two people approve it.
    """

    player: str
    wager: Wager
    amount: Cents
    expires: str  # like 2026-12-31
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CancelCoupon:
    """Take an unspent coupon back, such as one that has expired; two people approve it."""

    coupon: int
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CouponIssued:
    coupon: int  # its number at this table
    player: str
    wager: Wager
    amount: Cents
    expires: str
    approvals: tuple[str, str]

    @property
    def audience(self) -> Audience:
        return PlayerOnly(self.player)


@dataclass(frozen=True, slots=True)
class CouponCancelled:
    coupon: int
    player: str
    reason: str
    approvals: tuple[str, str]

    @property
    def audience(self) -> Audience:
        return PlayerOnly(self.player)


CouponCommand = IssueCoupon | CancelCoupon
CouponEvent = CouponIssued | CouponCancelled
CouponAnswer = tuple[CouponEvent, ...] | Refusal


def decide_coupon(table: Table, command: CouponCommand) -> CouponAnswer:
    if refused := _refuse_one_person(command.approvals):
        return refused
    return _issue(table, command) if isinstance(command, IssueCoupon) else _cancel(table, command)


def _issue(table: Table, command: IssueCoupon) -> CouponAnswer:
    player, wager, amount, expires = command.player, command.wager, command.amount, command.expires
    if refused := refuse_bad_player_name(player) or refuse_coupon(table.rules, wager, amount):
        return refused
    if is_guest_name(player) and player not in table.players.values():
        return refusal(Code.BAD_NAME, "no_guest", name=player)
    if not is_iso_date(expires):
        return refusal(Code.BAD_COUPON, "no_date", value=expires)
    number = table.coupons.issued + 1
    return (CouponIssued(number, player, wager, amount, expires, command.approvals),)


def _cancel(table: Table, command: CancelCoupon) -> CouponAnswer:
    coupon = table.coupons.unspent.get(command.coupon)
    if coupon is None:
        return refusal(Code.NO_SUCH_COUPON, table=table.id, coupon=command.coupon)
    if not command.reason.strip():
        return refusal(Code.NEEDS_REASON, "coupon")
    if refused := _refuse_on_felt(table, command.coupon):
        return refused
    return (CouponCancelled(command.coupon, coupon.player, command.reason, command.approvals),)


def _refuse_one_person(approvals: tuple[str, str]) -> Refusal | None:
    names = {name.strip().casefold() for name in approvals} - {""}
    return None if len(names) == 2 else refusal(Code.NEEDS_TWO_PEOPLE, "coupon")


def evolve_coupon(floor: Floor, table: Table, event: CouponEvent) -> Floor:
    coupons = table.coupons
    match event:
        case CouponIssued(number, player, wager, amount, expires):
            coupon = Coupon(player, wager, amount, expires)
            after = coupons.with_new(number, coupon)
            transfer = _issue_transfer(table, coupon, number)
        case CouponCancelled(number):
            if number not in coupons.unspent:
                raise BrokenRecord(f"table {table.id}: coupon {number} is not unspent")
            after = coupons.without((number,))
            issued = _issue_transfer(table, coupons.unspent[number], number)
            transfer = issued._replace(
                debit=issued.credit, credit=issued.debit, reason=Reason.COUPON_CANCELLED
            )
    return with_transfers(with_table(floor, table._replace(coupons=after)), (transfer,))


def _issue_transfer(table: Table, coupon: Coupon, number: int) -> Transfer:
    issued, held = issued_coupon_account(table.id), coupon_account(table.id, coupon.player)
    amount = coupon.amount * MICROS_PER_CENT
    return Transfer(issued, held, amount, Reason.COUPON_ISSUED, f"{table.id} coupon {number}")


# Staking and spending.


def refuse_coupons_not_held(table: Table, command: PlaceBets) -> Refusal | None:
    """A coupon is staked by the person it was issued to, on its wager and for its amount, once."""
    for wager, number in command.coupons.items():
        if refused := (
            _refuse_coupon_for(table, command, wager, number)
            or _refuse_on_felt(table, number, command.seat)
        ):
            return refused.within(f"seat {command.seat}")
    return None


def _refuse_coupon_for(
    table: Table, command: PlaceBets, wager: Wager, number: int
) -> Refusal | None:
    player, coupon = table.players[command.seat], table.coupons.unspent.get(number)
    if coupon is None or coupon.player != player:  # one answer for both: who holds it is private
        return refusal(Code.NO_SUCH_COUPON, "held", player=player, coupon=number)
    label, stake = table.rules.book.label, command.stakes[wager]
    if coupon.wager is not wager:
        own, other = label(coupon.wager), label(wager)
        return refusal(Code.BAD_COUPON, "wager", coupon=number, own=own, wager=other)
    if coupon.amount != stake:
        return refusal(Code.BAD_COUPON, "amount", coupon=number, amount=coupon.amount, stake=stake)
    return None


def _refuse_on_felt(table: Table, number: int, seat: int | None = None) -> Refusal | None:
    """Refuse a coupon that lies on the felt, unless it is in this seat's own bets."""
    if not table.is_playing or table.round is None:
        return None
    for other, bets in table.round.seats.items():
        if other != seat and number in bets.coupons.values():
            return refusal(Code.COUPON_ON_FELT, coupon=number, seat=other)
    return None


def refuse_expired(table: Table, command: PlaceBets | IssueCoupon, day: str) -> Refusal | None:
    """Refuse coupons after their last day, of a command that is otherwise accepted.

    The caller passes the day, since rules have no clock. Days sort as text.
    """
    if isinstance(command, IssueCoupon):
        expires = command.expires
        return refusal(Code.COUPON_EXPIRED, "issue", day=expires) if expires < day else None
    for number in command.coupons.values():
        expires = table.coupons.unspent[number].expires
        if expires < day:
            return refusal(Code.COUPON_EXPIRED, coupon=number, day=expires)
    return None


def without_spent_coupons(table: Table, round: Round, seat: int) -> Table:
    """The table after this seat's hand was settled."""
    staked = round.seats[seat].coupons
    if not staked or round.settlement is None:
        return table
    spent = [staked[line.wager] for line in round.settlement.seat(seat).lines if is_spent(line)]
    return table._replace(coupons=table.coupons.without(spent)) if spent else table
