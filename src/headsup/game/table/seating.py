"""Sitting down and leaving, buying in and cashing out."""

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.events import Answer, BoughtIn, CashedOut, PlayerLeft, PlayerSat
from headsup.game.table.state import Floor, Table
from headsup.game.values.money import MAX_STAKE_CENTS, Cents


def sit(table: Table, seat: int, name: str) -> Answer:
    if isinstance(seat, bool) or not 1 <= seat <= table.rules.book.seats:
        return refusal(Code.NO_SUCH_SEAT, "numbered", seats=table.rules.book.seats)
    if seat in table.players:
        return refusal(Code.SEAT_TAKEN, seat=seat)
    if refused := refuse_bad_player_name(name):
        return refused
    allowed = table.rules.options.get("positions_per_player", 1)
    if _positions(table, name) >= allowed:
        clause = table.rules.book.options["positions_per_player"].clause
        return refusal(Code.ONE_POSITION, player=name, allowed=allowed, clause=clause)
    return (PlayerSat(seat, name),)


def leave(floor: Floor, table: Table, seat: int) -> Answer:
    if refused := refuse_empty_seat(table, seat) or _refuse_in_round(table, seat):
        return refused
    # A player with several positions cashes out when leaving the last one.
    last = _positions(table, table.players[seat]) == 1
    chips = floor.chips(table.id, seat) if last else 0
    return (*((CashedOut(seat, chips),) if chips else ()), PlayerLeft(seat))


def buy_in(table: Table, seat: int, amount: Cents) -> Answer:
    if refused := refuse_empty_seat(table, seat) or refuse_amount(amount, f"seat {seat}: buy-in"):
        return refused
    return (BoughtIn(seat, amount),)


def cash_out(floor: Floor, table: Table, seat: int, amount: Cents) -> Answer:
    """Any amount up to the seat's chips: there is no maximum on winnings."""
    if refused := refuse_empty_seat(table, seat) or _refuse_in_round(table, seat):
        return refused
    if isinstance(amount, bool) or amount <= 0:
        return refusal(Code.BAD_AMOUNT, where=f"seat {seat}: cash-out")
    return refuse_unaffordable(floor, table, seat, amount) or (CashedOut(seat, amount),)


# Refusals.


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
    chips = floor.chips_of_seat(table, seat)
    if cents <= chips:
        return None
    return refusal(Code.NOT_ENOUGH_CHIPS, seat=seat, chips=chips, cents=cents)


def _refuse_in_round(table: Table, seat: int) -> Refusal | None:
    """A player with a wager may not leave; before the deal the wager may still be withdrawn."""
    if not table.in_round(seat):
        return None
    dealt = table.round is not None and table.round.deck
    clause = table.rules.book.clauses.get("remain_seated", "R13") if dealt else "R13"
    return refusal(Code.IN_ROUND, seat=seat, clause=clause)


def _positions(table: Table, name: str) -> int:
    return sum(player == name for player in table.players.values())
