"""Sitting down and leaving, buying in and cashing out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from headsup.game.bank.ledger import Reason, Transfer, cage_account, drop_account
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import AT_THE_TABLE, AmountHidden, Audience
from headsup.game.table.chips.felt import is_guest_name, seat_name
from headsup.game.table.chips.shifts import with_drop
from headsup.game.table.postings import posting_reference
from headsup.game.table.state import Floor, Table, with_table, with_transfers
from headsup.game.values.money import MAX_STAKE_CENTS, MICROS_PER_CENT, Cents


@dataclass(frozen=True, slots=True)
class Sit:
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SitGuest:
    """Seat somebody without an account, who plays with real chips; the dealer acts for them (R109).

    `name` is a label, which may be empty. `same_as` is the seat that the same person holds already,
    or 0.
    """

    seat: int
    name: str = ""
    same_as: int = 0


@dataclass(frozen=True, slots=True)
class Leave:
    """Stand up; any chips left are cashed out."""

    seat: int


@dataclass(frozen=True, slots=True)
class BuyIn:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class CashOut:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class PlayerSat:
    seat: int
    player: str

    audience = AT_THE_TABLE


@dataclass(frozen=True, slots=True)
class GuestSat:
    """`holder` is who the record names: the same for all seats of one person."""

    seat: int
    holder: str
    name: str

    audience = AT_THE_TABLE


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    seat: int

    audience = AT_THE_TABLE


@dataclass(frozen=True, slots=True)
class BoughtIn:
    seat: int
    amount: Cents

    @property
    def audience(self) -> Audience:
        return AmountHidden(self.seat)


@dataclass(frozen=True, slots=True)
class CashedOut:
    seat: int
    amount: Cents

    @property
    def audience(self) -> Audience:
        return AmountHidden(self.seat)


SeatingCommand = Sit | SitGuest | Leave | BuyIn | CashOut
SeatingEvent = PlayerSat | GuestSat | PlayerLeft | BoughtIn | CashedOut
SeatingAnswer = tuple[SeatingEvent, ...] | Refusal


def decide_seating(floor: Floor, table: Table, command: SeatingCommand) -> SeatingAnswer:
    match command:
        case Sit(seat, name):
            return _sit(table, seat, name)
        case SitGuest():
            return _sit_guest(table, command)
        case Leave(seat):
            return _leave(floor, table, seat)
        case BuyIn(seat, amount):
            return _buy_in(table, seat, amount)
        case CashOut(seat, amount):
            return _cash_out(floor, table, seat, amount)
        case _:
            assert_never(command)


def _sit(table: Table, seat: int, name: str) -> SeatingAnswer:
    refused = _refuse_seat(table, seat) or refuse_bad_player_name(name)
    if is_guest_name(name):
        refused = refused or refusal(Code.BAD_NAME, "guest")
    return refused or _refuse_positions(table, name) or (PlayerSat(seat, name),)


def _sit_guest(table: Table, command: SitGuest) -> SeatingAnswer:
    seat, name, other = command.seat, command.name, command.same_as
    if refused := _refuse_seat(table, seat):
        return refused
    if name and (refused := refuse_bad_player_name(name)):
        return refused
    if not other:
        return (GuestSat(seat, _free_holder(table, seat), name),)
    if not table.is_guest(other):
        return refusal(Code.GUEST_SEAT, "other", seat=other)
    holder = table.players[other]
    label = name or table.felt.guests[other]
    return _refuse_positions(table, holder) or (GuestSat(seat, holder, label),)


def _free_holder(table: Table, seat: int) -> str:
    """The seat's own name, or that of another seat if a guest who held this one still has it."""
    taken = set(table.players.values())
    seats = (seat, *range(1, table.rules.book.seats + 1))
    return next(name for name in map(seat_name, seats) if name not in taken)


def _leave(floor: Floor, table: Table, seat: int) -> SeatingAnswer:
    if refused := refuse_empty_seat(table, seat) or _refuse_in_round(table, seat):
        return refused
    # A player with several positions cashes out when leaving the last one.
    holder = table.players[seat]
    last = _positions(table, holder) == 1
    if table.is_guest(seat):
        coupons = table.coupons.of(holder) if last else {}
        if coupons:  # the seat's next guest would have them
            return refusal(Code.GUEST_SEAT, "coupons", seat=seat, coupons=tuple(sorted(coupons)))
        return (PlayerLeft(seat),)
    chips = floor.chips(table.id, seat) if last else 0
    return (*((CashedOut(seat, chips),) if chips else ()), PlayerLeft(seat))


def _buy_in(table: Table, seat: int, amount: Cents) -> SeatingAnswer:
    if refused := refuse_empty_seat(table, seat) or refuse_amount(amount, f"seat {seat}: buy-in"):
        return refused
    return (BoughtIn(seat, amount),)


