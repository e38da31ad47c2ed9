"""A wrong payout put right by a further entry (R95)."""

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import CorrectPayout
from headsup.game.table.events import Answer, PayoutCorrected
from headsup.game.table.seating import no_amount, nobody, too_dear
from headsup.game.table.state import Floor, Table


def correct_payout(floor: Floor, table: Table, command: CorrectPayout) -> Answer:
    seat, amount = command.seat, command.amount
    if refused := (
        nobody(table, seat)
        or _undocumented(command)
        or _not_paid(table, seat)
        or no_amount(abs(amount), f"seat {seat}: correction")
        or too_dear(floor, table, seat, -amount)
    ):
        return refused
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    return (PayoutCorrected(seat, amount, table.paid, command.reason, dealer, supervisor),)


def _undocumented(command: CorrectPayout) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "correction")
    return None if command.reason.strip() else refusal(Code.NEEDS_REASON, "correction")


def _not_paid(table: Table, seat: int) -> Refusal | None:
    if not table.paid:
        return refusal(Code.NO_ROUND, "paid")
    if table.paid_players.get(seat) != table.players[seat]:
        return refusal(Code.NOT_IN_ROUND, where=f"seat {seat}", round=table.paid)
    return None
