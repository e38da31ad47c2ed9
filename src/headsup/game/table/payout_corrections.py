"""Corrects a wrong payout with a further entry, however long ago the round was (R95)."""

from headsup.game.refusal import Code, Refusal, refusal, show_value
from headsup.game.table.commands import CorrectPayout
from headsup.game.table.events import Answer, PayoutCorrected
from headsup.game.table.round_history import SettledRound
from headsup.game.table.seating import refuse_amount, refuse_empty_seat
from headsup.game.table.state import Floor, Table
from headsup.game.values.money import MICROS_PER_CENT


def correct_payout(floor: Floor, table: Table, command: CorrectPayout) -> Answer:
    seat, amount = command.seat, command.amount
    if refused := _refuse_undocumented(command):
        return refused
    settled = _disputed_round(table, command)
    if isinstance(settled, Refusal):
        return settled
    name = _player_in_round(table, command, settled)
    if isinstance(name, Refusal):
        return name
    if not amount:
        return refusal(Code.BAD_AMOUNT, "correction", where=f"seat {seat}: correction")
    if refused := refuse_amount(abs(amount), f"seat {seat}: correction"):
        return refused
    chips = floor.ledger.balance(table.chips_account_of(name)) // MICROS_PER_CENT
    if -amount > chips:
        return refusal(Code.NOT_ENOUGH_CHIPS, seat=seat, chips=chips, cents=-amount)
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    return (
        PayoutCorrected(
            seat,
            amount,
            settled.number,
            command.reason,
            dealer,
            supervisor,
            name,
            command.recalled,
        ),
    )


def _refuse_undocumented(command: CorrectPayout) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "correction")
    return None if command.reason.strip() else refusal(Code.NEEDS_REASON, "correction")


def _disputed_round(table: Table, command: CorrectPayout) -> SettledRound | Refusal:
    """The round in question: the last one, or an earlier one with a proof from the record."""
    if command.recalled is not None:
        if not table.past.proves(command.recalled):
            return refusal(Code.NO_ROUND, "recalled", round=command.recalled.round.number)
        return command.recalled.round
    return table.past.last or refusal(Code.NO_ROUND, "paid")


def _player_in_round(table: Table, command: CorrectPayout, settled: SettledRound) -> str | Refusal:
    """Who held the seat in that round: the player named, or the one who still sits there."""
    seat = command.seat
    if not command.player and (refused := refuse_empty_seat(table, seat)):
        return refused
    name = command.player or table.players[seat]
    if settled.player(seat) != name:
        return refusal(Code.NOT_IN_ROUND, where=f"seat {show_value(seat)}", round=settled.number)
    return name