def _cash_out(floor: Floor, table: Table, seat: int, amount: Cents) -> SeatingAnswer:
    """Any amount up to the seat's chips: there is no maximum on winnings."""
    if refused := refuse_empty_seat(table, seat) or _refuse_in_round(table, seat):
        return refused
    if table.is_guest(seat):
        return refusal(Code.GUEST_SEAT, "cash_out", seat=seat)
    if isinstance(amount, bool) or amount <= 0:
        return refusal(Code.BAD_AMOUNT, where=f"seat {seat}: cash-out")
    return refuse_unaffordable(floor, table, seat, amount) or (CashedOut(seat, amount),)


def evolve_seating(floor: Floor, table: Table, event: SeatingEvent) -> Floor:
    match event:
        case PlayerSat(seat, name):
            players = {**table.players, seat: name}
            since = {**table.since, seat: table.rounds + (not table.is_playing)}
            return with_table(floor, table._replace(players=players, since=since))
        case GuestSat(seat, holder, name):
            floor = evolve_seating(floor, table, PlayerSat(seat, holder))
            guests = {**table.felt.guests, seat: name}
            return with_table(floor, _with_guests(floor.tables[table.id], guests))
        case PlayerLeft(seat):
            players = {number: name for number, name in table.players.items() if number != seat}
            if table.is_guest(seat):
                others = table.felt.guests.items()
                guests = {number: name for number, name in others if number != seat}
                table = _with_guests(table, guests)
            return with_table(floor, table._replace(players=players))
        case BoughtIn(seat, amount):
            floor = with_transfers(floor, (_buy_in_transfer(table, seat, amount),))
            if not table.is_guest(seat):
                return floor
            return with_table(floor, table._replace(felt=with_drop(table.felt, amount)))
        case CashedOut(seat, amount):
            micros, ref = amount * MICROS_PER_CENT, posting_reference(table)
            chips = table.purse(seat)
            return with_transfers(
                floor, (Transfer(chips, cage_account(), micros, Reason.CASH_OUT, ref),)
            )
        case _:
            assert_never(event)


def _with_guests(table: Table, guests: Mapping[int, str]) -> Table:
    return table._replace(felt=table.felt._replace(guests=guests))


def _buy_in_transfer(table: Table, seat: int, amount: Cents) -> Transfer:
    """A guest's cash goes into the box; the chips for it leave the tray, and their purse grows by
    as much as the cash it gave. So the two cancel out, and nothing else moves."""
    micros, ref = amount * MICROS_PER_CENT, posting_reference(table)
    if table.is_guest(seat):
        box = drop_account(table.id)
        return Transfer(table.tray(seat), box, micros, Reason.CASH_FOR_CHIPS, ref)
    return Transfer(cage_account(), table.purse(seat), micros, Reason.BUY_IN, ref)


# Refusals.


def _refuse_seat(table: Table, seat: int) -> Refusal | None:
    if isinstance(seat, bool) or not 1 <= seat <= table.rules.book.seats:
        return refusal(Code.NO_SUCH_SEAT, "numbered", seats=table.rules.book.seats)
    return refusal(Code.SEAT_TAKEN, seat=seat) if seat in table.players else None


def _refuse_positions(table: Table, name: str) -> Refusal | None:
    allowed = table.rules.options.get("positions_per_player", 1)
    if _positions(table, name) < allowed:
        return None
    clause = table.rules.book.options["positions_per_player"].clause
    return refusal(Code.ONE_POSITION, player=name, allowed=allowed, clause=clause)


def refuse_bad_player_name(name: str) -> Refusal | None:
    if not name or name != name.strip() or "/" in name or not name.isprintable():
        return refusal(Code.BAD_NAME, "player")
    return None


def refuse_empty_seat(table: Table, seat: int) -> Refusal | None:
    return None if seat in table.players else refusal(Code.NO_SUCH_SEAT, "empty", seat=seat)


def refuse_amount(cents: Cents, where: str) -> Refusal | None:
    if isinstance(cents, bool) or cents <= 0:
        return refusal(Code.BAD_AMOUNT, where=where)
    if cents > MAX_STAKE_CENTS:
        return refusal(Code.BAD_AMOUNT, "most", where=where, most=MAX_STAKE_CENTS)
    return None


def refuse_unaffordable(floor: Floor, table: Table, seat: int, cents: Cents) -> Refusal | None:
    if table.is_guest(seat):  # the dealer sees the chips
        return None
    chips = floor.chips_of_seat(table, seat)
    if cents <= chips:
        return None
    return refusal(Code.NOT_ENOUGH_CHIPS, seat=seat, chips=chips, cents=cents)


def _refuse_in_round(table: Table, seat: int) -> Refusal | None:
    """A player with a wager may not leave; before the deal the wager may still be withdrawn."""
    if not table.in_round(seat):
        return None
    dealt = table.round is not None and table.round.dealt
    clause = table.rules.book.clauses.get("remain_seated", "R13") if dealt else "R13"
    return refusal(Code.IN_ROUND, seat=seat, clause=clause)


def _positions(table: Table, name: str) -> int:
    return sum(player == name for player in table.players.values())
